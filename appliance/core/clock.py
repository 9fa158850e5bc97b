"""Time, behind a seam, so that tests can turn it; and times as people read them."""

import time
from datetime import UTC, datetime, timedelta, tzinfo
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


def local_time(moment: datetime, zone: tzinfo) -> str:
    """`2026-11-21 09:30`: to the minute, of a zone that is named once beside all times."""
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"
