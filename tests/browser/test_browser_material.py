"""Controls as Material Design's libraries (Vuetify) draw them."""

import pytest

from appliance.browser import describe
from appliance.core import actions

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True

ENTRIES = """<nav><div role=listbox>
<div tabindex=0 onclick="" style="cursor:pointer">Dataset</div></div></nav>
<main><div role=listbox aria-label=Files><div role=option tabindex=0>a.txt</div></div></main>"""

SELECT = """<div id=list role=button aria-haspopup=listbox aria-expanded=false aria-owns=menu>
<label for=f>Format</label><div><div id=shown>{chosen}</div>
<input id=f readonly type=text autocomplete=off></div></div>
<div id=menu role=listbox hidden><div role=option tabindex=0>JSON</div>
<div role=option tabindex=0>JSONL</div></div>
<script>
list.onclick = () => {{ menu.hidden = false; list.ariaExpanded = 'true'; }};
menu.onclick = (e) => {{ shown.textContent = e.target.textContent; menu.hidden = true; }};
</script>"""

CARDS = """<style>.card{{width:200px}} .picture{{height:120px;background:gray}}</style>
<div class=card><div class=picture></div><div class=title>Sequence Labeling</div></div>
<div class=card><div class=picture></div><div class=title>Object Detection{more}</div></div>
<p id=o></p><script>
for (const one of document.querySelectorAll('.picture')) {{
  one.addEventListener('click', () => {{ o.textContent = one.parentElement.innerText; }});
}}</script>"""

DIALOG = """<div role=dialog aria-modal=true><header><div class="v-toolbar__title">Add Member</div>
</header><button>Save</button></div>"""


async def test_a_list_in_the_navigation_is_of_the_navigation(see):
    view = await see(ENTRIES)
    assert [(e.name, e.region) for e in view.elements] == [
        ("Dataset", "navigation"),
        ("a.txt", "listbox"),
    ]


@pytest.mark.parametrize("chosen", ["", "JSON"])
async def test_a_field_that_only_shows_what_is_chosen_is_a_list(see, chosen):
    view = await see(SELECT.format(chosen=chosen))
    field = next(e for e in view.elements if e.role == "combobox")
    assert (field.name, field.value or "") == ("Format", chosen)


async def test_something_is_chosen_in_it(page, see):
    view = await see(SELECT.format(chosen=""))
    field = next(e for e in view.elements if e.role == "combobox")
    done = await page.perform(actions.Select(field.id, "JSONL"))
    assert done.ok, done.error
    assert await page.raw.evaluate("shown.textContent") == "JSONL"


async def test_a_picture_that_is_clicked_is_called_by_the_words_of_its_card(page, see):
    view = await see(CARDS.format(more=""))
    assert [e.name for e in view.elements] == ["Sequence Labeling", "Object Detection"]
    assert (await page.perform(actions.Click(view.elements[0].id))).ok
    assert await page.raw.evaluate("o.textContent.trim()") == "Sequence Labeling"


async def test_a_picture_beside_controls_has_no_name_from_them(see):
    view = await see(CARDS.format(more=" <button>Details</button>"))
    assert [e.name for e in view.elements] == ["Sequence Labeling", "Details"]


async def test_a_dialog_is_called_by_what_its_make_calls_a_title(see):
    view = await see(DIALOG)
    assert view.dialogs == ("Add Member",)


CLOSED = """<div role=dialog aria-modal=true style="position:fixed;inset:0;pointer-events:none">
<div style="display:none"><h2>Add Member</h2><button>Save</button></div></div>
<button>Add</button>"""


async def test_what_a_closed_dialog_leaves_behind_is_none(see):
    view = await see(CLOSED)
    assert view.dialogs == ()
    view = await see(CLOSED.replace("display:none", "display:block"))
    assert view.dialogs == ("Add Member",)


async def test_a_message_of_an_older_framework_is_one(see):
    view = await see("<ul class=messagelist><li class=success>Password changed.</li></ul>")
    assert [(t.kind, t.tone) for t in view.texts] == [("notice", "success")]


