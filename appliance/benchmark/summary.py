"""The figures of one benchmark."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from appliance.benchmark.statistics import Interval, Rate, bca, mean_and_deviation, pass_at_k
from appliance.benchmark.trials import BenchmarkResult, Trial

_NEEDS = {None: "", True: "something", False: "nothing"}
_GROUPS: tuple[tuple[str, Callable[[Trial], str]], ...] = (
    ("level", lambda trial: trial.level or ""),
    ("release", lambda trial: trial.release),
    ("language", lambda trial: trial.language),
    ("split", lambda trial: trial.split or ""),
    ("product", lambda trial: trial.product),
    ("way", lambda trial: trial.way),
    ("needs", lambda trial: _NEEDS[trial.needs]),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """The trials that have something in common."""

    name: str
    value: str
    tasks: int
    rate: Rate
    """Of its trials of all runs."""
    seconds: float
    """Median of a trial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """How often somebody is right of labelled attempts."""

    who: str
    rate: Rate
    """Of all attempts; who cannot tell is not right."""
    wrong_yes: int
    """Said to have reached the goal, and had not."""
    wrong_no: int
    undecided: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a benchmark says."""

    tasks: int
    """Tried in every run."""
    runs: int
    pass_at_1: float
    deviation: float
    """Of pass@1 over runs."""
    interval: Interval
    """Of pass@1 over tasks."""
    pass_at_k: tuple[float, ...]
    """From pass@1 to pass@runs."""
    groups: tuple[GroupRow, ...]
    said: tuple[Accuracy, ...]
    """Of labelled attempts: how often each channel is right; empty: there are none."""
    failures: tuple[tuple[str, str, int], ...]
    """Blame, shape, how many trials; the most frequent first."""
    counts: dict[str, int]
    """Sums of what trials count beside their success."""
    tasks_per_minute: float
    """Between beginning and end; 0 where it is not over, or went on after an interruption."""
    tokens: float
    """A trial, in the mean."""
    model_s: float
    browser_s: float
    """Seconds, both the same way."""
    resource_cost: float
    """All together."""

    @property
    def costs(self) -> dict[str, float]:
        """What a trial took, in the mean; nothing of what nobody took."""
        costs = {
            "tokens a trial": self.tokens,
            "seconds of models a trial": self.model_s,
            "seconds of the browser a trial": self.browser_s,
            "resource cost": self.resource_cost,
        }
        return {name: value for name, value in costs.items() if value}

    @property
    def figures(self) -> dict[str, float]:
        """The chief ones."""
        return {
            "pass_at_1": self.pass_at_1,
            "deviation": self.deviation,
            "low": self.interval.low,
            "high": self.interval.high,
            f"pass_at_{self.runs}": self.pass_at_k[-1],
            "trials_per_minute": self.tasks_per_minute,
        }


def outcomes_of(result: BenchmarkResult) -> dict[str, tuple[bool, ...]]:
    """Of each task that was tried in every run, whether it succeeded, run by run."""
    by_task: dict[str, dict[int, bool]] = {}
    for trial in result.trials:
        by_task.setdefault(trial.task, {})[trial.run] = trial.success
    runs = range(1, result.setup.runs + 1)
    return {
        task: tuple(by_run[run] for run in runs)
        for task, by_run in by_task.items()
        if len(by_run) == len(runs)
    }


def summarise(result: BenchmarkResult) -> Summary:
    """Add up; tasks that were not tried in every run yet count in groups only."""
    outcomes = outcomes_of(result)
    runs = result.setup.runs
    by_run = [
        sum(trials[run_index] for trials in outcomes.values()) / len(outcomes) if outcomes else 0.0
        for run_index in range(runs)
    ]
    average, deviation = mean_and_deviation(by_run)
    shares = [sum(trials) / runs for trials in outcomes.values()]
    failures = Counter((trial.blame, trial.shape or "") for trial in result.trials if trial.blame)
    trials = result.trials
    return Summary(
        tasks=len(outcomes),
        runs=runs,
        pass_at_1=average,
        deviation=deviation,
        interval=_interval(shares),
        pass_at_k=tuple(
            pass_at_k(list(outcomes.values()), k) if outcomes else 0.0 for k in range(1, runs + 1)
        ),
        groups=tuple(_groups(trials)),
        said=tuple(_accuracies(trials)),
        failures=tuple((*pair, number) for pair, number in failures.most_common()),
        counts=dict(sum((Counter(t.counts) for t in trials), Counter())),
        tasks_per_minute=_pace(result),
        tokens=fmean(t.cost.tokens for t in trials) if trials else 0.0,
        model_s=fmean(t.cost.model_s for t in trials) if trials else 0.0,
        browser_s=fmean(t.cost.browser_s for t in trials) if trials else 0.0,
        resource_cost=sum(t.cost.resource_cost for t in trials),
    )


def _accuracies(trials: Sequence[Trial]) -> Iterator[Accuracy]:
    labelled = [trial for trial in trials if trial.label is not None]
    for who in dict.fromkeys(who for trial in labelled for who in trial.said):
        answers = [(trial.said.get(who), trial.label) for trial in labelled]
        yield Accuracy(
            who=who,
            rate=Rate.of([answer is label for answer, label in answers]),
            wrong_yes=sum(answer is True and label is False for answer, label in answers),
            wrong_no=sum(answer is False and label is True for answer, label in answers),
            undecided=sum(answer is None for answer, _ in answers),
        )


def _interval(shares: Sequence[float]) -> Interval:
    """BCa, but where all tasks fail or succeed: resampling would say that this is certain."""
    if set(shares) <= {0.0} or set(shares) <= {1.0}:
        return Rate.of([share == 1 for share in shares]).interval
    return bca(shares)


def _groups(trials: Sequence[Trial]) -> list[GroupRow]:
    rows = []
    for name, value_of in _GROUPS:
        for value in sorted({value_of(trial) for trial in trials} - {""}):
            group = [trial for trial in trials if value_of(trial) == value]
            seconds = sorted(trial.cost.wall_s for trial in group)
            rows.append(
                GroupRow(
                    name=name,
                    value=str(value),
                    tasks=len({trial.task for trial in group}),
                    rate=Rate.of([trial.success for trial in group]),
                    seconds=seconds[len(seconds) // 2],
                )
            )
    return rows


def _pace(result: BenchmarkResult) -> float:
    if result.ended_at is None or result.was_interrupted:
        return 0.0
    minutes = (result.ended_at - result.started_at).total_seconds() / 60
    return len(result.trials) / minutes if minutes else 0.0
