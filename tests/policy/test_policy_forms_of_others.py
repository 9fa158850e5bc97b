"""What real consoles' forms and their own guides have taught."""

import pytest

from tests.policy.policy_reader import Reader, thoughts, told

_UPLOADS = """<style>button{width:30px;height:24px}</style>
<button><span class="fa fa-undefined"></span><span class="fa fa-upload"></span></button>
<button style="width:90px">Folder</button><button><span class="fa fa-fw fa-trash"></span></button>
<p id=o></p>
<script>document.querySelector('button').onclick = () => { o.textContent = 'up' }</script>"""


async def test_an_icon_is_found_by_what_it_does(reader: Reader) -> None:
    done = await reader.follow(_UPLOADS, "1. Click the **Upload file** icon.\n2. Look at it.")
    assert told(done) == []
    assert await reader.value("o.textContent") == "up"


_IMPORT = """
<div role=dialog aria-modal=true aria-label="Import key">
<label>Name <input id=n required></label>
<label>Type <select id=t required><option value=""></option><option>SSH</option></select></label>
<label>Public key <textarea id=k required></textarea></label>
<button id=b type=submit disabled>Import</button></div>
<script>
const fields = [n, t, k], due = () => { b.disabled = fields.some((f) => !f.value) };
fields.forEach((f) => { f.oninput = due; f.onchange = due }); b.onclick = () => { n.title = 'sent' }
</script>"""


async def test_what_a_greyed_out_button_waits_for_is_what_the_text_lacks(reader: Reader) -> None:
    text = (
        "1. In the dialog, enter a name and copy the key into the **Public key** box,"
        " then click **Import**.\n2. Look at it."
    )
    done = await reader.follow(_IMPORT, text)
    assert told(done) == [("missing_step", "Import")]
    assert '"Type" must be filled in' in next(d.shown for _, d in done.divergences())
    assert await reader.value("n.title") == "sent"


_EDIT = """
<div role=dialog aria-modal=true aria-label="Edit image"><label>Image name <input value=a></label>
<label>Format <select id=f><option>QCOW2</option><option>RAW</option></select></label>
<button type=submit onclick="this.name='sent'">Save</button></div>"""


async def test_examples_of_what_can_be_changed_need_not_all_be_understood(reader: Reader) -> None:
    text = (
        "1. In the dialog, you can do various things. For example:\n"
        "   * Change the format of the image.\n   * Change the metadata of the image.\n"
        "2. Click **Save**."
    )
    done = await reader.follow(_EDIT, text)
    assert told(done) == []
    assert await reader.value("document.querySelector('button').name") == "sent"
    notes = [report.note for turn in done.turns for report in turn.decision.reports]
    assert not [note for note in notes if "not understood" in note]


_TRANSFER = """
<div role=dialog aria-modal=true aria-label="Manage hosts"><h4>Available</h4>
<ul><li>compute1 <a href="#" id=p onclick="this.textContent='moved'">+</a></li></ul>
<button type=submit>Save</button></div>"""


async def test_the_only_entry_of_a_transfer_list_is_the_one_meant(reader: Reader) -> None:
    text = "1. In the dialog, click **+** to assign a host to the group.\n2. Click **Save**."
    await reader.follow(_TRANSFER, text)
    assert await reader.value("p.textContent") == "moved"


_WITH_HELP = """
<div role=dialog aria-modal=true aria-label="Launch"><button id=h aria-expanded=false
 onclick="this.setAttribute('aria-expanded','true');this.name='opened'">?</button>
<button aria-expanded=false
 onclick="this.setAttribute('aria-expanded','true');m.hidden=false">More options</button>
<label>Name <input id=n></label><label id=m hidden>Zone <input></label></div>"""


async def test_help_is_not_opened_in_search_of_a_field(reader: Reader) -> None:
    done = await reader.follow(_WITH_HELP, "1. In the **Zone** field, enter `a`.\n2. Look at it.")
    assert not [t for t in thoughts(done) if 'below "?"' in t]
    assert await reader.value("h.name") == ""
    assert await reader.value("document.querySelector('#m input').value") == "a"


