"""What is wrong with the values of a resource, as far as it can be known before they are sent."""

import ipaddress
import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, time
from pathlib import PurePath
from typing import Any, NamedTuple

from practice_provider.spec import Field, Kind
from practice_provider.values import attributes, decoded, is_known

FILE_LIMIT = 1024 * 1024
"""Bytes of a file that the cloud takes."""


class Problem(NamedTuple):
    """Something wrong with one attribute."""

    attribute: str
    says: str


def problems(kind: Kind, config: Mapping[str, Any]) -> Iterator[Problem]:
    """Everything wrong with what a block says; values that are not known yet are left alone."""
    if said := _state_problem(kind, config):
        yield Problem("state", said)
    for attribute in attributes(kind):
        field, value = attribute.field, config.get(attribute.name)
        if field.generated or not is_known(value):
            continue
        is_asked = _is_asked(kind, field, config)
        is_given = value not in (None, "", [], {}) and (value is not False or field.required)
        if attribute.is_file_name:
            if is_given != (config.get(field.attribute) is not None):
                yield Problem(attribute.name, "A file needs a content and a name.")
        elif is_asked and field.required and not is_given and _is_left_empty(field, value):
            yield Problem(attribute.name, f"{field.label} is required.")
        elif is_asked is False and is_given and value != field.default:
            yield Problem(attribute.name, _does_not_go(kind, field))
        elif is_given and (said := _problem(field, value, config)):
            yield Problem(attribute.name, said)


def _state_problem(kind: Kind, config: Mapping[str, Any]) -> str:  # Any: as above
    state = config.get("state")
    if state is None or not is_known(state) or state == kind.created:
        return ""
    if state not in kind.states:
        return f"A {kind.title} cannot be {state!r}; it can be {', '.join(kind.states)}."
    ways = [action.sets for action in kind.actions if action.to == state]
    if not all(ways):
        return ""  # a transition leads there
    names = sorted(frozenset[str]().union(*ways))
    held = [config.get(kind.field(name).attribute) for name in names]
    # A switch that is off is what it is anyhow.
    if any(value is not None and value is not False and value != "" for value in held):
        return ""
    return f"It becomes {state} by its {kind.field(_main(kind, names)).attribute}: give that too."


def _main(kind: Kind, names: list[str]) -> str:
    """Of the fields that an action sets, the one that it is about."""
    return next((name for name in names if kind.field(name).refers_to), names[0])


def _is_left_empty(field: Field, value: Any) -> bool:  # Any: values of every kind
    return value is not None or field.default is None


def _is_asked(kind: Kind, field: Field, config: Mapping[str, Any]) -> bool | None:
    """Whether the cloud takes a value for a field; None: not known yet."""
    if field.shown_if is None:
        return True
    other = kind.field(field.shown_if.field)
    value = config.get(other.attribute)
    if not is_known(value):
        return None
    value = other.default if value is None else value
    held = value if isinstance(value, list) else [value]
    if not any(one in field.shown_if.values for one in held):
        return False
    return _is_asked(kind, other, config)


def _does_not_go(kind: Kind, field: Field) -> str:
    assert field.shown_if is not None  # noqa: S101 - for the type checker: no other is not asked
    values = " or ".join(json.dumps(value) for value in field.shown_if.values)
    attribute = kind.field(field.shown_if.field).attribute
    return f"{field.label} can only be given where {attribute} is {values}."


def _problem(field: Field, value: Any, config: Mapping[str, Any]) -> str:  # Any: as above
    if field.kind == "file":
        return _file_problem(field, value, config.get(f"{field.attribute}_name"))
    check = _CHECKS.get(field.kind)
    return check(field, value) if check else ""


def _text_problem(field: Field, value: str) -> str:
    text = value if field.kind in ("code", "secret") else value.strip()
    if not field.min_length <= len(text) <= field.max_length:
        return f"{field.label} must have {field.min_length} to {field.max_length} characters."
    if field.pattern and not re.fullmatch(field.pattern, text):
        return field.pattern_message or f"{field.label} is not valid: it must match {field.pattern}"
    if field.language == "json":
        try:
            json.loads(text)
        except ValueError as exc:
            return f"{field.label} is not valid JSON: {exc}."
    return ""


def _number_problem(field: Field, value: float) -> str:
    if value == int(value) and field.min <= value <= field.max:
        return ""
    return f"{field.label} must be a whole number from {field.min} to {field.max}."


def _choice_problem(field: Field, value: str | list[str]) -> str:
    for one in [value] if isinstance(value, str) else value:
        if one not in field.options:
            return f"{field.label} cannot be {one!r}; it can be {', '.join(field.options)}."
    return ""


def _cidr_problem(field: Field, value: str) -> str:
    try:
        ipaddress.IPv4Network(value.strip())
    except ValueError:
        return f"{field.label} must be an IPv4 range such as 10.0.0.0/16."
    return ""


def _date_problem(field: Field, value: str) -> str:
    return _read(date.fromisoformat, r"\d{4}-\d\d-\d\d", field, value, "a date such as 2026-11-21")


def _time_problem(field: Field, value: str) -> str:
    return _read(time.fromisoformat, r"\d\d:\d\d", field, value, "a time such as 03:30")


def _read(read: Callable[[str], object], form: str, field: Field, value: str, what: str) -> str:
    try:
        if re.fullmatch(form, value.strip()):
            read(value.strip())
            return ""
    except ValueError:
        pass  # of the right form, but no such day
    return f"{field.label} must be {what}."


def _tags_problem(_field: Field, value: dict[str, str]) -> str:
    return "" if all(key.strip() for key in value) else "Every tag needs a key."


def _file_problem(field: Field, value: str, name: Any) -> str:  # Any: as above
    content = decoded(value)
    if content is None:
        return f"{field.label} must be the content in base64: use filebase64()."
    if len(content) > FILE_LIMIT:
        return f"{field.label} must not be larger than 1 MiB."
    if field.accept and isinstance(name, str) and PurePath(name).suffix not in field.accept:
        return f"{field.label} must be a file of the type {', '.join(field.accept)}."
    return ""


_CHECKS: dict[str, Callable[[Field, Any], str]] = {  # Any: as the kind has it
    "text": _text_problem,
    "multiline": _text_problem,
    "secret": _text_problem,
    "code": _text_problem,
    "number": _number_problem,
    "choice": _choice_problem,
    "choices": _choice_problem,
    "cidr": _cidr_problem,
    "date": _date_problem,
    "time": _time_problem,
    "tags": _tags_problem,
}
"""What is wrong with a value of a kind; empty: nothing."""
