"""Lengths of time and moments, as options give them: `90d`, `12h`, `2026-11-01`."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

import click

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
        if (found := _FORM.fullmatch(text)) is None or not int(found[1]):
            self.fail(
                f"{value!r} is no length of time: write 90d, 12h or 30m, or {self._zero}.",
                param,
                ctx,
            )
        return timedelta(**{_UNITS[found[2]]: int(found[1])})


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
