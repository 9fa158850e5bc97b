"""A clock that can be put forward, so that nobody has to wait for what settles over time."""

from datetime import datetime, timedelta

from appliance.core.clock import Clock, SystemClock


class TurnableClock:
    """Another clock, put forward."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._ahead_s = 0.0

    def now(self) -> datetime:
        """Wall-clock time, put forward."""
        return self._clock.now() + timedelta(seconds=self._ahead_s)

    def monotonic(self) -> float:
        """Seconds since some start, put forward."""
        return self._clock.monotonic() + self._ahead_s

    def turn(self, seconds: float) -> None:
        """Put it forward."""
        self._ahead_s += seconds
