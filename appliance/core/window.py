"""A time of day in which something may run, in a time zone, right on days when clocks change."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_TIME = r"([01]?\d|2[0-3]):([0-5]\d)"
_WINDOW = re.compile(rf"\s*{_TIME}\s*-\s*{_TIME}\s*", re.ASCII)
_CLOCK_TIME = re.compile(_TIME, re.ASCII)


@dataclass(frozen=True, slots=True)
class Window:
    """From a time of day to another, over midnight where the second is not the later one."""

    opens: time
    closes: time
    zone: tzinfo

    @classmethod
    def parse(cls, text: str, zone: tzinfo) -> Self:
        """`22:00-06:00`; `ValueError` for anything else."""
        match = _WINDOW.fullmatch(text)
        if not match:
            raise ValueError("expected two times of day, as in `22:00-06:00`")
        start_hour, start_minute, end_hour, end_minute = map(int, match.groups())
        return cls(time(start_hour, start_minute), time(end_hour, end_minute), zone)

    def closing(self, now: datetime) -> datetime | None:
        """When the window that is open now closes; None where it is not open."""
        return next((closes for opens, closes in self._around(now) if opens <= now < closes), None)

    def has(self, at: time) -> bool:
        """Whether it is open at that time of day, its first moment left out."""
        if self.opens < self.closes:
            return self.opens < at < self.closes
        return at > self.opens or at < self.closes

    def opening(self, now: datetime) -> datetime:
        """When it opens next."""
        return next(opens for opens, _ in self._around(now) if opens > now)

    def _around(self, now: datetime) -> Iterator[tuple[datetime, datetime]]:
        today = now.astimezone(self.zone).date()
        over_midnight = timedelta(days=self.closes <= self.opens)
        for days in (-1, 0, 1, 2):
            day = today + timedelta(days=days)
            yield _at(day, self.opens, self.zone), _at(day + over_midnight, self.closes, self.zone)


def zone_of(name: str) -> tzinfo:
    """The time zone of that name; `ValueError` where there is none."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError, ValueError):
        raise ValueError(f"there is no time zone `{name}`; one is `Europe/Berlin`") from None


def next_time(text: str, zone: tzinfo, now: datetime) -> datetime:
    """The next moment at which the clock shows `06:00` there; `ValueError` for other texts."""
    wall_time = clock_time(text)
    today = now.astimezone(zone).date()
    moments = (_at(today + timedelta(days=days), wall_time, zone) for days in (-1, 0, 1, 2))
    return next(moment for moment in moments if moment > now)


def clock_time(text: str) -> time:
    """The time of day of `06:00`; `ValueError` for other texts."""
    match = _CLOCK_TIME.fullmatch(text.strip())
    if not match:
        raise ValueError("expected a time of day, as in `06:00`")
    return time(int(match[1]), int(match[2]))


def _at(day: date, wall_time: time, zone: tzinfo) -> datetime:
    """In UTC, where moments can be compared and counted.

    A time that the clock shows twice is the first of the two; one that it skips is as far after
    the change as it would have been after the last time that it did show.
    """
    return datetime.combine(day, wall_time, zone).astimezone(UTC)
