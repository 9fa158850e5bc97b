"""What is wrong with one value of an item, by the kind of its field."""

import base64
import binascii
import ipaddress
import json
import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date, time
from typing import NamedTuple

from appliance.practice.catalogue import FieldKind, FieldSpec, Resource, Text, Value
from appliance.practice.refusals import MessageRef
from appliance.practice.state import AccountState, Item

FILE_LIMIT = 1024 * 1024
"""Bytes of a file that is taken."""
_CHOSEN = frozenset(
    {FieldKind.CHOICE, FieldKind.CHOICES, FieldKind.REFERENCE, FieldKind.REFERENCES}
)


class CheckContext(NamedTuple):
    """What a value is checked against."""

    resource: Resource
    kind: str
    values: Mapping[str, Value]
    """All values of the item as they would be."""
    state: AccountState
    item: Item | None
    """The item that is changed; None for a new one."""
    region: str
    """Where the item is; empty: everywhere."""
    requires: Collection[str]
    """Fields that must have a value though the item can be without one."""


def problem_of(name: str, check: CheckContext) -> MessageRef | Text | None:
    """What is wrong with a value, or None."""
    field, value = check.resource.fields[name], check.values[name]
    if not _is_of_kind(field.kind, value):
        is_number = field.kind is FieldKind.NUMBER
        return (
            _number_said(field) if is_number else MessageRef("error_kind", {"label": field.label})
        )
    if value in ("", {}, [], None) or value is False:
        if not field.required and name not in check.requires:
            return None
        key = "error_choose" if field.kind in _CHOSEN else "error_required"
        return MessageRef(key, {"label": field.label})
    return _given_problem(name, field, value, check)


def _given_problem(
    name: str, field: FieldSpec, value: Value, check: CheckContext
) -> MessageRef | Text | None:
    """What is wrong with a value that is there and of the field's kind."""
    match value:
        case bool():
            return None
        case int():
            return None if field.min <= value <= field.max else _number_said(field)
        case str():
            return _one_problem(name, field, value, check)
        case list():
            return _first(_one_problem(name, field, item, check) for item in value)
        case dict() if field.kind is FieldKind.FILE:
            return _file_problem(field, value)
        case dict() if not all(key.strip() for key in value):
            return MessageRef("error_tag_key")
    return None


def _is_of_kind(kind: FieldKind, value: object) -> bool:
    match kind:
        case FieldKind.BOOLEAN:
            return isinstance(value, bool)
        case FieldKind.NUMBER:
            return value is None or (isinstance(value, int) and not isinstance(value, bool))
        case FieldKind.TAGS:
            return _holds_texts(value)
        case FieldKind.CHOICES | FieldKind.REFERENCES:
            return isinstance(value, list) and all(isinstance(item, str) for item in value)
        case FieldKind.FILE:
            return value is None or isinstance(value, dict)
        case _:
            return value is None or isinstance(value, str)


def _holds_texts(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(key, str) and isinstance(inner, str) for key, inner in value.items()
    )


def _one_problem(
    name: str, field: FieldSpec, value: str, check: CheckContext
) -> MessageRef | Text | None:
    """What is wrong with a text, or with one of several chosen values."""
    match field.kind:
        case FieldKind.TEXT | FieldKind.MULTILINE | FieldKind.SECRET:
            return _text_problem(field, value)
        case FieldKind.CODE:
            return _text_problem(field, value) or _code_problem(field, value)
        case FieldKind.CIDR:
            return _cidr_problem(name, field, value, check)
        case FieldKind.DATE if not _is_date(value):
            return MessageRef("error_date", {"label": field.label})
        case FieldKind.TIME if not _is_time(value):
            return MessageRef("error_time", {"label": field.label})
        case FieldKind.CHOICE | FieldKind.CHOICES:
            if value not in [option.value for option in field.options]:
                return MessageRef("error_option", {"label": field.label, "value": value})
        case FieldKind.REFERENCE | FieldKind.REFERENCES:
            return _reference_problem(field, value, check)
    return None


def _first(problems: Iterable[MessageRef | Text | None]) -> MessageRef | Text | None:
    return next((problem for problem in problems if problem), None)


def _number_said(field: FieldSpec) -> MessageRef:
    bounds = {"min": str(field.min), "max": str(field.max)}
    return MessageRef("error_number", {"label": field.label, **bounds})


def _text_problem(field: FieldSpec, value: str) -> MessageRef | Text | None:
    if not field.min_length <= len(value) <= field.max_length:
        bounds = {"min": str(field.min_length), "max": str(field.max_length)}
        return MessageRef("error_length", {"label": field.label, **bounds})
    if field.pattern and not re.fullmatch(field.pattern, value):
        return field.pattern_message or MessageRef("error_pattern", {"label": field.label})
    return None


def _code_problem(field: FieldSpec, value: str) -> MessageRef | None:
    if field.language != "json":
        return None
    try:
        json.loads(value)
    except json.JSONDecodeError as exc:
        return MessageRef("error_json", {"label": field.label, "line": str(exc.lineno)})
    except RecursionError:
        return MessageRef("error_json", {"label": field.label, "line": "1"})
    return None


def _is_date(value: str) -> bool:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _is_time(value: str) -> bool:
    if not re.fullmatch(r"\d{2}:\d{2}", value, re.ASCII):
        return False
    try:
        time.fromisoformat(value)
    except ValueError:
        return False
    return True


def _file_problem(field: FieldSpec, value: Mapping[str, object]) -> MessageRef | None:
    label: dict[str, Text | str] = {"label": field.label}
    name, content = value.get("name"), value.get("content")
    is_file = isinstance(name, str) and name.strip() and isinstance(content, str)
    if not is_file or value.keys() - {"name", "size", "content"}:
        return MessageRef("error_file", label)
    if len(str(content)) > FILE_LIMIT * 4 // 3 + 4:
        return MessageRef("error_file_size", label)
    try:
        size = len(base64.b64decode(str(content), validate=True))
    except (binascii.Error, ValueError):
        return MessageRef("error_file", label)
    if size > FILE_LIMIT:
        return MessageRef("error_file_size", label)
    if field.accept and not str(name).lower().endswith(field.accept):
        return MessageRef("error_file_type", {**label, "types": ", ".join(field.accept)})
    return None


def _cidr_problem(
    name: str, field: FieldSpec, value: str, check: CheckContext
) -> MessageRef | None:
    try:
        network = ipaddress.IPv4Network(value)
    except ValueError:
        return MessageRef("error_cidr", {"label": field.label})
    if not field.within:
        return None
    parent = check.state.items.get(str(check.values[field.within]))
    if parent is None:
        return None  # the reference itself is refused
    around = ipaddress.IPv4Network(str(parent.values[name]))
    if not network.subnet_of(around):
        return MessageRef("error_within", {"label": field.label, "range": str(around)})
    for other in check.state.of_kind(check.kind):
        if other is check.item or other.values[field.within] != parent.id:
            continue
        if network.overlaps(ipaddress.IPv4Network(str(other.values[name]))):
            return MessageRef("error_overlap", {"label": field.label, "name": other.name})
    return None


def _reference_problem(field: FieldSpec, value: str, check: CheckContext) -> MessageRef | None:
    item = check.state.items.get(value)
    if item is None or item.kind != field.refers_to:
        return MessageRef("error_reference", {"label": field.label})
    if check.region and not item.is_in(check.region):
        return MessageRef("error_reference", {"label": field.label})
    if field.within and item.values[field.within] != check.values[field.within]:
        return MessageRef("error_other_parent", {"label": field.label})
    return None
