"""When an attempt has gone on long enough."""

from dataclasses import dataclass

from appliance.config import VerificationSettings
from appliance.core.clock import Clock
from appliance.verification.trajectory import StopReason, Trajectory

_SAME_AGAIN = 5
"""So many equal actions on an equal page in a row are a loop; waiting is not counted."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one attempt. What it waits for people does not count."""

    max_actions: int
    deadline: float
    clock: Clock

    @classmethod
    def start(cls, settings: VerificationSettings, clock: Clock) -> "Limits":
        """Bounds that count from now."""
        return cls(settings.max_actions, clock.monotonic() + settings.max_seconds, clock)

    def reached(self, trajectory: Trajectory) -> StopReason | None:
        """The bound that has been reached, if any."""
        if len(trajectory.turns) >= self.max_actions:
            return StopReason.MAX_ACTIONS
        if self.clock.monotonic() - trajectory.waited_s >= self.deadline:
            return StopReason.MAX_SECONDS
        if _is_loop(trajectory):
            return StopReason.LOOP
        return None


def _is_loop(trajectory: Trajectory) -> bool:
    last = trajectory.turns[-_SAME_AGAIN:]
    if len(last) < _SAME_AGAIN or any(t.decision.action.kind == "wait" for t in last):
        return False
    return len({(t.view.fingerprint, t.decision.action) for t in last}) == 1
