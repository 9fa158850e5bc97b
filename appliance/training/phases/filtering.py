"""Which of the tasks that were made are learnt from, and why the others are not."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rapidfuzz import fuzz

from appliance.benchmark.attribution import Blame
from appliance.benchmark.suite import Task
from appliance.benchmark.trials import Trial
from appliance.config import PhaseSettings
from appliance.documents import as_yaml, plain_checks
from appliance.training.dataset import subject_of
from appliance.training.phases.record import Estimate, MadeTask


@dataclass(slots=True)
class Novelty:
    """What tasks there are, and whether another says anything new."""

    most_alike: float
    known: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)
    """Texts and ids, by release and what the rules want: with other values a task is new."""

    def add(self, task: Task) -> None:
        """It is known from now on."""
        self.known.setdefault(_novelty_key(task), []).append((_text(task), task.id))

    def of(self, task: Task) -> str:
        """The task that it is nearly the same as; empty: it is new."""
        task_text, min_score = _text(task), 100 * self.most_alike
        for other, other_id in self.known.get(_novelty_key(task), ()):
            if fuzz.ratio(task_text, other, score_cutoff=min_score) >= min_score:
                return other_id
        return ""


def _novelty_key(task: Task) -> tuple[str, str]:
    checks = plain_checks(replace(task.draft.procedure.checks, skip=None))
    return task.release, as_yaml(checks)


def _text(task: Task) -> str:
    """As it stands in its document, marks and all."""
    draft, span = task.draft, task.draft.procedure.span
    if draft.rest == "*":
        return draft.text
    return "\n".join(draft.text.split("\n")[span.line - 1 : span.end_line])


def drop_repeats(
    tasks_made: Sequence[MadeTask],
    tasks: Mapping[str, Task],
    known_tasks: Iterable[Task],
    most_alike: float,
) -> tuple[MadeTask, ...]:
    """Leave out what is nearly the same as a task that is known, or made before it."""
    novelty = Novelty(most_alike)
    for known_task in known_tasks:
        novelty.add(known_task)
    filtered = []
    for made_task in tasks_made:
        task = tasks[made_task.id]
        original = novelty.of(task)
        if not original:
            novelty.add(task)
        filtered.append(_leave_out(made_task, f"nearly the same as {original}" if original else ""))
    return tuple(filtered)


def drop_held_out(
    tasks_made: Sequence[MadeTask], sources: Mapping[str, str], held_out: Iterable[str]
) -> tuple[MadeTask, ...]:
    """Leave out what comes from a held-out document, or from its translation.

    Args:
        tasks_made: Tasks.
        sources: The document of each task that they were made from.
        held_out: Names of documents.
    """
    subjects = {subject_of(name) for name in held_out}
    return tuple(
        _leave_out(
            made_task,
            "its document is held out"
            if any(
                subject_of(sources.get(origin, "")) in subjects for origin in made_task.made_from
            )
            else "",
        )
        for made_task in tasks_made
    )


def drop_infeasible(
    tasks_made: Sequence[MadeTask], trials: Iterable[Trial]
) -> tuple[MadeTask, ...]:
    """Leave out what nobody can do: what is needed cannot be made, or the rules not be satisfied.

    Args:
        tasks_made: Tasks.
        trials: Of the oracle.
    """
    trial_by_task = {trial.task: trial for trial in trials}
    return tuple(
        _leave_out(made_task, _why_not(trial_by_task.get(made_task.id))) for made_task in tasks_made
    )


def _why_not(trial: Trial | None) -> str:
    if trial is None:
        return "the oracle did not try it"
    if trial.success:
        return ""
    is_environment = trial.blame in (Blame.ENVIRONMENT, Blame.CONSOLE)
    what = (
        "what it needs cannot be made" if is_environment else "its audit rules cannot be satisfied"
    )
    return f"{what}: {trial.reason}"


def drop_by_success(
    tasks_made: Sequence[MadeTask], estimates: Mapping[str, Estimate], settings: PhaseSettings
) -> tuple[MadeTask, ...]:
    """Leave out what is hopeless, and what is known already."""
    filtered = []
    for made_task in tasks_made:
        estimate = estimates.get(made_task.id)
        measured = made_task.model_copy(update={"estimate": estimate})
        filtered.append(_leave_out(measured, out_of_band(estimate, settings)))
    return tuple(filtered)


def out_of_band(estimate: Estimate | None, settings: PhaseSettings) -> str:
    """Why a task teaches little now; empty: it is within the band, or there is none."""
    share = estimate.share if estimate else None
    if not settings.success_band:
        return ""
    if share is None:
        return "no attempt at it counts"
    if share < settings.least_success:
        return f"too hard: right in {share:.0%} of attempts"
    if share > settings.most_success:
        return f"known: right in {share:.0%} of attempts"
    return ""


def _leave_out(made_task: MadeTask, why: str) -> MadeTask:
    """The first reason stays."""
    return made_task if made_task.left_out else made_task.model_copy(update={"left_out": why})
