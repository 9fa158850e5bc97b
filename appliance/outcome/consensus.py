"""From what the channels say to one answer: whether the goal was reached."""

from collections.abc import Sequence

from appliance.core.result import ChannelResult, Goal
from appliance.core.verdict import GoalChannel


def consensus(channels: Sequence[ChannelResult]) -> Goal:
    """The audit log and the judges decide where they can, and must not disagree.

    Lists that were opened again stand in for an audit log that says nothing. The pages are asked
    only where none of these says anything.
    """
    opinions = {c.channel: c.reached for c in channels if c.reached is not None}
    backend = GoalChannel.AUDIT if GoalChannel.AUDIT in opinions else GoalChannel.LISTS
    strong = {opinions[c] for c in (backend, GoalChannel.JUDGES) if c in opinions}
    if len(strong) > 1:
        return Goal(reached=None, channels=tuple(channels))
    reached = strong.pop() if strong else opinions.get(GoalChannel.UI)
    return Goal(reached=reached, channels=tuple(channels))
