"""Compares the accuracy of an outcome model and the judges on the same attempts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from appliance.benchmark.judging import JudgeSuite
from appliance.benchmark.trials import BenchmarkResult
from appliance.core.errors import SetupError
from appliance.core.verdict import GoalChannel


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeComparison:
    """What was measured."""

    benchmark: str
    attempts: int
    outcome_model: float
    """Share of them of which it is right."""
    judges: float
    """The same; undecided is not right."""

    @property
    def is_better(self) -> bool:
        """Whether it may reward attempts that no audit log knows of."""
        return self.outcome_model > self.judges


def compare_judges(
    lines: Iterable[Mapping[str, Any]],  # Any: JSON
    result: BenchmarkResult,
    suite: JudgeSuite,
) -> JudgeComparison:
    """Compare both with the known labels of the benchmark's attempts.

    Args:
        lines: What the model says of held-out attempts: `outcomes.jsonl` of its training.
        result: Of a run of that suite with judges.
        suite: Of labelled attempts.

    Raises:
        SetupError: No attempt was judged by both.
    """
    runs = {part.run_id for part in result.parts}
    said_yes = {
        str(line["procedure"]).partition("/")[0]: line["yes"] > 0.5
        for line in lines
        if line["measures"] and line["run_id"] in runs
    }
    folders = {task.id: task.folder for task in suite.tasks}
    correctness = [
        (
            said_yes[folders[trial.task]] is trial.label,
            trial.said[GoalChannel.JUDGES] is trial.label,
        )
        for trial in result.trials
        if folders.get(trial.task) in said_yes and GoalChannel.JUDGES in trial.said
    ]
    if not correctness:
        raise SetupError(
            f"no attempt of {result.id} was judged and is held out: run it with judges and"
            " training.keep_attempts, and `train collect --outcomes` its runs"
        )
    return JudgeComparison(
        benchmark=result.id,
        attempts=len(correctness),
        outcome_model=fmean(model_right for model_right, _ in correctness),
        judges=fmean(judges for _, judges in correctness),
    )
