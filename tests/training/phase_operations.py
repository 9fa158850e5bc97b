"""Operations of phases that take no time: files and processes are real, attempts are scripted.

Run as a program it carries phases on, and kills itself where it is told to: `DATA_DIR WHERE`.
"""

import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import yaml

from appliance.benchmark.attribution import Blame
from appliance.benchmark.suite import Task
from appliance.benchmark.trials import BenchmarkPolicy, BenchmarkResult, Part, Setup, Trial
from appliance.config import PhaseSettings
from appliance.core.clock import SystemClock
from appliance.core.verdict import Verdict
from appliance.training.phases.candidates import Candidate
from appliance.training.phases.labels import known_truth
from appliance.training.phases.operations import AttemptsRequest, UpdateRequest
from appliance.training.phases.record import (
    Estimate,
    MadeTask,
    PhaseDecision,
    PhaseRecord,
    Series,
    Stage,
    find_series,
    new_series,
)
from appliance.training.phases.runner import PhaseRunner

NOW = datetime(2026, 11, 28, 3, tzinfo=UTC)
SMALL = PhaseSettings(
    count=2, tasks=8, roll_outs=4, made=12, drifts=0, language="en", stops="worse"
)
SUITE = {
    "schema_version": 1,
    "title": "A few",
    "documentation": "bundled",
    "documents": {
        "access-keys.md": {"product": "identity", "split": "train"},
        "disks.md": {"product": "disks", "split": "train"},
        "disks.zh.md": {"product": "disks", "split": "train"},
        "buckets.md": {"product": "storage", "split": "held-out"},
    },
    "as_written": {
        "2025.1": "all",
        "2025.2": [
            "buckets/turn-on-versioning-for-a-bucket",
            "buckets/change-who-can-read-a-bucket",
        ],
    },
    "chained": [
        {
            "procedures": ["disks/create-a-disk", "disks/attach-a-disk-to-an-instance"],
            "release": "2025.1",
            "same": {"vol": "data"},
        }
    ],
}
"""As quickly read as it is small."""

Becomes = Callable[[AttemptsRequest, Task, int], str]
"""`right`, `wrong`, `away`, `alarm` or `unknown`."""


def by_name(asked: AttemptsRequest, task: Task, run: int) -> str:
    """What the oracle can do all; the policy every other time, and better once it is trained."""
    if asked.policy is BenchmarkPolicy.ORACLE:
        return "right"
    return "right" if run % 2 or (asked.adapter and run % 4) else "wrong"


class ScriptedOperations:
    """Writes down what it was asked, in a file that outlives its process."""

    def __init__(self, folder: Path, become: Becomes = by_name, dies_at: str = "") -> None:
        self.folder, self.become, self.dies_at = folder, become, dies_at
        self.updates: list[UpdateRequest] = []
        self.thought: list[Sequence[Task]] = []
        self.promoted: list[str] = []
        self.found: list[Candidate] = []

    def note(self, what: str) -> None:
        with (self.folder / "asked").open("a") as file:
            file.write(f"{what}\n")
        if self.dies_at and what.startswith(self.dies_at):
            os.kill(os.getpid(), signal.SIGKILL)

    def attempt(self, asked: AttemptsRequest) -> BenchmarkResult:
        file = self.folder / f"trials-{asked.seed}-{_named(asked)}.json"
        if file.exists():
            return BenchmarkResult.model_validate_json(file.read_bytes())
        self.note(f"attempt {asked.policy} {len(asked.suite.tasks)} {file.name}")
        made = self._made(asked)
        file.write_text(made.model_dump_json())
        return made

    def _made(self, asked: AttemptsRequest) -> BenchmarkResult:
        return BenchmarkResult(
            id=f"b-{asked.seed}-{_named(asked)}",
            appliance_version="0",
            commit="",
            started_at=NOW,
            parts=(Part(run=1, release="", is_over=True),),
            setup=Setup(
                suite=asked.suite.name,
                suite_version=asked.suite.version,
                policy=asked.policy,
                model=_named(asked),
                runs=asked.runs,
                seed=asked.seed,
                tasks=tuple(one.id for one in asked.suite.tasks),
            ),
            trials=tuple(
                trial(task, run, self.become(asked, task, run))
                for task in asked.suite.tasks
                for run in range(1, asked.runs + 1)
            ),
        )

    def begin(self, update: UpdateRequest) -> str:
        number = len(list(self.folder.glob("run-*"))) + 1
        (self.folder / f"run-{number}").mkdir()
        self.updates.append(update)
        self.note(f"begin run-{number}")
        return f"run-{number}"

    def carry_on(self, training: str) -> str:
        self.note(f"train {training}")
        return str(self.folder / training / "adapter")

    def think(self, tasks, library, count) -> list[Candidate]:
        self.thought.append(tasks)
        return self.found

    def explore(self, folder, pages) -> list[Candidate]:
        self.note(f"explore {pages}")
        return self.found

    def promote(self, training, decision) -> None:
        self.promoted.append(training)


