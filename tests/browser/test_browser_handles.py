"""A number means the control that was seen under it, whatever the page has done to its nodes."""

import json

import pytest
import pytest_asyncio

from appliance.core import actions

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True

A, B, C = ["a", "web-a", "Active"], ["b", "web-b", "Active"], ["c", "web-c", "Active"]
NEW = ["n", "web-new", "Active"]
MODES = ("anew", "keyed", "placed")


@pytest_asyncio.fixture(loop_scope="session")
async def lists(page, site):
    await page.goto(f"{site.url}/servers.html")
    return page


@pytest.fixture
def change(page):
    """Change the page behind the reader's back."""

    async def changed(script, *args):
        await page.raw.evaluate(f"{script}({','.join(json.dumps(arg) for arg in args)})")

    return changed


@pytest.fixture
def click(page):
    async def clicked(element):
        return await page.perform(actions.Click(element.id))

    return clicked


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "rows",
    [
        [A, B, C],
        [NEW, A, B, C],
        [C, B, A],
        [B],
        [A, ["b", "web-b", "Error"], C],
        [["x", "web-b2", "Active"], C, B],
    ],
)
async def test_the_row_that_was_seen_is_acted_on(lists, find, change, click, out, mode, rows):
    delete = find(await lists.observe(), "Delete", row="web-b | Active")
    await change(mode, rows)
    done = await click(delete)
    assert done.ok, done.error
    assert await out() == "deleted b"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rows", [[A, C], [A, ["b", "renamed", "Active"], C], [NEW], []])
async def test_a_row_that_is_gone_is_said(lists, find, change, click, out, mode, rows):
    delete = find(await lists.observe(), "Delete", row="web-b | Active")
    await change(mode, rows)
    done = await click(delete)
    assert "(button 'Delete') is no longer on the page: " in done.error
    assert await out() == ""


async def test_rows_that_are_alike_are_refused_with_both_places(lists, find, change, click, out):
    delete = find(await lists.observe(), "Delete", row="web-b | Active")
    await change("anew", [A, B, ["d", "web-b", "Error"]])
    done = await click(delete)
    assert "is ambiguous: 2 are alike now, one in row 'web-b | Active'" in done.error
    assert " and one in row 'web-b | Error'" in done.error
    await change("anew", [A, B, ["d", "web-b", "Active"]])
    assert (await click(delete)).error.count("at (") == 2
    assert await out() == ""


async def test_as_many_alike_as_there_were_keep_their_order(lists, find, change, click, out):
    await change("anew", [A, B, ["d", "web-b", "Active"], C])
    view = await lists.observe()
    second = [e for e in view.elements if e.name == "Delete" and e.row == "web-b | Active"][1]
    await change("anew", [NEW, A, B, ["d", "web-b", "Active"], C])
    assert (await click(second)).ok
    assert await out() == "deleted d"
    view = await lists.observe()
    second = [e for e in view.elements if e.name == "Delete" and e.row == "web-b | Active"][1]
    await change("anew", [A, B, C])
    assert "2 were, 1 is left, one in row 'web-b | Active'" in (await click(second)).error


async def test_the_first_column_that_tells_rows_apart_is_what_counts(
    lists, find, change, click, out
):
    await change("anew", [["a", "default", "one"], ["b", "default", "two"]])
    delete = find(await lists.observe(), "Delete", row="default | two")
    await change("placed", [["b", "default", "two"], ["a", "default", "one"]])
    assert (await click(delete)).ok
    assert await out() == "deleted b"
    await change("placed", [["x", "default", "three"]])
    assert "no longer on the page" in (await click(delete)).error


async def test_a_control_that_moved_to_another_row_is_not_it(lists, find, click, out):
    delete = find(await lists.observe(), "Delete", row="web-b | Active")
    await lists.raw.evaluate(
        "body.children[2].children[2].append(body.children[1].querySelector('button'))"
    )
    done = await click(delete)
    assert "no longer on the page: its place is taken by the row 'web-c | Active'" in done.error
    assert await out() == ""


@pytest.mark.parametrize("mode", MODES)
async def test_a_row_that_stands_alone_must_be_as_it_was(lists, find, change, click, out, mode):
    await change("anew", [["a", "default", "one"]])
    delete = find(await lists.observe(), "Delete")
    await change(mode, [["b", "default", "two"]])
    assert "no longer on the page" in (await click(delete)).error
    await change("anew", [["a", "default", "one"], ["b", "default", "two"]])
    assert (await click(delete)).ok
    assert await out() == "deleted a"


async def test_the_same_name_elsewhere_is_not_it(lists, find, change, click, out):
    button = find(await lists.observe(), "Refresh")
    await change("refresh", "Networks")
    done = await click(button)
    assert "no longer on the page" in done.error
    await change("refresh", "Volumes")
    assert (await click(button)).ok
    assert await out() == "Volumes"


async def test_a_button_that_says_something_else_is_not_it(lists, find, change, click, out):
    await change("toggle", "Start")
    button = find(await lists.observe(), "Start")
    await change("toggle", "Stop")
    done = await click(button)
    assert done.error.endswith("is no longer on the page: there is button 'Stop' now")
    assert await out() == ""
    await change("toggle", "Inbox (3)")
    button = find(await lists.observe(), "Inbox (3)")
    await change("toggle", "Inbox (4)")
    assert (await click(button)).ok, "a count is no name"


