"""Values out of a cloud's own JSON, whatever they turn out to be."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from appliance.core.checks import EventOutcome

Json = Mapping[str, Any]  # Any: the cloud's own JSON

_READS = ("describe", "get", "list", "lookup", "query", "head", "check", "search", "batchget")
_GOOD = frozenset({"success", "succeeded", "successful", "ok", "true", "allow", "allowed", "done"})
_BAD = frozenset(
    {"failure", "failed", "fail", "error", "false", "deny", "denied", "forbidden", "rejected"}
)


def text(value: object) -> str:
    """A value as text; empty for what is none or a whole structure."""
    if value is None or isinstance(value, Mapping | list):
        return ""
    return str(value)


def mapping(value: object) -> Json:
    """An object, also one that stands in a text; else an empty one."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, Mapping) else {}


def is_read(name: str) -> bool:
    """Whether an operation only looks, by the way clouds name them."""
    return name.lower().startswith(_READS)


def outcome_of(value: object) -> EventOutcome:
    """An outcome from a word, a truth value or a status of HTTP."""
    if isinstance(value, bool):
        return EventOutcome.SUCCESS if value else EventOutcome.FAILURE
    word = text(value).strip().lower()
    if word.isdecimal() and len(word) == 3:
        return EventOutcome.SUCCESS if int(word) < 400 else EventOutcome.FAILURE
    if word in _GOOD:
        return EventOutcome.SUCCESS
    return EventOutcome.FAILURE if word in _BAD else EventOutcome.UNKNOWN


def named(values: Json, *endings: str) -> str:
    """The first text whose key ends so: `bucketName` for `name`."""
    for key, value in _flat(values):
        if key.lower().endswith(endings) and text(value):
            return text(value)
    return ""


def _flat(values: Json) -> Iterator[tuple[str, Any]]:  # Any: the cloud's own JSON
    """The values of an object, and of the objects and first entries of lists in it."""
    yield from values.items()
    for inner in values.values():
        inner = inner[0] if isinstance(inner, list) and inner else inner
        inner = inner.get("items", inner) if isinstance(inner, Mapping) else inner
        inner = inner[0] if isinstance(inner, list) and inner else inner
        if isinstance(inner, Mapping):
            yield from inner.items()
