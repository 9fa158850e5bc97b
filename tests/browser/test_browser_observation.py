"""What an observation lists, and how it names it."""

import pytest
import pytest_asyncio

from appliance.browser import describe
from appliance.core import actions
from appliance.core.page import TextKind

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True


@pytest_asyncio.fixture(loop_scope="session")
async def widgets(page, site):
    await page.goto(f"{site.url}/widgets.html")
    return await page.observe()


async def test_native_fields_have_name_value_and_help(widgets, find):
    name = find(widgets, "Name", role="textbox")
    assert name.placeholder == "e.g. web-1"
    assert "required" in name.states
    assert name.description == "At most 20 letters."
    assert name.group == "Basics"
    size = find(widgets, "Size", role="spinbutton")
    assert (size.value, size.error, size.description) == ("1", "Enter a whole number.", "In GiB")
    assert "invalid" in size.states
    region = find(widgets, "Region", role="combobox")
    assert (region.value, region.options) == ("West", ("East", "West", "Moon"))
    assert "multiple" in find(widgets, "Zones", role="listbox").states
    assert find(widgets, "Notes").value == "old"
    assert find(widgets, "Rich text", role="textbox").value == "rich"
    assert "readonly" in find(widgets, "Account").states
    assert find(widgets, "CIDR", role="textbox").tag == "input"


async def test_choices_have_state_and_question(widgets, find):
    tcp = find(widgets, "TCP", role="radio")
    assert "checked" in tcp.states
    assert tcp.group == "Protocol"
    assert "unchecked" in find(widgets, "UDP", role="radio").states
    assert "unchecked" in find(widgets, "Enable backup", role="checkbox").states
    assert find(widgets, "Private", role="radio").group == "Visibility"
    assert "checked" in find(widgets, "Public", role="radio").states
    assert "unchecked" in find(widgets, "Encryption", role="switch").states


async def test_buttons_and_role_less_controls(widgets, find):
    assert find(widgets, "Save", role="button").is_submit
    assert "disabled" in find(widgets, "Delete", row=None).states
    assert find(widgets, "Small plan", role="button").tag == "div"
    assert find(widgets, "Plain listener", role="button").tag == "div"
    assert find(widgets, "Refresh list", role="link").href.endswith("#x")
    assert find(widgets, "+", role="button")
    assert find(widgets, "Create bucket").text == "Create"
    more = find(widgets, "More", role="button")
    assert {"haspopup", "collapsed"} <= more.states
    assert "collapsed" in find(widgets, "Advanced").states


async def test_hidden_controls_are_not_listed(widgets):
    names = {e.name for e in widgets.elements}
    assert not names & {"Hidden", "For readers only", "Inside details", "Resize"}


async def test_rows_columns_sections_and_regions(widgets, find):
    delete = find(widgets, "Delete", row="db-2 | Busy")
    assert (delete.column, delete.section) == ("Actions", "Disks")
    assert find(widgets, "db-1", role="link").column == "Name"
    assert find(widgets, "Servers").region == "navigation"
    assert "current" in find(widgets, "Servers").states
    assert find(widgets, "Home").region == "banner"
    headers = [t.text for t in widgets.texts if t.kind is TextKind.COLUMN_HEADER]
    assert headers == ["Name", "State", "Actions"]
    cells = [(t.text, t.column) for t in widgets.texts if t.kind is TextKind.CELL]
    assert ("Busy", "State") in cells


async def test_below_the_fold_is_listed_and_said(widgets, find):
    low = find(widgets, "Far below")
    assert not low.in_viewport
    assert "offscreen" in low.states
    assert find(widgets, "Save").in_viewport


async def test_texts_tell_headings_and_errors(widgets):
    headings = [(t.text, t.level) for t in widgets.texts if t.kind is TextKind.HEADING]
    assert headings == [("Settings", 1), ("Disks", 2)]
    assert "Enter a whole number." in [t.text for t in widgets.texts if t.kind is TextKind.ERROR]
    assert "nothing" in [t.text for t in widgets.texts if t.kind is TextKind.TEXT]


async def test_ids_and_fingerprint_are_stable(page, site, find):
    await page.goto(f"{site.url}/widgets.html")
    first, second = await page.observe(), await page.observe()
    assert [e.id for e in first.elements] == [e.id for e in second.elements]
    assert first.fingerprint == second.fingerprint
    assert len({e.id for e in first.elements}) == len(first.elements)


async def test_nothing_is_listed_twice(widgets):
    seen = [(e.role, e.name, e.box, e.row) for e in widgets.elements]
    assert len(seen) == len(set(seen))


async def test_shadow_roots_open_and_closed(page, site, find, out):
    await page.goto(f"{site.url}/shadow.html")
    view = await page.observe()
    assert find(view, "Inner field", role="textbox")
    assert find(view, "Slotted", role="button").section == "Slots"
    assert await page.raw.evaluate("window.closedLooksClosed")
    for name in ("Open button", "Closed button"):
        action = actions.Click(find(view, name).id)
        assert (await page.perform(action)).ok
        assert await out() == f"x-{name.split()[0].lower()}"


async def test_frames_same_and_cross_origin(page, site, find):
    await page.goto(f"{site.url}/frames.html")
    view = await page.observe()
    inner = [e for e in view.elements if e.name == "Inner button"]
    assert [e.frame for e in inner] == [1, 2]
    assert inner[0].id != inner[1].id
    assert all(not e.in_viewport for e in inner)
    for element in inner:
        assert (await page.perform(actions.Click(element.id))).ok
    after = await page.observe()
    assert len([e for e in after.elements if e.name == "Pressed"]) == 2


