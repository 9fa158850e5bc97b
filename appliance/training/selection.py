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
    FAILED = "the action failed, or was refused"
    NO_EFFECT = "the action changed nothing"
    LOOP = "the attempt came back to the same page for the same step"
    WAITING = "it only waited"


_CHANGES_NOTHING = frozenset({ActionKind.COMPLETE, ActionKind.UNACHIEVABLE, ActionKind.UNFOLD})
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
    looped = _looped(moments)
    return [
        Dropped.LOOP if n in looped else _why_not(moment, moments[n + 1 : n + 2])
        for n, moment in enumerate(moments)
    ]


def _why_not(moment: Moment, after: Sequence[Moment]) -> Dropped | None:
    if moment.action.kind is ActionKind.WAIT:
        return Dropped.WAITING
    done = moment.performed
    if moment.refused or (done is not None and not done.ok):
        return Dropped.FAILED
    is_still = bool(after) and after[0].view.fingerprint == moment.view.fingerprint
    if is_still and done is not None and not (done.changes or done.events or done.report):
        return None if moment.action.kind in _CHANGES_NOTHING else Dropped.NO_EFFECT
    return None


def _looped(moments: Sequence[Moment]) -> set[int]:
    """Turns between two looks at the very same page for the same step: they led nowhere."""
    looped = set[int]()
    for end, last in enumerate(moments):
        for start in range(end):
            first = moments[start]
            is_back = first.view.fingerprint == last.view.fingerprint
            if is_back and end - start > 1 and _one_step(moments[start : end + 1]):
                looped.update(range(start, end))
                break
    return looped


def _one_step(moments: Sequence[Moment]) -> bool:
    return len({moment.step for moment in moments}) == 1
