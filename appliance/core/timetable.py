"""When something is due by the clock: five fields of cron in a time zone, or every so often.

A time of day that the clock skips is due as far after the change as it would have been after the
last time that it did show; one that it shows twice is due the first time only. What is due in
every hour (`*/15 * * * *`) goes by what really passes: it is due in both of those hours.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from apscheduler.triggers.cron import CronTrigger

_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
"""As cron counts them: Sunday is 0, and 7."""
_DAY_RANGE = re.compile(r"(?P<one>[a-z]{3}|[0-7])-(?P<two>[a-z]{3}|[0-7])(/(?P<step>[1-6]))?")
_LARGEST_JUMP = timedelta(hours=3)
"""By which clocks are put forward or back at most, with room to spare."""
LEAST_MINUTES, LONGEST_MINUTES = 0.01, 366 * 24 * 60
"""Between two times of `Every`."""


class Timetable(Protocol):
    """`Cron` or `Every`."""

    def next(self, after: datetime) -> datetime:
        """The first time that is later, in UTC."""


@dataclass(frozen=True, slots=True)
class Cron:
    """Minute, hour, day, month and day of the week, as a clock in a zone shows them."""

    text: str
    zone: tzinfo
    _trigger: "CronTrigger"
    _reads_wall: bool
    """The trigger reads the clock on the wall as if it were UTC."""

    @classmethod
    def parse(cls, text: str, zone: tzinfo) -> Self:
        """`30 2 * * mon-fri`; `ValueError` for anything else, and for what never comes."""
        from apscheduler.triggers.cron import CronTrigger  # slow to import; most commands need none

        fields = text.lower().split()
        if len(fields) != 5:
            raise ValueError(
                "expected five fields: minute, hour, day, month, day of the week,"
                " as in `30 2 * * mon-fri`"
            )
        minute, hour, day, month, weekday = fields
        if day != "*" and weekday != "*":
            raise ValueError(
                "a day of the month and a day of the week: programs differ on whether one of them"
                " has to be right, or both; keep one"
            )
        reads_wall = not hour.startswith("*")
        try:
            trigger = CronTrigger(
                minute=minute,
                hour=hour,
                day=day,
                month=month,
                day_of_week=_weekdays(weekday),
                timezone=UTC if reads_wall else zone,
            )
        except (ValueError, TypeError) as exc:
            raise ValueError(_why(str(exc))) from None
        if trigger.get_next_fire_time(None, datetime(2026, 1, 1, tzinfo=UTC)) is None:
            raise ValueError("there is no such day in any year")
        return cls(text, zone, trigger, reads_wall)

    def next(self, after: datetime) -> datetime:
        """The first time that is later, in UTC."""
        if not self._reads_wall:
            later = after.astimezone(UTC) + timedelta(microseconds=1)
            return _fires(self._trigger, later.astimezone(self.zone)).astimezone(UTC)
        # A jump of the clock puts times out of their order for as long as the jump is.
        wall = after.astimezone(self.zone).replace(tzinfo=UTC)
        earliest: datetime | None = None
        for wall_time in self._walls(wall - _LARGEST_JUMP):
            moment = wall_time.replace(tzinfo=self.zone).astimezone(UTC)
            if moment > after and (earliest is None or moment < earliest):
                earliest = moment
            if earliest is not None and wall_time > wall + _LARGEST_JUMP:
                break
        assert earliest is not None  # noqa: S101 - times never end, and one is later
        return earliest

    def _walls(self, start: datetime) -> Iterator[datetime]:
        while True:
            start = _fires(self._trigger, start)
            yield start
            start += timedelta(microseconds=1)

    def __str__(self) -> str:
        return f"{self.text} ({self.zone})"


@dataclass(frozen=True, slots=True)
class Every:
    """Every so many minutes, counted from a moment."""

    minutes: float
    since: datetime

    def __post_init__(self) -> None:
        if not LEAST_MINUTES <= self.minutes <= LONGEST_MINUTES:
            raise ValueError(f"expected at least {LEAST_MINUTES:g} and at most a year")

    def next(self, after: datetime) -> datetime:
        """The first time that is later, in UTC."""
        step = timedelta(minutes=self.minutes)
        return self.since + max(1, (after - self.since) // step + 1) * step

    def __str__(self) -> str:
        return f"every {self.minutes:g} minutes" if self.minutes != 1 else "every minute"


def _fires(trigger: "CronTrigger", at_or_after: datetime) -> datetime:
    moment: datetime | None = trigger.get_next_fire_time(None, at_or_after)
    if moment is None:
        raise ValueError("the calendar has ended")
    return moment


def _weekdays(field: str) -> str:
    """By name: APScheduler counts the days from Monday, cron from Sunday."""
    if field == "*":
        return field
    names: list[str] = []
    for part in field.split(","):
        span = _DAY_RANGE.fullmatch(part)
        if span:
            first, second = _number(span["one"]), _number(span["two"])
            last = second if second > first or span["one"] == span["two"] else second + 7
            names += [_DAYS[n % 7] for n in range(first, last + 1, int(span["step"] or 1))]
        elif step := re.fullmatch(r"\*/([1-6])", part):
            names += _DAYS[:: int(step[1])]
        else:
            names.append(_DAYS[_number(part) % 7])
    return ",".join(dict.fromkeys(names))


def _number(day: str) -> int:
    if day in _DAYS:
        return _DAYS.index(day)
    if re.fullmatch("[0-7]", day):
        return int(day)
    raise ValueError(f"`{day}` is no day of the week: one is `mon`, or 1")


def _why(message: str) -> str:
    return message[:1].lower() + message[1:].rstrip(".")
