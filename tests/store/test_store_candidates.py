from datetime import UTC, datetime, timedelta

import pytest

from appliance.core.errors import StoreError
from appliance.store.candidates import CandidateState
from appliance.store.store import Store

MADE = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
REPORT = {"provider": "practice", "made": [{"kind": "bucket", "id": "b-1"}], "cost_per_hour": 0.5}


def propose(store, hcl="resource {}", at=MADE, **more):
    given = {"console": "practice", "request": "a bucket, 一个桶", "report": REPORT, **more}
    return store.candidates.propose(hcl=hcl, at=at, **given)


def test_what_worked_is_kept(store, tmp_path):
    made = propose(store)
    assert store.candidates.all() == (made,)
    assert store.candidates.get(made.id) == made
    store.close()
    with Store.open(tmp_path) as again:
        (kept,) = again.candidates.all(CandidateState.PROPOSED)
    assert kept == made
    assert (kept.made_at, kept.report, kept.request) == (MADE, REPORT, "a bucket, 一个桶")


def test_the_same_again_is_the_one_that_is_there(store):
    first = propose(store)
    store.candidates.decide(first.id, CandidateState.REJECTED, by="mia", note="no")
    assert propose(store, request="another request").id == first.id
    assert propose(store, hcl="other {}", at=MADE + timedelta(hours=1)).id != first.id
    assert propose(store, console="openstack", at=MADE + timedelta(hours=2)).id != first.id
    assert len(store.candidates.all()) == 3
    assert len(store.candidates.all(CandidateState.PROPOSED)) == 2


def test_a_decision_is_kept_with_who_and_why(store):
    made = propose(store)
    when = MADE + timedelta(days=1)
    decided = store.candidates.decide(
        made.id, CandidateState.ACCEPTED, by="mia", note="good", at=when
    )
    assert (decided.state, decided.decided_by) == (
        CandidateState.ACCEPTED,
        "mia",
    )
    assert (decided.note, decided.decided_at) == ("good", when)
    assert store.candidates.all(CandidateState.ACCEPTED) == (decided,)


def test_a_decision_stands(store):
    made = propose(store)
    store.candidates.decide(made.id, CandidateState.REJECTED, by="mia")
    with pytest.raises(StoreError, match="was rejected by mia before"):
        store.candidates.decide(made.id, CandidateState.ACCEPTED, by="noa")
    assert store.candidates.get(made.id).state is CandidateState.REJECTED
    with pytest.raises(StoreError, match="no proposed module nothing"):
        store.candidates.decide("nothing", CandidateState.ACCEPTED, by="noa")
    assert store.candidates.get("nothing") is None
