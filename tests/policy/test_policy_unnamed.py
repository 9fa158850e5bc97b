"""Instructions that name no control: the one that does it is found, and none is guessed."""

import pytest

from tests.policy.policy_reader import Reader, told

_OUT = "<p id=o></p>"
_CLICKED = "onclick=\"o.textContent = this.getAttribute('aria-label') || this.textContent\""


def _page(title: str, *controls: str) -> str:
    buttons = "".join(
        c if c.startswith("<") else f"<button {_CLICKED}>{c}</button>" for c in controls
    )
    return f"<main><h1>{title}</h1>{buttons}{_OUT}</main>"


_PLUS = f"<button {_CLICKED} aria-label='+'>+</button>"
_SUBMIT = (
    f"<form onsubmit='event.preventDefault()'><input><button {_CLICKED}>Create rule</button></form>"
)


@pytest.mark.parametrize(
    ("text", "page", "clicked"),
    [
        ("Create a rule.", _page("Rules", "Add rule", "Add filter"), "Add rule"),
        ("Create a new rule.", _page("Rules", "New", "Export"), "New"),
        ("Add a rule for it.", _page("Rules", "Create a new rule", "Add set"), "Create a new rule"),
        ("Add a rule.", _page("Rules", _PLUS), "+"),
        ("Add a rule.", _page("Rules", "Add firewall rule", "Rules"), "Add firewall rule"),
        ("Test the connection.", _page("Server", "Test connection", "Save"), "Test connection"),
        ("Publish the article.", _page("Edit article", "Publish", "Preview"), "Publish"),
        # nothing that only looks like it
        ("Create a rule.", _page("Rules", "Add filter"), ""),
        ("Create a rule.", _page("Filters", "Add"), ""),
        ("Create a rule.", _page("Rules", "Add", "New"), ""),
        ("Create a rule.", _page("Rules", "Delete rule", "Rules"), ""),
        ("Create a rule.", _page("Rules", "Add rule group"), ""),
        ("Create a rule.", _page("Rules", _SUBMIT), ""),
        ("Delete the rule.", _page("Rules", "Delete"), ""),
        ("Publish the article.", _page("Settings", "Publish"), ""),
    ],
)  # fmt: skip
async def test_the_only_control_that_does_it_is_clicked(
    reader: Reader, text: str, page: str, clicked: str
) -> None:
    done = await reader.follow(page, f"1. {text}\n2. Look at the **Rules**.")
    assert await reader.value("o.textContent") == clicked
    assert told(done) == []


@pytest.mark.parametrize(
    "text",
    ["1. Create a rule. Click **Create**.", "1. Create a rule:\n\n   1. Click **Create**."],
)
async def test_a_text_that_goes_on_to_say_how_is_followed(reader: Reader, text: str) -> None:
    page = _page("Rules", "Add rule", "Create").replace("o.textContent =", "o.textContent +=")
    done = await reader.follow(page, f"{text}\n2. Look at the **Rules**.")
    assert await reader.value("o.textContent") == "Create"
    assert told(done) == []


_TABLE = f"""<main><h1>Instances</h1><table><tr><th>Name<th>Do</tr>
<tr><td>web<td>{{web}}</tr><tr><td>db<td><button {_CLICKED}>Restart</button></tr></table>
{_OUT}</main>"""
_ROW_MENU = f"""<button aria-haspopup=menu onclick="m.hidden = false">⋮</button>
<div id=m role=menu hidden>
<button role=menuitem {_CLICKED}>Delete tags</button>
<button role=menuitem {_CLICKED}>Reboot</button></div>"""


@pytest.mark.parametrize(
    ("text", "web", "clicked"),
    [
        ("Restart the instance.", f"<button {_CLICKED}>Reboot</button>", "Reboot"),
        ("Restart the instance.", _ROW_MENU, "Reboot"),
        ("Delete the instance.", _ROW_MENU, ""),
        ("Delete the instance.", f"<button {_CLICKED}>Delete tags</button>", ""),
    ],
)  # fmt: skip
async def test_what_is_done_to_a_thing_is_done_in_its_row(
    reader: Reader, text: str, web: str, clicked: str
) -> None:
    await reader.follow(
        _TABLE.format(web=web), f"1. {text}\n2. Look at the **Rules**.", instance="web"
    )
    assert await reader.value("o.textContent") == clicked


_FORM = f"""<main><h1>Rules</h1><button onclick="f.hidden = false; this.remove()">Add rule</button>
<form id=f hidden
onsubmit="event.preventDefault(); o.textContent = n.value + '/' + (p.value ? 'x' : '')">
<label>Name <input id=n required></label><label>Port <input id=p required></label>
<label>Note <input id=k></label><button>Create</button></form>{_OUT}</main>"""


async def test_a_form_of_which_the_text_says_nothing_is_filled_in_and_sent(reader: Reader) -> None:
    done = await reader.follow(
        _FORM, "1. Create a rule called Front door.\n2. Look at the **Rules**."
    )
    assert await reader.value("o.textContent") == "Front door/x"
    assert told(done) == []


async def test_what_a_text_leaves_out_of_a_form_that_it_describes_is_told(reader: Reader) -> None:
    text = "1. Create a rule called Front.\n2. Enter a **Note**.\n3. Click **Create**."
    done = await reader.follow(_FORM, text)
    assert [d.kind for _, d in done.divergences()] == ["missing_step"]
    assert '"Port"' in next(d.shown for _, d in done.divergences())
