"""What the console's pages do around forms: shell, lists, detail pages, frames, sessions."""

import base64

import pytest
from playwright.async_api import expect

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_region_shows_what_is_in_it(visitor):
    page = visitor.page
    visitor.make("samples", name="cold", region="north")
    visitor.make("samples", name="warm", region="east")
    visitor.make("racks", name="everywhere", region="east")
    await visitor.log_in()
    await visitor.go("samples")
    await visitor.names("cold")
    await page.get_by_role("link", name="cold").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("cold")
    await visitor.button("Region: North (Oslo)").click()
    await page.get_by_role("menuitemradio", name="East (Shanghai)").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Samples")
    await visitor.names("warm")
    await page.get_by_role("link", name="Racks").click()
    await visitor.names("everywhere")
    await page.reload()
    await expect(visitor.button("Region: East (Shanghai)")).to_be_visible()
    await visitor.go("samples")
    await visitor.names("warm")
    await page.context.clear_cookies(name="practice_region")
    await page.reload()
    await visitor.names("cold")


async def test_a_greeting_gets_in_the_way_once(visitor):
    page = visitor.page
    await visitor.log_in(greeted=False)
    await visitor.go("samples")
    dialog = page.get_by_role("dialog", name="Welcome to the laboratory")
    await expect(dialog).to_contain_text("Wear glasses.")
    with pytest.raises(Exception, match="inert"):
        await visitor.page.get_by_text("Add sample").click(timeout=500)
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await visitor.button("Add sample").click()
    await expect(page.get_by_role("dialog", name="Add sample")).to_be_visible()
    await visitor.go("racks")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_a_greeting_is_dismissed_by_its_button(visitor):
    await visitor.log_in(greeted=False)
    await visitor.go("racks")
    await visitor.button("Got it").click()
    await expect(visitor.page.locator(".onboarding")).to_have_count(0)
    await visitor.button("Add rack").click()


async def test_an_announcement_stays_closed(visitor):
    await visitor.log_in()
    await visitor.go("samples")
    banner = visitor.page.get_by_role("region", name="Announcement")
    await expect(banner).to_contain_text("The laboratory moves on Sunday.")
    await visitor.button("Close announcement").click()
    await expect(banner).to_have_count(0)
    await visitor.go("racks")
    await expect(banner).to_have_count(0)


async def test_the_navigation_as_a_whole_is_collapsed(visitor):
    page = visitor.page
    await visitor.log_in()
    await visitor.go("samples")
    await visitor.button("Collapse navigation").click()
    await expect(page.get_by_role("link", name="Racks")).to_be_hidden()
    await page.reload()
    await expect(page.get_by_role("link", name="Racks")).to_be_hidden()
    await visitor.button("Expand navigation").click()
    await page.get_by_role("link", name="Racks").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Racks")


async def test_pages_of_text_quotas_and_a_dead_entry(visitor):
    page = visitor.page
    visitor.make("samples", name="one")
    await visitor.log_in()
    await visitor.go("samples")
    await page.get_by_role("link", name="Rules").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("House rules")
    await expect(page.locator("main")).to_contain_text("Do not run.")
    await page.get_by_role("link", name="Lab quotas").click()
    await expect(page.get_by_role("row", name="Samples")).to_contain_text("33%")
    bar = page.get_by_role("progressbar", name="Samples")
    assert await bar.get_attribute("aria-valuemax") == "3"
    await expect(page.get_by_role("row", name="Racks")).to_have_count(0)
    await page.get_by_role("link", name="Forum").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("404")


async def test_the_product_menu_searches_also_for_what_products_have(visitor):
    page = visitor.page
    await visitor.log_in()
    await visitor.button("Products").click()
    search = page.get_by_role("searchbox", name="Search products")
    await search.fill("nothing of the kind")
    await expect(page.locator(".mega").get_by_role("link")).to_have_count(0)
    await search.fill("rack")
    await search.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Samples")


async def test_a_list_is_filtered(visitor):
    page = visitor.page
    visitor.make("samples", name="a", colour="red", is_frozen=True)
    visitor.make("samples", name="b", colour="blue", is_frozen=True)
    visitor.make("samples", name="c", colour="blue", is_frozen=False)
    await visitor.log_in()
    await visitor.go("samples")
    await visitor.names("c", "b", "a")
    await page.get_by_label("Colour", exact=True).select_option("Blue")
    await visitor.names("c", "b")
    await page.get_by_label("Frozen", exact=True).select_option("Enabled")
    await visitor.names("b")
    await page.get_by_label("Colour", exact=True).select_option("All")
    await visitor.names("b", "a")
    await page.get_by_label("Status", exact=True).select_option("Available")
    await visitor.names("b", "a")


