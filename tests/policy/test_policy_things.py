# ruff: noqa: E501 - pages
"""Pages of things: their parts, each with a menu behind an icon; forms that hold values already."""

import pytest

from appliance.core.verdict import StepStatus
from tests.policy.policy_reader import Reader, told

PAGE = """<aside><button aria-haspopup=menu id=account>A admin</button></aside>
<main><h1>VIP</h1><button class=dots aria-haspopup=menu onclick="say('first')">⋮</button>
<section><h2>Customers</h2><button aria-haspopup=menu onclick="say('filter')">Add filter</button>
<button class=dots aria-haspopup=menu onclick="say('customers')">⋮</button>
<table><tr><th>Name</th><th>Group</th></tr>
<tr><td><a href="#" onclick="say('mina')">Mina</a></td><td><a href="#" onclick="say('wrong')">VIP</a>
</td></tr></table></section><p id=out></p></main><script>
const say = text => out.textContent += text + ";";
for (const dots of document.querySelectorAll(".dots")) dots.innerHTML = "<svg width=16 height=16/>";
</script>"""
FORM = """<main><h1>Edit user</h1><label>Full name <input id=full value="Chen Li"></label>
<label>User name <input id=user value="chen"></label><button type=button>Save</button></main>"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Click the ![three dots](dots.svg) icon at the top right of the first section.", "first"),
        ("In the **Customers** section, click the three-dots icon.", "customers"),
        ('Click on :icon{name="mdi:three-dots"} in the first section.', "first"),
        ('Click on the <Icon is={Dots} alt="three-dots" /> icon in the first section.', "first"),
    ],
)
async def test_the_menu_of_a_part_of_the_page_is_opened(
    reader: Reader, text: str, said: str
) -> None:
    done = await reader.follow(PAGE, f"1. {text}")
    assert await reader.value("out.textContent") == f"{said};"
    assert told(done) == []


async def test_a_thing_whose_page_is_open_is_not_looked_for_in_rows(reader: Reader) -> None:
    done = await reader.follow(PAGE, "1. Go to the group's details page.", group="VIP")
    assert await reader.value("out.textContent") == ""
    assert [r.note for r in done.reports()] == ['"VIP" is already open']


async def test_of_what_can_be_edited_one_thing_is_changed(reader: Reader) -> None:
    done = await reader.follow(FORM, "1. Edit **Full name** and **User name**.")
    assert "u1" in str(await reader.value("full.value"))
    assert await reader.value("user.value") == "chen"
    assert told(done) == []
    text = "1. In the drawer that opens, edit the user's details.\n2. Click **Save**."
    await reader.follow(FORM, text)
    assert "u1" in str(await reader.value("full.value"))
    assert await reader.value("user.value") == "chen"


async def test_what_is_bound_is_edited_as_bound(reader: Reader) -> None:
    bound = {"Full_name": "Chen", "User_name": "li"}
    await reader.follow(FORM, "1. Edit **Full name** and **User name**.", **bound)
    assert await reader.value("full.value + user.value") == "Chenli"


async def test_a_user_name_is_made_of_letters_and_digits(reader: Reader) -> None:
    empty = "<main><label>Username <input id=user></label></main>"
    await reader.follow(empty, "1. Enter a **Username**.")
    assert await reader.value("user.value") == "docsu1"


async def test_what_was_switched_is_switched_back(reader: Reader) -> None:
    page = """<main><label><input type=checkbox id=on onchange="n += 1"> Visible</label></main>
    <script>var n = 0</script>"""
    text = "1. Click the **Visible** switch.\n2. Click the switch again to hide it."
    done = await reader.follow(page, text)
    assert await reader.value("[on.checked, n].join()") == "false,2"
    assert told(done) == []


SAVED = """<main><h1>New user</h1><label>Name <input id=name></label>
<button onclick="out.textContent = 'closed'">Save and close</button>
<button onclick="out.textContent = 'another'">Save and add another</button><p id=out></p></main>"""


async def test_save_is_save_and_close_and_that_is_told(reader: Reader) -> None:
    done = await reader.follow(SAVED, "1. Enter a **Name**.\n2. Click **SAVE** to add the user.")
    assert await reader.value("out.textContent") == "closed"
    assert told(done) == [("renamed_label", "SAVE")]
    listed = f"<table><tr><th>Role</th></tr><tr><td>Admin</td><td><a href=#>x</a></td></tr></table>{SAVED}"
    text = "1. Select the role **Admin**.\n2. Enter a **Name**.\n3. Click **SAVE**."
    done = await reader.follow(listed, text)
    assert await reader.value("out.textContent") == "closed", "whatever row was spoken of before"
    two = SAVED.replace("add another", "exit")
    done = await reader.follow(two, "1. Enter a **Name**.\n2. Click **SAVE** to add the user.")
    assert await reader.value("out.textContent") == ""


async def test_a_password_is_entered_in_both_fields_where_the_text_says_so(reader: Reader) -> None:
    page = """<main><label>Password <input type=password id=one></label>
    <label>Again <input type=password id=two></label></main>"""
    done = await reader.follow(page, "1. Enter the new **Password** in both fields.")
    assert await reader.value("one.value && one.value == two.value")
    assert told(done) == []
    await reader.follow(page, "1. Enter the new **Password**.")
    assert await reader.value("two.value") == ""


async def test_a_list_that_comes_late_is_waited_for(reader: Reader) -> None:
    page = """<main><h1>Classes</h1><div id=list></div><p id=out></p></main><script>
    setTimeout(() => { list.innerHTML = "<table><tr><th>Name</th></tr><tr><td>History</td>"
      + "<td><button aria-haspopup=menu onclick='menu.hidden = false'>⋮</button></td></tr></table>"
      + "<div role=menu id=menu hidden><button role=menuitem onclick='out.textContent=1'>Close class"
      + "</button></div>" }, 900)</script>"""
    text = "1. Click **CLOSE CLASS** for the chosen class from the list."
    reader.patience_s = 2.0
    done = await reader.follow(page, text, **{"class": "History"})
    assert await reader.value("out.textContent") == "1"
    assert told(done) == [("moved_control", "CLOSE CLASS")]


async def test_the_list_of_the_page_that_is_likely_meant_is_waited_for(reader: Reader) -> None:
    page = """<nav><a href="#" onclick="show()">Groups</a> <a href="#">News</a></nav>
    <main><h1 id=title>Home</h1><div id=list></div><p id=out></p></main><script>
    const row = "<table><tr><th>Name</th></tr><tr><td><a href='#' onclick='out.textContent=1'>VIP</a>"
    const show = () => { title.textContent = document.title = "Groups"
      setTimeout(() => { list.innerHTML = row + "</td></tr></table>" }, 1900) }</script>"""
    anywhere = Reader(reader.page, reader.folder, start_is_known=False)
    text = "## Edit a group\n\n1. Go to the group's details page.\n2. Click **Edit**."
    await anywhere.follow(page, text, group="VIP")
    assert await reader.value("out.textContent") == "1"


FLAG = """<main><h1>Dashboard</h1><div><button onclick="say('shown')">dark</button>
<a href="#/flags/dark" onclick="opened()" aria-label="to it">→</a></div>
<select aria-label="Environment"><option>test</option></select><p id=out></p></main><script>
const say = text => out.textContent += text + ";";
function opened() { say("followed"); document.querySelector("main").innerHTML = `<h1>dark</h1>
<button role=switch aria-checked=true aria-label="dev" onclick="say('turned')"></button>
<button aria-expanded=false onclick="say('unfolded'); this.ariaExpanded = 'true'">Environment dev 1 strategy</button>
<div role=tablist><button role=tab>General</button><button role=tab onclick="say('tab')">Rules 2</button></div>
<p id=out>${out.textContent}</p>`; }
</script>"""


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("Open the flag.", "followed;"),
        ("Open the flag, and select the environment.", "followed;unfolded;"),
        ("Open the flag. Click the **Rules** tab.", "followed;tab;"),
    ],
)
async def test_a_thing_and_its_parts_are_opened_and_no_switch_is_turned(
    reader: Reader, step: str, said: str
) -> None:
    done = await reader.follow(FLAG, f"1. {step}", flag="dark", environment="dev")
    assert (await reader.value("out.textContent"), told(done)) == (said, [])


COVERED = """<main><h1>Flags</h1><button aria-haspopup=menu>Tools</button></main>
<div style="position:fixed;inset:0;background:#0003"></div>"""


async def test_what_lies_under_something_may_hold_what_is_looked_for(reader: Reader) -> None:
    done = await reader.follow(COVERED, "1. On the Flags page, click **Purge cache**.")
    assert told(done) == []
    assert done.statuses(StepStatus.STUCK)


RADIOS = """<main><h1>Edit lesson</h1><fieldset><legend>Recipients</legend>
<label><input type=radio name=r>Entire class</label><label><input type=radio name=r>Red team</label>
</fieldset></main>"""


async def test_an_option_that_is_called_as_the_text_says_is_chosen(reader: Reader) -> None:
    step = "1. Select the entire class, groups or individual learners."
    done = await reader.follow(RADIOS, step, **{"class": "Biology 8"})
    assert await reader.value("document.querySelector('input').checked")
    assert told(done) == [] and not done.statuses(StepStatus.STUCK)


@pytest.mark.parametrize(
    "step",
    [
        "Enter a new title for the group.",
        "Change the group title in the confirmation window, and click **Save**.",
    ],
)
async def test_a_thing_is_not_renamed_to_what_it_is_called(reader: Reader, step: str) -> None:
    form = "<main><h1>Edit</h1><label>Title <input value=VIP></label><button>Save</button></main>"
    await reader.follow(form, f"1. {step}", group="VIP")
    assert await reader.value("document.querySelector('input').value") not in ("VIP", "")


_EDITED = """<main><h1>Users</h1><table><tr><th>Name</th></tr><tr><td><a href='#' id=a>asha</a></td></tr>
</table><div id=here></div></main><script>
a.onclick = () => { document.querySelector('table').remove(); here.innerHTML = `SHOWN` }
const unfold = () => {
  here.innerHTML = '<h1>asha</h1><form><label><input type=checkbox checked id=c> Active</label></form>'
}</script>"""


@pytest.mark.parametrize(
    ("shown", "is_done"),
    [
        ("<h1>asha</h1><label><input type=checkbox checked id=c> Active</label>", True),
        ("<h1>asha</h1><button onclick=unfold()>Edit profile</button>", True),
        ("<h1>asha</h1><p>Reads a lot.</p>", False),
    ],
)
async def test_to_edit_a_thing_is_to_open_it_and_its_form(
    reader: Reader, shown: str, is_done: bool
) -> None:
    text = "1. Edit the user and then uncheck the **Active** check box."
    done = await reader.follow(_EDITED.replace("SHOWN", shown), text, user="asha")
    assert told(done) == []
    if is_done:
        assert await reader.value("c.checked") is False


async def test_where_another_text_says_how_to_find_a_thing_none_of_it_is_missing(
    reader: Reader,
) -> None:
    listed = "<h1>Groups</h1><table><tr><th>Name</th></tr><tr><td>frontend</td></tr></table>"
    page = (
        "<nav><a href='#g' id=g>Groups</a></nav><main id=m><h1>Home</h1></main>"
        f"<script>g.onclick = () => {{ m.innerHTML = '{listed}' }}</script>"
    )
    text = (
        "1. To delete a group, follow the instructions in [Editing](a.md) to find the group."
        " Then click **Delete**."
    )
    done = await reader.follow(page, text, group="frontend")
    assert told(done) == []


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<main><h1>Projects</h1><button onclick=\"document.title = 'made'\">Create</button>", "made"),
        ("<nav><a href='#p' onclick=\"m.hidden = false\">Projects</a></nav><main id=m hidden>"
         "<button onclick=\"document.title = 'made'\">Create</button>", "made"),
        ("<nav><a href='#p'>Users</a></nav><main><h1>Home</h1>", "Page"),
    ],
)  # fmt: skip
async def test_a_page_that_is_told_in_words(reader: Reader, page: str, title: str) -> None:
    done = await reader.follow(page, "1. Go to the project list page and click **Create**.")
    assert await reader.value("document.title") == title
    assert told(done) == []


COLUMNS = """
<main><h1>Users</h1><table><tr><th><a href="#" onclick="say('sort')">Username</a></th><th>Mail</th>
</tr><tr><th><a href="#" onclick="say('ada')">ada</a></th><td>ada@example.com</td></tr>
<tr><th><a href="#" onclick="say('bob')">bob</a></th><td>bob@example.com</td></tr></table></main>
<script>const say = name => document.title = name;</script>"""


@pytest.mark.parametrize(("bindings", "went"), [({"username": "bob"}, "bob"), ({}, "sort")])
async def test_a_thing_that_is_called_as_its_column_is_opened(
    reader: Reader, bindings: dict[str, str], went: str
) -> None:
    done = await reader.follow(COLUMNS, "1. Click the **Username**.", **bindings)
    assert (await reader.value("document.title"), told(done)) == (went, [])


MENUS = """
<main><h1>Ponds</h1>
<div><button aria-haspopup="menu" onclick="this.nextElementSibling.hidden ^= 1">=</button>
<div role="menu" hidden><button role="menuitem">Print</button></div></div>
<div><button aria-haspopup="menu" onclick="this.nextElementSibling.hidden ^= 1">*</button>
<div role="menu" hidden>
<button role="menuitem" onclick="document.title='drained'">Drain</button></div></div></main>
"""


async def test_of_menus_without_a_name_the_one_with_what_comes_next_is_meant(
    reader: Reader,
) -> None:
    await reader.follow(MENUS, "1. Click the bulk-care dropdown menu.\n2. Click **Drain**.")
    assert await reader.value("document.title") == "drained"


PAIRED = """
<main><h1>Add group</h1><form><label>Name <input></label>
<h2>Available rights</h2><input placeholder="Filter"><select multiple id="from">
<option>Can dig</option><option>Can drain</option></select>
<h2>Chosen rights</h2><select multiple></select></form></main>
"""


async def test_a_list_without_a_name_is_called_as_the_heading_over_it(reader: Reader) -> None:
    done = await reader.follow(
        PAIRED, "1. From **Available rights**, select the right.", right="Can drain"
    )
    assert await reader.value("document.querySelector('#from').value") == "Can drain"
    assert told(done) == []


async def test_which_of_several_menus_is_meant_may_be_open(reader: Reader) -> None:
    done = await reader.follow(
        MENUS, "1. Click the bulk-care dropdown menu.\n2. Click **Feed everyone**."
    )
    assert told(done) == []
