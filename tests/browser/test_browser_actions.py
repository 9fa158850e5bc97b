"""Actions act on the very element they name, and say so when they cannot."""

import pytest
import pytest_asyncio

from appliance.core import actions

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True


@pytest_asyncio.fixture(loop_scope="session")
async def widgets(page, site):
    await page.goto(f"{site.url}/widgets.html")


@pytest_asyncio.fixture(loop_scope="session")
async def custom(page, site):
    await page.goto(f"{site.url}/custom.html")


async def test_click_type_and_submit(widgets, act, page, find, out):
    assert (await act("type", "Name", text="web-1")).ok
    assert (await act("type", "Name", text="web-2")).ok
    assert find(await page.observe(), "Name").value == "web-2"
    assert (await act("click", "Save")).ok
    assert await out() == "sent web-2"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Size", "42"),
        ("Notes", "two\nlines"),
        ("Rich text", "new"),
        ("Date", "2026-11-21"),
        ("Name", ""),
    ],
)
async def test_type_replaces_the_content(widgets, act, page, find, name, text):
    assert (await act("type", name, text=text)).ok
    assert find(await page.observe(), name).value == text


async def test_type_says_what_a_field_does_not_take(custom, widgets, page, site, act):
    failed = await act("type", "Account", text="x")
    assert not failed.ok
    assert "read-only" in failed.error
    await page.goto(f"{site.url}/custom.html")
    failed = await act("type", "Short", text="abcdef")
    assert "holds 'abc'" in failed.error


async def test_select_native(widgets, act, page, find):
    assert (await act("select", "Region", text="  east")).ok
    assert find(await page.observe(), "Region").value == "East"
    assert (await act("select", "Zones", text="a, c")).ok
    assert find(await page.observe(), "Zones").value == "a, c"
    failed = await act("select", "Region", text="North")
    assert failed.error.endswith("has no option 'North'; it offers 'East', 'West', 'Moon'")
    assert "disabled" in (await act("select", "Region", text="Moon")).error


async def test_check_boxes_radios_switches(widgets, act, page, find):
    for name, role in (("Enable backup", "checkbox"), ("UDP", "radio"), ("Encryption", "switch")):
        assert (await act("check", name, role=role)).ok
        assert "checked" in find(await page.observe(), name, role=role).states
    assert (await act("check", "Encryption", checked=False)).ok
    assert "unchecked" in find(await page.observe(), "Encryption").states
    assert (await act("check", "Encryption", checked=False)).ok
    assert "unchecked" in find(await page.observe(), "Encryption").states


async def test_click_by_row_and_below_the_fold(widgets, act, out):
    assert (await act("click", "Delete", row="db-2 | Busy")).ok
    assert await out() == "deleted db-2"
    assert (await act("click", "Far below")).ok
    assert await out() == "low"
    assert (await act("click", "Plain listener")).ok
    assert await out() == "listens"


async def test_a_disabled_control_refuses(widgets, act):
    failed = await act("click", "Delete", row=None)
    assert not failed.ok
    assert "is disabled" in failed.error


async def test_horizons_drop_down_is_one_control(page, site, act, find):
    await page.goto(f"{site.url}/themable.html")
    view = await page.observe()
    assert len([e for e in view.elements if e.group == "" and e.region == "form"]) == 1
    source = find(view, "Volume Source", role="combobox")
    assert (source.value, source.options) == (
        "No source",
        ("No source", "Image", "Volume Snapshot"),
    )
    assert source.description == "Where the data comes from"
    assert {"required", "collapsed"} <= source.states
    assert (await act("select", "Volume Source", text="volume snapshot")).ok
    assert (await act("select", "Volume Source", text="Image")).ok
    view = await page.observe()
    assert find(view, "Volume Source").value == "Image"
    assert find(view, "Use image as a source")
    failed = await act("select", "Volume Source", text="Floppy")
    assert "has no option 'Floppy'" in failed.error


async def test_menus_tell_what_is_in_them(page, site, act, find):
    await page.goto(f"{site.url}/themable.html")
    view = await page.observe()
    toggle = find(view, "▾")
    assert toggle.options == ("Resize", "Delete disk")
    assert {"haspopup", "collapsed"} <= toggle.states
    assert not [e for e in view.elements if e.name == "Resize"]
    assert find(view, "Instances").group == "Compute"


async def test_what_hovering_shows_gets_out_of_the_way(page, site, act):
    await page.goto(f"{site.url}/themable.html")
    assert (await act("hover", "Tip")).ok
    assert (await act("click", "Below")).ok
    assert (await page.observe()).title == "below"