@pytest.mark.parametrize(
    ("html", "tones"),
    [
        ("<ul class=grp-messagelist><li class=grp-success>It was changed.</li></ul>", ["success"]),
        ("<div class='pf-v5-c-alert pf-m-success'><h4>Alert:</h4> Saved.</div>", ["success"]),
        ("<div class='cdx-message cdx-message--error'><span class=cdx-message__icon></span>"
         "<div class=cdx-message__content>It failed.</div></div>", ["error"]),
        ("<div class='notyf__toast notyf__toast--success'>Saved.</div>", ["success"]),
        ("<div class='bx--toast-notification bx--toast-notification--info'>Done.</div>", ["info"]),
        ("<div class='ui positive message'>Saved.</div>", ["success"]),
        ("<div class='chat-message'>Hello</div>", []),
        ("<div class='builds'><a class='success' href=#>Successful builds</a></div>", []),
    ],
)  # fmt: skip
async def test_notices_of_any_library_are_notices(see, html: str, tones: list[str]) -> None:
    view = await see(f"<main><h1>A</h1>{html}<p>b</p></main>")
    assert [notice.tone for notice in view.notices()] == tones


TOKEN = """<tr><td><div class=box style="position:relative"><div aria-hidden=true class=touch
 style="position:absolute;width:48px;height:48px;cursor:pointer" onclick=""></div>
<input type=checkbox style='position:relative'></div>
<td><a role=button tabindex=0 aria-label="Serial link">{serial}</a>
<td>hotp<td><button aria-label="Fail counter">{failures}</button></tr>"""

TOKENS = "<table><tr><th><th>Serial<th>Type<th>Failures</tr>{}</table>"

SCROLLED = """<style>body{margin:0;height:100vh;overflow:hidden}
#all{height:100vh;overflow:auto}</style>
<div id=all><p>Top</p><div style="height:3000px"></div><button>Last</button></div>"""

LONG_OPTIONS = """<select aria-label=Type><option>-
<option>Generic: a container that can hold any token
<option>Smartphone: a container of an app that is registered</select>"""


async def test_what_widens_a_box_for_fingers_is_no_control(see):
    view = await see(TOKENS.format(TOKEN.format(serial="FOB1", failures=2)))
    assert [e.role for e in view.elements] == ["checkbox", "button", "button"]


async def test_a_row_has_the_name_that_is_written_on_its_button(see):
    rows = "".join(TOKEN.format(serial=f"FOB100{n}", failures=n) for n in range(4))
    view = await see(TOKENS.format(rows))
    assert view.elements[0].row == "FOB1000 | hotp"
    written = describe(view)
    assert "FOB1003(" in written and "/3)" in written


@pytest.mark.parametrize("scroll", ["down", "bottom"])
async def test_the_page_scrolls_also_where_only_a_part_of_it_does(page, see, scroll):
    await see(SCROLLED)
    done = await page.perform(actions.Scroll(scroll))
    assert done.ok, done.error
    assert await page.raw.evaluate("all.scrollTop") > 100


async def test_a_long_option_may_be_named_as_it_is_shown_cut(page, see):
    view = await see(LONG_OPTIONS)
    done = await page.perform(actions.Select(view.elements[0].id, "Generic: a container…"))
    assert done.ok, done.error
    view = await page.observe()
    assert view.elements[0].value == "Generic: a container that can hold any token"
    assert not (await page.perform(actions.Select(view.elements[0].id, "Generic…"))).ok


async def test_a_live_region_of_buttons_tells_nothing(see):
    view = await see(
        "<div aria-live=polite><button>Cancel</button></div>"
        "<div aria-live=polite>Saved <button>Undo</button></div>"
    )
    assert [t.text for t in view.texts if t.kind == "notice"] == ["Saved Undo"]


async def test_what_a_list_offers_is_not_what_is_chosen_in_it(see):
    view = await see(
        "<div role=combobox tabindex=0 aria-expanded=true aria-label=Realm><span>office</span>"
        "<div role=listbox><div role=option tabindex=0>office</div>"
        "<div role=option tabindex=0>visitors</div></div></div>"
    )
    assert next(e.value for e in view.elements if e.role == "combobox") == "office"