_SOURCE = """
<div role=dialog aria-modal=true aria-label="Create image"><h4>Image source</h4>
<label>File <input type=file></label>
<label>Format <select><option>RAW</option></select></label></div>"""
_LISTED = """1. In the dialog, enter the following values:

   **Image source**
   : Choose the source from the drop-down list.

   **Format**
   : Select the format.

2. Look at it."""


async def test_a_heading_is_no_drop_down_list(reader: Reader) -> None:
    assert told(await reader.follow(_SOURCE, _LISTED)) == [("missing_control", "Image source")]
    offered = _SOURCE.replace(
        "<label>File", "<label>Image source<select><option>A</select></label><label>File"
    )
    assert told(await reader.follow(offered, _LISTED)) == []


async def test_options_may_be_said_by_their_names_alone(reader: Reader) -> None:
    text = """1. In the dialog, enter the following values:

   **Format**
   : The format of the image. `RAW` or `ISO`.

2. Look at it."""
    assert told(await reader.follow(_SOURCE, text)) == [("changed_option", "ISO")]


_ASKS = """
<button onclick="d.showModal()">Disable</button>
<dialog id=d aria-label="Disable the rule"><form method=dialog><p>Sure?</p>
<button type=button onclick="d.close()">Cancel</button>
<button>Disable rule</button></form></dialog>"""


async def test_a_dialog_that_the_text_answers_next_is_no_missing_step(reader: Reader) -> None:
    text = "1. Click **Disable**. Then click **Power off**.\n2. Confirm with **Disable rule**."
    assert told(await reader.follow(_ASKS, text)) == [("missing_control", "Power off")]


_PANEL = """<h1>Rules</h1><button onclick="o.textContent='opened'">Add rule</button><p id=o></p>"""


async def test_the_button_that_opens_a_form_is_not_the_one_that_sends_it(reader: Reader) -> None:
    text = (
        "1. Click **Power off**.\n2. In the **Add rule** panel, enter `1` in **Port**.\n"
        "3. Click **Add rule**.\n\nA message says **Rule added**."
    )
    done = await reader.follow(_PANEL, text)
    assert told(done) == [("missing_control", "Power off")]
    assert await reader.value("o.textContent") == ""


_LEFT_OPEN = """
<table><tr><td>db-1</td><td><button onclick="d.showModal()">Edit</button>
<button onclick="o.textContent='gone'">Remove</button></td></tr></table><p id=o></p>
<dialog id=d aria-label="Edit"><label>Name <input value=db-1></label>
<button onclick="d.close()">Cancel</button></dialog>"""


async def test_a_form_in_which_nothing_is_to_be_done_is_closed(reader: Reader) -> None:
    text = (
        "1. Select the database that you want to edit and click **Edit**. In the **Edit** dialog"
        " box, you can change the name.\n2. Locate the database in the table. Click **Remove**."
    )
    await reader.follow(_LEFT_OPEN, text, database="db-1")
    assert await reader.value("o.textContent") == "gone"


_ONE_BY_ONE = """<style>.e { color: red }</style>
<h1>New user</h1>
<div><div><input id=n placeholder="Full name"></div><div class="e field-error" id=en></div></div>
<div><div><input id=u placeholder="User name"></div><div class="e field-error" id=eu></div></div>
<button type=button id=b>Save and close</button><p id=o></p>
<script>
b.onclick = () => {
  en.textContent = n.value ? '' : 'This field is required'
  eu.textContent = n.value && !u.value ? 'This field is required' : ''
  if (n.value && u.value) o.textContent = 'saved'
}
</script>"""


async def test_a_form_may_ask_for_one_field_after_the_other(reader: Reader) -> None:
    text = "1. Fill in the required information.\n2. Click **Save and close**."
    done = await reader.follow(_ONE_BY_ONE, text)
    assert told(done) == []
    assert await reader.value("o.textContent") == "saved"


async def test_what_a_form_asks_for_and_a_text_without_it_does_not_is_missing(
    reader: Reader,
) -> None:
    text = "1. Enter `Ann` in **Full name**.\n2. Click **Save and close**."
    done = await reader.follow(_ONE_BY_ONE, text)
    assert told(done) == [("missing_step", "Save and close")]
    assert await reader.value("o.textContent") == "saved"


