"""From what the channels say to one answer: whether the goal was reached."""

from collections.abc import Sequence

from appliance.core.result import ChannelResult, Goal
from appliance.core.verdict import GoalChannel


def consensus(channels: Sequence[ChannelResult]) -> Goal:
    """The audit log and the judges decide where they can, and must not disagree.

    The pages are asked only where neither of the two says anything.
    """
    opinions = {c.channel: c.reached for c in channels if c.reached is not None}
    strong = {opinions[c] for c in (GoalChannel.AUDIT, GoalChannel.JUDGES) if c in opinions}
    if len(strong) > 1:
        return Goal(reached=None, channels=tuple(channels))
    reached = strong.pop() if strong else opinions.get(GoalChannel.UI)
    return Goal(reached=reached, channels=tuple(channels))
