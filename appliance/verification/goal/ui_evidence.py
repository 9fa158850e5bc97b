"""Judges the goal by the pages themselves: the weakest channel, but always available."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from appliance.core import actions
from appliance.core.actions import Action, ActionKind
from appliance.core.page import Element, Observation, TextBlock, TextKind
from appliance.core.result import ChannelResult
from appliance.core.verdict import GoalChannel, StepStatus
from appliance.language import verbs
from appliance.language.harm_words import ACTING_ADDRESS
from appliance.language.names import plain, says_change, verb_of, verb_of_task
from appliance.policy.base import StepReport
from appliance.policy.literal import does_something, is_search, is_unchanged
from appliance.verification.trajectory import StopReason, Trajectory, Turn

_ACTING_KINDS = frozenset(
    {
        ActionKind.CLICK,
        ActionKind.CHECK,
        ActionKind.SELECT,
        ActionKind.TYPE,
        ActionKind.UPLOAD,
        ActionKind.PRESS,
        ActionKind.DRAG,
    }
)
"""Actions that may change something; others only look or navigate."""
_QUOTA = re.compile(r"quota|limit exceeded|配额", re.IGNORECASE)


_EDIT_VERBS = frozenset(map(verb_of, verbs.EDITS.both))
_FORM_VERBS = frozenset(map(verb_of, (verbs.EDITS + verbs.SAVES).both))


def ui_evidence(trajectory: Trajectory, title: str = "") -> ChannelResult:
    """Say whether the goal was reached, from messages, errors and what was left open.

    Args:
        trajectory: What was done.
        title: The procedure's title; what it says is created or changed takes an action.
    """
    reached, reason = _judge(trajectory)
    if reached and says_change(title) and not has_changed(trajectory):
        reached, reason = None, "nothing was sent, and the title says that something is changed"
    if reached and says_change(title) and (button := _unpressed_button(trajectory)):
        reached, reason = None, f'"{button.name}" was not clicked after the form was filled in'
    if reached and verb_of_task(title) in _EDIT_VERBS and not _has_edited(trajectory):
        reached = None
        reason = "nothing was entered or chosen, and the title says that something is changed"
    return ChannelResult(channel=GoalChannel.UI, reached=reached, reason=reason)


def quota_message(trajectory: Trajectory) -> str | None:
    """The message of an exhausted quota, where one was shown."""
    for turn in trajectory.turns:
        for error in _errors(turn):
            if _QUOTA.search(error.text):
                return error.text
    return None


def last_error(trajectory: Trajectory) -> str | None:
    """The error on the last pages, except errors that were shown before the first change."""
    change_turns = (
        index for index, turn in enumerate(trajectory.turns, start=1) if _may_change(turn)
    )
    earlier_turns = trajectory.turns[: next(change_turns, 0)]
    earlier_errors = {text.text for turn in earlier_turns for text in _errors(turn)}
    last_turns = trajectory.turns[-1:]
    open_dialogs = (None, *(dialog for turn in last_turns for dialog in turn.view.dialogs))
    for turn in reversed(trajectory.turns[-3:]):
        for text in _errors(turn):
            # what a dialog says while it closes, with its fields emptied, is no error
            if text.text not in earlier_errors and text.dialog in open_dialogs:
                return text.text
    return None


def _errors(turn: Turn) -> Iterator[TextBlock]:
    for text in turn.view.texts:
        if (text.kind is TextKind.ERROR or text.tone == "error") and text.text.strip():
            yield text


def has_acted(trajectory: Trajectory) -> bool:
    """Whether any action that did more than look succeeded."""
    return any(_had_effect(turn, next_turn) for turn, next_turn in _with_next(trajectory))


def _judge(trajectory: Trajectory) -> tuple[bool | None, str]:
    if trajectory.stop is not StopReason.ANSWERED or not trajectory.turns:
        return False, f"the attempt ended early ({trajectory.stop})"
    if error := last_error(trajectory):
        return False, f'the console shows the error "{error}"'
    if not has_acted(trajectory):
        return None, "nothing was done on the pages: no step was carried out by an action"
    final = trajectory.turns[-1].view
    last_success, message = _last_success(trajectory)
    is_success_reported = bool(message) and last_success > _last_change_turn(trajectory)
    # a dialog that goes slowly is there still when its success is told
    if final.dialogs and not is_success_reported and _is_left_unsent(trajectory, final.dialogs[-1]):
        return False, f'the dialog "{final.dialogs[-1]}" is still open at the end'
    if failed_step := failed_after(trajectory, last_success):
        return (
            False,
            f"step {failed_step} could not be carried out, and no message of success followed",
        )
    if message:
        return True, f'the console says "{message}"'
    return _judge_without_message(trajectory)


def _judge_without_message(trajectory: Trajectory) -> tuple[bool | None, str]:
    """Judge an attempt that ended without an error and without a message of success."""
    final = trajectory.turns[-1].view
    if refused := _refused_field(trajectory):
        return None, f'"{refused.name}" was not accepted: {refused.error}'
    typed = [turn for turn in trajectory.turns if isinstance(turn.decision.action, actions.Type)]
    shown_values = [value for turn in typed if (value := _value_shown_since(turn, final))]
    if shown_values:
        return True, f'"{shown_values[-1]}" is shown at the end'
    if not typed and (incomplete := _first_incomplete(trajectory)):
        return None, f"step {incomplete.step} was not carried out: {incomplete.note}"
    if not typed:
        return True, "every step could be carried out, and nothing was to be entered"
    return None, "no message and no entry in a list says whether the goal was reached"


def _value_shown_since(turn: Turn, final: Observation) -> str:
    """What the turn typed, where the last page shows it in a text that was not there before."""
    value, earlier_texts = turn.decision.action.argument, {t.text for t in turn.view.texts}
    is_shown = any(value in t.text and t.text not in earlier_texts for t in final.texts)
    return value if value and is_shown else ""


def _refused_field(trajectory: Trajectory) -> Element | None:
    """A field marked as wrong on the page that the attempt ended on, when it was sent last."""
    last = trajectory.turns[-2] if len(trajectory.turns) > 1 else None
    if last is None or last.element is None or not last.element.is_submit:
        return None
    return next((e for e in trajectory.turns[-1].view.elements if e.error), None)


def _unpressed_button(trajectory: Trajectory) -> Element | None:
    """What would send the form of the last page, where an entry in it was the last act."""
    acts = [turn for turn in trajectory.turns if turn.decision.action.kind in _ACTING_KINDS]
    last, final = (acts[-1] if acts else None), trajectory.turns[-1].view
    if last is None or last.element is None or last.view.url != final.url:
        return None
    if not _is_input(last.decision.action, last.element):
        return None
    form = [e for e in final.elements if e.dialog == last.element.dialog and e.row is None]
    return next((e for e in form if e.role == "button" and _sends_form(e)), None)


def _sends_form(e: Element) -> bool:
    return e.is_submit and (plain(e.name) in verbs.SAVES.both or verb_of(e.name) in _FORM_VERBS)


def _first_incomplete(trajectory: Trajectory) -> StepReport | None:
    """The first step that was not done completely or not reached."""
    failed = (StepStatus.STUCK, StepStatus.UNREACHED)
    incomplete = (r for r in trajectory.reports() if r.status in failed or r.is_open)
    return next(incomplete, None)


def _had_effect(turn: Turn, next_turn: Turn | None) -> bool:
    """Whether the action did more than look and the page changed."""
    succeeded = turn.performed is not None and turn.performed.ok
    if not succeeded or turn.decision.action.kind not in _ACTING_KINDS or turn.decision.is_search:
        return False  # what was opened in search of the beginning is no step of the text
    return next_turn is None or not is_unchanged(turn.view, next_turn.view)


def _with_next(trajectory: Trajectory) -> Iterator[tuple[Turn, Turn | None]]:
    return zip_longest(trajectory.turns, trajectory.turns[1:])


def _last_success(trajectory: Trajectory) -> tuple[int, str]:
    """The turn that first showed the newest message of success, and its words; -1 for none.

    What stood there before anything was done is about something else.
    """
    newest, earlier_texts = (-1, ""), {t.text for t in trajectory.turns[0].view.notices("success")}
    for index, turn in enumerate(trajectory.turns[1:], start=1):
        notices = [t.text for t in turn.view.notices("success")]
        if new_texts := [t for t in notices if t not in earlier_texts]:
            newest = (index, new_texts[-1])
        earlier_texts = set(notices)
    return newest


def _last_change_turn(trajectory: Trajectory) -> int:
    """The last turn in which something may have been changed; -1 for none."""
    return max((n for n, turn in enumerate(trajectory.turns) if _may_change(turn)), default=-1)


def _is_left_unsent(trajectory: Trajectory, dialog: str) -> bool:
    """Whether the dialog open at the end asks something or holds unsent input.

    One that has a list is a page of its own, and stays open for the next thing.
    """
    final = trajectory.turns[-1].view
    if not any(text.row and text.dialog == dialog for text in final.texts):
        return True
    is_entered = False
    for turn in trajectory.turns:
        action, element = turn.decision.action, turn.element
        if element is not None and element.dialog == dialog:
            is_sent = isinstance(action, actions.Click) and element.is_submit
            is_entered = not is_sent and (is_entered or _is_input(action, element))
    return is_entered


def _is_input(action: Action, element: Element) -> bool:
    return isinstance(action, actions.Type | actions.Select | actions.Check | actions.Upload) and (
        not is_search(element)
    )


def failed_after(trajectory: Trajectory, turn: int) -> str | None:
    """The first step that failed from a turn on; None if none did."""
    failed = (StepStatus.STUCK, StepStatus.UNREACHED)
    later = range(max(turn, 0), len(trajectory.turns))
    reports = (report for index in later for report in trajectory.reports_of(index))
    return next((report.step for report in reports if report.status in failed), None)


def _has_edited(trajectory: Trajectory) -> bool:
    """Whether more was done than to open a form and save it unchanged."""
    return any(
        _may_change(turn)
        and not (
            isinstance(turn.decision.action, actions.Click)
            and turn.element is not None
            and verb_of(turn.element.name) in _FORM_VERBS
        )
        for turn in trajectory.turns
    )


def has_changed(trajectory: Trajectory) -> bool:
    """Whether a successful action may have changed something in the console."""
    return any(_may_change(turn) for turn in trajectory.turns)


def _may_change(turn: Turn) -> bool:
    if turn.performed is None or not turn.performed.ok or turn.refused:
        return False
    action, element = turn.decision.action, turn.element
    match action:
        case actions.Check() | actions.Select() | actions.Upload() | actions.Drag():
            return True
        case actions.Type():
            return element is None or not is_search(element)
        case actions.Click() if element is not None:
            is_answer = element.dialog is not None and _CONFIRMS.match(element.name.strip())
            if element.role in ("link", "tab"):
                acts = is_answer or ACTING_ADDRESS.search(element.href)
                return element.role == "link" and bool(acts)
            return bool(is_answer) or does_something(element.name) or element.is_submit
        case _:
            return False


_CONFIRMS = re.compile(r"(?:yes|ok(?:ay)?|confirm)\b|确定|确认|是$", re.IGNORECASE)
"""What a dialog is told that asks whether something is to be done."""
