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

Told = dict[str, Any]  # Any: settings, and what is printed
ABLATIONS: Mapping[str, Told] = {
    "none": {},
    "no-curriculum": {"curriculum": False},
    "no-success-band": {"success_band": False},
    "random-tasks": {"at_random": True},
    "no-replay": {"replay": False},
    "no-perplexity-band": {"perplexity_band": False},
}
"""What is left out, by name: a run of its own for each."""
_OF_KL = ("no-replay", "no-perplexity-band")
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
        if self.ablation in _OF_KL and self.update != "kl":
            return f"--ablation {self.ablation} needs --update kl: nothing else replays successes"
        return ""

    @property
    def folder(self) -> str:
        """Where its data go: those of no other."""
        named = (one for one in (self.update, self.ablation) if one not in ("live", "none"))
        return "-".join(("data", *named))


def phase_settings(phases: Phases, options: Sequence[str], *, short: bool) -> Told:
    """Of `training.phases`: small where it is only to be shown that every part works."""
    live = dict(one.split("=", 1) for one in options)
    common: Told = {
        "language": "en",
        "jobs": 2,
        "sources": ["documents", "drift"],
        "stops": "worse",
        "update": phases.update,
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
    told = live if phases.update == "live" else _on_attempts(live, phases.update)
    return common | size | ABLATIONS[phases.ablation] | {"options": told}


def _on_attempts(live: Mapping[str, str], update: str) -> Told:
    """On as many turns as `live` learns from, and as quickly."""
    common: Told = {name: live[name] for name in live if name in UpdateOptions.model_fields}
    steps = int(live["max_steps"]) * int(live["rows"]) // _BATCH
    critic = {"critic_learning_rate": live["learning_rate"]} if update == "kl" else {}
    return common | critic | {"batch": _BATCH, "max_steps": steps, "every": steps}


def as_table(series: Series, data_dir: Path) -> Told:
    """All that was measured, phase by phase."""
    kept = all_results(data_dir / "benchmarks")
    return {
        "id": series.file.id,
        "is_over": series.is_over,
        "update": series.file.settings.update,
        "phases": [
            _phase(one, kept) | {"learnt": _learnt(one, data_dir)} for one in series.phases()
        ],
    }


def _learnt(record: PhaseRecord, data_dir: Path) -> dict[str, float]:
    """How much an update on attempts has learnt from."""
    run = next((one for one in all_runs(data_dir) if one.file.id == record.training), None)
    counted = ("turns", "replayed", "pairs")
    return {n: line[n] for line in (run.curves() if run else ()) for n in counted if n in line}


def against(data_dir: Path, others: Sequence[Path]) -> dict[str, str]:
    """The last policy held against that of other phases on the same held-out tasks, by folder."""
    ours = _last_measured(data_dir)
    theirs = {one.name: _last_measured(one) for one in others if one != data_dir}
    return {
        name: compare(one, ours).sentence for name, one in sorted(theirs.items()) if one and ours
    }


def _last_measured(data_dir: Path) -> BenchmarkResult | None:
    series = next(iter(all_series(data_dir)), None)
    over = [one for one in series.phases() if one.decision] if series else []
    return _held_out(over[-1].trained, all_results(data_dir / "benchmarks")) if over else None


def _held_out(adapter: str, kept: Sequence[BenchmarkResult]) -> BenchmarkResult | None:
    """What an adapter does on held-out tasks."""
    name = Path(adapter).parent.name if adapter else ""
    found = (one for one in kept if one.is_over and {t.split for t in one.trials} == {"held-out"})
    return next((one for one in found if one.setup.model == name), None)


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
    before, after = _held_out(record.adapter, kept), _held_out(record.trained, kept)
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
