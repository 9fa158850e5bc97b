"""Shares and differences with their intervals."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist, fmean, mean, stdev

LEVEL = 0.95
"""Of every interval."""
_RESAMPLES = 10_000
_SEED = 1
"""Of resampling: the same trials have the same intervals."""
_NORMAL = NormalDist()
_Z = _NORMAL.inv_cdf((1 + LEVEL) / 2)


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
        share, scale = successes / trials, 1 + _Z**2 / trials
        centre = (share + _Z**2 / (2 * trials)) / scale
        half = _Z * math.sqrt(share * (1 - share) / trials + (_Z / trials) ** 2 / 4) / scale
        return cls(
            successes=successes,
            trials=trials,
            interval=Interval(
                centre - half if successes else 0.0, centre + half if successes < trials else 1.0
            ),
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
    """Of the mean over tasks, by the accelerated bootstrap (Efron's BCa)."""
    if len(set(values)) < 2:  # there is nothing to resample
        return Interval(values[0], values[0])
    random, count, average = Random(_SEED), len(values), fmean(values)  # noqa: S311 - no secret
    means = sorted(fmean(random.choices(values, k=count)) for _ in range(_RESAMPLES))
    share_below = (bisect_left(means, average) + bisect_right(means, average)) / 2 / _RESAMPLES
    bias = _NORMAL.inv_cdf(min(max(share_below, 1 / _RESAMPLES), 1 - 1 / _RESAMPLES))
    # How the mean moves where one value is left out: its skewness is the acceleration.
    moves = [(value - average) / (count - 1) for value in values]
    skewness = sum(move**3 for move in moves) / (6 * sum(move**2 for move in moves) ** 1.5)

    def bound(z: float) -> float:
        part = _NORMAL.cdf(bias + (bias + z) / (1 - skewness * (bias + z)))
        return means[min(int(part * _RESAMPLES), _RESAMPLES - 1)]

    return Interval(bound(-_Z), bound(_Z))


def mcnemar(only_first: int, only_second: int) -> float:
    """How likely as uneven a split of the tasks that one alone succeeds at is by chance: exact."""
    discordant = only_first + only_second
    tail = sum(math.comb(discordant, fewer) for fewer in range(min(only_first, only_second) + 1))
    return min(1.0, 2 * tail / (1 << discordant))
