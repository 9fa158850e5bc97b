"""What a page does to get something deleted, in a real browser: it shows what was done to it."""

from collections.abc import AsyncIterator, Mapping
from urllib.parse import quote

import pytest
import pytest_asyncio

from appliance.browser import BrowserPool, Page, Person
from appliance.config import BrowserSettings
from appliance.config.model_settings import SensitiveSettings
from appliance.core import actions
from appliance.core.actions import ActionKind
from appliance.core.clock import SystemClock
from appliance.core.page import Observation
from appliance.core.people import Nobody, Question, Reply, ReplyKind
from appliance.documents import parse_document
from appliance.policy.base import Decision
from appliance.verification.guard import Guard
from appliance.verification.guard.harm_record import HarmRecord
from appliance.verification.performer import ActionResult, Performer

K = ActionKind
pytestmark = pytest.mark.asyncio(loop_scope="module")
TEXT = """# Tidy up

1. Click **Tidy**, **Edit** or **OK**.
2. In the row of `web-1`, click **Delete**.
"""
DONE = "window.done = (window.done || 0) + 1"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page() -> AsyncIterator[Page]:
    async with BrowserPool(BrowserSettings()) as pool, pool.page(frozenset({"console"})) as page:
        yield page


class Consenting:
    """Somebody who allows whatever they are asked."""

    async def ask(self, question: Question) -> Reply:
        return Reply(kind=ReplyKind.ALLOW)


async def done_on(page: Page) -> object:
    return await page.raw.evaluate("window.done || 0")


async def act(
    page: Page,
    html: str,
    *deeds: tuple[ActionKind, str, str],
    settings: Mapping[str, str] | None = None,
    text: str = TEXT,
    **more: object,
) -> ActionResult:
    """What came of the last of these: kind, name of the control (empty: none), and text."""
    whole = f"<!doctype html><title>Page</title><body>{html}</body>"
    await page.goto(f"data:text/html;charset=utf-8,{quote(whole)}")
    procedure = parse_document(text, "t.md", "markdown").procedures[0]
    rules = SensitiveSettings.model_validate(settings or {})
    guard = Guard(procedure=procedure, settings=rules, **more)
    people = Consenting() if "ask" in rules.model_dump().values() else Nobody()
    person = Person(people=people, run_id="", procedure_id="p", wait_s=9, clock=SystemClock())
    hands = Performer(page=page, guard=guard, person=person)
    for kind, name, text in deeds:
        view = await page.observe()
        action = actions.build(kind, element=named(view, name), argument=text)
        deed = await hands.perform(view, Decision(action=action, step=procedure.steps[-1].index))
    return deed


def named(view: Observation, name: str) -> int | None:
    if not name:
        return None
    return next(e.id for e in view.elements if name in (e.name, e.text))


def row(name: str, on_click: str) -> str:
    button = f'<button onclick="{on_click}">Delete</button>'
    return f"<tr><td>{name}<td>{button}</tr>"


def asking(question: str) -> str:
    return f"if (confirm('{question}')) {{ {DONE} }}"


@pytest.mark.parametrize(
    ("question", "times"),
    [
        ("Delete web-1?", 1),
        ("Are you sure?", 1),
        ("web-1 will be deleted. This cannot be undone.", 1),
        ("确定删除 web-1 吗？", 1),
        ("Delete all 14 servers?", 0),
        ("Delete web-1 permanently?", 0),
        ("Delete prod-7?", 0),
    ],
)
async def test_a_browsers_own_question_is_read(page: Page, question: str, times: int) -> None:
    ask = asking(question)
    html = f"<table><tr><th>Name<th></tr>{row('web-1', ask)}</table>"
    deed = await act(page, html, (K.CLICK, "Delete", ""))
    assert await done_on(page) == times
    assert bool(deed.refused) is (times == 0)
    assert ("dismissed" in deed.performed.error) or deed.performed.ok is (times == 1)


async def test_it_is_read_too_after_a_harmless_click(page: Page) -> None:
    html = f'<button onclick="{asking("Delete everything?")}">Tidy</button>'
    deed = await act(page, html, (K.CLICK, "Tidy", ""))
    assert await done_on(page) == 0 and "Delete everything?" in deed.refused


@pytest.mark.parametrize("event", ["mouseover", "pointerdown"])
async def test_a_button_that_turns_under_the_mouse_is_not_clicked(page: Page, event: str) -> None:
    html = f'<button on{event}="this.textContent=\'Delete\'" onclick="{DONE}">Edit</button>'
    deed = await act(page, html, (K.CLICK, "Edit", ""))
    assert await done_on(page) == 0 and not deed.performed.ok


