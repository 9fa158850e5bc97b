"""What is opened in search of a beginning: nothing that acts, or leaves the console."""

import pytest

from appliance.core.page import Element, Observation
from appliance.documents import parse_document
from appliance.policy.base import Task
from appliance.policy.literal.act.doors import BOUND, NAMED, key_of, promise_of
from appliance.policy.literal.read.beginning import beginning_of
from appliance.policy.literal.session import Session

TEXT = """# Office

You add people on the **Members** tab of the **Team** page. They can not see the **Plans** page.

## Invite a guest

1. Click **Invite**.
"""
HERE = "http://console:8080/home"


def promise(role: str, name: str, **more: object) -> float:
    e = Element(**({"id": 1, "role": role, "name": name} | more))
    procedure = parse_document(TEXT, "docs/a.md", "markdown").procedures[0]
    s = Session(Task(procedure=procedure, bindings={"project": "Apollo"}))
    s.take_in(Observation(url=HERE, title="Home", elements=(e,)), None)
    return promise_of(s, beginning_of(procedure), e)


def test_the_places_are_those_above_the_procedure_the_outermost_first() -> None:
    about = beginning_of(parse_document(TEXT, "docs/a.md", "markdown").procedures[0])
    assert about.places == ("Team", "Members")
    assert about.innermost == "Members"
    assert about.likeness("members") > about.likeness("Member") > about.likeness("Guest") > 0
    assert about.likeness("Billing") == 0


def test_a_way_to_do_something_is_no_place() -> None:
    for said, places in (
        ("Files are added with **Update** > **Add file**.", ()),
        ("It is under **Update** > **Add file**.", ("Update", "Add file")),
        ("It is done in the Office Keeper Dashboard.", ("Office Keeper",)),
        ("It is under Billing - Invoice Types.", ("Billing", "Invoice Types")),
        ("It is no longer done in the Office Keeper Dashboard.", ()),
    ):
        text = f"# Office\n\n{said}\n\n1. Click **Add**.\n"
        about = beginning_of(parse_document(text, "docs/a.md", "markdown").procedures[0])
        assert about.places == places


def test_pages_are_called_as_the_sections_are() -> None:
    text = "# Settings\n\n## Office\n\n### Fill a room\n\n1. Click **Add**.\n"
    about = beginning_of(parse_document(text, "docs/a.md", "markdown").procedures[0])
    assert about.likeness("Office") > about.likeness("Office hours") > 0


def test_the_list_of_what_is_made_promises_more_than_a_part_of_its_name() -> None:
    for title, first in (("Adding a pond type", "Begin."), ("Ponds", "Click **Add Pond Type**.")):
        text = f"# Care\n\n## {title}\n\n1. {first}\n2. Click **Save**.\n"
        about = beginning_of(parse_document(text, "docs/a.md", "markdown").procedures[0])
        assert about.likeness("Pond types") > about.likeness("Pond") > 0


def test_the_checks_say_it_before_the_text() -> None:
    for start, places, address in (("A > B", ("A", "B"), ""), ("/b?c=1", (), "/b?c=1")):
        checks = f"<!-- checks:\nstart: {start}\n-->"
        about = beginning_of(
            parse_document(f"{TEXT}\n{checks}\n", "docs/a.md", "markdown").procedures[0]
        )
        assert (about.places, about.address) == (places, address)


def test_what_opens_a_menu_of_the_frame_is_the_same_on_every_page() -> None:
    menu = {"role": "menuitem", "name": "Account", "region": "navigation"}
    home, plans = (Element(id=1, href=f"http://c/{page}#", **menu) for page in ("", "plans"))
    assert key_of(home, "http://c/") == key_of(plans, "http://c/plans")
    assert key_of(home, "http://c/plans") != key_of(plans, "http://c/")


