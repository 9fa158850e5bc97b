"""Times as commands show them: in the zone of the settings, which is named once at the end."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

import click

from appliance.cli._output import talk
from appliance.core import clock as times
from appliance.core.window import zone_of


class _Shown:
    zone: tzinfo = UTC
    is_used = False
    """Whether a time was shown in it."""


def use_zone(name: str) -> None:
    """That of the settings, from now on."""
    _Shown.zone = zone_of(name)


def local_time(moment: datetime | str | None) -> str:
    """To the minute; empty: never."""
    if moment is None or moment == "":
        return ""
    _Shown.is_used = True
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    return times.local_time(moment, _Shown.zone)


def in_zone(day: datetime) -> datetime:
    """What somebody typed, as a moment."""
    return day.replace(tzinfo=_Shown.zone)


def name_zone() -> None:
    """Say which it is, where times were shown."""
    if _Shown.is_used:
        talk(f"Times are those of {_Shown.zone} (sweep.time_zone).")
    _Shown.is_used, _Shown.zone = False, UTC


_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_FORM = re.compile(r"(\d{1,5})([mhdw])", re.ASCII)


class Duration(click.ParamType[timedelta]):
    """A length of time; `zero` is the word for none at all."""

    name = "duration"

    def __init__(self, zero: str = "0") -> None:
        self._zero = zero

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        """What was written, as a length."""
        if isinstance(value, timedelta):
            return value
        text = str(value).strip().lower()
        if text == self._zero:
            return timedelta(0)
        if (match := _FORM.fullmatch(text)) is None or not int(match[1]):
            self.fail(
                f"{value!r} is no length of time: write 90d, 12h or 30m, or {self._zero}.",
                param,
                ctx,
            )
        return timedelta(**{_UNITS[match[2]]: int(match[1])})


class Moment(click.ParamType[datetime]):
    """A moment that was: a date, a date and time, or how long ago it is."""

    name = "moment"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """What was written; without a zone, in the machine's."""
        if isinstance(value, datetime):
            return value
        text = str(value).strip()
        if _FORM.fullmatch(text.lower()):
            return datetime.now(UTC) - Duration().convert(text, param, ctx)
        try:
            return datetime.fromisoformat(text).astimezone()
        except ValueError:
            why = f"{value!r} is no moment: write 2026-11-01, 2026-11-01T22:00 or 30d."
            self.fail(why, param, ctx)