async def test_a_dialog_that_turns_under_the_mouse_is_not_confirmed(page: Page) -> None:
    turn = "p.textContent='web-9 will be deleted. Are you sure?'"
    html = (
        '<div role=dialog aria-modal=true aria-label=Note style="position:fixed;top:9px">'
        f'<p id=p>All is well.</p><button onmouseover="{turn}" onclick="{DONE}">OK</button></div>'
    )
    deed = await act(page, html, (K.CLICK, "OK", ""))
    assert await done_on(page) == 0 and "the page changed" in deed.refused


@pytest.mark.parametrize(
    ("settings", "turned", "times"),
    [
        ({}, "It takes a minute.", 1),
        ({}, "", 1),
        ({}, "web-9 will be deleted, too.", 0),
        ({"delete": "ask"}, "It takes a minute.", 0),
    ],
)
async def test_what_a_dialog_says_in_the_last_moment_is_judged_too(
    page: Page, settings: dict[str, str], turned: str, times: int
) -> None:
    turn = f"p.textContent='{turned}'"
    dialog = (
        "<div id=d role=dialog aria-modal=true aria-label='Delete web-1' hidden "
        f"style='position:fixed;top:9px'><p id=p>Counting its disks.</p>"
        f'<button onmouseover="{turn}" onclick="{DONE}">Delete it</button></div>'
    )
    rows = row("web-1", "d.hidden=false") + row("web-9", "")
    deed = await act(
        page,
        f"<table><tr><th>Name<th></tr>{rows}</table>{dialog}",
        (K.CLICK, "Delete", ""),
        (K.CLICK, "Delete it", ""),
        settings=settings,
    )
    assert (await done_on(page), bool(deed.refused)) == (times, times == 0), deed


OVERLAY = "position:fixed;inset:0;background:#fff;padding:90px"


@pytest.mark.parametrize(
    ("html", "kind", "name", "text"),
    [
        # an icon without a name, in a row
        ("<table><tr><td>db<td><button aria-label='' onclick=\"{}\"><i></i>&nbsp;</button></tr>"
         "<tr><td>web-1<td></tr></table>", K.CLICK, "*", ""),
        # a layer that is no dialog, with a button that says nothing
        (f"<p>Servers</p><div style='{OVERLAY}'><p>Are you sure you want to delete web-9?</p>"
         '<button onclick="{}">Sure thing</button><button>Cancel</button></div>',
         K.CLICK, "Sure thing", ""),
        # a key that goes to the button which has the focus
        ('<input aria-label=Name><button type=button id=b onclick="{}">Delete</button>'
         "<script>b.focus()</script>", K.PRESS, "", "Enter"),
        # a form without a button
        ("<form onsubmit=\"{};return false\"><h2>Delete account</h2><input aria-label=Word></form>",
         K.TYPE, "Word", "x\n"),
        # a box that does it at once
        ('<div role=checkbox aria-checked=false tabindex=0 onclick="{}">Delete web-9</div>',
         K.CHECK, "Delete web-9", ""),
        # cards in place of rows
        ('<h3>web-9</h3><button onclick="{}">Delete</button><h3>web-1</h3><button>Delete</button>',
         K.CLICK, "Delete", ""),
    ],
)  # fmt: skip
async def test_ways_round_it(page: Page, html: str, kind: ActionKind, name: str, text: str) -> None:
    filled = html.replace("{}", DONE)
    if name == "*":
        name = ""
        deed = await _on_first(page, filled)
    else:
        deed = await act(page, filled, (kind, name, text))
    assert await done_on(page) == 0 and deed.refused


async def _on_first(page: Page, html: str) -> ActionResult:
    return await act(page, html.replace("<i></i>&nbsp;", "<i></i>×"), (K.CLICK, "×", ""))


@pytest.mark.parametrize(
    ("html", "deeds"),
    [
        ('<h1>Profile</h1><label><input type=checkbox onchange="{}"> Mail</label>',
         [(K.CHECK, "Mail", "")]),
        ('<h1>Settings</h1><form onsubmit="{};return false"><label>Owner <input></label>'
         "<button>Save</button></form>", [(K.TYPE, "Owner", "made-up"), (K.CLICK, "Save", "")]),
        ('<table><tr><th>Name<th>Note</tr><tr><td>db<td contenteditable oninput="{}">old</tr>'
         "<tr><td>db2<td>x</tr></table>", [(K.TYPE, "old", "new")]),
    ],
)  # fmt: skip
async def test_what_was_there_is_left_as_it_is(
    page: Page, html: str, deeds: list[tuple[ActionKind, str, str]]
) -> None:
    deed = await act(page, html.replace("{}", DONE), *deeds, protects_existing=True)
    assert await done_on(page) == 0 and deed.refused


