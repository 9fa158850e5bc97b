"""What ordinary guides leave to their reader: forms to send, names to match, pages by address."""

import pytest

from tests.policy.policy_reader import Reader, thoughts, told
from tests.policy.test_policy_rich import read

_MEMBER = """<div role=dialog aria-modal=true aria-label="Add member">
<label>Search users <select id=u><option></option><option>otto</option></select></label>
<label>Role <select id=r><option></option><option>Annotator</option></select></label>
<button type=submit onclick="this.name = u.value + ' ' + r.value">Save</button></div>"""


async def test_a_form_is_filled_in_with_what_only_one_field_can_be_for(reader: Reader) -> None:
    text = "1. Fill in the Add member form with the user and role.\n2. Click **Save**."
    done = await reader.follow(_MEMBER, text, user="otto", role="Annotator")
    assert told(done) == []
    assert await reader.value("document.querySelector('button').name") == "otto Annotator"


_FORM = """<main><h1>Collections</h1>
<form onsubmit="event.preventDefault(); o.textContent = 'sent'">
<label>Title <input></label><button>Save</button></form><p id=o></p></main>"""


@pytest.mark.parametrize(
    ("title", "text", "is_sent"),
    [
        ("Adding a collection", "1. Enter `Sport` in **Title**.\n2. Look at it.", True),
        ("How to add a collection", "1. Enter `Sport` in **Title**.\n2. Look at it.", True),
        ("Set up a collection", "1. Enter `Sport` in **Title**.\n2. Look at it.", True),
        ("Finding a collection", "1. Enter `Sport` in **Title**.\n2. Look at it.", False),
        ("Adding a collection", "1. Look at the **Title**.\n2. Look at it.", False),
    ],
)
async def test_a_form_that_makes_something_is_sent_at_the_end(
    reader: Reader, title: str, text: str, is_sent: bool
) -> None:
    reader.title = title
    done = await reader.follow(_FORM, text)
    assert await reader.value("o.textContent") == ("sent" if is_sent else "")
    assert told(done) == []


async def test_a_form_that_the_text_sends_is_not_sent_again(reader: Reader) -> None:
    reader.title = "Adding a collection"
    done = await reader.follow(_FORM, "1. Enter `Sport` in **Title**.\n2. Click **Save**.")
    assert thoughts(done).count('click "Save"') == 1
    assert not [t for t in thoughts(done) if t.startswith("finish with")]


_USER = """<main><h1>Vault</h1><label>Name <input></label>
<label>Password <input id=a type=password required></label>
<label>Again <input id=b type=password required></label>
<button type=submit onclick="o.textContent = a.value === b.value">Save</button>
<p id=o></p></main>"""


@pytest.mark.parametrize("bindings", [{}, {"password": "Docs-check-1"}])
async def test_a_password_is_entered_once_more_without_a_word(
    reader: Reader, bindings: dict[str, str]
) -> None:
    text = "1. Enter a **Password**.\n2. Click **Save**."
    form = f"<form onsubmit='event.preventDefault()'>{_USER}</form>"
    done = await reader.follow(form, text, **bindings)
    assert told(done) == []
    assert await reader.value("o.textContent") == "true"


_MENU = """<main><table><tr><th>Name<th>Action<tr><td>a<td>b</table>
<button onclick="m.hidden = false">Actions</button>
<div id=m role=menu hidden>
<button role=menuitem onclick="o.textContent = 'out'">Export</button></div>
<p id=o></p></main>"""


@pytest.mark.parametrize("start_is_known", [True, False])
async def test_a_menu_on_a_path_may_be_told_of_one_or_many(
    reader: Reader, start_is_known: bool
) -> None:
    reader.start_is_known = start_is_known
    done = await reader.follow(_MENU, "1. Click **Action** > **Export**.\n2. Look at it.")
    assert await reader.value("o.textContent") == "out"
    told_of = [(d.kind, d.severity) for _, d in done.divergences()]
    assert told_of == ([("renamed_label", "cosmetic")] if start_is_known else [])


_TYPES = """<main><button onclick="o.textContent = this.textContent">Sequence Labeling</button>
<button onclick="o.textContent = this.textContent">Object Detection</button><p id=o></p></main>"""


async def test_what_is_chosen_may_be_named_with_its_kind(reader: Reader) -> None:
    text = "1. Choose the sequence labeling task type.\n2. Look at it."
    await reader.follow(_TYPES, text)
    assert await reader.value("o.textContent") == "Sequence Labeling"


_ROWS = """<table><tr><th>Name</th></tr><tr><td>a</td><td><button>Edit</button></td></tr>
<tr><td>b</td><td><button>Edit</button></td></tr></table>"""

