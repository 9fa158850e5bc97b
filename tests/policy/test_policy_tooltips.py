# ruff: noqa: E501 - pages
"""Consoles of icons, whose names show only while the mouse rests on them."""

import pytest

from appliance.core.verdict import StepStatus
from tests.policy.policy_reader import Reader, told

_ICONS = """<nav>
<a href="#c" data-tip="Content" data-page="<h1>Content</h1>"><i data-icon="box"></i></a>
<a href="#s" data-tip="Settings" data-page="<h1>Settings</h1><button>Data Model</button>"><i
 data-icon="gear"></i></a></nav>
<main id=m><h1>Content</h1><table><tr><th>Title<th></tr><tr><td>web-1<td>
<button data-tip="Duplicate" data-page="<h1>Copied</h1>"><i data-icon="copy"></i></button>
<button data-tip="Archive" data-page="<h1>Archived</h1>"><i data-icon="archive"></i></button>
</tr></table></main><div id=tooltip style="position: fixed; left: 50vw; display: none"></div>
<script>
for (const el of document.querySelectorAll('[data-tip]')) {
  el.style.cssText = 'display: inline-block; width: 40px; height: 40px';
  let timer = 0;
  el.onmouseenter = () => { timer = setTimeout(() => {
    tooltip.innerText = el.dataset.tip; tooltip.style.display = 'block'; }, 200); };
  el.onmouseleave = () => { clearTimeout(timer); tooltip.style.display = 'none'; };
  el.onclick = () => { m.innerHTML = el.dataset.page; };
}
</script>"""


@pytest.mark.parametrize(
    ("steps", "title"),
    [
        ("1. Click **Settings**.\n2. Click **Data Model**.", "Settings"),
        ("1. In the row of the item, click **Archive**.", "Archived"),
        ("1. Go to **Settings** > **Data Model**.", "Settings"),
    ],
)
async def test_an_icon_is_called_as_its_tooltip_says(
    reader: Reader, steps: str, title: str
) -> None:
    done = await reader.follow(_ICONS, steps, item="web-1")
    assert told(done) == []
    assert {r.status for r in done.reports()} == {StepStatus.AS_WRITTEN}
    assert title in str(await reader.value("document.body.innerText"))


async def test_what_no_tooltip_says_is_missing_as_before(reader: Reader) -> None:
    done = await reader.follow(_ICONS, "1. Click **Publish**.", item="web-1")
    [(_, only)] = done.divergences()
    assert only.shown.startswith('nothing called "Publish"')
    assert only.suggestion is None


_HOVERED = """<header role=banner><a href="#" id=who onmouseenter="d.hidden = false"
 onclick="d.hidden = !d.hidden; return false">ada</a><div id=d role=menu hidden>
<a role=menuitem href="#a" onclick="m.innerHTML = '<h1>My account</h1><button>Add token</button>'">My
 account</a></div></header><main id=m><h1>Start</h1></main>"""


@pytest.mark.parametrize("start_is_known", [True, False])
async def test_a_menu_that_comes_with_the_mouse_is_not_closed_by_the_click(
    reader: Reader, start_is_known: bool
) -> None:
    reader.start_is_known = start_is_known
    first = "1. Click **ada** and then **My account**.\n2. " if start_is_known else "1. "
    done = await reader.follow(_HOVERED, f"{first}Click **Add token**.")
    assert told(done) == []
    assert {r.status for r in done.reports()} == {StepStatus.AS_WRITTEN}


_PARTS = """<nav><a href="#t" onclick="m.innerHTML = '<h1>Translations</h1><p>All strings</p>'">
Translations</a></nav><main id=m><h1>posts</h1><h2>Fields</h2>
<a href="#new" onclick="m.innerHTML = '<h1>New field</h1>'">Create Field</a></main>"""


async def test_what_stands_in_a_part_that_is_not_there_is_nothing_beside_it(reader: Reader) -> None:
    steps = "1. In the **Translations** section, click **Add Fields**."
    done = await reader.follow(_PARTS, steps)
    assert [d.suggestion for _, d in done.divergences()] == [None]


async def test_a_part_of_a_page_is_no_entry_of_the_navigation(reader: Reader) -> None:
    steps = "1. Find the **Translations** section.\n2. Click **Enable**."
    await reader.follow(_PARTS, steps)
    assert "All strings" not in str(await reader.value("document.body.innerText"))


_EVENT = """<main id=m><h1>Events</h1><table><tr><th>Name</tr><tr><td><a href="#e" onclick="m.innerHTML = PAGE"
>Open day</a></tr></table></main><script>const PAGE = `<h1>Open day</h1><a class=icon-edit
 title="Switch to the management area of this event" href="#m" onclick="m.innerHTML = MANAGED"></a>`;
const MANAGED = '<h1>Open day</h1><nav><h2>Organisation</h2><a href="#s">Sessions</a></nav>';</script>
<style>.icon-edit::before { content: 'd' }</style>"""


async def test_the_side_of_a_thing_that_is_named_is_gone_to(reader: Reader) -> None:
    steps = (
        "1. Navigate to the management area of an event and select _Sessions_ under _Organisation_."
    )
    done = await reader.follow(_EVENT, steps, event="Open day")
    assert told(done) == []
    assert {r.status for r in done.reports()} == {StepStatus.AS_WRITTEN}


_CARDS = """<main><h1 id=h>Files</h1><button
 style="display: block" onclick="h.innerText = 'Shore'">Shore PNG • 123 B</button>
<button oncontextmenu="m.hidden = false; return false">Pictures</button>
<div id=m hidden role=menu><button role=menuitem>Download all</button></div></main>"""


async def test_a_card_is_opened_by_the_name_that_it_begins_with(reader: Reader) -> None:
    await reader.follow(_CARDS, "1. Click a file to open its page.", file="Shore")
    assert "Shore" in str(await reader.value("document.body.innerText"))


async def test_a_context_menu_is_opened_with_the_right_button(reader: Reader) -> None:
    steps = "1. Open the folder's context menu (right-click).\n2. Select **Download all**."
    done = await reader.follow(_CARDS, steps, folder="Pictures")
    assert told(done) == []
    assert {r.status for r in done.reports()} == {StepStatus.AS_WRITTEN}


_FLYOUT = """<nav><a href="#o" onclick="n.hidden = false">Organization</a><ul id=n hidden>
<li><a href="#r">Roles</a> <a href="#r+" onclick="m.innerText = 'New role'"><i class=mdi-plus></i></a>
<li><a href="#t">Tenants</a> <a href="#t+" title=Add onclick="m.innerText = 'New tenant'"><i
 class="mdi-plus"></i></a></ul></nav><main id=m><a href="#t">Tenants</a> <a href="#w" title=Add onclick="m.innerText = 'Wrong'">+</a>
</main><style>i { display: inline-block; width: 16px; height: 16px }
</style>"""


@pytest.mark.parametrize(
    "steps",
    [
        "1. Click **Organization**.\n2. Find **Tenants** and click on the `+`.",
        "1. Click **Organization**.\n2. Find **Tenants** on the drop-down menu.\n3. Select **+**.",
    ],
)
async def test_a_sign_is_clicked_beside_what_was_to_be_found(reader: Reader, steps: str) -> None:
    done = await reader.follow(_FLYOUT, steps)
    assert await reader.value("m.innerText") == "New tenant"
    assert told(done) == []
    assert {r.status for r in done.reports()} == {StepStatus.AS_WRITTEN}
