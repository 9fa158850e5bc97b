"""Waiting, notices, tabs, native dialogs, downloads, egress, secrets, crashes."""

import contextlib
import io
import socket

import pytest
from PIL import Image
from playwright.async_api import Error

from appliance.browser import describe
from appliance.core import actions
from appliance.core.errors import BrowserError
from appliance.core.page import Box, TextKind

BOUND_S = 3.0
"""`settle_timeout_s` of these tests: what a page that is taken for busy costs."""

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def click(page, find):
    async def clicked(name):
        view = await page.observe()
        return await page.perform(actions.Click(find(view, name).id))

    return clicked


async def test_waits_for_what_a_click_loads(page, site, click, find):
    await page.goto(f"{site.url}/busy.html")
    await click("Load")
    assert find(await page.observe(), "db-2", role="button")


async def test_waits_for_a_spinner(page, site, click, find):
    await page.goto(f"{site.url}/busy.html")
    await click("Spin")
    view = await page.observe()
    assert find(view, "done", role="link")
    assert not view.is_busy


@pytest.mark.parametrize("noise", ["clock", "poll", ""])
async def test_noise_does_not_cost_the_bound(page, site, noise):
    await page.goto(f"{site.url}/busy.html?{noise}")
    await page.observe()
    view = await page.observe()
    assert not view.is_busy
    assert view.took_s < BOUND_S * 0.8


async def test_a_page_that_never_rests_is_observed_all_the_same(page, site, click):
    await page.goto(f"{site.url}/busy.html")
    await click("Churn")
    views = [await page.observe() for _ in range(4)]
    assert all("Churn" in {e.name for e in view.elements} for view in views)
    assert all(view.took_s < BOUND_S * 1.5 for view in views)
    assert views[-1].took_s < BOUND_S * 0.8


async def test_a_hanging_request_is_waited_for_once(page, site):
    await page.goto(f"{site.url}/busy.html?hang")
    assert (await page.observe()).took_s < BOUND_S * 0.8


async def test_a_quiet_page_is_observed_at_once(page, site):
    await page.goto(f"{site.url}/widgets.html")
    await page.observe()
    assert min([(await page.observe()).took_s for _ in range(4)]) < 0.5


async def test_brief_notices_are_told_once(page, site, click):
    await page.goto(f"{site.url}/toasts.html")
    await click("Brief")
    await page.raw.wait_for_timeout(600)
    (notice,) = (await page.observe()).notices("success")
    assert notice.text == "Success: bucket created"
    assert not (await page.observe()).notices()


async def test_notices_outlive_a_navigation(page, site, click):
    await page.goto(f"{site.url}/toasts.html")
    await click("Leave")
    await page.raw.wait_for_url("**/widgets.html")
    view = await page.observe()
    assert [t.text for t in view.notices("error")] == ["Quota exceeded"]


async def test_shown_notices_and_field_errors(page, site, click, find):
    await page.goto(f"{site.url}/toasts.html")
    await click("Late")
    view = await page.observe()
    assert [t.text for t in view.notices("warning")] == ["Late warning"]
    assert find(view, "Name").error == "Name is taken."
    assert "Name is taken." in [t.text for t in view.texts if t.kind is TextKind.ERROR]


async def test_native_dialogs_are_answered_and_told(page, site, click, out):
    await page.goto(f"{site.url}/natives.html")
    done = await click("Confirm")
    assert done.events[0].kind == "native_dialog"
    assert done.events[0].text == "confirm: 'Delete db-1?' (accepted)"
    assert await out() == "yes"
    done = await click("Alert")
    assert done.events[0].text == "alert: 'Careful' (accepted)"
    assert await out() == "alerted"
    await click("Prompt")
    assert await out() == "web"
    assert [e.kind for e in (await page.observe()).events] == ["native_dialog"]
    await click("Guard")
    assert (await click("Away")).ok
    assert (await page.observe()).title == "Widgets"


async def test_an_alert_loop_ends(page, site, click, out):
    await page.goto(f"{site.url}/natives.html")
    await click("Loop")
    assert await out() == "survived"


async def test_new_tabs_become_active(page, site, click):
    await page.goto(f"{site.url}/natives.html")
    await click("New tab")
    view = await page.observe()
    assert view.title == "Widgets"
    assert "popup" in {e.kind for e in view.events}
    assert (await page.perform(actions.SwitchTab(tab="1"))).ok
    assert (await page.observe()).title == "Natives"
    assert (await page.perform(actions.SwitchTab(tab="Widgets"))).ok
    assert (await page.observe()).title == "Widgets"
    refused = await page.perform(actions.SwitchTab(tab="nowhere"))
    assert refused.error == "there is no tab 'nowhere'; 2 are open"


async def test_a_closed_tab_gives_way(page, site, click):
    await page.goto(f"{site.url}/natives.html")
    await click("Popup")
    assert (await page.observe()).title == "Inner"
    await page.raw.close()
    assert (await page.observe()).title == "Natives"