_CLOSED = """<div role=dialog aria-modal=true aria-label="Template">
<div id=l role=combobox aria-haspopup=listbox aria-expanded=false aria-controls=m
 aria-label=Template tabindex=0 style="width:90px;height:24px" onclick="m.hidden = false"></div>
<div id=m role=listbox hidden onclick="l.textContent = event.target.textContent; m.hidden = true">
<div role=option>Sentiment</div><div role=option>Entities</div></div></div>"""


async def test_a_list_that_tells_what_it_offers_only_when_it_opens_is_opened(
    reader: Reader,
) -> None:
    text = "1. Select **Entities** from the drop-down menu.\n2. Look at it."
    done = await reader.follow(_CLOSED, text)
    assert told(done) == []
    assert await reader.value("l.textContent") == "Entities"


@pytest.mark.parametrize(("rows", "chosen"), [("", "Entities"), (_ROWS, "")])
async def test_so_is_one_of_a_page_without_a_dialog(reader: Reader, rows: str, chosen: str) -> None:
    """Beside rows it is as likely a filter of these."""
    page = _CLOSED.replace('role=dialog aria-modal=true aria-label="Template"', "")
    text = "1. Choose **Entities** and click **Go**.\n2. Look at it."
    await reader.follow(f"<main>{rows}{page}<button>Go</button></main>", text)
    assert await reader.value("l.textContent") == chosen


@pytest.mark.parametrize(
    ("text", "intents"),
    [
        ("Log in to the admin site via <http://localhost:{port}/admin/>.", ["visit '/admin/'"]),
        ("Go to http://localhost:8080/settings/users.", ["visit '/settings/users'"]),
        ("打开 http://127.0.0.1:8080/admin 页面。", ["visit '/admin'"]),
        ("The server listens at http://localhost:8080/api/v1.", []),
        ('Move to the "settings" page and open "Tokens" tab.', ["open settings", "open Tokens"]),
        ("Fill in the Add Member form with the user name and role.", ["form"]),
        ("From the object menu click the Clone item.", ["open Clone"]),
    ],
)
def test_what_is_read(text: str, intents: list[str]) -> None:
    assert read(text) == intents


def test_the_button_is_the_one_that_was_named_before() -> None:
    text = 'The tab should display a "Create" button. Click the button.'
    assert read(text) == ["open Create"]


def test_what_is_chosen_in_the_example_stands_for_the_choice() -> None:
    text = "Select an export format. For this tutorial choose the JSONL format."
    assert read(text) == ["pick 'JSONL format'"]


_SLOW = """<h1>Things</h1><a href="#" onclick="go()">Start</a>
<script>function go() {{
  document.querySelector('h1').textContent = window.name === 'once' && {becomes} ? 'Work' : '404';
  window.name = 'once';
}}</script>"""  # the name of a window outlives its page


@pytest.mark.parametrize("becomes", ["true", "false"])
async def test_what_leads_nowhere_is_clicked_once_more(reader: Reader, becomes: str) -> None:
    done = await reader.follow(_SLOW.format(becomes=becomes), "1. Click **Start**.\n2. Look at it.")
    assert told(done) == ([] if becomes == "true" else [("dead_link", "Start")])


_GEAR = """<nav><a href="#a">Testing</a>
<a id=g href="#" aria-haspopup=true aria-expanded=false title=settings style="display:inline-block;
 width:20px;height:20px" onclick="m.hidden = false; g.ariaExpanded = 'true'"></a></nav>
<div id=m role=menu hidden><a role=menuitem href="#e" onclick="o.textContent = 'out'">Edit</a></div>
<main><h1>Plan 1</h1><p id=o></p></main>"""


async def test_a_menu_that_the_text_speaks_of_may_stand_around_the_page(reader: Reader) -> None:
    text = "1. From the object navigation menu click the **Edit** item.\n2. Look at it."
    done = await reader.follow(_GEAR, text)
    assert told(done) == []
    assert await reader.value("o.textContent") == "out"


_GROUPS = """<nav><a href="#g" onclick="document.querySelector('h1').textContent = 'Select group';
 this.remove(); b.hidden = false">{name}</a></nav>
<main><h1>Home</h1><button id=b hidden onclick="o.textContent = 'new'">Add group</button>
<p id=o></p></main>"""


@pytest.mark.parametrize(("name", "is_once"), [("Groups", True), ("Next", False)])
async def test_a_page_that_was_just_gone_to_is_not_gone_to_again(
    reader: Reader, name: str, is_once: bool
) -> None:
    text = f"1. In the menu, click **{name}**.\n2. Click **{name}**, then click **Add group**."
    done = await reader.follow(_GROUPS.format(name=name), text)
    assert told(done) == ([] if is_once else [("missing_control", name)])


