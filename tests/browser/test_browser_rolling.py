"""Lists that render only what is in view are scrolled when their rows are asked for."""

import pytest

from appliance.core import actions
from appliance.core.page import FoldKind

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True


async def opened(page, site, how="", rows=10000):
    await page.goto(f"{site.url}/rolling.html?rows={rows}&{how}")
    (fold,) = (await page.observe()).folds
    assert (fold.kind, fold.total) == (FoldKind.VIRTUAL, rows)
    return fold


async def unfold(page, fold, text):
    return await page.perform(actions.Unfold(fold.id, text))


def shown(view):
    return [e.name for e in view.elements if e.role == "link" and e.in_viewport]


@pytest.mark.parametrize("how", ["", "late=80", "page", "uneven"])
async def test_rows_are_brought_by_number(page, site, how):
    fold = await opened(page, site, how)
    for first in (5001, 40, 9998):
        done = await unfold(page, fold, f"{first}-{first + 2}")
        assert done.ok, done.error
        view = await page.observe()
        assert f"group-{first}" in shown(view)
        assert f"group-{min(10000, first + 2)}" in shown(view)


async def test_a_row_is_found_by_what_it_says_and_can_be_acted_on(page, site):
    fold = await opened(page, site)
    done = await unfold(page, fold, "group-703")
    assert done.ok, done.error
    view = await page.observe()
    row = next(e for e in view.elements if e.name == "group-703")
    assert row.in_viewport
    assert row.fold == view.folds[0].id == fold.id
    assert (await page.perform(actions.Click(row.id))).ok
    assert page.url.endswith("#g703")


async def test_the_row_that_says_just_that_comes_before_one_that_begins_so(page, site):
    fold = await opened(page, site, rows=1100)
    await unfold(page, fold, "980-981")
    assert (await unfold(page, fold, "group-99")).ok
    assert "group-99" in shown(await page.observe())


async def test_a_part_of_what_a_row_says_will_do(page, site):
    fold = await opened(page, site, rows=1100)
    await page.raw.evaluate("log.scrollTop = 900 * 28")
    assert (await unfold(page, fold, "oup-976")).ok
    assert "group-976" in shown(await page.observe())


async def test_a_list_that_draws_late_is_waited_for(page, site):
    fold = await opened(page, site, "late=60")
    assert (await unfold(page, fold, "group-120")).ok
    assert "group-120" in shown(await page.observe())


async def test_rows_beyond_the_end_are_refused(page, site):
    fold = await opened(page, site)
    done = await unfold(page, fold, "12000-12010")
    assert done.error == "the list 'Groups' has no row 12000: it has 10000"


async def test_a_row_that_is_not_there_is_looked_for_from_end_to_end(page, site):
    fold = await opened(page, site, rows=1100)
    await page.raw.evaluate("log.scrollTop = 400")
    done = await unfold(page, fold, "group-12345")
    assert not done.ok
    assert "no row of the list 'Groups' holds 'group-12345'" in done.error
    assert 395 <= await page.raw.evaluate("log.scrollTop") <= 405  # as it was


async def test_a_list_that_nothing_scrolls_says_so(page, site):
    await page.goto(f"{site.url}/lists.html")
    await page.raw.evaluate(
        "document.querySelectorAll('h2,ul,dl,#cards,#log').forEach((el) => el.remove())"
    )
    view = await page.observe()
    queues = next(f for f in view.folds if f.name == "Queues")
    done = await unfold(page, queues, "queue 4000")
    assert "nothing scrolls it" in done.error
