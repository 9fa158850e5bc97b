"""Findings in a real browser: by keys and by mouse, for everybody, on every screen."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import BrowserContext, Page, expect

from appliance.store.incident import IncidentState

SEVERE = ("serious", "critical")


@pytest.fixture
async def page(chromium: BrowserContext, address: str) -> AsyncIterator[Page]:
    """A page of the server; whatever it complains of fails the test."""
    page = await chromium.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert not complaints


async def test_triage_by_keys(page: Page, address: str, night, store):
    await page.goto(f"{address}/findings")
    rows = page.locator("[data-row]")
    await expect(rows).to_have_count(2)
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_be_hidden()

    await page.keyboard.press("/")
    await page.keyboard.type("jkc")  # words, not commands
    assert await page.locator("#query").input_value() == "jkc"
    await page.keyboard.press("Escape")

    await page.keyboard.press("j")
    await expect(rows.nth(0).locator(".main a")).to_be_focused()
    await page.keyboard.press("j")
    await page.keyboard.press("k")
    await page.keyboard.press("j")
    await expect(rows.nth(1).locator(".main a")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Label has another name")
    await page.keyboard.press("m")
    await page.keyboard.type("crk is right")
    await page.keyboard.press("Escape")
    await page.keyboard.press("k")  # back to the first, without a decision
    await expect(page.get_by_role("heading", level=1)).to_have_text("Control is not there")
    assert {store.incidents.get(id).state for id in (night.renamed, night.missing)} == {
        IncidentState.OPEN
    }
    await page.keyboard.press("c")  # and on to the next
    await expect(page.get_by_role("status")).to_contain_text("Confirmed: “Share”")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Label has another name")
    await page.keyboard.press("s")
    await page.keyboard.type("ann")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_contain_text("Assigned")
    await page.keyboard.press("a")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_contain_text("Accepted")
    assert store.incidents.get(night.missing).state is IncidentState.CONFIRMED
    accepted = store.incidents.get(night.renamed)
    assert (accepted.state, accepted.assignee) == (IncidentState.ACCEPTED, "ann")

    await page.keyboard.press("o")
    await expect(page.get_by_role("status")).to_contain_text("Open again")
    await page.keyboard.press("u")
    await expect(rows).to_have_count(1)
    await page.keyboard.press("j")
    await page.keyboard.press("r")
    await expect(page.get_by_text("Nothing here waits for you")).to_be_visible()
    assert store.incidents.get(night.renamed).state is IncidentState.REJECTED
    await expect(page.locator(".lead")).to_contain_text("50 % were right")


async def test_triage_by_mouse_of_many_and_of_one(page: Page, address: str, night, store):
    await page.goto(f"{address}/findings")
    await page.get_by_label("All", exact=True).check()
    await expect(page.locator("[data-chosen]")).to_have_text("2 chosen")
    await page.get_by_role("button", name="Reject").click()
    await expect(page.get_by_role("status")).to_contain_text("2 findings")
    await page.get_by_role("link", name="rejected 2").click()
    await page.locator(".main a").first.click()
    await page.get_by_role("textbox", name="Comment, or why").fill(f"It is {night.renamed}")
    await page.get_by_role("button", name="Reopen").click()
    await expect(page.locator(".log")).to_contain_text(f"It is {night.renamed}")
    await expect(page.locator(".log")).to_contain_text("local opened it again")
    states = {store.incidents.get(id).state for id in (night.renamed, night.missing)}
    assert states == {IncidentState.OPEN, IncidentState.REJECTED}

    await page.goto(f"{address}/findings/patch?incident={night.renamed}")
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download the patch").click()
    saved = Path(await (await download.value).path()).read_text(encoding="utf-8")
    assert "+++ b/docs/buckets.md" in saved


async def test_everybody_can_use_the_pages_on_every_screen(
    page: Page, address: str, night, chromium: BrowserContext
):
    path = night.documents["buckets.md"].path
    pages = (
        "/documents",
        f"/documents/view?path={path}",
        "/procedures",
        f"/procedures/practice/{night.run.procedures[3].id}",
        "/findings",
        f"/findings/{night.renamed}",
        "/findings/patch",
        "/verify",
        "/search?query=bucket",
        f"/runs/{night.run.id}/results",
        f"/runs/compare?first={night.run.id}&second={night.run.id}",
    )
    for one in pages:
        await page.set_viewport_size({"width": 1280, "height": 900})
        await page.goto(address + one)
        for scheme, only in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
            await page.emulate_media(color_scheme=scheme)
            told = await Axe().run(page, options={"resultTypes": ["violations"], **only})
            found = told.response["violations"]
            severe = [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in SEVERE]
            assert not severe, (one, scheme, severe)
        for width in (1280, 390):
            await page.set_viewport_size({"width": width, "height": 844})
            assert await page.evaluate("document.documentElement.scrollWidth") <= width, one
    await chromium.set_extra_http_headers({"Accept-Language": "zh-CN"})
    for one in pages:
        await page.goto(address + one)
        assert await page.evaluate("document.documentElement.scrollWidth") <= 390, one
