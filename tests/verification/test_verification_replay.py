"""What was verified once is done again without a reader, and never hides what has changed."""

from appliance.core.verdict import DivergenceKind, Verdict
from appliance.store import Store
from tests.verification.test_verification_practice import CHECKS, GUIDE

RENAMED = {
    "kind": "rename_label",
    "target": "storage.resources.bucket.actions.create",
    "label": {"en": "New bucket"},
}


async def test_a_drift_ends_the_replay_and_is_found_by_the_reader(lab) -> None:
    first = (await lab.verify(GUIDE, CHECKS, policy="auto")).procedures[0]
    again = (await lab.verify(GUIDE, CHECKS, policy="auto")).procedures[0]
    drifted = (await lab.verify(GUIDE, CHECKS, (RENAMED,), policy="auto")).procedures[0]
    assert [r.decided_by for r in (first, again, drifted)] == ["literal", "replay", "literal"]
    assert [r.verdict for r in (first, again)] == [Verdict.VERIFIED] * 2
    assert [s.status for s in again.steps] == [s.status for s in first.steps]
    assert drifted.verdict is Verdict.DRIFTED
    kinds = {(f.kind, f.quote, f.suggestion) for f in drifted.findings}
    assert (DivergenceKind.RENAMED_LABEL, "Create bucket", "New bucket") in kinds
    replay = drifted.tiers[0]
    assert (replay.policy, replay.attempts) == ("replay", 1)
    assert "policy: the policy gave up" in replay.why
    assert lab.buckets_left == []
    with Store.open(lab.folder) as store, store.session.reading("counting") as connection:
        assert connection.execute("SELECT count(*) FROM recipes").fetchall() == [(0,)]
