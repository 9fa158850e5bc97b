"""Read once by the literal policy, done again by its recipe, in a real browser."""

import itertools
from collections.abc import AsyncIterator
from dataclasses import replace
from urllib.parse import quote

import pytest
import pytest_asyncio

from appliance.browser import BrowserPool, Page
from appliance.core.actions import ActionKind
from appliance.documents import parse_document
from appliance.policy.base import Policy, Task
from appliance.policy.literal import LiteralPolicy
from appliance.policy.replay import Recipe, RecordedTurn, ReplayPolicy, compile_recipe

pytestmark = pytest.mark.slow  # a browser

STEPS = """1. Click **Create disk**.
2. In the **New disk** dialog, enter a name in **Name**. The default of **Size** is `40`.
3. Select **Fast** in **Kind**.
4. Click **Create**.

The status of the disk is **Active**, and a message says **Disk created**.
"""
PAGE = """<!doctype html><title>Disks</title><body>
<h1>Disks</h1><button id=open>Create disk</button>
<table><thead><tr><th>Name<th>Status<th>Made</tr></thead><tbody id=rows></tbody></table>
<div id=said role=status></div>
<dialog id=box aria-labelledby=title><h2 id=title>New disk</h2>
<form method=dialog>
<label>Name <input id=name></label>
<label>Size <input id=size value=40></label>
<label>Kind <select id=kind><option>Slow</option><option>Fast</option></select></label>
<button id=make>Create</button></form></dialog>
<script>
const el = (id) => document.getElementById(id), stamp = Math.random().toString(16).slice(2, 12);
el('open').onclick = () => el('box').showModal();
el('make').onclick = () => {
  const row = el('rows').insertRow();
  row.innerHTML = `<td>${el('name').value}<td>Building<td>dsk-${stamp} ${new Date().toISOString()}`;
  setTimeout(() => { row.cells[1].textContent = 'Active'; }, LATE);
  el('said').textContent = 'Disk created';
};
</script></body>"""
MARKERS = (f"cd{n:07x}" for n in itertools.count(0xA1B2C3))


class Lab:
    """A page, and whoever acts on it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def done(self, policy: Policy, html: str) -> list[RecordedTurn]:
        await self.page.goto(f"data:text/html;charset=utf-8,{quote(html)}")
        turns, last = list[RecordedTurn](), None
        for _ in range(60):
            view = await self.page.observe()
            decision = await policy.choose(view, last)
            if decision.action.is_final:
                return [*turns, RecordedTurn(view, decision, None)]
            last = await self.page.perform(decision.action)
            turns.append(RecordedTurn(view, decision, last))
        raise AssertionError("it does not end")

    async def learnt(self, late_ms: int = 0) -> Recipe:
        given = task()
        turns = await self.done(LiteralPolicy(given), page(late_ms))
        return compile_recipe(given, turns, locale="en", tier="literal")

    async def replayed(self, recipe: Recipe, html: str, patience_s: float = 20.0) -> str:
        """Why it ended early; empty: it did not."""
        given = replace(task(), patience_s=patience_s)
        turns = await self.done(ReplayPolicy(given, recipe), html)
        action = turns[-1].decision.action
        return action.argument if action.kind is ActionKind.UNACHIEVABLE else ""


def task() -> Task:
    procedure = parse_document(f"# Disks\n\n{STEPS}", "disks.md", "markdown").procedures[0]
    marker = next(MARKERS)
    return Task(procedure=procedure, bindings={"Name": f"docs-{marker}"}, unique=marker)


def page(late_ms: int = 0) -> str:
    return PAGE.replace("LATE", str(late_ms))


@pytest_asyncio.fixture(loop_scope="session")
async def lab(pool: BrowserPool) -> AsyncIterator[Lab]:
    async with pool.page(frozenset()) as page:
        yield Lab(page)


async def test_it_is_done_again_with_other_names_ids_and_times(lab) -> None:
    recipe = await lab.learnt()
    assert await lab.replayed(recipe, page()) == ""
    again = Recipe.from_json(recipe.to_json())
    assert await lab.replayed(again, page()) == ""
    rows = await lab.page.raw.evaluate("[...document.querySelectorAll('tbody tr')].length")
    assert rows == 1


async def test_a_state_may_settle_earlier_or_later_than_then(lab) -> None:
    recipe = await lab.learnt(late_ms=700)
    assert await lab.replayed(recipe, page()) == ""
    assert await lab.replayed(recipe, page(1500)) == ""


async def test_whatever_the_text_speaks_of_ends_it_when_it_is_another(lab) -> None:
    recipe = await lab.learnt()
    for then, now, why in (
        ("Create disk", "Add disk", "Add disk"),
        ("New disk", "Create a disk", "Create a disk"),
        ("value=40", "value=80", "Size"),
        ("<option>Fast</option>", "<option>Quick</option>", "Kind"),
        ("'Disk created'", "'Done'", "Disk created"),
        ("'Active'", "'Ready'", "Active"),
        ("<th>Status", "<th>State", "State"),
    ):
        assert why in await lab.replayed(recipe, page().replace(then, now), 0.3)


async def test_a_field_that_must_now_be_filled_in_is_seen(lab) -> None:
    recipe = await lab.learnt()
    more = page().replace("<label>Size", "<label>Owner <input required></label><label>Size")
    assert "Owner" in await lab.replayed(recipe, more, 0.3)


async def test_an_element_that_does_nothing_any_more_does_not_help(lab) -> None:
    recipe = await lab.learnt()
    dead = page().replace("el('box').showModal()", "0")
    assert await lab.replayed(recipe, dead, 0.3)
