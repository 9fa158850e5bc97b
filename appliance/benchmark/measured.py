"""Benchmarks that are drawn, not listed in a file, as results like the others.

Their trials say of each untrue sentence whether it was found (`drift`), of each procedure whether
it succeeds without and with what it needs (`provisioning`), and whether it always goes the same
way (`determinism`).
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from enum import StrEnum
from functools import cache
from pathlib import Path

from appliance.benchmark.determinism import Repeats
from appliance.benchmark.drift.run import FileResult
from appliance.benchmark.provisioning import has_succeeded
from appliance.benchmark.record import Record
from appliance.benchmark.trials import BenchmarkPolicy, BenchmarkResult, Setup, Trial
from appliance.benchmark.truth import Assessment
from appliance.core.result import ProcedureResult, RunResult
from appliance.core.verdict import DivergenceKind
from appliance.practice.releases import DOCUMENTATION


class Measured(StrEnum):
    """By the names of their commands."""

    DRIFT = "drift"
    PROVISIONING = "provisioning"
    DETERMINISM = "determinism"

    @property
    def how_many(self) -> str:
        """The option of its command that says how many are drawn."""
        match self:
            case Measured.DRIFT:
                return "--files"
            case Measured.PROVISIONING:
                return "--limit"
            case Measured.DETERMINISM:
                return "--tasks"

    @property
    def about(self) -> str:
        """What is measured."""
        match self:
            case Measured.DRIFT:
                return "Untrue sentences that random drift makes, and how many are found"
            case Measured.PROVISIONING:
                return "Procedures without and with what they need"
            case Measured.DETERMINISM:
                return "The same tasks again and again, and how often they go the same way"


@cache
def version() -> str:
    """Changes with anything in the bundled documentation."""
    files = sorted(file for file in DOCUMENTATION.iterdir() if file.is_file())
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:12]


def keep(
    suite: Measured,
    trials: Sequence[Trial],
    figures: dict[str, float],
    folder: Path,
    *,
    seed: int,
    began: datetime,
    ended: datetime,
) -> BenchmarkResult:
    """Keep what was measured as the result of a benchmark.

    Args:
        suite: What it is.
        trials: All of them.
        figures: Beside those that every benchmark has.
        folder: Where results are kept.
        seed: Of what was drawn.
        began: When it was begun.
        ended: And over.
    """
    setup = Setup(
        suite=suite,
        suite_version=version(),
        policy=BenchmarkPolicy.LITERAL,
        runs=1,
        seed=seed,
        tasks=tuple(trial.task for trial in trials),
    )
    record = Record(setup, [""], folder, began)
    for trial in trials:
        record.add(trial)
    record.end_part(0)
    return record.end(ended, figures)


def drift_trials(files: Sequence[FileResult]) -> Iterator[Trial]:
    """One for each sentence that has to be found."""
    for file in files:
        for number, note in enumerate(file.notes):
            if note.kind is None or note.is_optional or note.said is Assessment.TWICE:
                continue
            yield Trial(
                task=f"seed {file.seed}: {note.place} #{number}",
                run=1,
                release=file.release,
                product="",
                language=note.language,
                success=note.said is Assessment.FOUND,
                reason=f"{note.said}: {note.quote}",
                way=note.kind.value,
            )


def drift_figures(files: Sequence[FileResult]) -> dict[str, float]:
    """Precision, recall and F1 of each kind of finding and of all, and the false alarms."""
    notes = [note for file in files for note in file.notes]
    truth = Counter(n.kind for n in notes if n.kind and not n.is_optional)
    found_by_kind = Counter(
        n.kind for n in notes if n.said is Assessment.FOUND and not n.is_optional
    )
    reported = Counter(n.reported for n in notes if n.reported)
    correct = Counter(n.reported for n in notes if n.reported and n.said is Assessment.FOUND)
    figures: dict[str, float] = {
        "false alarms": sum(n.said is Assessment.FALSE_ALARM for n in notes)
    }
    for kind in DivergenceKind:
        if truth[kind] or reported[kind]:
            shares = (correct[kind], reported[kind], found_by_kind[kind], truth[kind])
            figures |= {f"{kind} {name}": value for name, value in _f1(*shares).items()}
    return figures | _f1(correct.total(), reported.total(), found_by_kind.total(), truth.total())


def _f1(correct: int, reported: int, found_count: int, untrue: int) -> dict[str, float]:
    precision = correct / reported if reported else 0.0
    recall = found_count / untrue if untrue else 0.0
    total = precision + recall
    f1 = 2 * precision * recall / total if total else 0.0
    return {"precision": precision, "recall": recall, "F1": f1}


def provisioning_trials(
    without_provisioning: RunResult, with_provisioning: RunResult
) -> Iterator[Trial]:
    """Two for each procedure."""
    for variant, run in (("without", without_provisioning), ("with", with_provisioning)):
        for result in run.procedures:
            yield _procedure_trial(result, f"{result.id} ({variant})", variant)


def _procedure_trial(result: ProcedureResult, task: str, variant: str) -> Trial:
    return Trial(
        task=task,
        run=1,
        release="",
        product="",
        language="",
        success=has_succeeded(result),
        verdict=result.verdict,
        reason=result.blocked_by or result.path,
        way=variant,
        cost=result.cost,
        trajectory=result.trajectory,
    )


def determinism_trials(repeats: Sequence[Repeats]) -> Iterator[Trial]:
    """One for each task: whether all its repeats go the same way, but for waiting."""
    for task_repeats in repeats:
        yield Trial(
            task=task_repeats.procedure,
            run=1,
            release="",
            product="",
            language="",
            success=task_repeats.same_way_but_waits == task_repeats.times,
            reason=f"{task_repeats.same_way_but_waits} of {task_repeats.times} go the same way",
        )


def determinism_figures(repeats: Sequence[Repeats]) -> dict[str, float]:
    """Shares of all repeats."""
    times = sum(task_repeats.times for task_repeats in repeats)
    return {
        "same way": sum(task_repeats.same_way for task_repeats in repeats) / times,
        "same way but for waiting": sum(task_repeats.same_way_but_waits for task_repeats in repeats)
        / times,
        "same verdict": sum(task_repeats.same_verdict for task_repeats in repeats) / times,
    }
