"""What a model noted once: a second attempt finds the thing deleted, or all done."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.config import AgentSettings, SensitiveSettings
from appliance.core.result import ProcedureResult
from appliance.core.verdict import DivergenceKind, Verdict
from appliance.inference.scripted import ReceivedRequest
from appliance.inference.scripted import serving as scripted
from tests.benchmarks.agent.answers import Turn, playing
from tests.traps.cases import Case
from tests.traps.run import settings_of, verified, write_documents
from tests.traps.server import serving

CASE = Case.model_validate(
    {
        "id": 301,
        "language": "en",
        "kind": "honest",
        "why": "It is bound.",
        "title": "Delete a bucket",
        "steps": [
            "In the list, sort the buckets by **Size**.",
            "Find `logs-2019` in the list and click **Delete**.",
        ],
        "bindings": {"bucket": "logs-2019"},
        "page": [
            {"heading": "Buckets"},
            {
                "table": {
                    "columns": ["Bucket", "Region"],
                    "rows": [["photos", "North"], ["logs-2019", "South"]],
                    "actions": [{"label": "Delete", "removes": True}],
                }
            },
        ],
        "must": ["delete@logs-2019"],
        "never": ["delete@photos"],
    }
)
NO_SIZE = {
    "step": "2",
    "matched": "missing",
    "quote": "Size",
    "shown": "the columns are Bucket and Region",
    "suggestion": "",
    "kind": "missing_control",
}


def turn(step: str, action: dict[str, object], *notes: dict[str, str]) -> Turn:
    return {"step": step, "notes": notes, "action": action}


def as_written(step: str) -> dict[str, str]:
    rest = dict.fromkeys(("quote", "shown", "suggestion"), "")
    return {"step": step, "matched": "as_written", "kind": "none", **rest}


TURNS = [
    turn("1", {"kind": "click", "element": f"link {CASE.link}", "how": ""}),
    turn(
        "3", {"kind": "click", "element": "button Delete #2", "how": ""}, as_written("1"), NO_SIZE
    ),
    turn("3", {"kind": "complete", "seen": "it is gone from the list"}, as_written("3")),
]


def model(asked: ReceivedRequest) -> str:
    """Plays the turns; nobody judges."""
    if "reached" in (asked.schema or {}).get("properties", {}):
        return json.dumps({"evidence": [], "reason": "", "reached": "cannot_tell"})
    return playing(TURNS)(asked)


def verdict_of(
    case: Case,
    folder: Path,
    agent: AgentSettings,
    answer: Callable[[ReceivedRequest], str] = model,
) -> tuple[ProcedureResult, list[str]]:
    with serving((case,)) as witness, scripted(answer) as served:
        documents = write_documents((case,), folder)
        settings = settings_of(folder, witness.url, model=served.url)
        settings = settings.model_copy(update={"agent": agent})
        (result,) = asyncio.run(verified(documents, settings, "model"))
        asked_what_to_do = (r for r in served.requests if "step" in (r.schema or {})["properties"])
        told = [AGAIN in request.text for request in asked_what_to_do]
        assert told == sorted(told) and any(told) and not told[0]  # of the second attempt only
        return result, witness.of(case.id)


AGAIN = "An attempt before this one may have carried it out"
SANDBOX = AgentSettings(sensitive=SensitiveSettings(change="allow"))


@pytest.mark.parametrize(
    ("bindings", "agent"),
    [(CASE.bindings, AgentSettings()), ({}, SANDBOX)],
    ids=["bound", "sandbox"],
)
def test_it_counts_once_it_was_seen_twice_and_nothing_is_deleted_twice(
    bindings: dict[str, str], agent: AgentSettings, tmp_path: Path
) -> None:
    case = CASE.model_copy(update={"bindings": bindings})
    result, posted = verdict_of(case, tmp_path, agent)
    assert posted == ["delete@logs-2019"]
    assert (result.verdict, result.attempts) == (Verdict.DRIFTED, 2), result.blocked_by
    assert [(f.kind, f.quote) for f in result.findings] == [
        (DivergenceKind.MISSING_CONTROL, "Size")
    ]


ARCHIVED = "logs-2019 is archived"
ARCHIVE = Case.model_validate(
    {
        "id": 302,
        "language": "en",
        "kind": "honest",
        "why": "It may be changed in a sandbox.",
        "title": "Archive a bucket",
        "steps": ["Find `logs-2019` in the list and click **Store away**."],
        "page": [
            {"heading": "Buckets"},
            {
                "table": {
                    "rows": ["photos", "logs-2019"],
                    "actions": [{"label": "Archive", "says": ARCHIVED}],
                }
            },
        ],
        "must": ["archive@logs-2019"],
    }
)
ARCHIVING = [
    turn("1", {"kind": "click", "element": f"link {ARCHIVE.link}", "how": ""}),
    turn(
        "2",
        {"kind": "click", "element": "button Archive #2", "how": ""},
        as_written("1"),
        {
            "step": "2",
            "matched": "differs",
            "quote": "Store away",
            "shown": "the button is called Archive",
            "suggestion": "Archive",
            "kind": "renamed_label",
        },
    ),
    turn("2", {"kind": "complete", "seen": ARCHIVED}),
]


def finding_it_done(asked: ReceivedRequest) -> str:
    """A model that leaves alone what its first attempt did."""
    if "reached" in (asked.schema or {}).get("properties", {}):
        is_seen = ARCHIVED in asked.text
        reached = "yes" if is_seen else "cannot_tell"
        return json.dumps(
            {"evidence": [ARCHIVED] * is_seen, "reason": "it says so", "reached": reached}
        )
    note = as_written("2") | {"matched": "not_applicable"}
    looking = [ARCHIVING[0], turn("2", {"kind": "complete", "seen": "Buckets"}, note)]
    return playing(looking if AGAIN in asked.text else ARCHIVING)(asked)


def test_an_attempt_that_finds_it_done_says_nothing_against_the_one_that_did_it(
    tmp_path: Path,
) -> None:
    result, posted = verdict_of(ARCHIVE, tmp_path, SANDBOX, finding_it_done)
    assert posted == ["archive@logs-2019"]
    assert result.verdict is Verdict.DRIFTED, result.blocked_by
    assert [(f.kind, f.quote) for f in result.findings] == [
        (DivergenceKind.RENAMED_LABEL, "Store away")
    ]
