"""What a second look takes for new, and what of a page it would click to delete a thing."""

from appliance.config.model_settings import SensitiveSettings
from appliance.core import actions
from appliance.core.page import Element, Observation, Performed, TextBlock, TextKind
from appliance.documents import parse_document
from appliance.policy.base import Decision
from appliance.verification.guard import Guard
from appliance.verification.second_look import done_in
from appliance.verification.second_look.done import Done, is_new, may_open
from appliance.verification.second_look.looking import _SecondLookRun as Looking
from appliance.verification.second_look.removing import (
    RemovalPath,
    deleting_procedures,
    instructions,
)
from appliance.verification.second_look.removing import _confirming_action as answer
from appliance.verification.second_look.shown import How, shown_on
from appliance.verification.trajectory import Trajectory, Turn

URL = "http://c/tags"
FIELD = Element(id=1, role="textbox", name="Name")


def page(*rows: str, url: str = URL, more: tuple[Element, ...] = (), **of: object) -> Observation:
    """A list with these rows."""
    links = tuple(
        Element(id=10 + n, role="link", name=row, row=f"{row} | Edit", column="Name")
        for n, row in enumerate(rows)
    )
    return Observation(url=url, title="Tags", elements=(*more, *links), **of)


def entering(value: str, *before: Observation, field: Element = FIELD) -> Trajectory:
    """An attempt that saw these pages and then typed something."""
    looks = [
        Turn(
            view=view,
            decision=Decision(action=actions.Click(1), step="1"),
            performed=Performed(ok=True),
            before=None,
        )
        for view in before
    ]
    form = page(url="http://c/tags/add", more=(field,))
    typed = Turn(
        view=form,
        decision=Decision(action=actions.Type(field.id, value), step="2"),
        performed=Performed(ok=True),
        before=None,
    )
    return Trajectory(turns=[*looks, typed])


def is_made(trajectory: Trajectory, now: Observation) -> bool:
    done = done_in(trajectory, ())
    [entered] = done.entered
    return is_new(trajectory, done, entered, "cda00ff11", now)


def test_a_name_of_the_attempts_own_is_new_wherever_it_shows():
    assert is_made(entering("docs-cda00ff11"), page("other", "docs-cda00ff11"))


def test_another_name_is_new_only_where_the_list_was_seen_whole_without_it():
    now = page("old", "web")
    assert is_made(entering("web", page("old")), now)
    assert not is_made(entering("web"), now), "nobody saw the list before"
    assert not is_made(entering("web", page("old", "web")), now), "it was there"
    assert not is_made(entering("web", page()), now), "the list was not loaded"
    assert not is_made(entering("web", page("old", is_busy=True)), now)
    more = Element(id=5, role="button", name="Next page")
    assert not is_made(entering("web", page("old", more=(more,))), now)
    assert not is_made(entering("web", page("old", url="http://c/users")), now)


def test_secrets_and_searches_are_not_looked_for():
    for role, kind, name in (("textbox", "password", "Secret"), ("searchbox", "text", "Find")):
        field = Element(id=1, role=role, type=kind, name=name)
        assert done_in(entering("web", field=field), ()).entered == ()


def test_no_address_is_opened_that_does_something():
    assert may_open("http://c/tags/5?page=2")
    for url in ("http://c/tags/5/delete", "http://c/x?do=remove", "javascript:void(0)", ""):
        assert not may_open(url)


def asked(text: str, kind: TextKind, *buttons: str, dialog: str | None = None) -> Observation:
    elements = tuple(
        Element(id=n, role="button", name=name, is_submit=True, dialog=dialog)
        for n, name in enumerate(buttons)
    )
    texts = (TextBlock(kind=kind, text=text, dialog=dialog),)
    dialogs = () if dialog is None else (dialog,)
    return Observation(url=URL, title="", elements=elements, texts=texts, dialogs=dialogs)


def test_only_a_question_about_the_thing_is_answered():
    ask = "Are you sure you want to delete “web”?"
    assert answer(asked(ask, TextKind.TEXT, "Yes, delete", "No"), "web") == actions.Click(0)
    assert answer(asked(ask, TextKind.TEXT, "Delete"), "db") is None, "about another"
    assert answer(asked("Tag “web” deleted", TextKind.NOTICE, "Delete selected"), "web") is None
    assert answer(asked("Tag “web”", TextKind.HEADING, "Save"), "web") is None
    dialog = {"dialog": "Delete tag"}
    assert answer(asked("Go on?", TextKind.TEXT, "Delete", **dialog), "web") == actions.Click(0)
    assert answer(asked("Delete all tags?", TextKind.TEXT, "Delete", **dialog), "web") is None
    everything = asked(ask, TextKind.TEXT, "Delete all", **dialog)
    assert answer(everything, "web") is None