async def test_a_password_is_never_in_an_error(page, site, act):
    await page.goto(f"{site.url}/secret.html")
    await page.raw.evaluate("document.getElementById('pw').maxLength=3")
    done = await act("type", "Password", text="hunter2")
    assert "hun" not in done.error


async def test_aria_combobox_and_typeahead(custom, act, page, find, out):
    assert (await act("select", "Flavor", text="extra large")).ok
    assert find(await page.observe(), "Flavor").value == "Extra Large"
    assert (await act("select", "Image", text="ubuntu 24.04")).ok
    assert await out() == "chose ubuntu 24.04"


async def test_transfer_lists(page, site, act, find):
    await page.goto(f"{site.url}/transfer.html")
    assert (await act("click", "+", row="demo")).ok
    view = await page.observe()
    assert find(view, "-", row="demo").group == "Selected Projects"
    assert find(view, "+", row="admin").group == "All Projects"
    up = find(view, "↑", row="large")
    assert up.section == "Available"
    assert (await page.perform(actions.Click(up.id))).ok
    assert find(await page.observe(), "↓", row="large").section == "Allocated"


async def test_press_hover_scroll_drag_wait(custom, act, page, out):
    assert (await act("press", "Keys", text="Enter")).ok
    assert await out() == "Enter"
    assert (await act("press", text="ctrl+b")).ok
    assert await out() == "ctrl+b"
    assert "there is no key" in (await act("press", text="Nokey")).error
    assert (await act("hover", "Hover me")).ok
    assert await out() == "hovered"
    assert (await act("drag", "Drag me", to="Drop here")).ok
    assert await out() == "dropped"
    assert (await act("wait", text="0.05")).ok
    await page.goto(page.url.replace("custom", "table"))
    assert (await act("scroll", text="down")).ok
    assert await page.raw.evaluate("scrollY") > 100


async def test_upload(custom, act, tmp_path, out):
    file = tmp_path / "id_rsa.pub"
    file.write_text("ssh-rsa")
    assert (await act("upload", "Key file", text=str(file))).ok
    assert await out() == "file id_rsa.pub"
    assert (await act("upload", "Browse…", text=str(file))).ok
    assert await out() == "hidden id_rsa.pub"
    two = await act("upload", "Browse…", text=f"{file}\n{file}")
    assert "takes one file, not 2" in two.error
    assert "there is no file" in (await act("upload", "Key file", text="/nowhere")).error


async def test_covered_for_good_and_for_a_moment(custom, act, page, out):
    failed = await act("click", "Under")
    assert not failed.ok
    assert 'covered by <div> "Cover"' in failed.error
    await page.raw.evaluate("uncover()")
    assert (await act("click", "Soon free")).ok
    assert await out() == "soon"


@pytest.mark.parametrize("change", ["fresh()", "insert()", "keep()"])
async def test_re_rendered_rows_are_found_again(page, site, find, out, change):
    await page.goto(f"{site.url}/rerender.html")
    view = await page.observe()
    await page.raw.evaluate(change)
    done = await page.perform(actions.Click(find(view, "Delete", row="b").id))
    assert done.ok, done.error
    assert await out() == "deleted b"


async def test_ids_survive_a_re_render(page, site, find):
    await page.goto(f"{site.url}/rerender.html")
    before = find(await page.observe(), "Delete", row="b").id
    await page.raw.evaluate("insert()")
    assert find(await page.observe(), "Delete", row="b").id == before


async def test_what_is_gone_or_ambiguous_is_refused(page, site, find, out):
    await page.goto(f"{site.url}/rerender.html")
    view = await page.observe()
    await page.raw.evaluate("rows=['a','c'];fresh()")
    element = find(view, "Delete", row="b").id
    gone = await page.perform(actions.Click(element))
    assert gone.error.startswith(f"element {element} (button 'Delete') is no longer on the page")
    await page.raw.evaluate("rows=['a','b','c'];fresh()")
    view = await page.observe()
    await page.raw.evaluate("twins()")
    twins = await page.perform(actions.Click(find(view, "Delete", row="b").id))
    assert not twins.ok
    assert await out() == ""


async def test_numbers_do_not_outlive_their_document(page, site, find, out):
    await page.goto(f"{site.url}/rerender.html")
    view = await page.observe()
    await page.goto(f"{site.url}/widgets.html")
    done = await page.perform(actions.Click(find(view, "Delete", row="b").id))
    assert "is no longer on the page" in done.error
    assert await out() == "nothing"


async def test_an_unknown_element_is_said(widgets, page):
    done = await page.perform(actions.Click(9999))
    assert done.error == "there is no element 9999"
    with pytest.raises(ValueError, match="click needs an element"):
        actions.build(actions.ActionKind.CLICK)
