"""The steps of a procedure one by one, in a real browser; and as a plain list without a script."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from playwright.async_api import BrowserContext, Page, expect

from appliance.core.result import ProcedureResult
from appliance.store.store import Store
from tests.server.work.conftest import png


def turn(step: str, action: str, on: str | None, picture: str | None, **more: object) -> str:
    known = {"step": step, "action": action, "on": on, "text": None, "screenshot": picture}
    return json.dumps(known | more) + "\n"


@pytest.fixture
def played(night, store: Store) -> ProcedureResult:
    """A procedure whose trajectory is kept: two clicks in the first step, a refusal in the last."""
    one, two, three, end = (store.artifacts.put(png(64, n), "image/png") for n in (45, 46, 47, 48))
    create = night.run.procedures[0]
    lines = (
        turn("1", "click", "button Products", one.sha256),
        turn("1", "wait", None, None, text="0.8"),
        turn("1", "click", "link Buckets", two.sha256),
        turn("2", "click", "button Make bucket", three.sha256, refused="it costs <money>"),
        turn("3", "complete", None, end.sha256, text="done"),
    )
    steps = tuple(replace(step, before=None, after=end) for step in create.steps)
    kept = store.artifacts.put("".join(lines).encode(), "application/jsonl")
    result = replace(create, steps=steps, trajectory=kept)
    store.save_procedure(night.run.id, result)
    return result


@pytest.fixture
async def page(chromium: BrowserContext) -> AsyncIterator[Page]:
    page = await chromium.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert not complaints


async def test_steps_are_played_by_keys_and_by_buttons(
    page: Page, address: str, played: ProcedureResult
) -> None:
    await page.goto(f"{address}/procedures/practice/{played.id}")
    shown, moves = page.locator("#steps > li:visible"), page.locator(".move:visible")
    await expect(shown).to_have_count(3)
    await page.keyboard.press("ArrowLeft")  # nothing is played yet
    await expect(shown).to_have_count(3)

    await page.keyboard.press("ArrowRight")
    await expect(shown).to_have_count(1)
    await expect(shown).to_contain_text("Go to Products > Buckets")
    await expect(moves).to_have_text("Click Products BeforeAfter", use_inner_text=False)
    await expect(page.get_by_role("status")).to_have_text("1 of 4")
    await page.keyboard.press("ArrowRight")
    await expect(shown).to_contain_text("Go to Products > Buckets")
    await expect(moves).to_contain_text("Click Buckets")
    await page.get_by_role("button", name="Next").click()
    await expect(moves).to_contain_text("it costs <money>")
    before, after = page.locator(".move:visible img").all(), 2
    assert len(await before) == after
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")  # there is nothing after the last
    await expect(page.get_by_role("status")).to_have_text("4 of 4")
    await expect(page.get_by_role("button", name="Next")).to_be_disabled()
    await page.get_by_role("button", name="Previous").click()
    await page.keyboard.press("ArrowLeft")
    await expect(page.get_by_role("status")).to_have_text("2 of 4")
    await page.keyboard.press("Escape")
    await expect(shown).to_have_count(3)
    await expect(page.get_by_role("button", name="Step by step")).to_be_visible()

    await page.goto(f"{address}/procedures/practice/{played.id}#step-2")
    await page.reload()
    await expect(page.get_by_role("status")).to_have_text("3 of 4")


async def test_without_a_script_all_steps_stand_below_one_another(
    chromium: BrowserContext, address: str, played: ProcedureResult
) -> None:
    plain = await chromium.browser.new_context(java_script_enabled=False, locale="zh-CN")
    page = await plain.new_page()
    await page.goto(f"{address}/procedures/practice/{played.id}")
    assert await page.locator("#steps > li").count() == 3
    assert await page.locator(".move").count() == 4
    assert await page.locator("#player").is_hidden()
    assert "单击 Products" in await page.locator(".deed").first.inner_text()
    await plain.close()


async def test_a_trajectory_that_is_past_its_time_leaves_the_pictures(
    local, night, store: Store, played: ProcedureResult
) -> None:
    gone = replace(played, trajectory=replace(played.trajectory, sha256="0" * 64))
    store.save_procedure(night.run.id, gone)
    page = (await local.get(f"/procedures/practice/{played.id}")).text
    assert page.count('class="move"') == 3, "one for each step that was reached"
    assert 'class="deed' not in page
