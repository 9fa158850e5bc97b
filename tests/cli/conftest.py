import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from appliance.cli import run
from appliance.core.result import (
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


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty current folder, and no variables of ours around."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("APPLIANCE_")]:
        monkeypatch.delenv(name)
    return tmp_path


@pytest.fixture
def appliance(folder, capfd):
    """Runs a command line in an empty folder."""

    def call(*arguments: object) -> Outcome:
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return Outcome(code, out, err)

    return call


@pytest.fixture
def program(folder):
    """Starts the program as a shell does."""

    def start(*arguments: str, **more: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "appliance.cli", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            **more,
        )

    return start


def finding(**changes: object) -> Finding:
    values = {
        "id": "f-0001",
        "fingerprint": "abc",
        "kind": DivergenceKind.RENAMED_LABEL,
        "severity": Severity.MISLEADS,
        "confidence": 0.9,
        "document": "docs/a.md",
        "line": 7,
        "column": 10,
        "end_line": 7,
        "end_column": 21,
        "quote": "Create disk",
        "shown": "the button is called New disk",
        "suggestion": "New disk",
        "step": "2",
        "evidence": (Evidence(kind="dom", caption="the button", text="<button>"),),
    }
    return Finding(**(values | changes))


def procedure(verdict: Verdict = Verdict.DRIFTED, **changes: object) -> ProcedureResult:
    values = {
        "id": "docs/a/create-a-disk",
        "title": "Create a disk",
        "title_path": ("Disks", "Create a disk"),
        "document": "docs/a.md",
        "line": 3,
        "end_line": 9,
        "verdict": verdict,
        "goal": Goal(
            reached=True,
            channels=(ChannelResult(channel=GoalChannel.UI, reached=True, reason="row shown"),),
        ),
        "path": "diverged",
        "decided_by": "literal",
        "attempts": 2,
        "cost": Cost(wall_s=4.2),
        "steps": (StepResult(index="1", line=5, text="Click", status=StepStatus.AS_WRITTEN),),
        "findings": (finding(),) if verdict is Verdict.DRIFTED else (),
    }
    return ProcedureResult(**(values | changes))


def run_result(*procedures: ProcedureResult, **changes: object) -> RunResult:
    start = datetime(2026, 11, 21, 9, tzinfo=UTC)
    values = {
        "id": "20261121-090000-ab12",
        "appliance_version": "0.1.0",
        "commit": "a" * 40,
        "console": "practice",
        "policy": "literal",
        "started_at": start,
        "ended_at": start + timedelta(seconds=12),
        "procedures": procedures,
    }
    return RunResult(**(values | changes))


@pytest.fixture
def results():
    """Builders of results: `results.run(results.procedure(), …)`."""

    class Results:
        run = staticmethod(run_result)
        procedure = staticmethod(procedure)
        finding = staticmethod(finding)

    return Results
