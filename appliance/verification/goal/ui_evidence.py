"""What the pages themselves say about the goal: the weakest channel, and always there."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from appliance.core import actions
from appliance.core.actions import Action, ActionKind
from appliance.core.page import Element, TextBlock, TextKind
from appliance.core.result import ChannelResult
from appliance.core.verdict import GoalChannel, StepStatus
from appliance.language import verbs
from appliance.language.names import deed_of_task, verb_of
from appliance.policy.base import StepReport
from appliance.policy.literal import does_something, is_search, is_unchanged
from appliance.verification.trajectory import StopReason, Trajectory, Turn

_DOES = frozenset(
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
"""Other actions only look, or go elsewhere."""
_QUOTA = re.compile(r"quota|limit exceeded|配额", re.IGNORECASE)


_CHANGES = frozenset(map(verb_of, (verbs.CREATES + verbs.DELETES + verbs.EDITS).both))


_EDITS = frozenset(map(verb_of, verbs.EDITS.both))
_OPENS_OR_SAVES = frozenset(map(verb_of, (verbs.EDITS + verbs.SAVES).both))


def ui_evidence(trajectory: Trajectory, title: str = "") -> ChannelResult:
    """Say whether the goal was reached, from messages, errors and what was left open.

    Args:
        trajectory: What was done.
        title: Of the procedure: what it says is made or changed is not there by looking.
    """
    reached, reason = _judge(trajectory)
    if reached and deed_of_task(title) in _CHANGES and not has_changed(trajectory):
        reached, reason = None, "nothing was sent, and the title says that something is changed"
    if reached and deed_of_task(title) in _EDITS and not _has_edited(trajectory):
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
    """The error that the last pages show, but what stood there before anything was changed."""
    changing = (n for n, turn in enumerate(trajectory.turns, start=1) if _changes(turn))
    before = trajectory.turns[: next(changing, 0)]
    standing = {text.text for turn in before for text in _errors(turn)}
    last = trajectory.turns[-1:]
    open_dialogs = (None, *(dialog for turn in last for dialog in turn.view.dialogs))
    for turn in reversed(trajectory.turns[-3:]):
        for text in _errors(turn):
            # what a dialog says while it closes, with its fields emptied, is no error
            if text.text not in standing and text.dialog in open_dialogs:
                return text.text
    return None


def _errors(turn: Turn) -> Iterator[TextBlock]:
    for text in turn.view.texts:
        if (text.kind is TextKind.ERROR or text.tone == "error") and text.text.strip():
            yield text


def has_acted(trajectory: Trajectory) -> bool:
    """Whether anything was done on the pages that was more than looking, and went well."""
    return any(_is_done(turn, after) for turn, after in _with_next(trajectory))


def _judge(trajectory: Trajectory) -> tuple[bool | None, str]:
    if trajectory.stop is not StopReason.ANSWERED or not trajectory.turns:
        return False, f"the attempt ended early ({trajectory.stop})"
    if error := last_error(trajectory):
        return False, f'the console shows the error "{error}"'
    if not has_acted(trajectory):
        return None, "nothing was done on the pages: no step was carried out by an action"
    final = trajectory.turns[-1].view
    last_success, message = _last_success(trajectory)
    is_told = bool(message) and last_success > _last_changing(trajectory)
    # a dialog that goes slowly is there still when its success is told
    if final.dialogs and not is_told and _is_left_unsent(trajectory, final.dialogs[-1]):
        return False, f'the dialog "{final.dialogs[-1]}" is still open at the end'
    if stuck := failed_after(trajectory, last_success):
        return False, f"step {stuck} could not be carried out, and no message of success followed"
    if message:
        return True, f'the console says "{message}"'
    typed = [
        a.text for a in (t.decision.action for t in trajectory.turns) if isinstance(a, actions.Type)
    ]
    shown = [v for v in typed if v and any(v in x.text for x in final.texts)]
    if shown:
        return True, f'"{shown[-1]}" is shown at the end'
    if not typed and (left := _left_out(trajectory)):
        return None, f"step {left.step} was not carried out: {left.note}"
    if not typed:
        return True, "every step could be carried out, and nothing was to be entered"
    return None, "no message and no entry in a list says whether the goal was reached"


def _left_out(trajectory: Trajectory) -> StepReport | None:
    """The first step of which a part was not done, or not reached."""
    bad = (StepStatus.STUCK, StepStatus.UNREACHED)
    left = (r for r in trajectory.reports() if r.status in bad or r.is_open)
    return next(left, None)


def _is_done(turn: Turn, after: Turn | None) -> bool:
    """Whether it was more than looking, and the page is not as it was before."""
    is_well = turn.performed is not None and turn.performed.ok
    if not is_well or turn.decision.action.kind not in _DOES or turn.decision.is_search:
        return False  # what was opened in search of the beginning is no step of the text
    return after is None or not is_unchanged(turn.view, after.view)


def _with_next(trajectory: Trajectory) -> Iterator[tuple[Turn, Turn | None]]:
    return zip_longest(trajectory.turns, trajectory.turns[1:])


def _last_success(trajectory: Trajectory) -> tuple[int, str]:
    """The turn that first showed the newest message of success, and its words; -1 for none.

    What stood there before anything was done is about something else.
    """
    newest, before = (-1, ""), {t.text for t in trajectory.turns[0].view.notices("success")}
    for n, turn in enumerate(trajectory.turns[1:], start=1):
        notices = [t.text for t in turn.view.notices("success")]
        if fresh := [t for t in notices if t not in before]:
            newest = (n, fresh[-1])
        before = set(notices)
    return newest


def _last_changing(trajectory: Trajectory) -> int:
    """The last turn in which something may have been changed; -1 for none."""
    return max((n for n, turn in enumerate(trajectory.turns) if _changes(turn)), default=-1)


def _is_left_unsent(trajectory: Trajectory, dialog: str) -> bool:
    """Whether the dialog at the end asks, or holds what was entered and not sent.

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
            is_entered = not is_sent and (is_entered or _enters(action, element))
    return is_entered


def _enters(action: Action, element: Element) -> bool:
    return isinstance(action, actions.Type | actions.Select | actions.Check | actions.Upload) and (
        not is_search(element)
    )


def failed_after(trajectory: Trajectory, turn: int) -> str | None:
    """The first step that could not be carried out, from a turn on; None: all could."""
    bad = (StepStatus.STUCK, StepStatus.UNREACHED)
    later = range(max(turn, 0), len(trajectory.turns))
    reports = (report for n in later for report in trajectory.reports_of(n))
    return next((report.step for report in reports if report.status in bad), None)


def _has_edited(trajectory: Trajectory) -> bool:
    """Whether more was done than a form opened, and saved as it was."""
    return any(
        _changes(turn)
        and not (
            isinstance(turn.decision.action, actions.Click)
            and turn.element is not None
            and verb_of(turn.element.name) in _OPENS_OR_SAVES
        )
        for turn in trajectory.turns
    )


def has_changed(trajectory: Trajectory) -> bool:
    """Whether an action that went well may have changed something in the console."""
    return any(_changes(turn) for turn in trajectory.turns)


def _changes(turn: Turn) -> bool:
    if turn.performed is None or not turn.performed.ok or turn.refused:
        return False
    action, element = turn.decision.action, turn.element
    match action:
        case actions.Check() | actions.Select() | actions.Upload() | actions.Drag():
            return True
        case actions.Type():
            return element is None or not is_search(element)
        case actions.Click():
            is_known = element is not None and element.role not in ("link", "tab")
            does = element is not None and does_something(element.name)
            return is_known and (does or (element is not None and element.is_submit))
        case _:
            return False
