"""What an attempt at a task was worth: its goal, and what it said of untrue sentences."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from appliance.benchmark.by_engine import audited
from appliance.benchmark.suite import Task
from appliance.benchmark.trials import Trial
from appliance.benchmark.truth import Assessment, Untruth, match, truth_of
from appliance.core.result import ProcedureResult
from appliance.training.attempts import outcome_of
from appliance.training.phases.record import Estimate

UNTRUE, FOUND, FALSE, UNKNOWN = "untruths", "found", "false findings", "unknown"
"""Counted of a trial; `unknown`: the environment was in the way, or nobody can tell."""


def labelled(task: Task, run: int, result: ProcedureResult) -> Trial:
    """A trial by the audit rules, with what was found of what is known to be untrue."""
    trial = audited(task, run, result)
    counts = {UNKNOWN: int(outcome_of(result)[0] is None)}
    truth = known_truth(task)
    if truth is not None:
        matches = match([one for one in result.findings if one.is_sure], truth)
        said = [one.assessment for one in matches]
        counts[UNTRUE] = sum(not one.is_optional for one in truth)
        counts[FOUND] = sum(
            one.assessment is Assessment.FOUND and not (one.untruth and one.untruth.is_optional)
            for one in matches
        )
        counts[FALSE] = said.count(Assessment.FALSE_ALARM)
    return trial.model_copy(update={"counts": counts})


def known_truth(task: Task) -> tuple[Untruth, ...] | None:
    """What is untrue in a task's text; None: its lines are not those of a document."""
    truth = truth_of(task.release, task.drift)
    if not truth:
        return ()
    if task.draft.rest == "*":
        return None
    span = task.draft.procedure.span
    return tuple(
        one
        for one in truth
        if one.document == task.draft.name and span.line <= one.line <= span.end_line
    )


def is_right(trial: Trial) -> bool:
    """Whether what is untrue was found and nothing else, and the goal reached where all is true."""
    counts = trial.counts
    if counts.get(FALSE):
        return False
    if counts.get(UNTRUE):
        return counts[FOUND] == counts[UNTRUE]
    return trial.success


def is_known(trial: Trial) -> bool:
    """Whether somebody can tell if it was got right, and nothing else was in the way."""
    return not trial.counts.get(UNKNOWN) or bool(trial.counts.get(FOUND))


def estimates(trials: Iterable[Trial]) -> Mapping[str, Estimate]:
    """By task, how often it was got right: what nobody can tell counts for nothing."""
    by_task = defaultdict[str, list[Trial]](list)
    for trial in trials:
        by_task[trial.task].append(trial)
    found = {}
    for task, of in by_task.items():
        known = list(filter(is_known, of))
        found[task] = Estimate(
            right=sum(map(is_right, known)), tried=len(known), left_out=len(of) - len(known)
        )
    return found
