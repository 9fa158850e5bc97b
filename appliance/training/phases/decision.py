"""Whether a phase is better than what it began with: pass@1, and which untruths it finds."""

from collections import Counter

from appliance.benchmark.trials import BenchmarkResult
from appliance.config import PhaseSettings
from appliance.training.phases.labels import FALSE, FOUND, UNTRUE
from appliance.training.phases.record import PhaseDecision
from appliance.training.promotion import Decision


def judge_phase(
    decision: Decision, before: BenchmarkResult, after: BenchmarkResult, settings: PhaseSettings
) -> PhaseDecision:
    """What follows for the phases.

    Args:
        decision: As for any adapter: the paired interval, products, false alarms.
        before: What the phase began with, on held-out tasks.
        after: What came of it.
        settings: Of the phases.
    """
    old, new = _finding_counts(before), _finding_counts(after)
    objections = list(decision.against)
    if settings.drift_aware:
        objections += _drift_objections(old, new)
    interval = decision.comparison.interval
    is_worse = interval.high < 0
    return PhaseDecision(
        against=tuple(objections),
        sentence=decision.comparison.sentence,
        pass_before=decision.comparison.pass_first,
        pass_after=decision.comparison.pass_second,
        low=interval.low,
        high=interval.high,
        untruths=new[UNTRUE],
        found_before=old[FOUND],
        found_after=new[FOUND],
        alarms_before=old[FALSE],
        alarms_after=new[FALSE],
        stops=bool(objections) if settings.stops == "not_better" else is_worse,
        is_promoted=settings.promotes and not objections,
    )


def _drift_objections(old: Counter[str], new: Counter[str]) -> list[str]:
    if not new[UNTRUE]:
        return ["no held-out task has an untrue sentence: nothing says whether it finds more"]
    objections = []
    if new[FOUND] <= old[FOUND]:
        objections.append(
            f"it finds no more untruths: {new[FOUND]} of {new[UNTRUE]}, as {old[FOUND]}"
        )
    if new[FALSE] > old[FALSE]:
        objections.append(f"false findings rise from {old[FALSE]} to {new[FALSE]}")
    return objections


def _finding_counts(result: BenchmarkResult) -> Counter[str]:
    return sum((Counter(trial.counts) for trial in result.trials), Counter[str]())
