import json

from appliance.config import AgentSettings
from appliance.core import actions, secrets
from appliance.core.page import Performed
from appliance.training.personal import Masking
from appliance.training.samples import PromptForm, Sampler
from appliance.training.short_form import ShortForm
from appliance.verification import Demonstration
from tests.policy.policy_model_desk import element, view
from tests.training.training_attempts import FORM, NAME, attempt, row, turn, turns, untrue

BOTH = Sampler(forms=tuple(PromptForm), agent=AgentSettings(), context_tokens=32768)
CANARY = "canary-Zx81-hunter"


async def test_every_step_becomes_a_sample_in_each_form():
    sampled = await BOTH.sample(row(), attempt())
    assert [(s.form, s.turn) for s in sampled.samples] == [
        *(("full", n) for n in range(6)),
        *(("short", n) for n in range(6)),
    ]
    assert {s.kind for s in sampled.samples} == {"click", "type", "complete"}
    assert {s.version for s in sampled.samples if s.form == "short"} == {"short-1"}
    roles = [m["role"] for m in json.loads(sampled.samples[0].messages)]
    assert roles == ["system", "user"]


async def test_steps_that_led_nowhere_are_asked_about_in_no_form():
    made = turns()
    made[1] = turn(made[1].view, actions.Click(2), "1", performed=Performed(ok=False, error="no"))
    sampled = await BOTH.sample(row(), attempt(made))
    assert {s.turn for s in sampled.samples} == {0, 2, 3, 4, 5}
    assert len(sampled.dropped) == 1


async def test_the_same_step_of_two_attempts_has_one_id():
    first = (await BOTH.sample(row(), attempt())).samples
    other = {"unique": "z7z7", "Name": "docs-z7z7"}
    again = attempt(turns("docs-z7z7"), bindings=other, unique="z7z7")
    assert [s.id for s in first] == [s.id for s in (await BOTH.sample(row(), again)).samples]
    third = attempt(turns("docs-z7z7x"), bindings=other, unique="z7z7")
    assert [s.id for s in first] != [s.id for s in (await BOTH.sample(row(), third)).samples]


async def test_no_secret_and_no_person_is_in_any_sample():
    """A canary of each: bound as a secret, known as one, an address, a telephone."""
    known = secrets.learn("known-Qq77-secret")
    shown = (
        *FORM,
        element(6, "textbox", "Password", value=CANARY, dialog="New"),
        element(7, "link", f"Call +49 170 1234567 or ann@corp.example, {known}", dialog="New"),
    )
    page = view(*shown, dialogs=("New",), texts=(f"Hint: {CANARY}",))
    made = [*turns()[:3], turn(page, actions.Type(6, CANARY), "3"), *turns()[4:]]
    bound = {"unique": "k3f9", "Name": NAME, "Password": CANARY}
    kept = attempt(made, bindings=bound).to_json()
    assert CANARY not in kept
    assert known not in kept
    sampled = await BOTH.sample(row(), Demonstration.from_json(kept))
    text = "".join(s.messages + s.answer for s in sampled.samples)
    for canary in (CANARY, known, "ann@corp", "1234567"):
        assert canary not in text
    typed = [s for s in sampled.samples if s.turn == 3]
    assert len(typed) == 2
    assert all("<secret:Password>" in s.answer for s in typed)


def test_the_same_person_has_the_same_stand_in():
    masking = Masking()
    assert masking("to ann@corp.example") == "to person1@mail.example"
    assert (
        masking("bob@b.example, ann@corp.example") == "person2@mail.example, person1@mail.example"
    )
    kept = "10.0.0.1:8080 2026-11-26 ami-0123456789 https://a/b 1234567890123"
    assert masking(kept) == kept


def test_the_short_form_says_label_before_number_and_untruths_first():
    made = turns()
    made[2] = turn(made[2].view, actions.Click(3), "2", divergences=(untrue(),))
    said = [one and one.answer for one in ShortForm(attempt(made)).turns()]
    assert said == [
        "1 click Storage #1",
        "1 click Buckets #2",
        "untrue 2 renamed_label; 2 click Create bucket #3",
        '3 type "docs-qz" in Name #4',
        "3 click Save #5",
        "done",
    ]


def test_the_short_form_shows_what_can_be_acted_upon():
    prompts = [one.prompt for one in ShortForm(attempt()).turns() if one]
    assert prompts[3] == (
        "Page: Buckets\n"
        "Dialog: New\n"
        "Elements: Name =  #4; Save #5\n"
        "Task: Create a bucket\n"
        "Values: Name: docs-qz\n"
        "At 2. Click **Create bucket**.\n"
        "Next 3. Enter a **Name** and click **Save**.\n"
        "(end)\n"
        "Done: 1 click Storage; 1 click Buckets; 2 click Create bucket\n"
        "Action:"
    )
