"""Controls that are easily overlooked, listed twice, or called by a wrong name."""

import pytest

from appliance.core import actions

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True

PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="


def told(view):
    return [(e.role, e.name) for e in view.elements]


async def test_closed_roots_stay_closed_for_the_page_and_are_seen(page, see):
    view = await see(
        "<x-made></x-made><x-told><template shadowrootmode=closed><button>Told</button></template>"
        "</x-told><script>document.querySelector('x-made').attachShadow({mode: 'closed'})"
        ".innerHTML = '<button onclick=\"document.title = 1\">Made</button>'</script>"
    )
    assert told(view) == [("button", "Made"), ("button", "Told")]
    assert await page.raw.evaluate("document.querySelector('x-made').shadowRoot === null")
    assert (await page.perform(actions.Click(view.elements[0].id))).ok
    assert await page.raw.title() == "1"


async def test_a_group_of_links_is_no_row(see):
    links = "".join(f"<li><a href='#{n}'>Entry {n}</a></li>" for n in range(4))
    tools = "<li><a href='#x'>Edit</a></li><li><a href='#y'>Delete</a></li>"
    view = await see(
        f"<ul><li>Settings<ul>{links}</ul></li></ul><ul><li>web-1<ul>{tools}</ul></li></ul>"
    )
    assert {e.row for e in view.elements if e.name.startswith("Entry")} == {None}
    assert {e.row for e in view.elements if e.name in ("Edit", "Delete")} == {"web-1 Edit Delete"}


async def test_a_menu_entry_says_by_its_part_that_it_opens_another(see):
    view = await see(
        "<ul role=menubar><li role=menuitem><span role=presentation aria-haspopup=true"
        " aria-expanded=false><a href='#' role=presentation>Review</a></span></li>"
        "<li role=menuitem><a href='#' role=presentation>Close</a></li></ul>"
    )
    assert [(e.name, sorted(e.states)) for e in view.elements] == [
        ("Review", ["collapsed", "haspopup"]),
        ("Close", []),
    ]


async def test_an_unfolded_menu_belongs_to_no_entry_s_name(see):
    view = await see(
        "<ul role=menu><li role=menuitem aria-haspopup=true><a href='#'><span>Presets</span></a>"
        "<ul role=menu><li><a role=menuitem href='/cdefs'>CDEFs</a></li>"
        "<li><a role=menuitem href='/colors'>Colors</a></li></ul></li></ul>"
    )
    presets = view.elements[0]
    assert told(view) == [("menuitem", "Presets"), ("menuitem", "CDEFs"), ("menuitem", "Colors")]
    assert (presets.tag, presets.states) == ("a", {"haspopup"})


async def test_a_table_that_lays_the_page_out_has_no_rows(see):
    view = await see(
        "<table><tr><td><ul><li><a href='/hosts'>Hosts</a></li></ul></td>"
        "<td><table><tr><td>web-1<td><button>Restart</button><tr><td>db-1<td><button>Restart"
        "</button></table></td></tr></table><table><tr><td><button>Save</button></table>"
        "<table><tr><th>Name<th>Action<tr><td>mail-1<td><table><tr><td><button>Stop</table></table>"
    )
    rows = [(e.name, e.row) for e in view.elements if e.role != "columnheader"]
    assert rows == [
        ("Hosts", None),
        ("Restart", "web-1"),
        ("Restart", "db-1"),
        ("Save", None),
        ("Stop", "mail-1"),
    ]


async def test_listeners_in_a_closed_root_are_heard_of(see):
    view = await see(
        "<x-made></x-made><script>const r = document.querySelector('x-made')"
        ".attachShadow({mode: 'closed'}); r.innerHTML = '<div>Only listens</div>';"
        "r.firstChild.addEventListener('click', () => {})</script>"
    )
    assert told(view) == [("button", "Only listens")]


async def test_an_area_lies_on_its_image(see):
    view = await see(
        f'<img src="{PIXEL}" usemap="#m" width=100 height=40 style="margin-left:30px">'
        '<map name=m><area shape=rect coords="10,5,50,35" href="#a" alt="East wing"></map>'
    )
    (area,) = view.elements
    assert (area.role, area.name) == ("link", "East wing")
    assert (area.box.x, area.box.width, area.box.height) == (48, 40, 30)
    assert "covered" not in area.states


