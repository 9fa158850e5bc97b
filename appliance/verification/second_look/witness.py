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
    """Whether the lists say that the goal was reached; None if there was nothing to look for."""
    if trajectory.stop is not StopReason.ANSWERED:
        return None
    if look.still:
        sighting = look.still[0]
        reason = (
            f'opened again, "{sighting.place}" has "{sighting.name}" still, though it was deleted'
        )
        return _channel_result(False, reason=reason)
    if look.gone:
        return _channel_result(True, reason=f'no list has "{look.gone[0]}" any more')
    if look.unseen:
        return _channel_result(
            None, reason=f'the list that had "{look.unseen[0]}" did not come again'
        )
    sightings = (*look.made, *look.kept)
    if not sightings:
        if not look.unfound:
            return None
        return _channel_result(
            None, reason=f'no page that was opened again shows "{look.unfound[0]}"'
        )
    sighting = sightings[0]
    if step := failed_after(trajectory, _turn_of_entry(trajectory, sighting.name)):
        reason = (
            f'opened again, "{sighting.place}" has "{sighting.name}",'
            f" and yet step {step} was not done"
        )
        return _channel_result(None, reason=reason)
    reason = f'opened again, "{sighting.place}" has "{sighting.name}", which was not there before'
    return _channel_result(True, reason=reason)


def _turn_of_entry(trajectory: Trajectory, value: str) -> int:
    """Index of the turn that entered a value; 0 if none did."""
    typed = (n for n, t in enumerate(trajectory.turns) if t.decision.action.argument == value)
    return next(typed, 0)


def _channel_result(reached: bool | None, *, reason: str) -> ChannelResult:
    return ChannelResult(channel=GoalChannel.LISTS, reached=reached, reason=reason)
