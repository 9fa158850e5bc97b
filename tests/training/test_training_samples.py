import json

from appliance.config import AgentSettings
from appliance.core import actions, secrets
from appliance.core.page import Performed
from appliance.policy.model import SHORT_VERSION
from appliance.training.kinds import PromptForm
from appliance.training.personal import Masking
from appliance.training.samples import Sampler
from appliance.verification import Demonstration
from tests.policy.policy_model_desk import desk, element, view
from tests.training.training_attempts import FORM, NAME, attempt, row, turn, turns

BOTH = Sampler(forms=tuple(PromptForm), agent=AgentSettings(), context_tokens=32768)
CANARY = "canary-Zx81-hunter"


async def test_every_step_becomes_a_sample_in_each_form():
    sampled = await BOTH.sample(row(), attempt())
    assert [(s.form, s.turn) for s in sampled.samples] == [
        *(("full", n) for n in range(6)),
        *(("short", n) for n in range(6)),
    ]
    assert {s.kind for s in sampled.samples} == {"click", "type", "complete"}
    assert {s.version for s in sampled.samples if s.form == "short"} == {SHORT_VERSION}
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
    assert all("<secret:Password>" in s.answer + s.messages for s in typed)
    assert {s.form: s.answer for s in typed}["short"] == "3 type Password = v2"


def test_the_same_person_has_the_same_stand_in():
    masking = Masking()
    assert masking("to ann@corp.example") == "to person1@mail.example"
    assert (
        masking("bob@b.example, ann@corp.example") == "person2@mail.example, person1@mail.example"
    )
    kept = "10.0.0.1:8080 2026-11-26 ami-0123456789 https://a/b 1234567890123"
    assert masking(kept) == kept


async def test_a_short_sample_is_what_the_short_policy_asks_and_understands():
    """Turn after turn: the model answers with the samples' answers."""
    made = attempt()
    sampler = Sampler(forms=(PromptForm.SHORT,), agent=AgentSettings(), context_tokens=8192)
    samples = (await sampler.sample(row(), made)).samples
    answers = [one.answer for one in samples]
    assert answers[3:5] == ["3 type Name = v1", "3 click Save"]
    async with desk(answers, AgentSettings(form="short"), made.task()) as at:
        for sample, moment in zip(samples, made.moments, strict=True):
            decision = await at.choose(moment.view)
            assert decision.action == moment.action.action() or moment is made.moments[-1]
            assert decision.exchanges[0].messages == tuple(json.loads(sample.messages))
    assert decision.action.is_final
