"""Lengths of time, as options give them: `90d`, `12h`, `30m`."""

import re
from datetime import timedelta
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
