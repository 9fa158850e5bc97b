"""Checks the values of an item against the fields of its resource."""

import ipaddress
import re
from collections.abc import Mapping
from typing import NamedTuple

from appliance.practice.catalogue import FieldKind, FieldSpec, Resource, Text, Value
from appliance.practice.refusals import Code, Refused, Said
from appliance.practice.state import AccountState, Item

Errors = dict[str, Said | Text]


class _Check(NamedTuple):
    """What a check needs to know."""

    resource: Resource
    kind: str
    values: Mapping[str, Value]
    """All values of the item as they would be."""
    state: AccountState
    item: Item | None
    """The item that is changed; None for a new one."""


def checked(
    resource: Resource,
    kind: str,
    given: Mapping[str, Value],
    state: AccountState,
    item: Item | None = None,
) -> dict[str, Value]:
    """The values that an item would have, defaults filled in; `Refused` when they do not do.

    Args:
        resource: Whose fields count.
        kind: Its kind.
        given: The values to set.
        state: What the account has.
        item: The item that is changed; None for a new one.
    """
    unknown = [name for name in given if name not in resource.fields]
    if unknown:
        said = Said("error_unknown", {"field": unknown[0]})
        raise Refused(Code.VALIDATION, Said("refused_validation"), {unknown[0]: said})
    values: dict[str, Value] = dict(item.values) if item else _defaults(resource)
    values |= {name: _plain(value) for name, value in given.items()}
    names = given if item else resource.fields
    check = _Check(resource, kind, values, state, item)
    errors: Errors = {}
    for name in names:
        if problem := _problem(name, check):
            errors[name] = problem
    if errors:
        raise Refused(Code.VALIDATION, Said("refused_validation"), errors)
    _check_unique(check, names)
    return values


def _plain(value: Value) -> Value:
    return value.strip() if isinstance(value, str) else value


def _defaults(resource: Resource) -> dict[str, Value]:
    empty: dict[FieldKind, Value] = {FieldKind.BOOLEAN: False, FieldKind.TAGS: {}}
    return {
        name: field.default if field.default is not None else empty.get(field.kind, "")
        for name, field in resource.fields.items()
    }


def _problem(name: str, check: _Check) -> Said | Text | None:
    field, value = check.resource.fields[name], check.values[name]
    label: dict[str, Text | str] = {"label": field.label}
    if not _is_of_kind(field.kind, value):
        return Said("error_kind", label)
    if value in ("", {}, None) or (field.kind is FieldKind.BOOLEAN and not value):
        if not field.required:
            return None
        chosen = field.kind in (FieldKind.CHOICE, FieldKind.REFERENCE)
        return Said("error_choose" if chosen else "error_required", label)
    match field.kind:
        case FieldKind.TEXT | FieldKind.MULTILINE:
            return _text_problem(field, str(value))
        case FieldKind.CIDR:
            return _cidr_problem(name, field, str(value), check)
        case FieldKind.CHOICE if value not in [option.value for option in field.options]:
            return Said("error_option", {**label, "value": str(value)})
        case FieldKind.REFERENCE:
            return _reference_problem(field, str(value), check)
        case FieldKind.TAGS if isinstance(value, dict) and not all(k.strip() for k in value):
            return Said("error_tag_key")
    return None


def _is_of_kind(kind: FieldKind, value: Value) -> bool:
    match kind:
        case FieldKind.BOOLEAN:
            return isinstance(value, bool)
        case FieldKind.TAGS:
            return isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
        case _:
            return value is None or isinstance(value, str)


def _text_problem(field: FieldSpec, value: str) -> Said | Text | None:
    if not field.min_length <= len(value) <= field.max_length:
        bounds = {"min": str(field.min_length), "max": str(field.max_length)}
        return Said("error_length", {"label": field.label, **bounds})
    if field.pattern and not re.fullmatch(field.pattern, value):
        return field.pattern_message or Said("error_pattern", {"label": field.label})
    return None


def _cidr_problem(name: str, field: FieldSpec, value: str, check: _Check) -> Said | None:
    try:
        network = ipaddress.IPv4Network(value)
    except ValueError:
        return Said("error_cidr", {"label": field.label})
    if not field.within:
        return None
    parent = check.state.items.get(str(check.values[field.within]))
    if parent is None:
        return None  # the reference itself is refused
    around = ipaddress.IPv4Network(str(parent.values[name]))
    if not network.subnet_of(around):
        return Said("error_within", {"label": field.label, "range": str(around)})
    for other in check.state.of_kind(check.kind):
        if other is check.item or other.values[field.within] != parent.id:
            continue
        if network.overlaps(ipaddress.IPv4Network(str(other.values[name]))):
            return Said("error_overlap", {"label": field.label, "name": other.name})
    return None


def _reference_problem(field: FieldSpec, value: str, check: _Check) -> Said | None:
    found = check.state.items.get(value)
    if found is None or found.kind != field.refers_to:
        return Said("error_reference", {"label": field.label})
    if field.within and found.values[field.within] != check.values[field.within]:
        return Said("error_other_parent", {"label": field.label})
    return None


def _check_unique(check: _Check, names: Mapping[str, object]) -> None:
    for name in names:
        if not check.resource.fields[name].unique:
            continue
        value = check.values[name]
        if any(
            other.values.get(name) == value
            for other in check.state.of_kind(check.kind)
            if other is not check.item
        ):
            said = Said("error_taken", {"value": str(value)})
            raise Refused(Code.NAME_TAKEN, said, {name: said})
