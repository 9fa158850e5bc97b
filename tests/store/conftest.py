from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.core.result import (
    ArtifactRef,
    ChannelResult,
    Cost,
    Evidence,
    Finding,
    Goal,
    ProcedureResult,
    RunResult,
    StepResult,
)
from appliance.core.verdict import DivergenceKind, GoalChannel, Severity, StepStatus, Verdict
from appliance.store.store import Store

PICTURE = ArtifactRef("ab" * 32, "image/jpeg", 1234)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as store:
        yield store


def make_finding(number: int, fingerprint: str = "") -> Finding:
    return Finding(
        id=f"f{number}",
        fingerprint=fingerprint or f"print-{number}",
        kind=DivergenceKind.RENAMED_LABEL,
        severity=Severity.MISLEADS,
        confidence=0.9,
        document="docs/buckets.md",
        line=10 + number,
        column=3,
        end_line=10 + number,
        end_column=9,
        quote="Create",
        shown="New 新建",
        suggestion=None if number % 2 else "New",
        step="1",
        evidence=(
            Evidence(kind="before", caption="Before", artifact=PICTURE),
            Evidence(kind="audit", caption="Log", text='{"a": 1}'),
        ),
    )


def make_procedure(number: int, *, findings: int = 0, steps: int = 2) -> ProcedureResult:
    return ProcedureResult(
        id=f"buckets/p{number}",
        title=f"Procedure {number}",
        title_path=("Buckets", f"Procedure {number}"),
        document="docs/buckets.md",
        line=number,
        end_line=number + 9,
        verdict=Verdict.DRIFTED if findings else Verdict.VERIFIED,
        goal=Goal(
            reached=True,
            channels=(
                ChannelResult(channel=GoalChannel.AUDIT, reached=None, reason="late"),
                ChannelResult(channel=GoalChannel.UI, reached=True, reason="the row is there"),
            ),
        ),
        path="diverged" if findings else "as_written",
        decided_by="literal",
        attempts=2,
        cost=Cost(wall_s=1.5, browser_s=1.25, tokens=2**40),
        steps=tuple(
            StepResult(
                index=str(place),
                line=place,
                text="Click 'Create'",
                status=StepStatus.AS_WRITTEN,
                after=PICTURE if place % 2 else None,
            )
            for place in range(1, steps + 1)
        ),
        findings=tuple(make_finding(number * 100 + place) for place in range(findings)),
        prerequisites=("A bucket exists.",),
        trajectory=PICTURE,
    )


def make_run(run_id: str = "r1", *procedures: ProcedureResult, day: int = 1) -> RunResult:
    return RunResult(
        id=run_id,
        appliance_version="0.1.0",
        commit="c0ffee",
        console="practice",
        policy="literal",
        started_at=datetime(2026, 1, day, 2, 3, 4, 567890, tzinfo=UTC),
        ended_at=datetime(2026, 1, day, 2, 13, tzinfo=UTC),
        procedures=procedures,
        config={"consoles": {"practice": {"release": "r2", "password": "***"}}, "n": [1, None]},
        documents={"docs/b.md": "ff", "docs/a.md": "00"},
    )


@pytest.fixture
def run() -> Callable[..., RunResult]:
    return make_run


@pytest.fixture
def procedure() -> Callable[..., ProcedureResult]:
    return make_procedure