async def test_an_area_that_listens_needs_no_address(see):
    view = await see(
        f'<img src="{PIXEL}" usemap="#m" width=100 height=40>'
        '<map name=m><area shape=rect coords="10,5,50,35" alt="West wing"></map>'
        "<script>document.querySelector('area').addEventListener('click', () => {})</script>"
    )
    (area,) = view.elements
    assert (area.name, area.box.width) == ("West wing", 40)


async def test_shapes_that_are_clicked_and_slices_of_charts(see):
    slices = "".join(
        f"<rect x={i} width=1 height=9 style='cursor:pointer'></rect>" for i in range(20)
    )
    view = await see(
        "<svg width=90 height=30><rect width=50 height=24 style='cursor:pointer'></rect></svg>"
        f"<svg width=90 height=30>{slices}</svg>"
    )
    assert told(view) == [("button", "")]


async def test_what_sticks_twice_is_listed_once(see):
    head = "<tr><th><button>Sort by name</button></th></tr>"
    view = await see(
        "<div style='position:relative;width:300px'><div aria-hidden=true style='position:absolute;"
        f"top:0;left:0;z-index:2'><table>{head}</table></div><table>{head}<tr><td>a</td></tr></table></div>"
    )
    (button,) = view.elements
    assert "covered" not in button.states


async def test_what_is_partly_in_view_is_in_view(see):
    view = await see(
        "<div style='height:calc(100vh - 25px)'></div><button style='height:60px'>Half</button>"
        "<div style='height:90px'></div><button>Below</button>"
    )
    assert [(e.name, e.in_viewport) for e in view.elements] == [("Half", True), ("Below", False)]


async def test_a_grip_at_the_edge_covers_nothing(see):
    view = await see(
        "<div style='position:relative;width:200px'><button style='width:200px'>Wide</button>"
        "<i style='position:absolute;right:0;top:0;width:6px;height:100%'></i></div>"
    )
    assert [(e.name, "covered" in e.states) for e in view.elements] == [("Wide", False)]


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (
            "<label><input type=checkbox> Delete after <input value=5 size=2> days</label>",
            "Delete after 5 days",
        ),
        (
            "<span id=a hidden>Hidden <b>name</b></span><button aria-labelledby=a>x</button>",
            "Hidden name",
        ),
        ("<style>.i::before{content:'Refresh'}</style><button class=i></button>", "Refresh"),
        ("<button title='Settings'><svg width=9 height=9></svg></button>", "Settings"),
        ("<button>👩‍💻 Team</button>", "👩‍💻 Team"),
        ("<b id=b>Size</b><button id=c aria-labelledby='b c'>Small</button>", "Size Small"),
        ("<label for=f>Disk</label><label for=f>size *</label><input id=f>", "Disk size"),
    ],
)
async def test_names_follow_the_rules_for_accessible_names(see, body, name):
    view = await see(body)
    assert view.elements[0].name == name


async def test_states_that_are_neither_on_nor_off(see):
    view = await see(
        "<input type=checkbox aria-label=All id=m><script>m.indeterminate = true</script>"
        "<div role=checkbox tabindex=0 aria-checked=mixed>Some</div>"
        "<button aria-pressed=true>Bold</button><button aria-pressed=mixed>Italic</button>"
    )
    states = [e.states & {"checked", "unchecked", "mixed", "pressed"} for e in view.elements]
    assert states == [{"mixed"}, {"mixed"}, {"pressed"}, {"mixed"}]


async def test_a_row_that_opens_something_is_listed_beside_what_it_holds(see):
    view = await see(
        "<table><tr style='cursor:pointer' onclick='void 0'><td>job-1</td>"
        "<td><a href='#l'>Logs</a></td></tr></table>"
    )
    assert told(view) == [("row", "job-1 | Logs"), ("link", "Logs")]


