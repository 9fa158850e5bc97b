"""How many runs, or tasks, would show an effect that noise hides: power analysis of paired shares.

A task's difference between two policies varies for two reasons: tasks really differ in what they
gain, and a run is a coin that is thrown. The first stays however many runs there are.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, pvariance

from appliance.benchmark.statistics import LEVEL

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
