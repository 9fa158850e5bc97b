"""Statements that nobody could check, asked of a model in a whole run on a real console."""

import json

from appliance.core.claims import ClaimStatus
from appliance.core.result import ProcedureResult
from appliance.core.verdict import Basis, Verdict
from appliance.inference.scripted import ReceivedRequest, serving

GUIDE = """# Buckets

## Make a bucket

1. Go to **Products** > **Buckets**.
2. Click **Create bucket**.
3. Enter the **Bucket name**. A bucket is a container for objects. It keeps its data on tape.
4. Click **Create**.
"""
RULES = {
    "bindings": {"Bucket name": "docs-${unique}"},
    "expect": [{"event": "CreateBucket"}],
}
CHECKS = {"procedures": {"make-a-bucket": RULES}}


def model(asked: ReceivedRequest) -> str:
    """Quotes the button against the tape, and for the container what is not there."""
    if "claims" not in (asked.schema or {}).get("properties", {}):
        return "nobody has asked for this"
    lines = asked.last.partition("<document>\n")[2].partition("\n</document>")[0].splitlines()
    said = []
    for line in lines:
        number, _, words = line.partition(". ")
        about = words.split('"')[1]
        if "tape" in about:
            said.append({"number": int(number), "quote": "Create bucket", "said": "contradicted"})
        else:
            said.append({"number": int(number), "quote": "It is so.", "said": "confirmed"})
    return json.dumps({"claims": said})


def statement(result: ProcedureResult, words: str):
    return next(claim for claim in result.claims if words in claim.text)


async def test_a_model_is_asked_about_what_nobody_could_check(lab) -> None:
    with serving(model) as served:
        asking = {"model": {"endpoint": served.url}, "claims": {"questions": 8}}
        run = await lab.verify(GUIDE, CHECKS, policy="auto", **asking)
        questions = len(served.requests)
        again = await lab.verify(GUIDE, CHECKS, policy="auto", **asking)
        assert len(served.requests) == questions
        plain = await lab.verify(GUIDE, CHECKS, policy="literal", **asking)
        assert len(served.requests) == questions
    (result,) = run.procedures
    assert (result.verdict, result.decided_by) == (Verdict.VERIFIED, "literal"), result.tiers
    assert 0 < questions <= 8 and result.cost.model_calls == questions
    tape, container = statement(result, "tape"), statement(result, "container")
    assert tape.status is ClaimStatus.NOT_CHECKED
    assert tape.reason == 'a model reads otherwise on the page: "Create bucket"'
    assert container.status is ClaimStatus.NOT_CHECKED and not container.quote
    (finding,) = result.findings
    assert (finding.basis, finding.is_sure) == (Basis.QUOTED, False)
    assert any(piece.artifact for piece in finding.evidence)
    assert (run.summary.findings, run.summary.unsure) == (0, 1)

    (replayed,) = again.procedures
    assert (replayed.verdict, replayed.decided_by) == (Verdict.VERIFIED, "replay")
    assert replayed.cost.model_calls == 0
    (read,) = plain.procedures
    assert (read.verdict, read.findings) == (Verdict.VERIFIED, ())