async def test_a_card_that_does_something_itself_is_listed_beside_its_buttons(see):
    view = await see(
        "<div id=c style='cursor:pointer;width:200px'>Server web-1 <button>Stop</button>"
        "<button>Delete</button></div><div id=d style='cursor:pointer'><button>Alone</button></div>"
        "<script>for (const x of [c, d]) x.addEventListener('click', () => {})</script>"
    )
    assert told(view) == [
        ("group", "Server web-1"),
        ("button", "Stop"),
        ("button", "Delete"),
        ("button", "Alone"),
    ]


async def test_a_picture_as_document_is_seen(page, site):
    body = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80">'
        '<a href="#x"><text x="10" y="30">Open map</text></a></svg>'
    )
    await page.goto(site.make("/map.svg", body, "image/svg+xml"))
    assert told(await page.observe()) == [("link", "Open map")]


CARD = (
    "<style>.card{{width:200px;height:60px;position:relative}}.acts{{opacity:0;position:absolute;"
    "inset:0;{more}}}.card:hover .acts,"
    ".card:focus-within .acts{{opacity:1}}</style>"
    "<div class=card><b>Gradual</b><div class=acts><button onclick='document.title = 1'>Configure"
    "</button></div></div>"
)


async def test_what_shows_when_the_pointer_comes_near_is_offered_in_its_card(page, see):
    view = await see(CARD.format(more=""))
    assert [(e.name, e.row) for e in view.elements] == [("Configure", "Gradual")]
    assert (await page.perform(actions.Click(view.elements[0].id))).ok
    assert await page.raw.title() == "1"


async def test_what_no_click_reaches_is_not_offered(see):
    assert told(await see(CARD.format(more="pointer-events:none"))) == []
    assert told(await see(CARD.format(more="").replace(":hover", ".open"))) == []
    under = "<div style='position:absolute;inset:0;background:#fff'></div></div>"
    assert told(await see(CARD.format(more="").removesuffix("</div>") + under)) == []


async def test_a_slider_drawn_over_its_input_is_seen_and_moved(page, see):
    view = await see(
        "<p id=r>Rollout</p><span style='display:block;position:relative;width:200px;height:20px'>"
        "<span style='position:absolute;left:90px;width:20px;height:20px;background:#55c'>"
        "<input type=range aria-labelledby=r value=50 style='position:absolute;width:100%;height:"
        "100%;clip:rect(0 0 0 0);overflow:hidden;margin:-1px'></span></span>"
        "<div role=group aria-labelledby=r><div><input type=number value=50></div></div>"
    )
    assert told(view) == [("slider", "Rollout"), ("spinbutton", "Rollout")]
    assert (await page.perform(actions.Type(view.elements[0].id, "35"))).ok
    assert await page.raw.evaluate("document.querySelector('[type=range]').value") == "35"


@pytest.mark.parametrize(("style", "is_main"), [
        ("background:#6c65e5", True), ("background:#18181b", True), ("background:#fff", False),
        ("", False),
    ],
)  # fmt: skip
async def test_the_coloured_button_of_a_dialog_is_its_main_one(see, style, is_main):
    view = await see(
        f"<div role=dialog aria-label=Archive><p>Sure?</p><div><button style='{style}'>Archive flag"
        "</button><button style='background:#fff'>Cancel</button></div></div>"
    )
    assert [e.is_submit for e in view.elements] == [is_main, False]


async def test_of_the_buttons_of_a_form_around_a_dialog_the_filled_one_sends_it(see):
    view = await see(
        "<div role=dialog aria-label=Add><form><button>Add filter</button><input><footer>"
        "<button type=button>Cancel</button><button style='background:#18181b'>Save</button>"
        "</footer></form></div>"
    )
    assert [e.name for e in view.elements if e.is_submit] == ["Save"]


MANY = """<div role=dialog aria-modal=true aria-label=Invite id=d><label id=l>Roles</label>
<div role=combobox id=c aria-labelledby=l aria-controls=b aria-expanded=false tabindex=0>Select
</div>
</div><div role=listbox id=b aria-multiselectable=true hidden><div role=option>Author</div>
<div role=option>Editor</div></div><script>
c.onclick = () => {
  const opens = c.ariaExpanded === 'false';
  c.ariaExpanded = String(opens);
  if (opens) b.hidden = false; else setTimeout(() => { b.hidden = true; }, 3000);  // it fades
};
for (const one of b.children) one.onclick = () => { c.textContent = one.textContent; };
onkeydown = (e) => { if (e.key === 'Escape') d.remove(); };
</script>"""


