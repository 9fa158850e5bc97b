"""Which of the tasks that were made are learnt from, and why the others are not."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from rapidfuzz import fuzz

from appliance.benchmark.attribution import Blame
from appliance.benchmark.suite import Task
from appliance.benchmark.trials import Trial
from appliance.config import PhaseSettings
from appliance.documents import as_yaml, plain_checks
from appliance.training.phases.record import Estimate, MadeTask


@dataclass(slots=True)
class Novelty:
    """What tasks there are, and whether another says anything new."""

    most_alike: float
    known: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)
    """Texts and ids, by release and what the rules want: with other values a task is new."""

    def add(self, task: Task) -> None:
        """It is known from now on."""
        self.known.setdefault(_wants(task), []).append((_text(task), task.id))

    def of(self, task: Task) -> str:
        """The task that it is nearly the same as; empty: it is new."""
        text, least = _text(task), 100 * self.most_alike
        for other, id_ in self.known.get(_wants(task), ()):
            if fuzz.ratio(text, other, score_cutoff=least) >= least:
                return id_
        return ""


def _wants(task: Task) -> tuple[str, str]:
    checks = plain_checks(replace(task.draft.procedure.checks, skip=None))
    return task.release, as_yaml(checks)


def _text(task: Task) -> str:
    """As it stands in its document, marks and all."""
    draft, span = task.draft, task.draft.procedure.span
    if draft.rest == "*":
        return draft.text
    return "\n".join(draft.text.split("\n")[span.line - 1 : span.end_line])


def without_repeats(
    made: Sequence[MadeTask], tasks: Mapping[str, Task], known: Iterable[Task], most_alike: float
) -> tuple[MadeTask, ...]:
    """Leave out what is nearly the same as a task that is known, or made before it."""
    novelty = Novelty(most_alike)
    for each in known:
        novelty.add(each)
    found = []
    for one in made:
        task = tasks[one.id]
        other = novelty.of(task)
        if not other:
            novelty.add(task)
        found.append(_left_out(one, f"nearly the same as {other}" if other else ""))
    return tuple(found)


def without_held_out(
    made: Sequence[MadeTask], sources: Mapping[str, str], held_out: Iterable[str]
) -> tuple[MadeTask, ...]:
    """Leave out what comes from a held-out document, or from its translation.

    Args:
        made: Tasks.
        sources: The document of each task that they were made from.
        held_out: Names of documents.
    """
    subjects = {subject(name) for name in held_out}
    return tuple(
        _left_out(
            one,
            "its document is held out"
            if any(subject(sources.get(origin, "")) in subjects for origin in one.made_from)
            else "",
        )
        for one in made
    )


def subject(document: str) -> str:
    """What a document and its translation are both called."""
    return PurePath(document).name.partition(".")[0]


def only_feasible(made: Sequence[MadeTask], trials: Iterable[Trial]) -> tuple[MadeTask, ...]:
    """Leave out what nobody can do: what is needed cannot be made, or the rules not be satisfied.

    Args:
        made: Tasks.
        trials: Of the oracle.
    """
    tried = {one.task: one for one in trials}
    return tuple(_left_out(one, _why_not(tried.get(one.id))) for one in made)


def _why_not(trial: Trial | None) -> str:
    if trial is None:
        return "the oracle did not try it"
    if trial.success:
        return ""
    is_away = trial.blame in (Blame.ENVIRONMENT, Blame.CONSOLE)
    what = "what it needs cannot be made" if is_away else "its audit rules cannot be satisfied"
    return f"{what}: {trial.reason}"


def by_success(
    made: Sequence[MadeTask], estimates: Mapping[str, Estimate], settings: PhaseSettings
) -> tuple[MadeTask, ...]:
    """Leave out what is hopeless, and what is known already."""
    found = []
    for one in made:
        estimate = estimates.get(one.id)
        measured = one.model_copy(update={"estimate": estimate})
        found.append(_left_out(measured, out_of_band(estimate, settings)))
    return tuple(found)


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


def _left_out(one: MadeTask, why: str) -> MadeTask:
    """The first reason stays."""
    return one if one.left_out else one.model_copy(update={"left_out": why})