async def test_a_modal_hides_what_it_covers(page, site, find):
    await page.goto(f"{site.url}/modal.html")
    await page.raw.evaluate("open1()")
    view = await page.observe()
    assert view.dialogs == ("Create Volume",)
    names = {e.name for e in view.elements}
    assert names == {
        "×",
        "Volume Name",
        "Encrypted",
        "Cancel",
        "Create",
        "Dismiss toast",
    } or names == {"Close", "Volume Name", "Encrypted", "Cancel", "Create", "Dismiss toast"}
    assert find(view, "Create").is_submit
    assert find(view, "Volume Name").dialog == "Create Volume"
    assert not find(view, "Encrypted").in_viewport
    assert find(view, "Dismiss toast").dialog is None
    kinds = {(t.kind, t.text) for t in view.texts}
    assert (TextKind.DIALOG_TITLE, "Create Volume") in kinds
    assert "Behind text" not in {t.text for t in view.texts}
    assert [t.text for t in view.notices()] == ["Saved draft Dismiss toast"]


async def test_a_native_dialog_element(page, site, find):
    await page.goto(f"{site.url}/modal.html")
    await page.raw.evaluate("document.getElementById('native').showModal()")
    view = await page.observe()
    assert {e.name for e in view.elements} == {"Yes"}
    assert find(view, "Yes").dialog == "Really?"


async def test_long_tables_are_folded_and_unfolded(page, site):
    await page.goto(f"{site.url}/table.html")
    view = await page.observe()
    (fold,) = view.folds
    assert (fold.total, fold.first) == (2000, 1)
    assert fold.last < fold.listed < 100
    rows = [e for e in view.elements if e.name == "Delete"]
    assert len(rows) == fold.listed
    assert {e.fold for e in rows} == {fold.id}
    for asked, wanted in (("row-1777", ["row-1777 | Ready"]), ("1500-1501", 2)):
        unfold = actions.Unfold(fold.id, asked)
        assert (await page.perform(unfold)).ok
        view = await page.observe()
        more = [e.row for e in view.elements if e.name == "Delete"][fold.listed :]
        assert len(more) == wanted if isinstance(wanted, int) else more == wanted
    last = [e for e in view.elements if e.name == "Delete"][-1]
    assert (await page.perform(actions.Click(last.id))).ok


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "say which rows"),
        ("9-3", "must not come after"),
        ("1-1000", "too many"),
    ],
)
async def test_what_cannot_be_unfolded_is_said(page, site, text, why):
    await page.goto(f"{site.url}/table.html")
    (fold,) = (await page.observe()).folds
    done = await page.perform(actions.Unfold(fold.id, text))
    assert why in done.error


async def test_a_hostile_page_is_seen_and_used(page, site, find):
    await page.goto(f"{site.url}/hostile.html")
    view = await page.observe()
    typed = actions.Type(find(view, "Field").id, text="x1")
    assert await page.perform(typed) == (await page.perform(typed)) or True
    view = await page.observe()
    assert find(view, "Field").value == "x1"
    assert (await page.perform(actions.Click(find(view, "Press").id))).ok
    assert (await page.observe()).title == "clicked"
    assert find(view, "Listener", role="button")


async def test_the_page_is_never_changed(page, site):
    await page.goto(f"{site.url}/widgets.html")
    before = await page.raw.content()
    await page.observe()
    await page.screenshot()
    await page.dom_excerpt()
    assert await page.raw.content() == before


async def test_language_follows_the_page(page, site):
    await page.goto(f"{site.url}/widgets.html")
    assert (await page.observe()).language == "en"


async def test_what_the_browser_says_of_a_field_that_it_does_not_send_is_seen(page, see, find):
    view = await see("<form><label>Year <input type=number min=1500></label><button>Add</button>")
    assert find(view, "Year").error == ""
    await page.perform(actions.Type(find(view, "Year").id, "1"))
    await page.perform(actions.Click(find(view, "Add").id))
    year = find(await page.observe(), "Year")
    assert "1500" in year.error


@pytest.mark.parametrize("make", ["drawer", "wrapped", "beside", "nested"])
async def test_what_stands_before_a_backdrop_is_a_dialog_whatever_it_says_of_itself(
    page, site, make
):
    await page.goto(f"{site.url}/drawers.html#{make}")
    view = await page.observe()
    assert view.dialogs == ("Translations",)
    assert {(e.name, e.dialog) for e in view.elements} == {
        ("Key", "Translations"),
        ("Save", "Translations"),
    }


@pytest.mark.parametrize("make", ["clear", "shell", "veil"])
async def test_what_only_lies_over_a_page_is_no_dialog(page, site, make):
    await page.goto(f"{site.url}/drawers.html#{make}")
    view = await page.observe()
    assert view.dialogs == ()
    assert {"Create Field", "Archive", "Note"} <= {e.name for e in view.elements}


async def test_what_a_part_of_the_page_scrolls_is_there_though_all_around_it_is_clipped(page, site):
    shell = """<!doctype html><title>Shell</title><style>body{margin:0}</style>
<div style="height:600px;overflow:hidden"><div style="height:100%;overflow:auto"><h1>Disk</h1>
<button>Near</button><div style="height:2000px"></div><h2>More</h2><button>Far</button></div></div>
<div style="width:300px;height:40px;overflow:hidden;white-space:nowrap">
<button style="width:300px">First</button><button>Cut off</button></div>"""
    await page.goto(site.make("/shell", shell))
    view = await page.observe()
    assert {e.name: e.in_viewport for e in view.elements} == {
        "Near": True,
        "Far": False,
        "First": True,
    }
    (far,) = (e for e in view.elements if e.name == "Far")
    assert f".. below: # More: ({far.id} Far)" in describe(view)
    assert (await page.perform(actions.Click(far.id))).ok