TOKENS = """<h1>Tokens</h1><table><tr><th>Serial<th>Type<th>Status<th>User<th></tr>{}</table>"""
"""As many consoles of today write their lists: what opens a thing is a button."""


def token(serial: str, user: str, status: str = "Active") -> str:
    return (
        f'<tr><td><a role=button tabindex=0 aria-label="Serial link" onclick="{DONE}">{serial}</a>'
        f'<td>hotp<td><div role=button tabindex=0 onclick="{DONE}">{status}</div>'
        f'<td><a role=button tabindex=0 aria-label="User link" onclick="{DONE}">{user}</a>'
        f'<td><button onclick="{DONE}">Reset {user}</button></tr>'
    )


@pytest.mark.parametrize(
    ("name", "times"),
    [
        ("FOB1001", 1),
        ("FOB1002", 1),
        ("ruth", 1),
        ("Active", 0),
        ("Locked", 0),
        ("Reset ruth", 0),
    ],
)
async def test_a_button_that_is_written_with_a_name_opens_and_changes_nothing(
    page: Page, name: str, times: int
) -> None:
    html = TOKENS.format(token("FOB1001", "mina") + token("FOB1002", "ruth", "Locked"))
    deed = await act(page, html, (K.CLICK, name, ""), protects_existing=True)
    assert (await done_on(page), bool(deed.refused)) == (times, times == 0), deed


@pytest.mark.parametrize(("bound", "times"), [("FOB1001", 1), ("mina", 0), ("hotp", 0)])
async def test_the_name_on_its_button_says_what_a_row_is_about(
    page: Page, bound: str, times: int
) -> None:
    html = TOKENS.format(token("FOB1001", "mina") + token("FOB1002", "ruth"))
    deed = await act(
        page, html, (K.CLICK, "Active", ""), protects_existing=True, bound={"it": bound}
    )
    assert (await done_on(page), bool(deed.refused)) == (times, times == 0), deed


async def test_a_button_that_is_written_with_a_bound_name_opens_it(page: Page) -> None:
    link = f'<button aria-label="User link" onclick="{DONE}">asha</button>'
    html = f"<h1>Drawer</h1><table><tr><td>Owner<td>{link}</tr></table>"
    for bound, times in (({"user": "asha"}, 1), ({"user": "ruth"}, 0)):
        deed = await act(
            page, html, (K.CLICK, "User link", ""), protects_existing=True, bound=bound
        )
        assert (await done_on(page), bool(deed.refused)) == (times, times == 0), deed


def realms(name: str, resolvers: str) -> str:
    options = "<option>-<option>staff<option>guests"
    return (
        "<h1>Realms</h1><table><tr><th>Realm<th>Resolvers<th></tr>"
        f"<tr><td>{name}<td><select aria-label=Resolvers onchange='{DONE}'>{options}</select>"
        f"<td>{resolvers}</tr><tr><td>office<td>staff<td></tr></table>"
    )


@pytest.mark.parametrize(
    ("first_cell", "times"),
    [
        ("<input aria-label='Realm Name'>", 1),
        ("<input aria-label='Realm Name' value=office>", 0),
        ("annex <input aria-label=Label>", 0),
        ("annex", 0),
    ],
)
@pytest.mark.parametrize("is_named", [False, True])
async def test_a_row_that_is_a_form_of_something_new_changes_nothing(
    page: Page, first_cell: str, times: int, is_named: bool
) -> None:
    field_name = "Label" if "Label" in first_cell else "Realm Name"
    typed = [(K.TYPE, field_name, "branch")] if is_named and times else []
    deeds = [*typed, (K.SELECT, "Resolvers", "guests")]
    deed = await act(page, realms(first_cell, ""), *deeds, protects_existing=True)
    assert (await done_on(page), bool(deed.refused)) == (times, times == 0), deed


@pytest.mark.parametrize(("state", "times"), [("aria-expanded=false", 1), ("", 0)])
async def test_what_unfolds_a_part_of_a_form_gives_nobody_rights(
    page: Page, state: str, times: int
) -> None:
    html = f'<button type=button {state} onclick="{DONE}">hotp Assign to user</button>'
    deed = await act(page, html, (K.CLICK, "hotp Assign to user", ""))
    assert (await done_on(page), bool(deed.refused)) == (times, times == 0), deed


DRAWERS = """<h1>Containers</h1><table><tr><th>Serial<th>Type</tr>
<tr><td><a href="#drawer" onclick="list.hidden = true; page.hidden = false">DRAWER02</a>
<td>generic</tr><tr><td>DRAWER01<td>generic</tr></table>"""

