"""Dotted paths into an audit event, and the text forms in which its values are compared."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError
from appliance.core.near import meant

EVENT_FIELDS = frozenset(field.name for field in fields(AuditEvent))
ANY = "*"
_EXACT = 2**53  # floats beyond skip whole numbers: writing them as such would mislead


def values_at(event: AuditEvent, path: str) -> tuple[Any, ...]:  # Any: the cloud's own JSON
    """The values at a dotted path: `target_name`, `parameters.tags.0.key`, `raw.*.id`.

    `*` is every entry of a list or object. A key that itself holds dots is found too.

    Raises:
        OutcomeError: The path does not start with a field of an event.
    """
    head, *rest = path.split(".")
    if head not in EVENT_FIELDS:
        close = meant(head, sorted(EVENT_FIELDS), alike=0.7)
        hint = f"did you mean {close!r}?" if close else f"write parameters.{path} or raw.{path}"
        raise OutcomeError(f"an audit event has no field {head!r} (in {path!r}); {hint}")
    return tuple(descend(getattr(event, head), tuple(rest)))


def descend(value: Any, keys: tuple[str, ...]) -> Iterator[Any]:  # Any: the cloud's own JSON
    """The values that the keys lead to, one after the other; see `values_at`."""
    if not keys:
        yield value
        return
    for entry, rest in _entries(value, keys):
        yield from descend(entry, rest)


def _entries(
    value: Any, keys: tuple[str, ...]
) -> Iterator[tuple[Any, tuple[str, ...]]]:  # Any: the cloud's own JSON
    if isinstance(value, Mapping):
        if keys[0] == ANY and ANY not in value:
            yield from ((entry, keys[1:]) for entry in value.values())
            return
        for width in range(1, len(keys) + 1):
            key = ".".join(keys[:width])
            if key in value:
                yield value[key], keys[width:]
                return
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        if keys[0] == ANY:
            yield from ((entry, keys[1:]) for entry in value)
        elif keys[0].isdecimal() and int(keys[0]) < len(value):
            yield value[int(keys[0])], keys[1:]


def as_text(value: object) -> str:
    """How rules and messages write a value: `true`, `null`, `1.5`, text as it stands, else JSON."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    if isinstance(value, int | float):
        return str(value)
    return json.dumps(value, ensure_ascii=False, default=str, sort_keys=True)


def is_equal(value: object, expected: str) -> bool:
    """Whether a value is the one that a rule writes as `expected`.

    Booleans and null are compared in any case (`True`, `none` and an empty text are fine), numbers
    by value.
    """
    if value is None:
        return expected.casefold() in ("null", "none", "")
    if isinstance(value, bool):
        return expected.casefold() == as_text(value)
    if isinstance(value, int | float):
        return _same_number(value, expected)
    return as_text(value) == expected


def _same_number(value: float, expected: str) -> bool:
    try:
        return Decimal(str(value)) == Decimal(expected)
    except InvalidOperation:
        return as_text(value) == expected
