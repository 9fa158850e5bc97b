"""What was verified once is done again without a reader, and never hides what has changed."""

from dataclasses import replace

from appliance.core import actions
from appliance.core.claims import ClaimCheck
from appliance.core.page import Observation
from appliance.core.verdict import DivergenceKind, PolicyName, Verdict
from appliance.documents import parse_document
from appliance.policy.base import Decision, Task
from appliance.policy.replay import compile_recipe
from appliance.store.store import Store
from appliance.verification.claims import vanished
from appliance.verification.trajectory import StopReason, Trajectory, Turn
from tests.verification.test_verification_practice import CHECKS, GUIDE

RENAMED = {
    "kind": "rename_label",
    "target": "storage.resources.bucket.actions.create",
    "label": {"en": "New bucket"},
}


def seen(*confirmed: bool) -> Trajectory:
    """An attempt that had this to say of the claims, in their order."""
    checks = tuple(ClaimCheck(n, is_confirmed=good) for n, good in enumerate(confirmed))
    decision = Decision(action=actions.Complete(seen=""), step="1", checks=checks)
    view = Observation(url="http://c/", title="C", elements=())
    turn = Turn(view=view, decision=decision, performed=None, before=None)
    return Trajectory(policy=PolicyName.LITERAL, turns=[turn], stop=StopReason.ANSWERED)


def test_words_that_were_seen_the_last_time_are_missed_now() -> None:
    document = parse_document("# T\n\n1. Click **Go**.\n2. Click **Stop**.\n", "t.md", "markdown")
    (procedure,) = document.procedures
    turns = seen(True, True).looked()
    recipe = compile_recipe(Task(procedure=procedure), turns, locale="en", tier="literal")
    assert vanished(procedure, recipe, seen(True, True)) is None
    gone = vanished(procedure, recipe, seen(True, False))
    assert gone is not None and (gone.text, gone.step) == ("Stop", "2")
    by_model = replace(recipe, tier="model")
    assert vanished(procedure, by_model, seen(False, False)) is None, (
        "another reader sees other things"
    )


def test_what_was_seen_and_then_not_is_not_missed_later() -> None:
    document = parse_document("# T\n\n1. Click **Go**.\n", "t.md", "markdown")
    (procedure,) = document.procedures
    attempt = seen(True)
    (turn,) = attempt.turns
    doubted = replace(
        turn.decision, checks=(*turn.decision.checks, ClaimCheck(0, is_confirmed=False))
    )
    attempt.turns[:] = [replace(turn, decision=doubted)]
    recipe = compile_recipe(
        Task(procedure=procedure), attempt.looked(), locale="en", tier="literal"
    )
    assert vanished(procedure, recipe, attempt) is None


async def test_a_drift_ends_the_replay_and_is_found_by_the_reader(lab) -> None:
    first = (await lab.verify(GUIDE, CHECKS, policy="auto")).procedures[0]
    again = (await lab.verify(GUIDE, CHECKS, policy="auto")).procedures[0]
    drifted = (await lab.verify(GUIDE, CHECKS, (RENAMED,), policy="auto")).procedures[0]
    assert [r.decided_by for r in (first, again, drifted)] == ["literal", "replay", "literal"]
    assert [r.verdict for r in (first, again)] == [Verdict.VERIFIED] * 2
    assert [s.status for s in again.steps] == [s.status for s in first.steps]
    assert again.claims == first.claims
    assert first.coverage.confirmed > 0 == first.coverage.contradicted
    assert drifted.coverage.contradicted > 0
    assert drifted.verdict is Verdict.DRIFTED
    kinds = {(f.kind, f.quote, f.suggestion) for f in drifted.findings}
    assert (DivergenceKind.RENAMED_LABEL, "Create bucket", "New bucket") in kinds
    replay = drifted.tiers[0]
    assert (replay.policy, replay.attempts) == ("replay", 1)
    assert "policy: the policy gave up" in replay.why
    assert lab.buckets_left == []
    with Store.open(lab.folder) as store, store.session.reading("counting") as connection:
        assert connection.execute("SELECT count(*) FROM recipes").fetchall() == [(0,)]