def _named(asked: AttemptsRequest) -> str:
    """By the training that it came of."""
    return Path(asked.adapter).parent.name if asked.adapter else ""


def trial(task: Task, run: int, became: str) -> Trial:
    truth = known_truth(task) or ()
    untrue = sum(not one.is_optional for one in truth)
    is_right = became == "right"
    return Trial(
        task=task.id,
        run=run,
        release=task.release,
        product=task.product,
        language=task.language,
        level=task.level,
        split=task.split,
        success=is_right,
        verdict=Verdict.DRIFTED if is_right and untrue else Verdict.VERIFIED,
        reason=f"it is {became}",
        blame=Blame.ENVIRONMENT if became == "away" else None,
        counts={
            "unknown": int(became in ("away", "unknown")),
            "untruths": untrue,
            "found": untrue if is_right else 0,
            "false findings": int(became == "alarm"),
        },
    )


def suite_in(folder: Path) -> Path:
    file = folder / "few.yaml"
    file.write_text(yaml.safe_dump(SUITE, allow_unicode=True))
    return file


def series_in(folder: Path, settings: PhaseSettings = SMALL) -> Series:
    few = settings.model_copy(update={"suite": str(suite_in(folder))})
    return new_series(folder, few, folder, folder, "", NOW)


def shown_series(data_dir: Path) -> Series:
    """One phase that is over, and one that is being filtered."""
    series = new_series(data_dir, SMALL, data_dir, data_dir, "", NOW)
    hard = MadeTask(
        id="p1-values-0-disks/create-a-disk@2025.1",
        how="values",
        made_from=("disks/create-a-disk@2025.1",),
        left_out="too hard: right in 0% of attempts",
        estimate=Estimate(right=0, tried=4),
    )
    kept = MadeTask(
        id="disks/delete-a-disk@2025.2",
        how="release",
        made_from=("disks/delete-a-disk@2025.1",),
        estimate=Estimate(right=1, tried=4),
    )
    decision = PhaseDecision(
        against=("it finds no more untruths: 2 of 5, as 2",),
        sentence="The difference is real.",
        pass_before=0.25,
        pass_after=0.5,
        low=0.1,
        high=0.4,
        untruths=5,
        found_before=2,
        found_after=2,
        alarms_before=1,
        alarms_after=1,
        stops=False,
        is_promoted=False,
    )
    first = PhaseRecord(
        number=1,
        adapter="",
        ended={stage: NOW for stage in Stage},
        seeds=("disks/create-a-disk@2025.1",),
        estimates={"disks/create-a-disk@2025.1": Estimate(right=1, tried=4)},
        made=(hard, kept),
        kept=(kept.id,),
        training="20261128-live",
        trained="adapter",
        decision=decision,
    )
    series.keep(first)
    begun = {stage: NOW for stage in (Stage.PLAN, Stage.ROLL_OUT)}
    series.keep(PhaseRecord(number=2, adapter="adapter", ended=begun, seeds=first.seeds))
    return series


def run(series: Series, operations: ScriptedOperations) -> Series:
    PhaseRunner(series, operations, SystemClock()).run()
    return series


def asked(folder: Path) -> list[str]:
    return (folder / "asked").read_text().splitlines()


def main() -> None:
    data_dir, where = Path(sys.argv[1]), sys.argv[2]
    series = find_series(data_dir, "")
    stage, _, hand = where.partition(":")

    def tell(number: int, at: str) -> None:
        if stage == f"{number}/{at}":
            os.kill(os.getpid(), signal.SIGKILL)

    PhaseRunner(series, ScriptedOperations(data_dir, dies_at=hand), SystemClock(), tell).run()
    print(json.dumps([one.number for one in series.phases()]))


if __name__ == "__main__":
    main()
