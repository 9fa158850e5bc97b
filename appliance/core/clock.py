"""Time, behind a seam, so that tests can turn it."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> datetime:
        """Wall-clock time with a time zone."""

    def monotonic(self) -> float:
        """Seconds that never go back."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Wall-clock time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds since some start."""
        return time.monotonic()


class SetClock:
    """A clock that stands still until it is put forward: for tests."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._passed_s = 0.0

    def now(self) -> datetime:
        """The time that it was set to."""
        return self._now

    def monotonic(self) -> float:
        """Seconds that it was put forward."""
        return self._passed_s

    def turn(self, seconds: float) -> None:
        """Put it forward."""
        self._now += timedelta(seconds=seconds)
        self._passed_s += seconds
