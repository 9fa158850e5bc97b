"""What is taken back, copied and searched for, in a real browser."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest
from playwright.async_api import BrowserContext, Page, expect

from appliance.core.verdict import Verdict
from appliance.store.activity import Outcome
from appliance.store.incident import IncidentState, TriageAction, TriageDecision
from appliance.store.labels import SeenLabel
from appliance.store.paging import Paging


@pytest.fixture
async def page(chromium: BrowserContext) -> AsyncIterator[Page]:
    await chromium.grant_permissions(["clipboard-read", "clipboard-write"])
    page = await chromium.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert not complaints


async def test_triage_of_many_is_undone_by_one_click(page: Page, address: str, night, store):
    await page.goto(f"{address}/findings")
    await page.get_by_label("All", exact=True).check()
    await page.get_by_role("button", name="Reject").click()
    await expect(page.locator("[data-row]")).to_have_count(0)
    await page.get_by_role("button", name="Undo").click()
    await expect(page.get_by_role("status")).to_contain_text("Undone: 2 findings")
    await expect(page.locator("[data-row]")).to_have_count(2)
    await expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    states = {store.incidents.get(id).state for id in (night.renamed, night.missing)}
    assert states == {IncidentState.OPEN}
    latest = store.activity.page(Paging(0, 1)).items[0]
    assert (latest.deed, latest.detail, latest.outcome) == ("triage-finding", "undo", Outcome.DONE)
    assert {night.renamed, night.missing} == set(latest.object.split())


async def test_what_was_said_of_one_is_undone_by_key_and_in_its_log(
    page: Page, address: str, night, store
):
    await page.goto(f"{address}/findings/{night.renamed}?state=all")
    await page.keyboard.press("c")
    await expect(page.get_by_role("status")).to_contain_text("Confirmed")
    await page.keyboard.press("z")
    await expect(page.get_by_role("status")).to_contain_text("Undone: “Create Bucket”")
    assert store.incidents.get(night.renamed).state is IncidentState.OPEN

    await page.goto(f"{address}/findings/{night.renamed}?state=all")
    await expect(page.locator(".log")).to_contain_text("took back “confirmed it”")
    await expect(page.locator(".log .undone")).to_have_count(1)
    await page.get_by_role("textbox", name="Comment, or why").fill("hm")
    await page.get_by_role("button", name="Comment", exact=True).click()
    await page.locator(".log").get_by_role("button", name="Undo").click()
    await expect(page.locator(".log .undone")).to_have_count(2)
    await expect(page.locator(".log").get_by_role("button", name="Undo")).to_have_count(0)


async def test_undoing_what_somebody_else_did_since_says_why_not(local, night, store, clock):
    at = clock.now()
    store.incidents.triage(night.renamed, TriageDecision(TriageAction.CONFIRM), by="local", at=at)
    form = {"action": "undo", "said_at": at.isoformat(), "back": "/findings"}
    store.incidents.triage(night.renamed, TriageDecision(TriageAction.UNDO), by="ann", at=at)
    answer = await local.post("/findings/triage", data=form, follow_redirects=True)
    assert "No finding is chosen" in answer.text
    assert store.incidents.get(night.renamed).state is IncidentState.OPEN


async def test_a_patch_is_copied(page: Page, address: str, night):
    await page.goto(f"{address}/findings/{night.renamed}")
    await page.get_by_role("link", name="Copy the patch").click()
    await expect(page.get_by_role("link", name="Copied")).to_be_visible()
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert "+++ b/docs/buckets.md" in copied
    assert "+2. Click **Make bucket**" in copied
    await expect(page.get_by_role("link", name="Copy the patch")).to_be_visible()

    await page.goto(f"{address}/runs/{night.run.id}/results")
    await page.evaluate("navigator.clipboard.writeText('')")
    await page.get_by_role("link", name="Copy the patch").first.click()
    await expect(page.get_by_role("link", name="Copied")).to_be_visible()
    assert await page.evaluate("navigator.clipboard.readText()") == copied


async def test_where_a_browser_does_not_copy_the_patch_is_shown(page: Page, address: str, night):
    await page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    await page.goto(f"{address}/findings/{night.renamed}")
    await page.get_by_role("link", name="Copy the patch").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Suggested patch")


async def test_everything_is_searched_by_a_key(page: Page, address: str, night, store, clock):
    label = SeenLabel("en", "/buckets", "", "", "button", "Bucket & <b>more</b>")
    store.labels.see("practice", "", [label, label._replace(page="/all")], clock.now())
    await page.goto(f"{address}/runs")
    await page.keyboard.press("/")
    await expect(page.locator("#find")).to_be_focused()
    await page.keyboard.type("BUCKET  create/")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Nothing has “BUCKET create/”.")).to_be_visible()
    await page.keyboard.press("/")
    await page.keyboard.type("bucket")
    await page.keyboard.press("Enter")
    hits = page.locator(".hits > li")
    await expect(hits.filter(has_text="Create a bucket")).to_contain_text("drifted")
    await expect(hits.filter(has_text="Delete a bucket")).to_contain_text("not verified yet")
    await expect(hits.filter(has_text="Label has another name")).to_contain_text("Make bucket")
    await expect(hits.filter(has_text="Bucket & <b>more</b>")).to_contain_text("on 2 pages")
    await hits.get_by_role("link", name="Buckets", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Buckets")

    await page.set_viewport_size({"width": 390, "height": 844})
    await page.goto(f"{address}/runs")
    await page.keyboard.press("/")
    await expect(page.locator("main #query")).to_be_focused()
    assert page.url.endswith("/search")
    await page.keyboard.type("存储桶")
    await page.keyboard.press("Enter")
    await expect(hits.get_by_role("link", name="创建存储桶")).to_be_visible()


async def test_a_document_stands_rendered_beside_its_source(page: Page, address: str, night):
    path = night.documents["buckets.md"].path
    await page.goto(f"{address}/documents/view?path={path}")
    passage = page.locator(".passage", has_text="Create Bucket").first
    rendered = passage.locator(".rendered")
    await expect(rendered).to_have_text("2.Click Create Bucket and see document.title = 'evil'.")
    await expect(rendered.locator("mark strong")).to_have_text("Create Bucket")
    await expect(passage.locator(".line .text")).to_contain_text("Click **Create Bucket**")
    await expect(page.locator(".rendered .level2").first).to_have_text("Create a bucket")
    verified = page.locator(".rendered .item").first.locator(".verified")
    assert "".join(await verified.all_inner_texts()) == "Go to Products > Buckets."
    boxes = [await passage.locator(one).bounding_box() for one in (".rendered", ".line")]
    assert abs(boxes[0]["y"] - boxes[1]["y"]) < 12, "beside each other"
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"] + 1
    assert await page.title() != "evil"


async def test_one_run_is_held_against_another(page: Page, address: str, night, store):
    created, copied, _, shared = night.run.procedures
    later = replace(
        night.run,
        id="20261122-020000-beef",
        started_at=night.run.started_at + timedelta(days=1),
        ended_at=night.run.ended_at + timedelta(days=1),
        procedures=(
            replace(created, verdict=Verdict.VERIFIED, findings=()),
            replace(copied, verdict=Verdict.BROKEN),
            replace(shared, findings=()),
        ),
    )
    store.save_run(later)
    await page.goto(f"{address}/runs")
    await page.get_by_role("link", name="Compare").click()
    groups = {
        name: page.locator(f"[aria-labelledby=change-{name}]")
        for name in ("broke", "mended", "gone", "other")
    }
    await expect(groups["broke"]).to_contain_text("Copy a bucket")
    await expect(groups["mended"]).to_contain_text("Create a bucket")
    await expect(groups["mended"]).to_contain_text("not seen again")
    await expect(groups["gone"]).to_contain_text("创建存储桶")
    await expect(groups["other"]).to_contain_text("Share a bucket")
    assert await page.get_by_label("Later run", exact=True).input_value() == later.id

    await page.get_by_label("Earlier run", exact=True).select_option(later.id)
    await page.get_by_label("Later run", exact=True).select_option(night.run.id)
    await page.get_by_role("button", name="Compare").click()
    await expect(groups["broke"]).to_contain_text("Create a bucket")
    await expect(groups["mended"]).to_contain_text("Copy a bucket")
    await page.get_by_role("link", name="Create a bucket").click()
    assert page.url.endswith(f"?run={night.run.id}")

    await page.goto(f"{address}/runs/{later.id}/results")
    await page.get_by_role("link", name="Compare").click()
    await expect(groups["broke"]).to_contain_text("Copy a bucket")
