"""Two benchmarks over the same tasks: whether one is really better."""

from collections.abc import Sequence
from dataclasses import dataclass

from appliance.benchmark.statistics import Interval, Rate, bca, mcnemar
from appliance.benchmark.summary import outcomes_of
from appliance.benchmark.trials import BenchmarkResult
from appliance.core.errors import SetupError


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Shares are 0..1; the difference is that of the second over the first."""

    first: str
    second: str
    tasks: int
    """That both tried in every run."""
    pass_first: float
    pass_second: float
    difference: float
    interval: Interval
    """Of the difference, by the paired bootstrap over tasks (BCa)."""
    only_first: int
    """Tasks that the first alone succeeds at, in most of its runs."""
    only_second: int
    p_value: float
    """McNemar's exact test over those."""

    @property
    def is_real(self) -> bool:
        """Whether the interval leaves out no difference at all."""
        return not self.interval.low <= 0 <= self.interval.high

    @property
    def sentence(self) -> str:
        """Whether the difference is real."""
        points = f"{abs(100 * self.difference):.1f} points"
        bounds = f"95 % interval {100 * self.interval.low:+.1f} to {100 * self.interval.high:+.1f}"
        if not self.is_real:
            return (
                f"No real difference is shown: {self.second} is {100 * self.difference:+.1f} points"
                f" from {self.first}, and the {bounds} has 0 in it ({self.tasks} tasks)."
            )
        word = "better" if self.difference > 0 else "worse"
        return (
            f"The difference is real: {self.second} is {points} {word} than {self.first}"
            f" ({bounds}, {self.tasks} tasks)."
        )


def compare(first: BenchmarkResult, second: BenchmarkResult) -> Comparison:
    """Compare two benchmarks task by task.

    Raises:
        SetupError: They are of different suites or versions, or have no task in common.
    """
    if first.setup.suite != second.setup.suite:
        raise SetupError(
            f"{first.id} is of suite {first.setup.suite}, {second.id} of {second.setup.suite}"
        )
    if first.setup.suite_version != second.setup.suite_version:
        raise SetupError(
            f"{first.id} is of version {first.setup.suite_version} of the suite, {second.id} of"
            f" {second.setup.suite_version}: their tasks differ. Run the older one again."
        )
    first_outcomes, second_outcomes = outcomes_of(first), outcomes_of(second)
    tasks = [task for task in first_outcomes if task in second_outcomes]
    if not tasks:
        raise SetupError(f"{first.id} and {second.id} have no task in common that is done")
    first_shares = [sum(first_outcomes[task]) / len(first_outcomes[task]) for task in tasks]
    second_shares = [sum(second_outcomes[task]) / len(second_outcomes[task]) for task in tasks]
    differences = [y - x for x, y in zip(first_shares, second_shares, strict=True)]
    majority = [(x > 1 / 2, y > 1 / 2) for x, y in zip(first_shares, second_shares, strict=True)]
    only_first = sum(x and not y for x, y in majority)
    only_second = sum(y and not x for x, y in majority)
    return Comparison(
        first=first.id,
        second=second.id,
        tasks=len(tasks),
        pass_first=sum(first_shares) / len(first_shares),
        pass_second=sum(second_shares) / len(second_shares),
        difference=sum(differences) / len(differences),
        interval=_interval(differences),
        only_first=only_first,
        only_second=only_second,
        p_value=mcnemar(only_first, only_second),
    )


def _interval(differences: Sequence[float]) -> Interval:
    """BCa, but where all tasks differ alike: resampling would say that this is certain."""
    if len(set(differences)) > 1:
        return bca(differences)
    tasks = len(differences)
    differing_share = (
        1 - Rate.counted(tasks, tasks).interval.low
    )  # the share that may differ otherwise
    difference = differences[0]
    return Interval(max(-1.0, difference - differing_share), min(1.0, difference + differing_share))
