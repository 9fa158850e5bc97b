"""Long tables and lists: rows near the view are listed, the others counted, or brought in."""

import time

import pytest

from appliance.core import actions
from appliance.core.page import FoldKind

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True


NEAR = 30
"""Rows of a long table that are listed besides those in view."""


def links(view):
    return [e.name for e in view.elements if e.role == "link"]


async def unfold(page, fold, text):
    return await page.perform(actions.Unfold(fold.id, text))


async def test_a_long_table_is_folded_around_what_is_in_view(page, site):
    await page.goto(f"{site.url}/long.html?rows=1000")
    view = await page.observe()
    (fold,) = view.folds
    assert (fold.kind, fold.name, fold.total) == (FoldKind.TABLE, "All instances", 1000)
    assert fold.columns == ("", "Name", "State", "Actions")
    assert fold.first == 1
    assert 10 < fold.last < 60
    assert fold.listed == fold.last + NEAR
    assert links(view) == [f"i-{n}" for n in range(1, fold.listed + 1)]
    inside = [e for e in view.elements if e.fold == fold.id]
    assert len(inside) == 3 * fold.listed
    assert {t.fold for t in view.texts if t.row} == {fold.id}
    after = next(e for e in view.elements if e.name == "After the table")
    assert after.fold is None
    assert "offscreen" in after.states


async def test_the_listed_rows_follow_the_scrolling(page, site):
    await page.goto(f"{site.url}/long.html?rows=1000")
    first = (await page.observe()).folds[0]
    await page.raw.evaluate("document.querySelectorAll('tbody tr')[599].scrollIntoView()")
    view = await page.observe()
    (fold,) = view.folds
    assert fold.id == first.id
    assert 590 < fold.first <= 600 < fold.last
    assert len(links(view)) == fold.listed == fold.last - fold.first + 1 + NEAR
    assert next(e for e in view.elements if e.name == "i-600").in_viewport


async def test_unfolding_lists_the_wanted_rows(page, site):
    await page.goto(f"{site.url}/long.html?rows=1000")
    (fold,) = (await page.observe()).folds
    assert (await unfold(page, fold, "501-510")).ok
    view = await page.observe()
    assert links(view)[fold.listed :] == [f"i-{n}" for n in range(501, 511)]
    assert view.folds[0].listed == fold.listed + 10
    assert (await unfold(page, fold, "I-777 stopped")).ok
    more = await page.observe()
    found = next(e for e in more.elements if e.name == "Delete" and "i-777" in (e.row or ""))
    assert "offscreen" in found.states
    assert links(more)[fold.listed :] == ["i-777"]


async def test_rows_that_a_filter_hides_are_not_counted(page, site):
    await page.goto(f"{site.url}/long.html?rows=1000")
    await page.raw.evaluate(
        "document.querySelectorAll('tbody tr').forEach((r, i) => { r.hidden = i % 7 !== 0; })"
    )
    view = await page.observe()
    assert view.folds[0].total == 143
    assert links(view)[:2] == ["i-1", "i-8"]


async def test_lists_of_all_kinds_are_folded(page, site):
    await page.goto(f"{site.url}/lists.html")
    view = await page.observe()
    told = [(f.kind, f.name, f.total) for f in view.folds]
    assert told[:2] == [(FoldKind.LIST, "Zones", 150), (FoldKind.LIST, "Index", 130)]
    assert (FoldKind.VIRTUAL, "Groups", 10000) in told
    assert (FoldKind.VIRTUAL, "Queues", 5000) in told
    queues = next(f for f in view.folds if f.name == "Queues")
    assert queues.listed == 10
    assert [n for n in links(view) if n.startswith("queue")] == [
        f"queue {n}" for n in range(101, 111)
    ]
    assert any(e.name == "Load more" for e in view.elements)


async def test_a_virtual_list_says_where_it_stands(page, site):
    await page.goto(f"{site.url}/lists.html")
    await page.raw.evaluate(
        """new Promise((drawn) => {
          log.addEventListener('scroll', () => setTimeout(drawn));
          log.scrollIntoView();
          log.scrollTop = 100000;
        })"""
    )
    fold = next(f for f in (await page.observe()).folds if f.name == "Groups")
    assert 5000 <= fold.first <= 5002
    assert 5010 <= fold.last <= 5018


async def test_ten_thousand_rows_cost_little_more_than_a_hundred(pool, site):
    async def cost(rows):
        async with pool.page(frozenset({site.host})) as page:
            return await timed(page, rows)

    async def timed(page, rows):
        await page.goto(f"{site.url}/long.html?rows={rows}")
        await page.observe()
        best = float("inf")
        for _ in range(5):
            began = time.perf_counter()
            view = await page.look()
            best = min(best, time.perf_counter() - began)
        return best, len(view.elements)

    small, few = await cost(100)
    large, many = await cost(10_000)
    assert many == few
    assert large < 6 * small


@pytest.mark.parametrize("rows", [30, 1000])
async def test_a_list_all_of_whose_rows_are_hidden_is_no_list(page, site, rows):
    await page.goto(f"{site.url}/long.html?rows={rows}")
    await page.raw.add_style_tag(content="tbody tr { display: none }")
    view = await page.observe()
    assert view.folds == ()
    assert links(view) == []
    assert "After the table" in [e.name for e in view.elements]
