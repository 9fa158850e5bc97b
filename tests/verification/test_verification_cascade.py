"""Replay, the text word by word, a model: on a real console, with a model that plays a script."""

import json

import pytest

from appliance.core.errors import DocumentError, SetupError
from appliance.core.people import Question, ReplyKind
from appliance.core.people import Reply as Answered
from appliance.core.result import ProcedureResult
from appliance.core.verdict import GoalChannel, Verdict
from appliance.inference.scripted import Fault, ReceivedRequest, ScriptedReply, serving
from appliance.store.artifacts import ArtifactStore
from tests.benchmarks.agent.answers import Turn, playing

UNCLEAR = """# Buckets

## {title}

1. Go to **Products** > **Buckets**.
2. Conjure up a bucket under the name that you were given.
"""
CHECKS = {
    "bindings": {"Bucket name": "docs-${unique}"},
    "expect": [{"event": "CreateBucket", "where": {"target_name": "docs-*"}}],
}
NOTE = {"matched": "as_written", "quote": "", "shown": "", "suggestion": "", "kind": "none"}


def checks(*names: str) -> dict[str, object]:
    rule = {"event": "CreateBucket"}
    return {"procedures": {name: {"expect": [rule]} for name in names}}


def turn(step: str, kind: str, *done: str, **arguments: object) -> Turn:
    notes = [{"step": index, **NOTE} for index in done]
    return {"step": step, "notes": notes, "action": {"kind": kind, **arguments}}


TURNS = [
    turn("1", "click", element="button Products", how=""),
    turn("1", "click", element="link Buckets", how=""),
    turn("2", "click", "1", element="button Create bucket", how=""),
    turn("2", "type", element="field Bucket name", text="conjured-up"),
    turn("2", "click", element="button Create", how=""),
    turn("2", "complete", "2", seen="the message"),
]


def judged(reached: str) -> str:
    return json.dumps({"evidence": ["Bucket created"], "reason": "it says so", "reached": reached})


def model(asked: ReceivedRequest) -> str | ScriptedReply:
    """Does what is asked, and judges that it was reached."""
    if asked.schema and "reached" in asked.schema["properties"]:
        return judged("yes")
    return playing(TURNS)(asked)


async def test_what_is_not_understood_is_done_by_a_model_and_then_again_without(lab) -> None:
    text, rules = UNCLEAR.format(title="Make a bucket"), checks("make-a-bucket")
    with serving(model) as served:
        settings = {"endpoint": served.url}
        run = await lab.verify(text, rules, policy="auto", model=settings)
        asked = len(served.requests)
        again = await lab.verify(text, rules, policy="auto", model=settings)
        assert len(served.requests) == asked
        only = await lab.verify(text, rules, policy="replay")
    result = run.procedures[0]
    assert (result.verdict, result.decided_by, result.path) == (
        Verdict.VERIFIED,
        "model",
        "as_written",
    )
    literal, by_model = result.tiers
    assert (literal.policy, literal.verdict, literal.attempts) == ("literal", Verdict.UNDECIDED, 2)
    assert "no CreateBucket event" in literal.why
    assert (by_model.policy, by_model.attempts, by_model.why) == ("model", 1, "")
    assert {c.channel: c.reached for c in result.goal.channels} == {
        one: True for one in GoalChannel if one is not GoalChannel.LISTS
    }
    assert result.cost.model_calls == len(TURNS) + 3 and result.cost.tokens > 1000
    assert result.cost.model_s > 0 and result.attempts == 3
    handed_over = next(
        a.text for a in served.requests if a.schema and "step" in a.schema["properties"]
    )
    assert "did not lead to its goal" in handed_over
    assert "CreateBucket" not in handed_over  # what the audit log is asked for is not its affair
    assert lab.buckets_left == []

    lines = ArtifactStore(lab.folder / "artifacts").get(result.trajectory).decode().splitlines()
    told = [json.loads(line) for line in lines]
    assert all(one["prompts"] and one["spent"]["calls"] == 1 for one in told)
    audit = ArtifactStore(lab.folder / "artifacts").get(result.audit).decode()
    assert "CreateBucket" in audit and "unique" in audit

    for later in (again, only):
        result = later.procedures[0]
        assert (result.verdict, result.decided_by) == (Verdict.VERIFIED, "replay"), result.tiers
        assert (result.attempts, result.cost.model_calls) == (1, 0)


FORMLESS = """# Buckets

## Make a bucket

A bucket comes into being under **Products** > **Buckets**, by way of the button **Create bucket**.

It wants a **Bucket name**, and that is all.
"""


