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


def labelled_trial(task: Task, run: int, result: ProcedureResult) -> Trial:
    """A trial by the audit rules, with what was found of what is known to be untrue."""
    trial = audited(task, run, result)
    counts = {UNKNOWN: int(outcome_of(result)[0] is None)}
    truth = known_truth(task)
    if truth is not None:
        matches = match([finding for finding in result.findings if finding.is_sure], truth)
        assessments = [match_.assessment for match_ in matches]
        counts[UNTRUE] = sum(not untruth.is_optional for untruth in truth)
        counts[FOUND] = sum(
            match_.assessment is Assessment.FOUND
            and not (match_.untruth and match_.untruth.is_optional)
            for match_ in matches
        )
        counts[FALSE] = assessments.count(Assessment.FALSE_ALARM)
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
        untruth
        for untruth in truth
        if untruth.document == task.draft.name and span.line <= untruth.line <= span.end_line
    )


def is_right(trial: Trial) -> bool:
    """Whether what is untrue was found and nothing else, and the goal reached where all is true."""
    counts = trial.counts
    if counts.get(FALSE):
        return False
    if counts.get(UNTRUE):
        return counts[FOUND] == counts[UNTRUE]
    return trial.success


def is_decided(trial: Trial) -> bool:
    """Whether somebody can tell if it was got right, and nothing else was in the way."""
    return not trial.counts.get(UNKNOWN) or bool(trial.counts.get(FOUND))


def estimates(trials: Iterable[Trial]) -> Mapping[str, Estimate]:
    """By task, how often it was got right: what nobody can tell counts for nothing."""
    by_task = defaultdict[str, list[Trial]](list)
    for trial in trials:
        by_task[trial.task].append(trial)
    by_id = {}
    for task, task_trials in by_task.items():
        decided = list(filter(is_decided, task_trials))
        by_id[task] = Estimate(
            right=sum(map(is_right, decided)),
            tried=len(decided),
            left_out=len(task_trials) - len(decided),
        )
    return by_id
