"""The phases of `scripts/miniature --phases N`: their settings, and the table of them."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import NormalDist, fmean, pvariance
from typing import Any

from appliance.benchmark.comparison import compare
from appliance.benchmark.statistics import LEVEL
from appliance.benchmark.summary import outcomes_of
from appliance.benchmark.trials import BenchmarkResult, all_results
from appliance.training.phases.record import PhaseRecord, Series, all_series
from appliance.training.phases.shown import mean_share, reasons
from appliance.training.runs import all_runs
from appliance.training.update_options import UpdateOptions

JsonObject = dict[str, Any]  # Any: settings, and what is printed
ABLATIONS: Mapping[str, JsonObject] = {
    "none": {},
    "no-curriculum": {"curriculum": False},
    "no-success-band": {"success_band": False},
    "random-tasks": {"at_random": True},
    "no-replay": {"replay": False},
    "no-perplexity-band": {"perplexity_band": False},
}
"""What is left out, by name: a run of its own for each."""
_KL_ABLATIONS = ("no-replay", "no-perplexity-band")
UPDATES = ("live", "kl", "dpo")
_BATCH = 4
"""Turns, or pairs, at once."""
EFFECT = 0.05
"""The gain in pass@1 that phases are hoped to bring."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phases:
    """What comes after the first reinforcement."""

    count: int = 0
    update: str = "live"
    ablation: str = "none"

    @property
    def problem(self) -> str:
        """Why nothing would be shown by it; empty: it may be."""
        if self.ablation in _KL_ABLATIONS and self.update != "kl":
            return f"--ablation {self.ablation} needs --update kl: nothing else replays successes"
        return ""

    @property
    def folder(self) -> str:
        """Where its data go: those of no other."""
        parts = (part for part in (self.update, self.ablation) if part not in ("live", "none"))
        return "-".join(("data", *parts))


def phase_settings(phases: Phases, options: Sequence[str], *, short: bool) -> JsonObject:
    """Of `training.phases`: small where it is only to be shown that every part works."""
    live = dict(option.split("=", 1) for option in options)
    common: JsonObject = {
        "language": "en",
        "jobs": 2,
        "sources": ["documents", "drift"],
        "stops": "worse",
        "update": phases.update,
    }
    if short:  # such a model hardly ever gets there: a band would leave nothing to learn from
        size: JsonObject = {
            "tasks": 1, "roll_outs": 1, "made": 2, "drifts": 1, "held_out": 1,
            "success_band": False,
        }  # fmt: skip
        live |= {"group": "2", "questions": "1", "rows": "8", "level": "all", "max_actions": "6"}
    else:
        size = {"tasks": 12, "roll_outs": 2, "made": 24, "drifts": 2, "held_out": 24}
        live |= {"max_steps": "4"}
    options_told = live if phases.update == "live" else _update_options(live, phases.update)
    return common | size | ABLATIONS[phases.ablation] | {"options": options_told}


def _update_options(live: Mapping[str, str], update: str) -> JsonObject:
    """On as many turns as `live` learns from, and as quickly."""
    common: JsonObject = {name: live[name] for name in live if name in UpdateOptions.model_fields}
    steps = int(live["max_steps"]) * int(live["rows"]) // _BATCH
    critic = {"critic_learning_rate": live["learning_rate"]} if update == "kl" else {}
    return common | critic | {"batch": _BATCH, "max_steps": steps, "every": steps}


def as_table(series: Series, data_dir: Path) -> JsonObject:
    """All that was measured, phase by phase."""
    results = all_results(data_dir / "benchmarks")
    return {
        "id": series.file.id,
        "is_over": series.is_over,
        "update": series.file.settings.update,
        "phases": [
            _phase(record, results) | {"learnt": _learnt_counts(record, data_dir)}
            for record in series.phases()
        ],
    }


def _learnt_counts(record: PhaseRecord, data_dir: Path) -> dict[str, float]:
    """How much an update on attempts has learnt from."""
    run = next((run_ for run_ in all_runs(data_dir) if run_.file.id == record.training), None)
    figure_names = ("turns", "replayed", "pairs")
    return {
        name: line[name]
        for line in (run.curves() if run else ())
        for name in figure_names
        if name in line
    }


def compare_with_others(data_dir: Path, others: Sequence[Path]) -> dict[str, str]:
    """The last policy held against that of other phases on the same held-out tasks, by folder."""
    own_result = _last_measured(data_dir)
    other_results = {folder.name: _last_measured(folder) for folder in others if folder != data_dir}
    return {
        name: compare(other_result, own_result).sentence
        for name, other_result in sorted(other_results.items())
        if other_result and own_result
    }


