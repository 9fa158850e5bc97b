"""Tables drawn anew, sorted and cut at random: an action hits what it names, or nothing."""

import random

import pytest
import pytest_asyncio

from appliance.core import actions
from appliance.core.actions import ActionKind

pytestmark = pytest.mark.asyncio(loop_scope="session")

NAMES = [f"srv-{letter}{digit}" for letter in "abcd" for digit in "123"]
MODES = ("anew", "keyed", "placed")
DEEDS = {
    "button": ("Delete", ActionKind.CLICK, "", ""),
    "link": ("Open", ActionKind.CLICK, "", ""),
    "check": ("On", ActionKind.CHECK, "True", "true"),
    "text": ("Note", ActionKind.TYPE, "x7", "x7"),
    "select": ("Size", ActionKind.SELECT, "large", "large"),
    "range": ("Share", ActionKind.TYPE, "6", "6"),
}  # fmt: skip
TURNS = 12


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def page(pool, site):
    async with pool.page(frozenset({site.host})) as opened:
        await opened.goto(f"{site.url}/ledger.html")
        yield opened


def some_rows(rng):
    names = rng.sample(NAMES, rng.randint(3, 9))
    return [[name, rng.choice(["Active", "Stopped", "Error"])] for name in names]


@pytest.mark.parametrize("seed", range(12))
async def test_an_action_hits_what_it_names_or_nothing(page, seed):
    rng = random.Random(seed)
    before = some_rows(rng)
    await page.raw.evaluate("([mode, rows]) => draw(mode, rows)", ["anew", before])
    view = await page.observe()
    for turn in range(TURNS):
        kind = rng.choice(list(DEEDS))
        name, action, text, held = DEEDS[kind]
        row = rng.choice(before)[0]
        (element,) = [
            e for e in view.elements if e.name == name and (e.row or "").startswith(f"{row} | ")
        ]
        after, mode = some_rows(rng), rng.choice(MODES)
        await page.raw.evaluate("([mode, rows]) => draw(mode, rows)", [mode, after])
        done = await page.perform(actions.build(action, element=element.id, argument=text))
        log = await page.raw.evaluate("log")
        told = f"turn {turn}: {kind} of {row} among {before} then {mode} {after}: {done} {log}"
        if any(name == row for name, _ in after):
            assert done.ok, told
            assert {(hit, what) for hit, what, _ in log} == {(row, kind)}, told
            assert log[-1][2] == held or not held, told
        else:
            assert "no longer on the page" in done.error, told
            assert log == [], told
        before, view = after, await page.observe()
