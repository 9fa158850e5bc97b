"""What a second look says of the goal: a channel of the outcome, like the audit log."""

from dataclasses import dataclass

from appliance.core.result import ChannelResult
from appliance.core.verdict import GoalChannel
from appliance.verification.goal.ui_evidence import failed_after
from appliance.verification.second_look.shown import Shown
from appliance.verification.trajectory import StopReason, Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondLook:
    """What pages show that were opened again after an attempt."""

    made: tuple[Shown, ...] = ()
    """New things that bear a name which the attempt entered."""
    kept: tuple[Shown, ...] = ()
    """Other values that the attempt entered, and that were not there before."""
    gone: tuple[str, ...] = ()
    """What it deleted, and no list has any more."""
    still: tuple[Shown, ...] = ()
    """What it deleted, and is listed as before."""
    unfound: tuple[str, ...] = ()
    """Names of its own that no page shows."""
    unseen: tuple[str, ...] = ()
    """What it deleted, of which the lists did not come again."""
    last_url: str = ""
    """Of the page that the attempt ended on."""


def witness(look: SecondLook, trajectory: Trajectory) -> ChannelResult | None:
    """Whether the goal was reached, by the lists; None: there was nothing to be looked for."""
    if trajectory.stop is not StopReason.ANSWERED:
        return None
    if look.still:
        one = look.still[0]
        reason = f'opened again, "{one.place}" has "{one.name}" still, though it was deleted'
        return _says(False, reason=reason)
    if look.gone:
        return _says(True, reason=f'no list has "{look.gone[0]}" any more')
    if look.unseen:
        return _says(None, reason=f'the list that had "{look.unseen[0]}" did not come again')
    seen = (*look.made, *look.kept)
    if not seen:
        if not look.unfound:
            return None
        return _says(None, reason=f'no page that was opened again shows "{look.unfound[0]}"')
    one = seen[0]
    if step := failed_after(trajectory, _turn_of(trajectory, one.name)):
        reason = f'opened again, "{one.place}" has "{one.name}", and yet step {step} was not done'
        return _says(None, reason=reason)
    reason = f'opened again, "{one.place}" has "{one.name}", which was not there before'
    return _says(True, reason=reason)


def _turn_of(trajectory: Trajectory, value: str) -> int:
    """When a value was entered."""
    typed = (n for n, t in enumerate(trajectory.turns) if t.decision.action.argument == value)
    return next(typed, 0)


def _says(reached: bool | None, *, reason: str) -> ChannelResult:
    return ChannelResult(channel=GoalChannel.LISTS, reached=reached, reason=reason)