DRAWER = """<h1>Details for Container</h1><h2>DRAWER02</h2><table><tr><td>Type<td>generic</tr>
<tr><td>{row}<td><button onclick="{done}">Assign User</button></tr></table>"""


@pytest.mark.parametrize(
    ("row", "bound", "times"),
    [
        ("User", {"container": "DRAWER02", "user": "asha"}, 1),
        ("User", {"container": "DRAWER01", "user": "asha"}, 0),
        ("ruth", {"container": "DRAWER02", "user": "asha"}, 0),
        ("User", {"container": "DRAWER02"}, 1),
        ("Realm", {"container": "DRAWER02"}, 0),
        ("User realm", {"container": "DRAWER02", "realm": "office"}, 1),
        ("admin", {"container": "DRAWER02"}, 0),  # somebody may be called so
    ],
)
async def test_a_row_of_what_a_thing_has_is_about_that_thing(
    page: Page, row: str, bound: dict[str, str], times: int
) -> None:
    html = (
        f"<div id=list>{DRAWERS}</div><div id=page hidden>{DRAWER.format(row=row, done=DONE)}</div>"
    )
    text = "# Users\n\n1. Assign it by clicking on the **Assign User** button.\n"
    deeds = [(K.CLICK, "DRAWER02", ""), (K.CLICK, "Assign User", "")]
    deed = await act(page, html, *deeds, text=text, protects_existing=True, bound=bound)
    assert (await done_on(page), bool(deed.refused)) == (times, times == 0), deed


@pytest.mark.parametrize("label", ["**Delete server**", "the button `delete server` to do so"])
@pytest.mark.parametrize(
    ("name", "bound", "times"),
    [
        ("Delete servers", "web-1", 1),
        ("Delete server", "web-1", 1),
        ("Delete services", "web-1", 0),
        ("Delete servers", "web-2", 0),
    ],
)
async def test_one_and_several_are_the_same_for_what_is_bound(
    page: Page, name: str, bound: str, times: int, label: str
) -> None:
    button = f'<button onclick="{DONE}">{name}</button>'
    rows = "".join(
        f"<tr><td><input type=checkbox aria-label='Select {name}'><td>{name}</tr>"
        for name in ("web-1", "web-2")
    )
    html = f"{button}<table><tr><th><th>Name</tr>{rows}</table>"
    text = f"# Clean up\n\n1. Select the server, and click {label}.\n"
    deeds = [(K.CHECK, "Select web-1", "True"), (K.CLICK, name, "")]
    deed = await act(page, html, *deeds, text=text, protects_existing=True, bound={"server": bound})
    assert (await done_on(page), bool(deed.refused)) == (times, times == 0), deed


@pytest.mark.parametrize(("name", "times"), [("Enroll token", 1), ("Unenroll token", 0)])
async def test_what_is_enrolled_is_new(page: Page, name: str, times: int) -> None:
    html = f'<h1>Tokens</h1><button onclick="{DONE}">{name}</button>'
    text = f"# Tokens\n\n1. Click **{name}**.\n"
    deed = await act(page, html, (K.CLICK, name, ""), text=text, protects_existing=True)
    assert (await done_on(page), bool(deed.refused)) == (times, times == 0), deed


@pytest.mark.parametrize(
    ("name", "times"), [("Create user", 1), ("Create administrator", 0), ("Unlock user", 0)]
)
async def test_another_word_for_making_something_is_followed(
    page: Page, name: str, times: int
) -> None:
    html = f'<h1>Users</h1><button onclick="{DONE}">{name}</button>'
    text = "# Users\n\n1. To add a user, click the button **Add user**.\n"
    deed = await act(page, html, (K.CLICK, name, ""), text=text, protects_existing=True)
    assert (await done_on(page), bool(deed.refused)) == (times, times == 0), deed


FORM = """<h1>Users</h1><div id=d><button onclick="d.hidden = true; f.hidden = false; {done}">
Create user</button></div><form id=f hidden>{fields}<button type=button>Save</button></form>"""


@pytest.mark.parametrize(
    ("fields", "is_done"),
    [("<input aria-label=Name>", False), ("", True), ("</form><input aria-label=Note>", True)],
)
async def test_what_only_opens_the_form_for_something_new_has_made_nothing(
    page: Page, fields: str, is_done: bool
) -> None:
    text = "# Users\n\n1. Click the button **Create user**.\n2. Click **Save**.\n"
    deeds = [(K.CLICK, "Create user", ""), (K.CLICK, "Save", "")]
    done = HarmRecord()
    await act(page, FORM.format(done=DONE, fields=fields), *deeds, text=text, done=done)
    assert (await done_on(page), any("create user" in d.control for d in done)) == (1, is_done)
