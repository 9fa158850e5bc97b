"""A sweep paused by an obstacle: its cause, since when, and when it is checked again."""

from dataclasses import dataclass
from datetime import datetime

from appliance.core.causes import Cause, CauseKind

FIRST_LOOK_S, LONGEST_S = 1.0, 30.0
"""Pauses between checks of the obstacle; each is twice the one before."""


_WHAT = {
    CauseKind.CONSOLE_DOWN: "the console was down",
    CauseKind.WORKERS_AWAY: "no worker was there",
}


@dataclass(slots=True)
class Standstill:
    """A pause in which nothing is begun until its cause is gone."""

    cause: Cause
    since: datetime
    """When something was first in the way, with no verdict after it."""
    look_at_s: float
    """By the monotonic clock."""
    pause_s: float = FIRST_LOOK_S
    is_told: bool = False
    """Whether it is in the store."""

    def is_due(self, now_s: float) -> bool:
        """Whether it is time to look again; if so, the next time is later."""
        if now_s < self.look_at_s:
            return False
        self.look_at_s = now_s + self.pause_s
        self.pause_s = min(self.pause_s * 2, LONGEST_S)
        return True


def given_up(cause: Cause, minutes: float, left: int) -> str:
    """The reason stored for a sweep that ends because an obstacle lasted too long."""
    what = _WHAT.get(cause.kind, "the disk was full")
    many = "1 procedure was" if left == 1 else f"{left} procedures were"
    return (
        f"{what} for more than {minutes:g} minutes (sweep.max_pause_minutes): {many} not carried"
        f" out, and the next sweep takes them; {cause.text}"
    )