async def test_a_file_chooser_is_told_and_holds_nothing_up(page, site, click):
    await page.goto(f"{site.url}/custom.html")
    await page.raw.evaluate(
        "document.body.insertAdjacentHTML('beforeend',"
        "'<label>Files <input type=file multiple></label>')"
    )
    assert (await click("Files")).ok
    view = await page.observe()
    assert ("file_chooser", "several files") in [(e.kind, e.text) for e in view.events]


async def test_downloads_are_told(page, site, click):
    await page.goto(f"{site.url}/natives.html")
    await click("Download key")
    events = [e for e in (await page.observe()).events if e.kind == "download"]
    assert [e.text for e in events] == ["key.pem"]


async def test_other_hosts_are_out_of_reach(page, site, click):
    await page.goto(f"{site.url}/natives.html")
    await click("Outside")
    await page.raw.wait_for_timeout(300)
    events = (await page.observe()).events
    assert any("192.0.2.7/x is not on one of the console's hosts" in e.text for e in events)


async def test_open_url_and_back(page, site):
    await page.goto(f"{site.url}/natives.html")
    opened = actions.OpenUrl(url=f"{site.url}/inner.html")
    assert (await page.perform(opened)).ok
    assert (await page.observe()).title == "Inner"
    assert (await page.perform(actions.GoBack())).ok
    assert (await page.observe()).title == "Natives"
    refused = await page.perform(actions.OpenUrl(url="http://example.com/"))
    assert refused.error == "http://example.com/ is not on one of the console's hosts"


async def test_server_errors_are_told(page, site, click):
    await page.goto(f"{site.url}/natives.html")
    await click("Broken")
    assert any(e.text.startswith("500 GET") for e in (await page.observe()).events)


async def test_secrets_are_masked_everywhere(page, site, find):
    await page.goto(f"{site.url}/secret.html")
    await page.type_secret("#pw", "hunter2")
    await page.type_secret("#token", "s3cr3t")
    view = await page.observe()
    assert find(view, "Password").value == "••••"
    assert find(view, "Token").value == "••••"
    assert "hunter2" not in describe(view) + repr(view)
    excerpt = await page.dom_excerpt()
    assert "deadbeef" not in excerpt
    assert "hunter2" not in excerpt
    picture = Image.open(io.BytesIO(await page.screenshot()))
    for name in ("Password", "Token"):
        box = find(view, name).box
        pixel = picture.getpixel((int(box.x + box.width / 2), int(box.y + box.height / 2)))
        assert all(abs(c - 96) < 12 for c in pixel)


async def test_a_highlight_is_drawn_in_the_picture(page, site):
    await page.goto(f"{site.url}/inner.html")
    picture = Image.open(io.BytesIO(await page.screenshot(Box(100, 100, 80, 40))))
    assert picture.format == "JPEG"
    assert picture.size == (1280, 900)
    red, green, blue = picture.getpixel((140, 98))
    assert red > 150
    assert max(green, blue) < 110


async def test_an_excerpt_is_the_row_around_an_element(page, site, find):
    await page.goto(f"{site.url}/rerender.html")
    view = await page.observe()
    excerpt = await page.dom_excerpt(find(view, "Delete", row="b").id)
    assert excerpt.startswith("<tr>")
    assert "<td>b</td>" in excerpt
    assert len(await page.dom_excerpt()) <= 20_000


async def test_what_is_open_already_is_loaded_again(page, site):
    url = f"{site.url}/inner.html#/users/5"
    await page.goto(url)
    await page.raw.evaluate("document.title = 'what was typed'")
    await page.goto(url)
    assert (await page.observe()).title != "what was typed"
    await page.raw.evaluate("document.title = 'what was typed'")
    await page.goto(f"{site.url}/inner.html#/users/6")
    assert (await page.observe()).title != "what was typed"


async def test_a_console_that_is_down_is_said(pool):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{nobody.getsockname()[1]}"
        async with pool.page(frozenset({host})) as page:
            with pytest.raises(BrowserError, match=rf"cannot open http://{host}/: .*REFUSED"):
                await page.goto(f"http://{host}/")


async def test_a_foreign_address_is_refused(page):
    with pytest.raises(BrowserError, match="is not on one of the console's hosts"):
        await page.goto("http://192.0.2.1/")


async def test_a_crash_is_an_error_of_the_attempt(page, site):
    await page.goto(f"{site.url}/inner.html")
    with contextlib.suppress(Error):
        await page.raw.goto("chrome://crash", timeout=3000)
    with pytest.raises(BrowserError, match="crashed"):
        await page.observe()


async def test_chinese_locale(pool, site):
    async with pool.page(frozenset({site.host}), locale="zh") as page:
        await page.goto(f"{site.url}/inner.html")
        said = await page.raw.evaluate(
            "[navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone]"
        )
    assert said == ["zh-CN", "UTC"]