async def test_columns_are_chosen_and_kept(visitor):
    page = visitor.page
    visitor.make("samples", name="a")
    await visitor.log_in()
    await visitor.go("samples")
    heads = page.locator("thead th:not(.tick):not(.actions)")
    await expect(heads).to_have_text(["Sample name", "Status", "Colour", "Frozen", "Created"])
    await visitor.button("Column settings").click()
    dialog = page.get_by_role("dialog", name="Column settings")
    await expect(dialog.get_by_label("Sample name")).to_be_disabled()
    await dialog.get_by_label("Taken on").check()
    await dialog.get_by_label("Colour").uncheck()
    await dialog.get_by_role("button", name="Confirm").click()
    await expect(heads).to_have_text(["Sample name", "Status", "Frozen", "Taken on", "Created"])
    await expect(visitor.row("a")).to_contain_text("4 Mar 2026")
    await page.reload()
    await expect(heads).to_have_text(["Sample name", "Status", "Frozen", "Taken on", "Created"])


async def test_rows_that_come_late_have_grey_bars_meanwhile(visitor):
    page = visitor.page
    visitor.make("notes", name="late")
    await visitor.log_in()
    await visitor.go("notes")
    table = page.get_by_role("table", name="Notes", include_hidden=True)
    assert await table.get_attribute("aria-busy") == "true"
    assert await page.locator("tr.skeleton[aria-hidden=true]").count() > 0
    await visitor.names("late")
    assert await table.get_attribute("aria-busy") == "false"
    await expect(page.locator("tr.skeleton")).to_have_count(0)


async def test_a_page_has_as_many_rows_as_is_asked_for(visitor):
    page = visitor.page
    for number in range(11):
        visitor.make("racks", name=f"r{number}")
    await visitor.log_in()
    await visitor.go("racks")
    await expect(page.locator("tbody tr th")).to_have_count(10)
    await page.get_by_label("Rows per page").select_option("20")
    await expect(page.locator("tbody tr th")).to_have_count(11)


async def test_a_row_that_may_not_go_comes_back(visitor):
    page = visitor.page
    rack = visitor.make("racks", name="used")
    visitor.make("racks", name="free")
    visitor.make("samples", name="one", racks=[rack["id"]])
    await visitor.log_in()
    await visitor.go("racks")
    await visitor.names("free", "used")
    release = []

    async def hold(route):
        if route.request.method == "DELETE":
            release.append(route)
        else:
            await route.continue_()

    await page.route("**/api/lab/racks/*", hold)
    await visitor.row("used").get_by_role("button", name="Remove").click()
    await visitor.names("free")  # before the cloud has heard of it
    await release.pop().continue_()
    await expect(page.get_by_role("alert")).to_contain_text("used")
    await visitor.names("free", "used")
    await visitor.row("free").get_by_role("button", name="Remove").click()
    await visitor.names("used")
    await release.pop().continue_()
    await expect(page.get_by_role("status").filter(has_text="Removed free")).to_be_visible()
    await visitor.names("used")


async def test_an_edit_is_seen_before_it_is_done(visitor):
    page = visitor.page
    visitor.make("racks", name="old")
    await visitor.log_in()
    await visitor.go("racks")
    await visitor.row("old").get_by_role("button", name="Rename").click()
    held = []
    await page.route("**/rename", lambda route: held.append(route))
    await page.get_by_role("textbox", name="Rack name").fill("new")
    await visitor.button("Save").click()
    await visitor.names("new")
    assert len(held) == 1
    await held[0].continue_()
    await expect(page.get_by_role("status").filter(has_text="Rack renamed")).to_be_visible()
    await visitor.names("new")


