"""Shares and differences with their intervals. The mathematics is scipy's."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, stdev

import numpy as np
from scipy import stats

LEVEL = 0.95
"""Of every interval."""
_RESAMPLES = 10_000
_SEED = 1
"""Of resampling: the same trials have the same intervals."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds of 95 %."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A share with Wilson's score interval: right for shares near 0 and 1, too."""

    successes: int
    trials: int
    interval: Interval

    @classmethod
    def of(cls, outcomes: Sequence[bool]) -> "Rate":
        """The share of those that succeeded; of none nothing is known."""
        return cls.counted(sum(outcomes), len(outcomes))

    @classmethod
    def counted(cls, successes: int, trials: int) -> "Rate":
        """The same, where only their numbers are at hand."""
        if not trials:
            return cls(successes=0, trials=0, interval=Interval(0.0, 1.0))
        found = stats.binomtest(successes, trials).proportion_ci(LEVEL, method="wilson")
        return cls(
            successes=successes,
            trials=trials,
            interval=Interval(float(found.low), float(found.high)),
        )

    @property
    def share(self) -> float:
        """0..1."""
        return self.successes / self.trials if self.trials else 0.0

    def __str__(self) -> str:
        return (
            f"{100 * self.share:.2f} % ({self.successes} of {self.trials}, 95 % interval"
            f" {100 * self.interval.low:.1f} to {100 * self.interval.high:.1f})"
        )


def mean_and_deviation(shares: Sequence[float]) -> tuple[float, float]:
    """Over runs; the deviation of the sample, 0 for a single run."""
    return mean(shares), stdev(shares) if len(shares) > 1 else 0.0


def pass_at_k(outcomes: Sequence[Sequence[bool]], k: int) -> float:
    """The chance that one of k trials of a task succeeds, without bias (Chen et al., 2021).

    Args:
        outcomes: Of each task, of its trials: at least k.
        k: How many.
    """

    def missed(trials: Sequence[bool]) -> float:
        return math.comb(len(trials) - sum(trials), k) / math.comb(len(trials), k)

    return 1 - mean(missed(trials) for trials in outcomes)


def bca(values: Sequence[float]) -> Interval:
    """Of the mean over tasks, by the accelerated bootstrap (BCa)."""
    if len(set(values)) < 2:  # there is nothing to resample
        return Interval(values[0], values[0])
    found = stats.bootstrap(
        (values,), np.mean, n_resamples=_RESAMPLES, confidence_level=LEVEL, method="BCa", rng=_SEED
    ).confidence_interval
    return Interval(float(found.low), float(found.high))


def mcnemar(only_first: int, only_second: int) -> float:
    """How likely as uneven a split of the tasks that one alone succeeds at is by chance: exact."""
    both = only_first + only_second
    return float(stats.binomtest(only_first, both).pvalue) if both else 1.0
