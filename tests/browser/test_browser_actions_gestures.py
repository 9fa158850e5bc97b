"""What a hand does: hovering, dragging, dropping files, chords, code editors, scrolling."""

import pytest
import pytest_asyncio

from appliance.browser.acting.keys import chord

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def gestures(page, site):
    await page.goto(f"{site.url}/gestures.html")


async def test_menus_stay_open_while_the_mouse_is_in_them(act, out, find, page):
    assert (await act("hover", "Manage")).ok
    assert (await act("click", "Rebuild")).ok
    assert await out() == "rebuild"
    assert (await act("hover", "More")).ok
    assert (await act("click", "Migrate")).ok
    assert await out() == "migrate"


async def test_double_and_right_click(act, out):
    assert (await act("click", "Row", text="double")).ok
    assert await out() == "double"
    assert (await act("click", "Row", text="right")).ok
    assert await out() == "right"
    assert "say double or right" in (await act("click", "Row", text="triple")).error


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ctrl+shift+k", "ctrl+shift+k"),
        ("alt + enter", "alt+Enter"),
        ("F2", "F2"),
        ("esc", "Escape"),
        ("page down", "PageDown"),
        ("x", "x"),
    ],
)
async def test_chords(act, out, text, said):
    assert (await act("press", text=text)).ok
    assert (await out()).lower() == said.lower()


async def test_how_chords_are_read():
    assert chord("ctrl++") == ["Control", "+"]
    assert chord("ctrl+Enter") == ["Control", "Enter"]
    assert chord("+") == ["+"]


async def test_a_code_editor_takes_a_whole_text(act, page):
    code = "#!/bin/sh\n  echo one\necho two"
    done = await act("type", "Script", text=code)
    assert done.ok, done.error
    assert await page.raw.evaluate("text") == code
    assert (await act("type", "Script", text="")).ok
    assert await page.raw.evaluate("text") == ""
    await page.raw.evaluate("area.oninput=()=>{area.value=''}")
    failed = await act("type", "Script", text="exit 1")
    assert failed.error.endswith("shows '' after typing 'exit 1'")


async def test_dragging_within_a_sorted_list(act, out):
    assert (await act("drag", "first", to="third", text="after")).ok
    assert await out() == "second third first"
    assert (await act("drag", "first", to="second", text="before")).ok
    assert await out() == "first second third"
    assert "say before, after" in (await act("drag", "first", to="second", text="near")).error


async def test_dragging_what_can_be_dropped(act, out):
    assert (await act("drag", "Card", to="Zone")).ok
    assert await out() == "got card 7"


async def test_files_are_dropped_and_handed_to_what_wraps_a_field(act, out, page, tmp_path):
    file = tmp_path / "key.pem"
    file.write_text("secret")
    assert (await act("upload", "Drop files here", text=str(file))).ok
    await page.raw.wait_for_function("$('out').textContent")
    assert await out() == "dropped key.pem secret"
    assert (await act("upload", "Certificate", text=str(file))).ok
    assert await out() == "cert key.pem"
    both = f"{file}\n{file}"
    assert "takes one file, not 2" in (await act("upload", "Certificate", text=both)).error
    assert "takes no dropped files" in (await act("upload", "Row", text=str(file))).error


async def test_what_lies_in_scrollers_and_frames_is_brought_into_view(act, out):
    assert (await act("click", "Deep")).ok
    assert await out() == "deep"
    assert (await act("click", "Framed")).ok
    assert await out() == "in frame"
