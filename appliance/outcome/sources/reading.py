"""Reads values from a cloud's own JSON, whatever their types turn out to be."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from appliance.core.checks import EventOutcome

Json = Mapping[str, Any]  # Any: the cloud's own JSON

_READS = ("describe", "get", "list", "lookup", "query", "head", "check", "search", "batchget")
_SUCCESS_WORDS = frozenset(
    {"success", "succeeded", "successful", "ok", "true", "allow", "allowed", "done"}
)
_FAILURE_WORDS = frozenset(
    {"failure", "failed", "fail", "error", "false", "deny", "denied", "forbidden", "rejected"}
)


def text(value: object) -> str:
    """The value as text; empty for None and for structures."""
    if value is None or isinstance(value, Mapping | list):
        return ""
    return str(value)


def mapping(value: object) -> Json:
    """The value as an object, parsed if it is a JSON text; else an empty one."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, Mapping) else {}


def is_read(name: str) -> bool:
    """Whether an operation only reads, judging by its name."""
    return name.lower().startswith(_READS)


def outcome_of(value: object) -> EventOutcome:
    """The outcome that a word, a boolean or an HTTP status stands for."""
    if isinstance(value, bool):
        return EventOutcome.SUCCESS if value else EventOutcome.FAILURE
    word = text(value).strip().lower()
    if word.isdecimal() and len(word) == 3:
        return EventOutcome.SUCCESS if int(word) < 400 else EventOutcome.FAILURE
    if word in _SUCCESS_WORDS:
        return EventOutcome.SUCCESS
    return EventOutcome.FAILURE if word in _FAILURE_WORDS else EventOutcome.UNKNOWN


def named(values: Json, *endings: str) -> str:
    """The first text whose key ends so: `bucketName` for `name`."""
    return _first([values, *_inner(values)], endings)


def named_inside(values: Json, *endings: str) -> str:
    """The same, but of what stands in the object first: an answer tells of itself outside."""
    return _first([*_inner(values), values], endings)


def _first(places: Iterable[Json], endings: tuple[str, ...]) -> str:
    for values in places:
        for key, value in values.items():
            if key.lower().endswith(endings) and text(value):
                return text(value)
    return ""


def _inner(values: Json) -> Iterator[Json]:
    """The objects in an object, and the first entries of lists in it."""
    for value in values.values():
        member = _first_entry(value)
        member = (
            _first_entry(member.get("items", member)) if isinstance(member, Mapping) else member
        )
        if isinstance(member, Mapping):
            yield member


def _first_entry(value: object) -> object:
    return value[0] if isinstance(value, list) and value else value


def parse_time(text: object) -> datetime | None:
    """A time stamp in ISO form, with `T` or a space; UTC where it has no zone. None: it is none."""
    if not isinstance(text, str):
        return None
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
