"""The values that an item would have: defaults, conditions, and what is wrong with each."""

import hashlib
import string
from collections.abc import Collection, Mapping
from typing import Any, assert_never

from appliance.practice.catalogue import FieldKind, FieldSpec, Located, Resource, Text, Value
from appliance.practice.refusals import Code, MessageRef, RequestRefused
from appliance.practice.state import AccountState, Item
from appliance.practice.value_checks import CheckContext, problem_of

Given = Mapping[str, Any]  # Any: what a caller sent, not checked yet

HIDDEN = "(hidden)"
"""Stands for a secret in the audit log."""
_WHITESPACE_KEPT = frozenset({FieldKind.CODE, FieldKind.SECRET})
"""Kinds of fields whose leading and trailing white space counts."""
_UNKNOWN_TEXT_LIMIT = 2000
_KEY_LETTERS = string.ascii_uppercase + string.digits
_SECRET_LETTERS = string.ascii_letters + string.digits


def check_values(
    located: Located,
    sent: Given,
    state: AccountState,
    item: Item | None = None,
    *,
    region: str = "",
    requires: Collection[str] = (),
) -> dict[str, Value]:
    """The values that an item would have, defaults included; `RequestRefused` if they are invalid.

    `item` is the one that is changed; None for a new one. `requires` are fields that must have
    a value now, although the item itself can be without one.
    """
    resource = located.resource
    _raise_if_invalid(_unenterable_errors(resource, sent))
    values = dict(item.values) if item else defaults(resource)
    values |= {name: _normalised(resource.fields[name], value) for name, value in sent.items()}
    context = CheckContext(resource, located.kind, values, state, item, region, requires)
    names = _fields_to_check(context, sent)
    errors = {name: problem for name in names if (problem := _problem(name, sent, context))}
    _raise_if_invalid(errors)
    for name, field in resource.fields.items():
        if not is_shown(resource, name, values):
            values[name] = _default(field)
        elif field.kind is FieldKind.FILE and name in sent:
            values[name] = _with_size(values[name])
    _check_unique(context, names)
    return values


def defaults(resource: Resource) -> dict[str, Value]:
    """The initial values of the fields, without generated ones."""
    return {n: _default(field) for n, field in resource.fields.items() if not field.generated}


def empty_value(field: FieldSpec) -> Value:
    """The value of a field that has no value."""
    match field.kind:
        case FieldKind.BOOLEAN:
            return False
        case FieldKind.TAGS:
            return {}
        case FieldKind.CHOICES | FieldKind.REFERENCES:
            return []
        case FieldKind.NUMBER | FieldKind.FILE:
            return None
        case _:
            return ""


def is_shown(resource: Resource, name: str, values: Mapping[str, Value]) -> bool:
    """Whether the form shows a field, given the values of the others."""
    condition = resource.fields[name].shown_if
    if condition is None:
        return True
    value = values.get(condition.field)
    values_held: Collection[object] = value if isinstance(value, list) else [value]
    holds = any(held_value in condition.values for held_value in values_held)
    return holds and is_shown(resource, condition.field, values)


def loggable_values(resource: Resource, sent: Given) -> dict[str, Value]:
    """Values as the audit log may contain them: no secrets, no contents of files."""
    return {name: _loggable(resource.fields.get(name), value) for name, value in sent.items()}


def _loggable(field: FieldSpec | None, value: Any) -> Value:  # Any: what a caller sent
    if field is not None and (field.kind is FieldKind.SECRET or field.generated == "secret"):
        return HIDDEN if value else ""
    match value:
        case None | bool() | int():
            return value
        case str():
            return value[:_UNKNOWN_TEXT_LIMIT] if field is None else value
        case dict() if field is not None and field.kind is FieldKind.FILE:
            return {key: str(member) for key, member in value.items() if key != "content"}
        case dict():
            return {str(key): str(member) for key, member in value.items()}
        case list():
            return [str(member) for member in value]
        case _:
            return str(value)


def _unenterable_errors(resource: Resource, sent: Given) -> dict[str, MessageRef | Text]:
    errors: dict[str, MessageRef | Text] = {}
    for name in sent:
        field = resource.fields.get(name)
        if field is None:
            return {name: MessageRef("error_unknown", {"field": name})}
        if field.generated:
            errors[name] = MessageRef("error_generated", {"label": field.label})
    return errors


def _fields_to_check(check: CheckContext, sent: Given) -> list[str]:
    """All fields of a new item; of an existing one those that were given or are shown only now."""
    resource, item = check.resource, check.item
    if item is None:
        return list(resource.fields)
    return [
        name
        for name in resource.fields
        if name in sent
        or name in check.requires
        or (is_shown(resource, name, check.values) and not is_shown(resource, name, item.values))
    ]


def _problem(name: str, sent: Given, check: CheckContext) -> MessageRef | Text | None:
    field = check.resource.fields[name]
    if field.generated:
        return None
    if is_shown(check.resource, name, check.values):
        return problem_of(name, check)
    if name in sent and check.values[name] not in (_default(field), empty_value(field)):
        return MessageRef("error_not_asked", {"label": field.label})
    return None


def _raise_if_invalid(errors: Mapping[str, MessageRef | Text]) -> None:
    if errors:
        raise RequestRefused(Code.VALIDATION, MessageRef("refused_validation"), errors)


def _normalised(field: FieldSpec, value: Any) -> Any:  # Any: what a caller sent, and the same again
    if isinstance(value, str) and field.kind not in _WHITESPACE_KEPT:
        value = value.strip()
    if value is None or value == "":
        return empty_value(field) if field.kind is not FieldKind.BOOLEAN else value
    if isinstance(value, list) and all(isinstance(member, str) for member in value):
        return list(dict.fromkeys(value))
    return value


def _default(field: FieldSpec) -> Value:
    value = field.default if field.default is not None else empty_value(field)
    return value.copy() if isinstance(value, list | dict) else value


def _with_size(value: Value) -> Value:
    """A file with its size in bytes."""
    if not isinstance(value, dict):
        return value
    content = value["content"]
    size = len(content) * 3 // 4 - content[-2:].count("=")
    return {"name": value["name"], "size": str(size), "content": content}


def _check_unique(check: CheckContext, names: Collection[str]) -> None:
    for name in names:
        value = check.values.get(name)
        if not check.resource.fields[name].unique or value in ("", None):
            continue
        if any(
            other.values.get(name) == value
            for other in check.state.of_kind(check.kind)
            if other is not check.item
        ):
            message = MessageRef("error_taken", {"value": str(value)})
            raise RequestRefused(Code.NAME_TAKEN, message, {name: message})


def generate_value(item: Item, name: str, field: FieldSpec) -> str:
    """The value of a field that cannot be entered."""
    seed = hashlib.shake_256(f"{item.id}/{name}".encode()).digest(40)
    match field.generated:
        case "address":  # 198.18.0.0/15 is set aside for tests of networks: nobody answers there
            return f"198.{18 + seed[0] % 2}.{seed[1]}.{seed[2] % 254 + 1}"
        case "key":
            return "PK" + _spell(seed[:18], _KEY_LETTERS)
        case "secret":
            return _spell(seed, _SECRET_LETTERS)
        case "host":
            return f"{item.id}.{item.region or 'global'}.practice.example"
        case "":
            return ""
        case _:
            assert_never(field.generated)


def _spell(seed: bytes, letters: str) -> str:
    return "".join(letters[byte % len(letters)] for byte in seed)