def _last_measured(data_dir: Path) -> BenchmarkResult | None:
    series = next(iter(all_series(data_dir)), None)
    decided_phases = [phase for phase in series.phases() if phase.decision] if series else []
    return (
        _held_out(decided_phases[-1].trained, all_results(data_dir / "benchmarks"))
        if decided_phases
        else None
    )


def _held_out(adapter: str, results: Sequence[BenchmarkResult]) -> BenchmarkResult | None:
    """What an adapter does on held-out tasks."""
    name = Path(adapter).parent.name if adapter else ""
    held_out_results = (
        result
        for result in results
        if result.is_over and {trial.split for trial in result.trials} == {"held-out"}
    )
    return next((result for result in held_out_results if result.setup.model == name), None)


def _phase(record: PhaseRecord, results: Sequence[BenchmarkResult]) -> JsonObject:
    made = record.made
    estimated = [made_task.estimate for made_task in made if not made_task.left_out]
    row: JsonObject = {
        "number": record.number,
        "tried_first": len(record.seeds),
        "right_of_those": mean_share([*record.estimates.values()]),
        "made": dict(_by_rule(record)),
        "left_out": dict(reasons(made)),
        "kept": sum(not made_task.left_out for made_task in made),
        "learnt_from": len(record.kept),
        "estimated_success": mean_share(estimated),
        "training": record.training,
        "took_s": _took(record),
    }
    if record.decision is not None:
        row["decision"] = record.decision.model_dump(mode="json")
        row["power"] = _power(record, results)
    return row


def _by_rule(record: PhaseRecord) -> Iterator[tuple[str, str]]:
    by_rule = defaultdict[str, list[bool]](list)
    for made_task in record.made:
        by_rule[made_task.how].append(not made_task.left_out)
    for how, kept_flags in sorted(by_rule.items()):
        yield how, f"{sum(kept_flags)} of {len(kept_flags)} kept"


def _took(record: PhaseRecord) -> dict[str, float]:
    """Seconds between the ends of stages."""
    ends = list(record.ended.items())
    return {
        stage.value: (end - before).total_seconds() for (_, before), (stage, end) in pairwise(ends)
    }


def _power(record: PhaseRecord, kept: Sequence[BenchmarkResult]) -> str:
    """How many runs would show the effect that noise may hide."""
    before, after = _held_out(record.adapter, kept), _held_out(record.trained, kept)
    if before is None or after is None:
        return "not measured"
    return power_of(outcomes_of(before), outcomes_of(after), EFFECT).sentence


def truth_of_estimates(series: Series) -> list[JsonObject]:
    """Of tasks that were tried again in the next phase: what was estimated, and what came of it."""
    phases = series.phases()
    rows: list[JsonObject] = []
    for first, second in pairwise(phases):
        estimated = {
            made_task.id: made_task.estimate for made_task in first.made if made_task.estimate
        }
        for task, later in second.estimates.items():
            if task in estimated:
                rows.append(
                    {"task": task, "estimated": estimated[task].share, "next_phase": later.share}
                )
    return rows


# How many runs, or tasks, would show an effect that noise hides: power analysis of paired shares. A
# task's difference between two policies varies for two reasons: tasks really differ in what they
# gain, and a run is a coin that is thrown. The first stays however many runs there are.

POWER = 0.8
"""How likely an effect that is there is to be shown."""
_NORMAL = NormalDist()
_Z = _NORMAL.inv_cdf((1 + LEVEL) / 2) + _NORMAL.inv_cdf(POWER)
_MAX_RUNS = 1000
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
    noise = fmean(_variance_of_run(before[task]) + _variance_of_run(after[task]) for task in tasks)
    moves = [fmean(after[task]) - fmean(before[task]) for task in tasks]
    between = max(0.0, pvariance(moves) - noise / runs) if len(moves) > 1 else 0.0

    def error(count: int, of: int) -> float:
        return math.sqrt((between + noise / of) / count)

    needed = (runs for runs in range(1, _MAX_RUNS + 1) if _Z * error(len(tasks), runs) <= effect)
    return Power(
        effect=effect,
        tasks=len(tasks),
        runs=runs,
        smallest=_Z * error(len(tasks), runs),
        runs_needed=next(needed, None),
        tasks_needed=math.ceil((_Z * error(1, runs) / effect) ** 2),
    )


def _variance_of_run(outcomes: Sequence[bool]) -> float:
    """Variance of one run; never nothing: three failures are no proof that it always fails."""
    share = (sum(outcomes) + 0.5) / (len(outcomes) + 1)  # Jeffreys
    return share * (1 - share)