async def test_closing_a_list_does_not_close_the_dialog_around_it(page, see):
    view = await see(MANY)
    [box] = [e for e in view.elements if e.role == "combobox"]
    assert (box.value, box.placeholder) == ("", "Select")
    assert (await page.perform(actions.Select(box.id, "Author"))).ok
    after = await page.observe()
    assert after.dialogs == ("Invite",)
    assert [e.value for e in after.elements if e.role == "combobox"] == ["Author"]


@pytest.mark.parametrize(
    ("attributes", "note", "error"),
    [
        ("aria-describedby='h n-error'", "n-error", "Too short"),
        ("aria-invalid=true aria-describedby='h n-message'", "n-message", "Too short"),
        ("aria-describedby='h n-message'", "n-message", ""),
        ("aria-invalid=true aria-describedby='h'", "n-message", ""),
    ],
)
async def test_an_error_is_what_a_field_is_described_by(see, attributes, note, error):
    view = await see(
        f"<label for=n>Name</label><input id=n {attributes}><p id=h>As people see it</p>"
        f"<p id={note}>Too short</p>"
    )
    [field] = view.elements
    assert field.error == error


@pytest.mark.parametrize(
    ("drawn", "attributes", "name"),
    [
        ("d", "title='Switch to the management area'", "Switch to the management area"),
        ("d", "class=icon-edit", "edit"),
        ("+", "", "+"),
        ("Add", "title='A new one'", "Add"),
    ],
)
async def test_a_letter_of_an_icon_font_is_no_name(see, drawn, attributes, name):
    style = f"<style>a::before {{ content: '{drawn}' }}</style>"
    assert told(await see(f"{style}<a href=#x {attributes}></a>")) == [("link", name)]


async def test_a_link_that_says_that_it_is_not_disabled_is_not(see):
    view = await see("<a href=#x disabled=false>Edit</a><a href=#y disabled>Keep</a>")
    assert ["disabled" in e.states for e in view.elements] == [False, True]


async def test_an_icon_is_called_as_it_says_while_the_mouse_rests_on_it(page, see):
    view = await see(
        "<a href=#x style='display: inline-block; width: 40px; height: 40px'"
        ' onmouseenter="setTimeout(() => tooltip.hidden = false, 200)"'
        " onmouseleave='tooltip.hidden = true'><i data-icon=gear></i></a>"
        "<div id=tooltip hidden style='position: fixed; top: 200px'>Settings</div>"
    )
    assert told(view) == [("link", "settings")]
    assert (await page.perform(actions.Hover(view.elements[0].id))).ok
    [link] = [e for e in (await page.observe()).elements if e.role == "link"]
    assert (link.name, link.text) == ("Settings", "settings")


EDITOR = """<div class="CodeMirror" style="position: relative; height: 90px; width: 400px">
<div style="overflow: hidden; position: relative; width: 3px; height: 0; top: 4px; left: 4px">
<textarea tabindex="0" style="position: absolute; bottom: -1em; padding: 0; width: 1000px;
 height: 1em; outline: none"></textarea></div><div class="CodeMirror-lines">
<pre class="CodeMirror-line"><span>Given a phone</span></pre></div></div>"""
"""As CodeMirror 5 builds one: its own field lies in a box of no height."""


async def test_a_code_editor_is_a_field_called_as_the_one_that_it_replaces(see):
    view = await see(
        "<div><label for=doc>Test plan document</label><textarea id=doc style='display: none'>"
        f"</textarea>{EDITOR}</div>"
    )
    assert [(e.role, e.name, e.value) for e in view.elements] == [
        ("textbox", "Test plan document", "Given a phone")
    ]


async def test_a_code_editor_without_a_label_is_called_by_the_words_before_it(see):
    view = await see(f"<h1>New plan</h1><div><p>Steps to take</p>{EDITOR}</div><button>Go</button>")
    assert told(view) == [("textbox", "Steps to take"), ("button", "Go")]