_RENAMES = """
<h1>Groups</h1><label>Group name <input id=n value="Red team"></label>
<button type=button onclick="n.title = n.value">Save</button>"""


async def test_a_new_name_is_another_than_the_old_one(reader: Reader) -> None:
    text = "1. Input the new name for the group in the confirmation window.\n2. Click **Save**."
    await reader.follow(_RENAMES, text, group="Red team")
    assert await reader.value("n.title") not in ("Red team", "")


_DOTS = """
<table><tr><td>db-1</td><td>on</td><td><button id=b aria-haspopup=menu aria-label="⋮"
 aria-expanded=false style="width:24px;height:24px">⋮</button></td></tr></table><p id=o></p>
<div id=m role=menu hidden><div role=menuitem tabindex=0 onclick="o.textContent='gone'">Remove</div>
</div><script>
const open = (is) => { m.hidden = !is; b.setAttribute('aria-expanded', is) }
b.onclick = () => open(true); document.onkeydown = (e) => { if (e.key === 'Escape') open(false) }
</script>"""


async def test_three_dots_may_be_called_more_in_the_sentence_after_the_row(reader: Reader) -> None:
    text = "1. Locate the database in the table. Click **More** and select **Remove**.\n2. Look."
    done = await reader.follow(_DOTS, text, database="db-1")
    assert told(done) == []
    assert await reader.value("o.textContent") == "gone"


async def test_three_dots_are_not_just_anything_that_is_missing(reader: Reader) -> None:
    text = "1. Locate the database in the table. Click **Pause** and select **Remove**.\n2. Look."
    done = await reader.follow(_DOTS, text, database="db-1")
    assert ("missing_control", "Pause") in told(done)


# A list that a library draws beside a hidden one, and fills when it is opened.
FETCHED = """<main><h1>New device</h1><form>
<label for=s>Status</label><select id=s required hidden><option value=''>---------</select>
<span><span id=drawn role=combobox tabindex=0 aria-labelledby=shown aria-expanded=false
 aria-haspopup=true><span id=shown>---------</span></span></span>
<label>Name <input id=name></label>
<label for=p>Parent</label><select id=p><option value=''>-</option><option>North</option></select>
<button type=button onclick="send()">Create</button></form>
<ul id=list role=listbox hidden></ul><p role=alert id=said></p></main><script>
const add = (text) => { list.innerHTML += `<li role=option>${text}</li>` }
drawn.onclick = () => {
  list.hidden = false; list.innerHTML = ''; add('Searching…')
  setTimeout(() => { list.innerHTML = ''; add('Active'); add('Planned') }, 300)
}
list.onclick = (event) => {
  s.innerHTML = `<option value=1 selected>${event.target.textContent}</option>`
  shown.textContent = event.target.textContent; list.hidden = true
}
function send() {
  if (needs && !p.value) { p.required = true; said.textContent = 'Parent: it is required'; return }
  document.title = shown.textContent + '/' + p.value
}
const needs = NEEDS
</script>"""


@pytest.mark.parametrize(
    ("step", "chosen"),
    [
        ("Select the `Status` from the drop-down selector.", "Active"),
        ("Select the **Status**.", "Active"),
        ("Set the `Status` to `Planned`.", "Planned"),
    ],
)
async def test_a_list_that_is_fetched_when_it_is_opened(
    reader: Reader, step: str, chosen: str
) -> None:
    text = f"1. {step}\n2. Enter `x` in **Name**.\n3. Click **Create**."
    done = await reader.follow(FETCHED.replace("NEEDS", "false"), text)
    assert await reader.value("document.title") == f"{chosen}/"
    assert told(done) == []


async def test_what_is_to_be_chosen_if_needed_may_be_needed(reader: Reader) -> None:
    text = "1. Select the **Status**.\n2. Select a **Parent** if needed.\n3. Click **Create**."
    done = await reader.follow(FETCHED.replace("NEEDS", "true"), text)
    assert told(done) == []