GUIDE = """# Guide

## {makes}

1. Click **Add**.
2. Click **Save**.

## {deletes}

1. Click **Delete**.
2. Click **Yes**.
"""


def test_the_procedure_that_deletes_such_a_thing_is_found_by_its_title():
    def found(makes: str, deletes: str) -> list[str]:
        text = GUIDE.format(makes=makes, deletes=deletes)
        first, second = parse_document(text, "guide.md", "markdown").procedures
        return [noun for _, noun in deleting_procedures(first, (first, second))]

    assert found("Create a bucket", "Delete a bucket") == ["bucket"]
    assert found("Adding a new tag", "Removing tags") == ["tag"]
    assert found("创建存储桶", "删除存储桶") == ["存储桶"]
    assert found("Create a bucket", "Delete a bucket policy") == []
    assert found("Create a bucket", "Empty a bucket") == []


def test_what_was_taken_out_of_one_list_may_be_in_another():
    people, group = page("mina", "ben"), page("mina", "ben", url="http://c/groups/1")
    done = Done(entered=(), removed=("mina",), pages=(group.url, people.url))
    for after, still in ((page("ben", url=group.url), []), (group, ["mina"])):
        looking = Looking(None, entering("x", people, group), done, "")
        looking._look_for_entered(after)
        looking._look_for_entered(people)
        assert [shown.name for shown in looking.result().still] == still


def test_a_list_that_says_it_has_none_has_come_again():
    def gone(*said: str) -> bool:
        texts = tuple(TextBlock(kind=TextKind.TEXT, text=text) for text in said)
        hint = TextBlock(kind=TextKind.TEXT, text="No tags are shared")
        seen = page("blue", "red", texts=(hint,))
        done = Done(entered=(), removed=("blue",), pages=(URL,))
        looking = Looking(None, entering("x", seen), done, "")
        looking._look_for_removed(page(texts=texts), "blue")
        return looking.result().gone == ("blue",)

    assert gone("There are no tags yet")
    assert gone("No records")
    assert not gone("Loading")
    assert not gone("No tags are shared")  # it stood there before


def test_a_page_that_asks_before_a_new_thing_goes_with_all_that_depends_on_it_is_answered() -> None:
    name, yes = "docs-check-u1", Element(id=1, role="button", name="Yes, I’m sure", is_submit=True)
    question = (
        f'Are you sure you want to delete the tag "{name}"?'
        " All of the following related items will be deleted:"
    )
    texts = (
        TextBlock(kind=TextKind.HEADING, text="Are you sure?", level=1),
        TextBlock(kind=TextKind.TEXT, text=question),
    )
    asked = Observation(url=f"{URL}/9/delete", title="Delete", elements=(yes,), texts=texts)
    path = RemovalPath(labels=("Delete", yes.name), is_in_row=False)
    guard = Guard(
        procedure=instructions(name, path, "tag"),
        settings=SensitiveSettings(),
        bound={"name": name},
        unique="u1",
        protects_existing=True,
    )
    title = TextBlock(kind=TextKind.HEADING, text=name, level=1)
    control = Element(id=1, role="link", name="Delete", href=asked.url)
    own = Observation(url=f"{URL}/9", title=name, elements=(control,), texts=(title,))
    guard.see(own)
    guard.begin(guard.judge(own, Decision(action=actions.Click(1), step="1")))
    ruling = guard.judge(asked, Decision(action=actions.Click(1), step="2"))
    assert ruling is not None and ruling.objection == ""


def test_a_thing_is_opened_by_the_number_of_its_row_where_that_is_the_link() -> None:
    number = Element(id=1, role="link", name="#7", href="/tags/7", row="#7 | docs-check-u1 | Edit")
    edit = Element(id=2, role="link", name="Edit", href="/tags/7/edit", row=number.row)
    view = Observation(url=URL, title="Tags", elements=(edit, number))
    shown = shown_on(view, "docs-check-u1")
    assert shown is not None
    assert (shown.how, shown.target) == (How.ROW, "http://c/tags/7")


def test_a_generated_name_within_a_text_is_seen_and_another_is_not() -> None:
    def seen(name: str) -> How | None:
        cell = TextBlock(kind=TextKind.TEXT, text=f"Title: {name} Author: Mina")
        shown = shown_on(Observation(url=URL, title="Tags", elements=(), texts=(cell,)), name)
        return shown.how if shown else None

    assert (seen("docs-check-u1"), seen("Tides")) == (How.VALUE, None)