async def test_links_kept_for_their_place(lists, find, change, click, out):
    await change("links", ["one", "two", "three"])
    two = find(await lists.observe(), "two")
    await lists.raw.evaluate(
        "document.querySelectorAll('#more a').forEach((a,i)=>{const n=['zero','one','two'][i];"
        "a.textContent=n;a.onclick=()=>say('link '+n)})"
    )
    assert (await click(two)).ok
    assert await out() == "link two"


async def test_a_dialog_that_is_closed_and_opened_again(lists, find, change, click, out):
    await change("dialog", "Delete web-a")
    confirm = find(await lists.observe(), "Confirm")
    await change("dialog", "")
    assert (await click(confirm)).error.endswith("the dialog 'Delete web-a' is closed")
    await change("dialog", "Delete web-b")
    assert not (await click(confirm)).ok
    await change("dialog", "Delete web-a")
    assert (await click(confirm)).ok
    assert await out() == "ok Delete web-a"


async def test_what_is_folded_away_is_hidden(lists, find, click, out):
    await lists.raw.evaluate(
        "$('more').innerHTML='<details open><summary>Tags</summary><button>Add</button></details>'"
    )
    button = find(await lists.observe(), "Add")
    await lists.raw.evaluate("document.querySelector('details').open=false")
    assert (await click(button)).error.endswith("is no longer on the page: it is hidden")


async def test_an_area_of_an_image_map(lists, find, click, out):
    await lists.raw.evaluate(
        "$('more').innerHTML='<p style=height:900px><map name=m><area href=\"#x\" alt=Zone '"
        '+\'coords="0,0,40,40" onclick="say(1)"></map><img usemap="#m" width=90 height=90 \''
        "+'src=\"data:image/svg+xml,<svg/>\">'"
    )
    done = await click(find(await lists.observe(), "Zone"))
    assert done.ok, done.error
    assert await out() == "1"


async def test_disabled_hidden_and_covered_meanwhile(lists, find, change, click, out):
    delete = find(await lists.observe(), "Delete", row="web-b | Active")
    await lists.raw.evaluate("body.children[1].querySelector('button').disabled=true")
    assert "(button 'Delete') is disabled" in (await click(delete)).error
    await change("anew", [A, B, C])
    await lists.raw.evaluate("$('more').innerHTML='<div class=bar>Please wait</div>'")
    assert 'covered by <div> "Please wait"' in (await click(delete)).error
    await lists.raw.evaluate("$('more').innerHTML='';body.children[1].style.display='none'")
    assert "no longer on the page" in (await click(delete)).error
    assert await out() == ""


async def test_another_page_of_the_same_looks_is_another_page(lists, site, find, click, out):
    view = await lists.observe()
    delete = find(view, "Delete", row="web-b | Active")
    await lists.raw.goto(f"{site.url}/servers.html?again")
    assert (await click(delete)).ok, "the same page, loaded anew"
    assert await out() == "deleted b"
    await lists.observe()
    await lists.raw.goto(f"{site.url}/./servers.html#/other")
    done = await click(delete)
    assert done.error.endswith("#/other now")
    assert await out() == ""


async def test_a_frame_that_is_loaded_anew(lists, find, change, click):
    await change("frame")
    view = await lists.observe()
    delete = find(view, "Delete", row="web-b | Active", frame=1)
    await lists.raw.frames[1].evaluate("location.reload()")
    await lists.raw.frames[1].wait_for_selector("td")
    done = await click(delete)
    assert done.ok, done.error
    assert await lists.raw.frames[1].text_content("#out") == "deleted b"


@pytest.mark.parametrize("mode", MODES)
async def test_numbers_go_with_the_rows(lists, find, change, mode):
    before = {e.row: e.id for e in (await lists.observe()).elements if e.name == "Delete"}
    await change(mode, [NEW, C, A])
    view = await lists.observe()
    after = {e.row: e.id for e in view.elements if e.name == "Delete"}
    assert {row: after[row] for row in ("web-a | Active", "web-c | Active")} == {
        row: before[row] for row in ("web-a | Active", "web-c | Active")
    }
    assert after["web-new | Active"] not in before.values()
    await change(mode, [C, ["a", "web-a", "Error"]])
    view = await lists.observe()
    assert find(view, "Delete", row="web-a | Error").id == before["web-a | Active"]


async def test_a_click_costs_one_more_look_at_most(lists, find, change, click):
    looks = []
    tab = lists._tabs.active
    look = tab.look

    async def counted(*args, **kwargs):
        looks.append(1)
        return await look(*args, **kwargs)

    delete = find(await lists.observe(), "Delete", row="web-b | Active")
    tab.look = counted
    try:
        assert (await click(delete)).ok
        assert not looks
        await change("anew", [A, B, C])
        assert (await click(delete)).ok
        assert len(looks) == 1
        await change("anew", [A, C])
        assert not (await click(delete)).ok
        assert len(looks) == 2
    finally:
        del tab.look


async def test_what_comes_under_the_mouse_is_not_clicked(lists, find, click, out):
    """The list is drawn anew between aiming and clicking, as often as it takes."""
    delete = find(await lists.observe(), "Delete", row="web-b | Active")
    await lists.raw.evaluate(
        "addEventListener('mousemove',()=>{if(window.moved++<2)body.prepend(fill(row(),['x','web-x','']))"
        "},true);window.moved=0"
    )
    done = await click(delete)
    assert done.ok, done.error
    assert await out() == "deleted b"