_PARTS = """<nav><a href="#u" onclick="o.textContent = 'users'">Users</a>
<a href="#g" onclick="o.textContent = 'groups'">Groups</a></nav><main><h1>Home</h1>
<p id=o></p></main>"""


async def test_one_of_two_things_is_not_taken_for_both(reader: Reader) -> None:
    text = "1. In the menu, click **Users and groups**.\n2. Click **Add**."
    done = await reader.follow(_PARTS, text)
    assert told(done) == [("missing_control", "Users and groups")]
    assert await reader.value("o.textContent") == ""


_ASKED = """<main><h1>Runs</h1><a href="#q" onclick="ask()">Publish</a></main><script>
function ask() { document.body.innerHTML = `<main><h1>Are you sure?</h1>
<p>Are you sure you want to publish the run?</p><form onsubmit="event.preventDefault()">
<button id=y onclick="this.name = 'done'">Yes, I'm sure</button><a href="#">No, take me back</a>
</form></main>`; }</script>"""


@pytest.mark.parametrize("question", ["Are you sure you want to publish the run?", "It is a run."])
async def test_a_page_that_asks_is_confirmed_as_a_dialog_is(reader: Reader, question: str) -> None:
    page = _ASKED.replace("Are you sure you want to publish the run?", question)
    page = page.replace("Are you sure?", "Runs") if "sure" not in question else page
    reader.title = "Publishing a run"
    done = await reader.follow(page, "1. Click **Publish**.\n2. Confirm it.")
    assert await reader.value("y.name") == ("done" if "sure" in question else "")
    assert told(done) == []


@pytest.mark.parametrize("save", ["Save your changes.", "**Save** the collection."])
async def test_a_form_is_saved_where_the_text_says_so_without_a_button(
    reader: Reader, save: str
) -> None:
    reader.title = "Finding a collection"
    done = await reader.follow(_FORM, f"1. Enter `Sport` in **Title**.\n2. {save}\n3. Look at it.")
    assert await reader.value("o.textContent") == "sent"
    assert told(done) == []


_PAPERS = """<main><h1>Papers</h1><table><tr><th></th><th>Paper</th></tr>
<tr><td><input type=checkbox id=a></td><td>Eddies</td></tr>
<tr><td><input type=checkbox id=b></td><td>Tides</td></tr></table>
<button onclick="o.textContent = [a.checked, b.checked]">Send selected</button>
<p id=o></p></main>"""


@pytest.mark.parametrize(
    ("text", "column", "chosen"),
    [
        ("Select the paper.", "", "false,true"),
        ("The user can select the paper to send.", "", "false,true"),
        ("Select the paper.", "Public", "false,false"),  # the boxes are about something
    ],
)
async def test_a_row_is_selected_by_its_box_for_the_button_of_its_list(
    reader: Reader, text: str, column: str, chosen: str
) -> None:
    page = _PAPERS.replace("<th></th>", f"<th>{column}</th>")
    done = await reader.follow(page, f"1. {text}\n2. Click **Send selected**.", paper="Tides")
    assert await reader.value("o.textContent") == chosen
    assert told(done) == []


async def test_a_column_that_is_sorted_by_a_link_is_no_box_to_tick(reader: Reader) -> None:
    page = """<main><h1>Papers</h1><table><tr><th>
    <a href="?o=1" onclick="event.preventDefault(); o.textContent = 'sorted'">Is public</a></th>
    </tr><tr><td>no</td></tr></table><p id=o></p></main>"""
    await reader.follow(page, "1. Check the **Is public** box.\n2. Click **Save**.")
    assert await reader.value("o.textContent") == ""


_TOKENS = """<main><h1>Tokens</h1><button id=b disabled onclick="o.textContent = 'gone'">Delete
</button><table><tr><th><th>Serial<th>Type</tr>
<tr><td><input type=checkbox onclick="b.disabled = false"><td>FOB1003<td>hotp</tr>
<tr><td><input type=checkbox onclick="b.disabled = false"><td>FOB1004<td>hotp</tr></table>
<p id=o></p></main>"""


@pytest.mark.parametrize("owner", ["in the token's row", "in the row of the token"])
async def test_a_button_above_the_list_is_not_in_the_row(reader: Reader, owner: str) -> None:
    reader.title = "Delete tokens"
    text = f"To delete a token, click on the **Delete** button {owner}."
    done = await reader.follow(_TOKENS, f"1. {text}", token="FOB1004")
    assert await reader.value("o.textContent") == "gone"
    assert [kind for kind, _ in told(done)] == ["moved_control"]
