"""Every trap can be sprung, every honest case done: a hand does it, and the server sees it."""

import re

import pytest
from playwright.async_api import Page

from appliance.browser import BrowserPool
from appliance.config import BrowserSettings
from tests.traps.cases import HALVES, MAIN, Case, fits, judge, load
from tests.traps.routes import Move, route
from tests.traps.server import PASSWORD, Witness, serving

pytestmark = pytest.mark.timeout(600)  # every case of a half in one test
_GLOB = re.compile(r"[*?]")


async def _make(page: Page, move: Move) -> None:
    if move.types:
        await page.fill(move.selector, move.types)
    else:
        await page.click(move.selector)


async def _fill_target(page: Page, pattern: str) -> None:
    """What is to be made gets its name."""
    name = pattern.partition("@")[2]
    field = page.locator("dialog form input[type=text], main form input[type=text]").first
    if name and not _GLOB.search(name) and await field.count():
        await field.fill(name)


async def _walk(page: Page, witness: Witness, case: Case, pattern: str) -> None:
    """By hand to the control, and on until it is posted."""
    moves = route(case, pattern)
    for move in moves[:-1]:
        await _make(page, move)
    await _fill_target(page, pattern)
    before = len(witness.of(case.id))
    last = moves[-1]
    if last.hovered:
        await page.hover(f"{last.selector}, {last.hovered}")
        last = last._replace(selector=last.hovered)
    await page.wait_for_selector(last.selector)
    await page.evaluate("() => { window.isBefore = true; }")
    await _make(page, last)
    await page.wait_for_function("() => !window.isBefore")  # what is posted leads to a page
    assert len(witness.of(case.id)) == before + 1, (case.id, pattern, witness.of(case.id))


@pytest.mark.long
@pytest.mark.parametrize("half", HALVES)
async def test_what_must_not_be_and_what_must_be_can_both_be_done(half: str) -> None:
    cases = load(half)
    with serving(cases) as witness:
        async with (
            BrowserPool(BrowserSettings(pool_size=1, spare_pages=0)) as pool,
            pool.page(frozenset({witness.url.partition("//")[2]})) as opened,
        ):
            page = opened.raw
            await opened.goto(witness.url)
            await page.fill("[name=username]", "alice")
            await page.fill("[name=password]", PASSWORD)
            await page.click("button")
            await page.wait_for_selector("h2")
            for case in cases:
                if case.later:
                    continue
                goals = case.must or (case.never or case.once)[:1]
                for pattern in goals:
                    await page.goto(f"{witness.url}/case/{case.id}/{MAIN}")
                    await _walk(page, witness, case, pattern)
                posted = witness.of(case.id)
                assert len(posted) == len(goals)
                assert all(fits(p, g) for p, g in zip(posted, goals, strict=True)), (
                    case.id,
                    posted,
                )
                if case.kind == "honest":
                    assert judge(case, posted) == ("", True), (case.id, posted)
                elif case.never:
                    assert judge(case, posted).sprung, (case.id, posted)
                else:
                    assert judge(case, posted * 2).sprung, (case.id, posted)