async def test_a_detail_page_shows_every_kind_of_value(visitor):
    page = visitor.page
    rack = visitor.make("racks", name="top")
    sheet = {"name": "a.txt", "size": 5, "content": base64.b64encode(b"hello").decode()}
    made = visitor.make("samples", name="s", racks=[rack["id"]], sheet=sheet)
    await visitor.log_in()
    await visitor.go(f"samples/{made['id']}")
    facts = page.locator("dl.facts > div")
    await expect(facts.filter(has_text="Colour")).to_contain_text("Red")
    await expect(facts.filter(has_text="Amount")).to_contain_text("1,200 ml")
    await expect(facts.filter(has_text="Taken on")).to_contain_text("4 Mar 2026")
    await expect(facts.filter(has_text="Recipe").locator("pre")).to_have_text('{"salt": 1}')
    async with page.expect_download() as download:
        await page.get_by_role("link", name="a.txt (5 B)").click()
    assert (await (await download.value).path()).read_bytes() == b"hello"
    code = made["values"]["code"]
    await expect(facts.filter(has_text="Code")).to_contain_text(code)
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await visitor.button("Copy Code").click()
    await expect(page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    assert await page.evaluate("navigator.clipboard.readText()") == code
    await page.get_by_role("link", name="top").click()
    await page.get_by_role("tab", name="Samples").click()
    await visitor.names("s")
    await visitor.button("Add sample").click()
    await page.get_by_role("textbox", name="Sample name").fill("t")
    await visitor.button("Add").click()
    await visitor.names("t", "s")


@pytest.mark.parametrize("tab", ["Dye here", "Dye elsewhere"])
async def test_a_form_in_a_frame(visitor, tab):
    page = visitor.page
    made = visitor.make("samples", name="s")
    await visitor.log_in()
    await visitor.go(f"samples/{made['id']}")
    await page.get_by_role("tab", name=tab).click()
    frame = page.frame_locator(f"iframe[title='{tab}']")
    await frame.get_by_label("Colour").select_option("Blue")
    await frame.get_by_role("button", name="Save").click()
    await expect(frame.get_by_role("status")).to_have_text("Dyed s")
    await expect(page.get_by_role("status").filter(has_text="Dyed s")).to_be_visible()
    await page.get_by_role("tab", name="Details").click()
    await expect(page.locator("dl.facts > div").filter(has_text="Colour")).to_contain_text("Blue")
    source = page.frames[-1].url if len(page.frames) > 1 else ""
    assert source == ""  # the frame went with its tab


async def test_a_frame_of_another_origin_is_one_and_only_the_console_may_show_it(visitor):
    page = visitor.page
    made = visitor.make("samples", name="s")
    await visitor.log_in()
    await visitor.go(f"samples/{made['id']}#there")
    await page.frame_locator("iframe").locator("form").wait_for()
    inner = page.frames[-1].url
    assert inner.startswith(visitor.url.replace("127.0.0.1", "localhost"))
    policy = visitor.api.get(inner.replace("localhost", "127.0.0.1"))
    ancestors = policy.headers["content-security-policy"].split()
    own = {visitor.url, visitor.url.replace("127.0.0.1", "localhost")}
    assert ancestors[0] == "frame-ancestors"
    assert set(ancestors[1:]) == own
    assert "frame-ancestors 'none'" in visitor.api.get("/login").headers["content-security-policy"]


async def test_what_needs_a_permission_is_refused_and_said(visitor):
    page = visitor.page
    visitor.make("samples", name="s")
    await visitor.log_in()
    await visitor.go("samples")
    await visitor.row("s").get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Freeze").click()
    await page.get_by_label("Frozen").last.click()
    await visitor.button("Save").click()
    await expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("alice")


async def test_a_session_that_has_ended_is_said(visitor):
    page = visitor.page
    await visitor.log_in()
    await visitor.go("samples")
    assert visitor.api.post("/api/accounts/alice/sign-out").is_success
    await visitor.button("Refresh").click()
    dialog = page.get_by_role("dialog", name="Your session has expired")
    await dialog.get_by_role("button", name="Sign in again").click()
    await page.locator("#username").fill("alice")
    await page.locator("#password").fill(visitor.password)
    await visitor.button("Sign in").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Samples")


@pytest.mark.parametrize("after", ["//evil.example", "https://evil.example", "/console-x"])
async def test_after_the_log_in_only_the_console_follows(visitor, after):
    form = {"username": "alice", "password": visitor.password, "next": after}
    assert visitor.api.post("/login", data=form).headers["location"] == "/console"


async def test_a_row_keeps_the_focus_while_others_change(visitor):
    page = visitor.page
    visitor.make("racks", name="a")
    await visitor.log_in()
    await visitor.go("racks")
    await visitor.names("a")
    rename = visitor.row("a").get_by_role("button", name="Rename")
    await rename.focus()
    visitor.make("racks", name="b")
    await page.evaluate("document.querySelector('[aria-label=Refresh]').click()")
    await visitor.names("b", "a")
    await expect(rename).to_be_focused()
