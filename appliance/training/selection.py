"""Which attempts, and which of their turns, are worth learning from."""

from collections.abc import Sequence
from enum import StrEnum

from appliance.core.actions import ActionKind
from appliance.core.verdict import Verdict
from appliance.store.demonstrations import JudgedDemonstration
from appliance.verification import Moment, StopReason


class Dropped(StrEnum):
    """Why something is left out, as the card counts it."""

    UNDECIDED = "the verdict is undecided"
    BLOCKED = "the environment was in the way"
    NOT_ENDED = "the attempt did not come to its end"
    NO_WITNESS = "nobody but the page says that the goal was reached"
    NOT_REACHED = "the goal was not reached"
    REJECTED = "people rejected what it found"
    UNCONFIRMED = "nobody confirmed what it found"
    GONE = "what it saw is not kept any more"
    FAILED = "the action failed, or was refused"
    NO_EFFECT = "the action changed nothing"
    LOOP = "the attempt came back to the same page for the same step"
    WAITING = "it only waited"


_READ_ONLY_ACTIONS = frozenset({ActionKind.COMPLETE, ActionKind.UNACHIEVABLE, ActionKind.UNFOLD})
"""What is right without changing the page."""


def why_not_attempt(judged: JudgedDemonstration) -> Dropped | None:
    """Why an attempt is left out; None: it is kept.

    Kept is what reached its goal by the word of somebody who is no part of the page, and what found
    an untruth that people confirmed. What nobody is sure of teaches nothing.
    """
    row = judged.row
    match judged.verdict:
        case Verdict.UNDECIDED:
            return Dropped.UNDECIDED
        case Verdict.BLOCKED:
            return Dropped.BLOCKED
    if judged.rejected:
        return Dropped.REJECTED
    if judged.verdict is Verdict.BROKEN:
        return None if judged.confirmed else Dropped.UNCONFIRMED
    if row.stop != StopReason.ANSWERED:
        return Dropped.NOT_ENDED
    if not row.reached:
        return Dropped.NOT_REACHED
    return None if row.has_witness else Dropped.NO_WITNESS


def why_not_moments(moments: Sequence[Moment]) -> list[Dropped | None]:
    """For each turn why it is left out; None: it is kept."""
    looped_turns = _looped_turns(moments)
    return [
        Dropped.LOOP
        if turn in looped_turns
        else _why_not_moment(moment, moments[turn + 1 : turn + 2])
        for turn, moment in enumerate(moments)
    ]


def _why_not_moment(moment: Moment, after: Sequence[Moment]) -> Dropped | None:
    if moment.action.kind is ActionKind.WAIT:
        return Dropped.WAITING
    performed = moment.performed
    if moment.refused or (performed is not None and not performed.ok):
        return Dropped.FAILED
    is_unchanged = bool(after) and after[0].view.fingerprint == moment.view.fingerprint
    if (
        is_unchanged
        and performed is not None
        and not (performed.changes or performed.events or performed.report)
    ):
        return None if moment.action.kind in _READ_ONLY_ACTIONS else Dropped.NO_EFFECT
    return None


def _looped_turns(moments: Sequence[Moment]) -> set[int]:
    """Turns between two looks at the very same page for the same step: they led nowhere."""
    turns = set[int]()
    for end, last in enumerate(moments):
        for start in range(end):
            first = moments[start]
            is_back = first.view.fingerprint == last.view.fingerprint
            if is_back and end - start > 1 and _are_same_step(moments[start : end + 1]):
                turns.update(range(start, end))
                break
    return turns


def _are_same_step(moments: Sequence[Moment]) -> bool:
    return len({moment.step for moment in moments}) == 1
