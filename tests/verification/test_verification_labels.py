"""What of an attempt's pages is kept as the console's words, and what is people's own."""

import pytest

from appliance.core import actions
from appliance.core.page import Element, Observation, Performed, TextBlock, TextKind
from appliance.core.procedure import Procedure
from appliance.core.secrets import learn
from appliance.core.source import Span
from appliance.policy.base import Decision, Task
from appliance.store.labels import PLACE
from appliance.store.paging import Paging
from appliance.store.store import Store
from appliance.verification.labels import labels_of
from appliance.verification.trajectory import Trajectory, Turn

URL = "http://lab.example:8080/buckets?page=2"
ROW = "logs-x7 | Available | 3 GiB"


def element(id: int, role: str, name: str, **more: object) -> Element:
    return Element(id=id, role=role, name=name, **more)


def turn(action=None, *elements: Element, texts=(), url: str = URL, ok: bool = True) -> Turn:
    view = Observation(url=url, title="Buckets", elements=elements, texts=texts, language="en-GB")
    decision = Decision(action=action or actions.Complete("done"), thought="", step="1")
    return Turn(view=view, decision=decision, performed=Performed(ok=ok), before=None)


def seen(*turns: Turn, **more: object) -> set[tuple[str, str, str, str]]:
    """Dialog, parent, role and name, without places."""
    procedure = Procedure(id="p", title_path=("P",), span=Span("a.md", 1, 1, 2, 1), steps=())
    task = Task(procedure=procedure, **more)
    labels = labels_of(Trajectory(turns=list(turns)), task, "zh")
    assert {label.locale for label in labels} <= {"en"}
    return {label[2:] for label in labels if label.role != PLACE}


def test_controls_and_titles_are_labels():
    button = element(1, "button", "Create  bucket (3)")
    field = element(2, "combobox", "Class", options=("Standard", "Archive"), dialog="Create bucket")
    texts = (
        TextBlock(kind=TextKind.COLUMN_HEADER, text="Bucket name"),
        TextBlock(kind=TextKind.NOTICE, text="Bucket created"),
        TextBlock(kind=TextKind.TEXT, text="You have no buckets."),
    )
    assert seen(turn(None, button, field, texts=texts)) == {
        ("", "", "button", "Create bucket"),
        ("Create bucket", "", "combobox", "Class"),
        ("Create bucket", "Class", "option", "Standard"),
        ("Create bucket", "Class", "option", "Archive"),
        ("", "", "column_header", "Bucket name"),
    }


def test_what_rows_have_in_common_is_a_label_and_their_values_are_not():
    shown = turn(
        None,
        element(1, "checkbox", "Select logs-x7", row=ROW),
        element(2, "link", "logs-x7", row=ROW),
        element(3, "button", "Delete logs-x7", row=ROW),
        element(4, "button", "More", row=ROW),
        texts=(
            TextBlock(kind=TextKind.CELL, text="logs-x7", row=ROW),
            TextBlock(kind=TextKind.LABEL, text="Available", row=ROW),
            TextBlock(kind=TextKind.HEADING, text="logs-x7"),
        ),
    )
    assert seen(shown) == {("", "", "button", "More")}


@pytest.mark.parametrize(
    "own",
    ["Backup of Mei", "welcome back, mei", "pw-hunter22", "cdx7", "10.0.0.0/16"],
)
def test_peoples_own_words_are_not_kept(own):
    learn("pw-hunter22", for_s=60)
    typed = turn(actions.Type(1, "backup of mei"), element(1, "textbox", "Name"))
    after = turn(
        None,
        element(2, "button", own),
        element(3, "combobox", "Bucket", options=(own,)),
        texts=(TextBlock(kind=TextKind.HEADING, text=f"Delete {own}"),),
    )
    found = seen(typed, after, username="mei", unique="cdx7", bindings={"ip": "10.0.0.0/16"})
    assert not any(own in name for *_, name in found)
    assert ("", "", "textbox", "Name") in found


@pytest.mark.parametrize("name", ["2026", "——", "web-1", "", "a long sentence " * 6])
def test_what_is_no_label_is_not_kept(name):
    assert seen(turn(None, element(1, "button", name))) == set()


def test_entries_of_a_menu_stand_in_the_menu_that_was_opened():
    more = element(1, "button", "More", row=ROW)
    delete = element(2, "menuitem", "Delete", region="menu")
    found = seen(
        turn(actions.Click(1), more),
        turn(actions.Wait(1.0), more, delete),
        turn(None, more, delete),
    )
    assert found == {("", "", "button", "More"), ("", "More", "menuitem", "Delete")}


@pytest.mark.parametrize(
    ("option", "ok"), [("By traffic", True), ("Web network", True), ("No", False)]
)
def test_an_option_that_was_chosen_is_there(option, ok):
    billing = element(1, "combobox", "Billing")
    chosen = turn(actions.Select(1, option), billing, ok=ok)
    found = seen(chosen, bindings={"network": "Web network"})
    assert (("", "Billing", "option", option) in found) is (option == "By traffic")


def test_pages_are_told_apart_without_what_is_a_things_own():
    found = labels_of(
        Trajectory(
            turns=[
                turn(None, element(1, "button", "Edit"), url=url)
                for url in (
                    "http://lab.example/buckets/bkt-31/objects?next=abc",
                    "http://lab.example/ui#/zones/zone-x/records",
                    "http://lab.example/ui#top",
                )
            ]
        ),
        Task(
            procedure=Procedure(id="p", title_path=("P",), span=Span("a.md", 1, 1, 2, 1), steps=()),
            unique="zone-x",
        ),
        "en",
    )
    assert {label.page for label in found} == {"/buckets/*/objects", "/ui#/zones/*/records", "/ui"}


GUIDE = """# Buckets

## Create a bucket

1. Go to **Products** > **Buckets**.
2. Click **Create bucket**.
3. Enter `docs-1` in **Bucket name**.
4. Click **Create**.
"""


async def test_an_attempt_leaves_what_the_console_calls_things(lab) -> None:
    await lab.verify(GUIDE, buckets=("old-logs",))
    with Store.open(lab.folder) as store:
        labels = store.labels.page(Paging(limit=10_000), console="practice").items
    kept = {(one.page, one.dialog, one.role, one.name) for one in labels}
    assert ("/console/storage/buckets", "Create bucket", "textbox", "Bucket name") in kept
    assert ("/console/storage/buckets", "", "column_header", "Bucket name") in kept
    assert not any(own in str(labels) for own in ("docs-1", "old-logs", "alice"))