@pytest.mark.parametrize(
    ("role", "name", "more"),
    [
        ("button", "Delete", {"row": "Apollo | Delete"}),
        ("button", "Invite", {}),
        ("link", "Home", {"href": HERE, "region": "navigation"}),
        ("button", "Save", {"is_submit": True, "region": "banner"}),
        ("button", "Close navigation", {"region": "navigation"}),
        ("menuitem", "Sign out", {"region": "menu"}),
        ("menuitem", "Delete team", {"region": "menu"}),
        ("menuitem", "Starred", {"region": "menu"}),
        ("menuitem", "Starred", {"region": "menu", "href": f"{HERE}#"}),
        ("link", "Delete", {"href": "http://console:8080/delete/1", "row": "Delete | Apollo"}),
        ("link", "Delete", {"row": "Delete | Apollo"}),
        ("link", "Log out", {"href": "/out", "region": "navigation"}),
        ("link", "Team", {"href": "https://elsewhere.example/team"}),
        ("link", "Team", {"href": "/team.csv"}),
        ("link", "Team", {"href": "/team/new"}),
        ("link", "Team", {"href": "/teams/?new=true"}),
        ("link", "Team", {"href": "/team?action=change&csrf_token=8f2"}),
        ("link", "Team", {"href": "/team?action=assignToMe&id=4"}),
        ("link", "Team", {"href": "/teams/4/toggle"}),
        ("link", "Team", {"href": "javascript:void(0)"}),
        ("link", "Team", {"href": "/team", "states": frozenset({"current"})}),
        ("link", "Team", {"href": "/team", "dialog": "Welcome"}),
        ("checkbox", "Team", {"region": "navigation"}),
    ],
)
def test_what_acts_or_leads_away_promises_nothing(
    role: str, name: str, more: dict[str, object]
) -> None:
    assert promise(role, name, **more) == 0


@pytest.mark.parametrize("href", ["http://console:8080/home#", "http://console:8080/x", ""])
def test_what_is_called_as_the_text_may_still_do_it(href: str) -> None:
    text = "# Rooms\n\n## Delete room\n\n1. Click **Delete room**.\n"
    procedure = parse_document(text, "docs/a.md", "markdown").procedures[0]
    e = Element(id=1, role="link", name="Delete room", href=href)
    s = Session(Task(procedure=procedure, bindings={}))
    s.take_in(Observation(url=HERE, title="Home", elements=(e,)), None)
    assert promise_of(s, beginning_of(procedure), e) == 0


def test_a_list_may_mark_a_bound_thing() -> None:
    procedure = parse_document(TEXT, "docs/a.md", "markdown").procedures[0]
    s = Session(Task(procedure=procedure, bindings={"request": "Drop the importer"}))
    promised = {}
    for name in ("Draft Drop the importer", "Drop the importer of the old shop", "Drop it"):
        e = Element(id=1, role="link", name=name, href="http://console:8080/r/1")
        s.take_in(Observation(url=HERE, title="Home", elements=(e,)), None)
        promised[name] = promise_of(s, beginning_of(procedure), e)
    assert promised.pop("Draft Drop the importer") > NAMED
    assert all(promise < NAMED for promise in promised.values())


@pytest.mark.parametrize(
    ("name", "is_opened"), [("Manage members", True), ("Create member", False), ("Plans", False)]
)
def test_a_link_that_shows_is_opened_and_what_acts_is_not(name: str, is_opened: bool) -> None:
    link = {"href": "http://console:8080/x", "region": "navigation"}
    assert (promise("link", name, **link) >= 0.5) == is_opened
    on_it = parse_document(TEXT.replace("**Team**", f"**{name}**"), "docs/a.md", "markdown")
    e = Element(id=1, role="link", name=name, **link)
    s = Session(Task(procedure=on_it.procedures[0], bindings={}))
    s.take_in(Observation(url=HERE, title="Home", elements=(e,)), None)
    # a link that makes something may make it at once
    assert (promise_of(s, beginning_of(on_it.procedures[0]), e) >= NAMED) == ("Create" not in name)


def test_what_is_named_is_opened_before_menus_and_those_before_the_rest() -> None:
    order = [
        promise("link", "Apollo", href="/apollo", row="Apollo | 3"),
        promise("link", "Team", href="/team", region="navigation"),
        promise("button", "Open menu", region="banner"),
        promise("link", "Billing", href="/billing", region="navigation"),
        promise("link", "Zeus", href="/zeus", row="Zeus | 1"),
        promise("link", "Billing", href="/billing"),
    ]
    assert order == sorted(order, reverse=True)
    assert order[0] == BOUND
    assert order[1] >= NAMED


def test_the_frame_is_the_same_on_every_page() -> None:
    entry = Element(id=1, role="menuitem", name="Team")
    tab = Element(id=2, role="tab", name="Team")
    assert key_of(entry, "/a") == key_of(entry, "/b")
    assert key_of(tab, "/a") != key_of(tab, "/b")