async def test_what_has_no_form_is_carried_out_by_a_model_alone(lab) -> None:
    with serving(model) as served:
        settings = {"endpoint": served.url}
        run = await lab.verify(FORMLESS, checks("make-a-bucket"), policy="auto", model=settings)
    (result,) = run.procedures
    assert (result.title, result.verdict) == ("Make a bucket", Verdict.VERIFIED)
    assert [(tier.policy, tier.attempts) for tier in result.tiers] == [("model", 1)]
    with pytest.raises(DocumentError, match="nothing to verify"):
        await lab.verify(FORMLESS, checks("make-a-bucket"), policy="literal")


UNKNOWN = """3. Click **Create bucket**.
4. Frobnicate the bucket in the usual way.
"""


async def test_words_that_the_reader_does_not_understand_are_not_read_twice(lab) -> None:
    text = UNCLEAR.format(title="Make a bucket") + UNKNOWN
    run = await lab.verify(text, checks("make-a-bucket"), policy="literal")
    (result,) = run.procedures
    assert (result.verdict, result.attempts) == (Verdict.UNDECIDED, 1)
    assert 'step 4: not understood: "frobnicate' in (result.blocked_by or "").casefold()


FAULTS: dict[str, ScriptedReply] = {
    "Cut off": ScriptedReply(text="{}", fault=Fault.CUT_OFF),
    "Prose": ScriptedReply(fault=Fault.PROSE),
    "Unknown action": ScriptedReply(text=json.dumps({"step": "1", "action": {"kind": "dance"}})),
    "Wrong number": ScriptedReply(
        text=json.dumps({"step": "1", "notes": [], "action": {"kind": "click", "element": 4711}})
    ),
    "Huge": ScriptedReply(fault=Fault.HUGE),
}


async def test_a_model_with_a_fault_leaves_the_verdict_as_it_was_and_the_run_goes_on(lab) -> None:
    def faulty(asked: ReceivedRequest) -> str | ScriptedReply:
        return next(reply for title, reply in FAULTS.items() if title in asked.text)

    text = "# Buckets\n" + "".join(
        UNCLEAR.format(title=title).removeprefix("# Buckets\n") + UNKNOWN for title in FAULTS
    )
    names = [title.lower().replace(" ", "-") for title in FAULTS]
    with serving(faulty) as served:
        run = await lab.verify(
            text, checks(*names), policy="auto", model={"endpoint": served.url, "timeout_s": 5}
        )
    assert [p.title for p in run.procedures] == list(FAULTS)
    for result in run.procedures:
        assert (result.verdict, result.decided_by) == (Verdict.UNDECIDED, "literal")
        assert "step 4: not understood: " in (result.blocked_by or "")
        assert [t.policy for t in result.tiers] == ["literal", "model"]
        assert result.tiers[1].why.startswith(("model: ", "policy: ")), result.tiers[1]


async def test_a_model_that_is_away_blocks_who_asks_for_nothing_else(lab) -> None:
    text = UNCLEAR.format(title="Make a bucket")
    with serving([]) as served:
        away = served.url
    result = (await lab.verify(text, policy="model", model={"endpoint": away})).procedures[0]
    assert result.verdict is Verdict.BLOCKED
    assert result.blocked_by and result.blocked_by.startswith("model: ")
    assert result.attempts == 1


async def test_a_policy_needs_what_it_is_made_of(lab) -> None:
    text = UNCLEAR.format(title="Make a bucket")
    with pytest.raises(SetupError, match=r"(?s)needs a model.*\nmodel:\n  weights: .*\n  \w+"):
        await lab.verify(text, policy="model")
    result: ProcedureResult = (await lab.verify(text, policy="replay")).procedures[0]
    assert result.verdict is Verdict.UNDECIDED
    assert result.blocked_by and "no verified attempt" in result.blocked_by
    assert (result.attempts, result.decided_by, result.tiers) == (0, "", ())


class Refusing:
    """Refuses whatever it is asked."""

    def __init__(self) -> None:
        self.asked: list[Question] = []

    async def ask(self, question: Question) -> Answered | None:
        self.asked.append(question)
        return Answered(kind=ReplyKind.REFUSE, by="eve")


async def test_a_person_who_refuses_is_not_asked_again(lab) -> None:
    captcha = [turn("1", "hand_over", what="read the picture", element=None)]
    lab.people = Refusing()
    with serving(playing(captcha)) as served:
        text, settings = UNCLEAR.format(title="Make a bucket"), {"endpoint": served.url}
        result = (await lab.verify(text, policy="model", model=settings)).procedures[0]
    assert result.verdict is Verdict.BLOCKED
    assert result.blocked_by == "person: eve refused to do it: read the picture"
    assert [q.step for q in lab.people.asked] == ["1"]
