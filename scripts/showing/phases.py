"""The phases of `scripts/miniature --phases N`: their settings, and the table of them."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import NormalDist, fmean, pvariance
from typing import Any

from appliance.benchmark.statistics import LEVEL
from appliance.benchmark.summary import outcomes_of
from appliance.benchmark.trials import BenchmarkResult, all_results
from appliance.training.phases.record import PhaseRecord, Series
from appliance.training.phases.shown import mean_share, reasons

Told = dict[str, Any]  # Any: settings, and what is printed
ABLATIONS: Mapping[str, Told] = {
    "none": {},
    "no-curriculum": {"curriculum": False},
    "no-success-band": {"success_band": False},
    "random-tasks": {"at_random": True},
}
"""What is left out, by name: a run of its own for each."""
EFFECT = 0.05
"""The gain in pass@1 that phases are hoped to bring."""


def phase_settings(*, short: bool, options: Sequence[str], ablation: str) -> Told:
    """Of `training.phases`: small where it is only to be shown that every part works."""
    live = dict(one.split("=", 1) for one in options)
    common: Told = {
        "language": "en",
        "jobs": 2,
        "sources": ["documents", "drift"],
        "stops": "worse",
        "update": "live",
    }
    if short:  # such a model hardly ever gets there: a band would leave nothing to learn from
        size: Told = {
            "tasks": 1, "roll_outs": 1, "made": 2, "drifts": 1, "held_out": 1,
            "success_band": False,
        }  # fmt: skip
        live |= {"group": "2", "questions": "1", "rows": "8", "level": "all", "max_actions": "6"}
    else:
        size = {"tasks": 12, "roll_outs": 2, "made": 24, "drifts": 2, "held_out": 24}
        live |= {"max_steps": "4"}
    return common | size | ABLATIONS[ablation] | {"options": live}


def as_table(series: Series, data_dir: Path) -> Told:
    """All that was measured, phase by phase."""
    kept = all_results(data_dir / "benchmarks")
    return {
        "id": series.file.id,
        "is_over": series.is_over,
        "phases": [_phase(one, kept) for one in series.phases()],
    }


def _phase(record: PhaseRecord, kept: Sequence[BenchmarkResult]) -> Told:
    made = record.made
    estimated = [one.estimate for one in made if not one.left_out]
    told: Told = {
        "number": record.number,
        "tried_first": len(record.seeds),
        "right_of_those": mean_share([*record.estimates.values()]),
        "made": dict(_by_rule(record)),
        "left_out": dict(reasons(made)),
        "kept": sum(not one.left_out for one in made),
        "learnt_from": len(record.kept),
        "estimated_success": mean_share(estimated),
        "training": record.training,
        "took_s": _took(record),
    }
    if record.decision is not None:
        told["decision"] = record.decision.model_dump(mode="json")
        told["power"] = _power(record, kept)
    return told


def _by_rule(record: PhaseRecord) -> Iterator[tuple[str, str]]:
    by_rule = defaultdict[str, list[bool]](list)
    for one in record.made:
        by_rule[one.how].append(not one.left_out)
    for how, of in sorted(by_rule.items()):
        yield how, f"{sum(of)} of {len(of)} kept"


def _took(record: PhaseRecord) -> dict[str, float]:
    """Seconds between the ends of stages."""
    ends = list(record.ended.items())
    return {
        stage.value: (end - before).total_seconds() for (_, before), (stage, end) in pairwise(ends)
    }


def _power(record: PhaseRecord, kept: Sequence[BenchmarkResult]) -> str:
    """How many runs would show the effect that noise may hide."""

    def of(adapter: str) -> BenchmarkResult | None:
        name = Path(adapter).parent.name if adapter else ""
        held_out = (
            one for one in kept if one.is_over and {t.split for t in one.trials} == {"held-out"}
        )
        return next((one for one in held_out if one.setup.model == name), None)

    before, after = of(record.adapter), of(record.trained)
    if before is None or after is None:
        return "not measured"
    return power_of(outcomes_of(before), outcomes_of(after), EFFECT).sentence


def truth_of_estimates(series: Series) -> list[Told]:
    """Of tasks that were tried again in the next phase: what was estimated, and what came of it."""
    phases = series.phases()
    told: list[Told] = []
    for first, second in pairwise(phases):
        estimated = {one.id: one.estimate for one in first.made if one.estimate}
        for task, again in second.estimates.items():
            if task in estimated:
                told.append(
                    {"task": task, "estimated": estimated[task].share, "next_phase": again.share}
                )
    return told


# How many runs, or tasks, would show an effect that noise hides: power analysis of paired shares. A
# task's difference between two policies varies for two reasons: tasks really differ in what they
# gain, and a run is a coin that is thrown. The first stays however many runs there are.

POWER = 0.8
"""How likely an effect that is there is to be shown."""
_NORMAL = NormalDist()
_Z = _NORMAL.inv_cdf((1 + LEVEL) / 2) + _NORMAL.inv_cdf(POWER)
_MOST = 1000
"""Runs that are worth naming."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """What would show an effect of so many points."""

    effect: float
    """Difference of shares, 0..1."""
    tasks: int
    runs: int
    """That were made of each."""
    smallest: float
    """The effect that these would show."""
    runs_needed: int | None
    """Of these tasks; None: no number of runs would do, there are too few tasks."""
    tasks_needed: int
    """With as many runs as were made."""

    @property
    def sentence(self) -> str:
        """For people."""
        points = f"{100 * self.effect:.0f} points"
        least = f"{100 * self.smallest:.0f} points or more"
        now = f"{self.tasks} tasks of {self.runs} runs show {least}"
        if self.smallest <= self.effect:
            return f"{now}: enough for {points}."
        runs = f"{self.runs_needed} runs" if self.runs_needed else "no number of runs"
        return f"{now}; {points} would need {runs} of these, or {self.tasks_needed} tasks."


def power_of(
    before: Mapping[str, Sequence[bool]], after: Mapping[str, Sequence[bool]], effect: float
) -> Power:
    """What would show an effect, by what two policies did.

    Args:
        before: Outcomes of each task, one a run.
        after: Of the other policy, of the same tasks.
        effect: The difference that is looked for.
    """
    tasks = [task for task in before if task in after]
    runs = min(len(of[task]) for of in (before, after) for task in tasks)
    noise = fmean(_coin(before[task]) + _coin(after[task]) for task in tasks)
    moves = [fmean(after[task]) - fmean(before[task]) for task in tasks]
    between = max(0.0, pvariance(moves) - noise / runs) if len(moves) > 1 else 0.0

    def error(count: int, of: int) -> float:
        return math.sqrt((between + noise / of) / count)

    needed = (runs for runs in range(1, _MOST + 1) if _Z * error(len(tasks), runs) <= effect)
    return Power(
        effect=effect,
        tasks=len(tasks),
        runs=runs,
        smallest=_Z * error(len(tasks), runs),
        runs_needed=next(needed, None),
        tasks_needed=math.ceil((_Z * error(1, runs) / effect) ** 2),
    )


def _coin(outcomes: Sequence[bool]) -> float:
    """Variance of one run; never nothing: three failures are no proof that it always fails."""
    share = (sum(outcomes) + 0.5) / (len(outcomes) + 1)  # Jeffreys
    return share * (1 - share)
