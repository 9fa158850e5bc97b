"""Who decided a verdict, what it cost, whether it may still change, and what was said before."""

import re
from dataclasses import replace
from datetime import timedelta
from html import unescape

from appliance.core.checks import Checks
from appliance.core.result import Cost, TierResult
from appliance.core.verdict import Verdict
from appliance.store.pending import PendingRow

PAGE = {"Accept": "text/html"}
TIERS = (
    TierResult(
        policy="literal",
        verdict=Verdict.UNDECIDED,
        attempts=2,
        cost=Cost(browser_s=12.0),
        why="step 2 <b>is not understood</b>",
    ),
    TierResult(
        policy="model",
        verdict=Verdict.DRIFTED,
        attempts=1,
        cost=Cost(browser_s=30.0, model_s=9.0, model_calls=7, tokens=12_345),
    ),
)


def seen(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page.partition("<main")[2])).split())


async def test_a_verdict_says_which_tiers_were_asked_and_that_it_may_change(
    local, night, store, clock
):
    first = night.run.procedures[0]
    late = replace(
        first,
        decided_by="model",
        tiers=TIERS,
        cost=Cost(model_calls=7, tokens=12_345, model_s=9.0),
        pending_until=clock.now() + timedelta(minutes=15, seconds=1),
    )
    store.save_procedure(night.run.id, late)
    path = f"/procedures/practice/{first.id}"
    page = (await local.get(path, headers=PAGE)).text
    text = seen(page)
    assert "<b>is not" not in page
    assert "literal undecided step 2 <b>is not understood</b> 2 12 s 0 0" in text
    assert "model drifted It decided 1 30 s 7 12,345" in text
    assert "This may still change" in text
    assert "in 15 minutes" in text
    assert "by a model" in text
    assert "What was said before" not in text
    incident = seen((await local.get(f"/findings/{night.renamed}", headers=PAGE)).text)
    assert "A model found this" in incident
    (told,) = [
        one
        for one in (await local.get(f"/api/v1/runs/{night.run.id}")).json()["procedures"]
        if one["id"] == first.id
    ]
    assert [tier["policy"] for tier in told["tiers"]] == ["literal", "model"]
    assert told["pending_until"] is not None

    row = PendingRow(
        run_id=night.run.id,
        procedure_id=first.id,
        console="practice",
        account="alice",
        began_at=clock.now(),
        ended_at=clock.now(),
        deadline=clock.now(),
        checks=Checks(),
        bindings={},
        if_reached=late,
        if_not=late,
    )
    store.pending.note(row, clock.now(), "the audit log has CreateBucket now")
    settled = replace(late, verdict=Verdict.VERIFIED, findings=(), pending_until=None)
    store.save_procedure(night.run.id, settled)
    text = seen((await local.get(path, headers=PAGE)).text)
    assert "This may still change" not in text
    assert "What was said before" in text
    assert "the audit log has CreateBucket now" in text
