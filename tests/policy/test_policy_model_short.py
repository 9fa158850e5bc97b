"""The short form: what a small model is asked, and what its answers are held to."""

import pytest

from appliance.config.model_settings import AgentSettings
from appliance.core import actions
from appliance.core.errors import AnswerError
from appliance.core.verdict import DivergenceKind, StepStatus
from appliance.policy.base import Task
from appliance.policy.model import ShortForm, ShortPolicy, Untrue
from appliance.policy.model.reading import UnusableError
from tests.policy.policy_model_desk import desk, element, procedure, view

SHORT = AgentSettings(form="short")
TEXT = """# Buckets

## Create a bucket

1. Open **Storage**.
2. Fill the form:
   - **Name**: a name of your own.
   - **Size**: `20`.
   - **Class**: choose **Cold**.
3. Click **Save**.
"""
FORM = (
    element(4, "textbox", "Name", value="", dialog="New"),
    element(5, "spinbutton", "Size", value="1", dialog="New"),
    element(6, "combobox", "Class", value="Warm", options=("Warm", "Cold"), dialog="New"),
    element(7, "checkbox", "Public", states=frozenset({"checked"}), dialog="New"),
    element(8, "button", "Save", dialog="New"),
)
ROWS = (
    element(1, "button", "Edit", row="one | 3"),
    element(2, "button", "Edit", row="two | 4"),
    element(3, "link", "Storage"),
)
BOUND = {"unique": "k3f9", "Name": "docs-k3f9", "vol id": "17"}


def form() -> ShortForm:
    return ShortForm(procedure(TEXT), BOUND, "k3f9")


def test_the_prompt_has_fields_values_and_what_can_be_acted_upon():
    told = form()
    told.record_turn("2", "2 click Create")
    assert told.prompt(view(*ROWS, *FORM, dialogs=("New",), title="Buckets")) == (
        "Page: Buckets\n"
        "Dialog: New\n"
        "Elements: Name = ; Size = 1; Class = Warm (Warm|Cold); Public [x]; Save\n"
        "Task: Create a bucket\n"
        "Values: v1 docs-qz (Name); v2 20\n"
        "At 2. Fill the form: - **Name**: a name of your own. - **Size**: `20`."
        " - **Class**: choose **Cold**.\n"
        "Next 3. Click **Save**.\n"
        "(end)\n"
        "Done: 2 click Create\n"
        "Action:"
    )
    assert "Elements: Edit #1 in one; Edit #2 in two; Storage\n" in told.prompt(view(*ROWS))


@pytest.mark.parametrize(
    ("action", "answer"),
    [
        (actions.Type(4, "docs-k3f9"), "2 type Name = v1"),
        (actions.Type(5, "20"), "2 type Size = v2"),
        (actions.Type(4, "else = k3f9"), "2 type Name = else = qz"),
        (actions.Select(6, "Cold"), "2 select Class = Cold"),
        (actions.Check(7, checked=False), "2 uncheck Public"),
        (actions.Click(8), "2 click Save"),
    ],
)
def test_what_is_answered_is_read_back(action, answer):
    page = view(*FORM, dialogs=("New",))
    told = form()
    assert told.answer(page, action, "2", ()) == answer
    assert told.read(answer, page)[:2] == (action, "2")


def test_labels_that_are_there_twice_are_told_apart_by_numbers():
    told, page = form(), view(*ROWS)
    assert told.answer(page, actions.Click(2), "1", ()) == "1 click Edit #2"
    assert told.read("1 click Edit #2", page).action == actions.Click(2)
    for wrong in ("1 click Edit", "1 click Edit #3", "1 click Delete"):
        with pytest.raises(UnusableError, match="elements are named"):
            told.read(wrong, page)


def test_what_cannot_be_said_is_not_said():
    hidden = element(9, "button", "Later", in_viewport=False)
    page = view(*ROWS, hidden)
    assert form().answer(page, actions.Click(9), "1", ()) is None
    assert form().answer(page, actions.Press("Enter"), "1", ()) is None
    assert form().answer(page, actions.Click(3, "double"), "1", ()) is None


@pytest.mark.parametrize(
    "said",
    ["", "I would click Save", "9 click Storage", "1 type Storage", "untrue 1 odd; done"],
)
def test_what_is_no_answer_is_not_used(said):
    with pytest.raises(UnusableError):
        form().read(said, view(*ROWS))


def test_untruths_stand_before_the_answer():
    untrue = [Untrue("1", DivergenceKind.RENAMED_LABEL)]
    said = form().answer(view(*ROWS), actions.Click(3), "1", untrue)
    assert said == "untrue 1 renamed_label; 1 click Storage"
    assert form().read(said, view(*ROWS)).untrue == tuple(untrue)


async def test_what_it_notes_stands_in_the_verdict_and_silence_is_no_praise():
    said = ["untrue 1 renamed_label; 1 click Storage", "2 type Name = v1", "done"]
    task = Task(procedure=procedure(TEXT), bindings=BOUND, unique="k3f9")
    async with desk(said, SHORT, task) as at:
        assert isinstance(at.policy, ShortPolicy)
        first = await at.choose(view(*ROWS))
        assert [d.kind for d in first.divergences] == [DivergenceKind.RENAMED_LABEL]
        assert first.divergences[0].shown == "Storage"
        typed = await at.choose(view(*FORM, dialogs=("New",)))
        assert typed.action == actions.Type(4, "docs-k3f9")
        last = await at.choose(view(*FORM, dialogs=("New",)))
    assert last.action.is_final
    # Nothing was done for step 3, and nothing is said of it.
    assert {r.step: r.status for r in last.reports} == {"2": StepStatus.AS_WRITTEN}
    assert "Done: 1 click Storage; 2 type Name = v1\n" in at.prompt


async def test_a_secret_is_typed_without_being_told():
    bound = {"Password": "canary-Zx81"}
    page = view(element(4, "textbox", "Password", value=""))
    async with desk(
        ["1 type Password = v1"], SHORT, Task(procedure=procedure(TEXT), bindings=bound)
    ) as at:
        made = await at.choose(page)
    assert made.action == actions.Type(4, "canary-Zx81")
    assert "canary" not in at.prompt


async def test_an_answer_that_cannot_be_used_ends_the_attempt_and_is_kept():
    async with desk(["let me see"], SHORT) as at:
        with pytest.raises(AnswerError):
            await at.choose()
        assert [e.problem for e in at.policy.exchanges] == ["it is not STEP VERB LABEL, nor done"]
        assert at.policy.exchanges[0].answer == "let me see"
