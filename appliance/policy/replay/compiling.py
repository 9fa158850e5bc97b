"""Compiles the turns of a verified attempt into a recipe; in case of doubt, into none."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.page import Element, Observation, Performed
from appliance.core.procedure import text_hash
from appliance.core.secrets import without_secrets
from appliance.core.verdict import StepStatus
from appliance.policy.base import Decision, StepReport, Task
from appliance.policy.replay.policy import bindings_of
from appliance.policy.replay.recipe import VERSION, Move, Recipe, Stage
from appliance.policy.replay.skeleton import Row, Skeleton, skeleton
from appliance.policy.replay.target import Target, find, target_of
from appliance.policy.replay.wording import Wording

_REPLAYABLE = (
    actions.Click, actions.Type, actions.Select, actions.Check, actions.Upload, actions.Press,
    actions.Hover, actions.Drag, actions.GoBack, actions.Complete,
)  # fmt: skip
"""Actions that can be replayed; those on tabs, addresses and folded rows depend on changing ids."""
_ACCEPTED_STATUSES = frozenset({StepStatus.AS_WRITTEN, StepStatus.SKIPPED})


class RecordedTurn(NamedTuple):
    """One turn of an attempt: the page, the decision made on it, and what came of it."""

    view: Observation
    decision: Decision
    performed: Performed | None


class NotCompiledError(Exception):
    """Why no recipe can be made of an attempt."""


def compile_recipe(task: Task, turns: Sequence[RecordedTurn], *, locale: str, tier: str) -> Recipe:
    """The recipe of an attempt that verified its procedure.

    Raises:
        NotCompiledError: It cannot be done again without a reader.
    """
    wording = Wording(task)
    stages, pending = list[Stage](), list[RecordedTurn]()
    known_notices, known_entries = frozenset[str](), frozenset[Row]()
    for turn in turns:
        _check(turn)
        pending.append(turn)
        if not isinstance(turn.decision.action, actions.Wait):
            skeletons = [skeleton(turn.view, wording) for turn in pending]
            if not stages:  # of what was before, a log shows as much as it has room for
                known_entries = frozenset(row for row in skeletons[-1].rows if row.is_log)
            stages.append(_stage(pending, skeletons, known_notices, known_entries, wording))
            known_notices = skeletons[-1].notices
            pending = []
    if pending or not stages or not stages[-1].move.is_last:
        raise NotCompiledError("it did not come to the end of the text")
    recipe = Recipe(
        version=VERSION,
        procedure_id=task.procedure.id,
        text_hash=text_hash(task.procedure),
        locale=locale,
        tier=tier,
        bindings=bindings_of(wording),
        stages=tuple(stages),
    )
    if without_secrets(text := recipe.to_json()) != text:
        raise NotCompiledError("a page shows a secret")
    return recipe


def _check(turn: RecordedTurn) -> None:
    decision, action = turn.decision, turn.decision.action
    if decision.divergences or any(r.status not in _ACCEPTED_STATUSES for r in decision.reports):
        raise NotCompiledError("a step did not go as written")
    if decision.is_detour:
        raise NotCompiledError("it went another way than the text says")
    if turn.performed is not None and not turn.performed.ok:
        raise NotCompiledError(f"an action failed: {turn.performed.error}")
    if isinstance(action, actions.ClickAt):
        raise NotCompiledError("a place was clicked, not an element")
    if not isinstance(action, (*_REPLAYABLE, actions.Wait)):
        raise NotCompiledError(f"{action.kind} is not done again")


def _stage(
    turns: Sequence[RecordedTurn],
    skeletons: Sequence[Skeleton],
    known_notices: frozenset[str],
    known_entries: frozenset[Row],
    wording: Wording,
) -> Stage:
    notices = frozenset[str]().union(*(skeleton.notices for skeleton in skeletons)) - known_notices
    events = frozenset[str]().union(*(skeleton.events for skeleton in skeletons))
    seen = frozenset[str]().union(*(skeleton.seen for skeleton in skeletons))
    return Stage(
        page=skeletons[-1].lines,
        rows=tuple(row for row in skeletons[-1].rows if row not in known_entries),
        notices=tuple(sorted(notices)),
        events=tuple(sorted(events)),
        seen=tuple(sorted(seen)),
        waited_s=sum(float(t.decision.action.argument) for t in turns[:-1]),
        move=_move(turns, wording),
    )


def _move(turns: Sequence[RecordedTurn], wording: Wording) -> Move:
    view, decision = turns[-1].view, turns[-1].decision
    action = decision.action
    return Move(
        kind=action.kind,
        target=_target(action.element, view, wording),
        to=_target(action.to, view, wording) if isinstance(action, actions.Drag) else None,
        text=_text(action, view, wording),
        checked=not isinstance(action, actions.Check) or action.checked,
        step=decision.step,
        thought=wording.note(decision.thought),
        reports=tuple(
            _as_template(report, wording) for turn in turns for report in turn.decision.reports
        ),
        checks=tuple(
            replace(check, reason=wording.note(check.reason))
            for turn in turns
            for check in turn.decision.checks
        ),
    )


def _target(number: int | None, view: Observation, wording: Wording) -> Target | None:
    if number is None:
        return None
    element = view.element(number)
    if element is None:
        raise NotCompiledError("what was used was not on the page")
    target = target_of(element, wording)
    if find(target, view, wording) is not element:
        raise NotCompiledError(f"{_name(element)} is like another on its page")
    return target


def _text(action: Action, view: Observation, wording: Wording) -> str:
    if isinstance(action, actions.Complete):
        return wording.note(action.seen)
    text = "" if isinstance(action, actions.Check) else action.argument
    template = wording.template(text)
    if template is None or wording.fill(template) != text:
        raise NotCompiledError("what was entered is of that attempt alone")
    element = None if action.element is None else view.element(action.element)
    is_secret = element is not None and element.type == "password"
    if template and is_secret and not wording.is_one_value(template):
        raise NotCompiledError("a secret was entered")
    return template


def _as_template(report: StepReport, wording: Wording) -> StepReport:
    return replace(report, note=wording.note(report.note))


def _name(element: Element) -> str:
    return f'{element.role} "{element.name}"'
