"""What can be changed about a field so that its product stays usable."""

from collections.abc import Iterator, Sequence
from typing import Any

from appliance.benchmark.drift.judge import has_value
from appliance.practice.catalogue import FieldSpec, Located, Value

_EASY_KINDS = ("text", "multiline", "number", "choice", "date")
"""Kinds of which a program can make up a value."""
_NETWORKS = ("172.20.0.0/16", "192.168.0.0/16")
"""Private ranges that no bundled documentation names."""


def can_be_hidden(located: Located, name: str) -> bool:
    """Not what must be given, what others depend on, or all that a dialog asks for."""
    field, resource = located.resource.fields[name], located.resource
    is_needed = field.required and not has_value(field)
    is_alone = any(
        action.fields and set(action.fields) <= {name} for action in resource.actions.values()
    )
    is_searched = name in (*resource.list.search, *resource.list.filters)
    is_leading = depends(located, [name], list(resource.fields))
    return not (
        is_needed or is_alone or is_searched or is_leading or field.is_hidden or name == "name"
    )


def can_be_required(located: Located, name: str) -> bool:
    """What is empty at first, always asked for, and easily made up."""
    field = located.resource.fields[name]
    is_simple = field.kind in _EASY_KINDS and (not field.pattern or bool(field.example))
    is_free = field.shown_if is None and not field.generated and not field.is_hidden
    return is_simple and is_free and not field.required and not has_value(field)


def depends(located: Located, names: Sequence[str], others: Sequence[str]) -> bool:
    """Whether some fields look at others, or the other way round."""
    first_fields, other_fields = set(names), set(others) - set(names)
    return any(
        (name in first_fields and looks_at in other_fields)
        or (name in other_fields and looks_at in first_fields)
        for name, field in located.resource.fields.items()
        for looks_at in _fields_looked_at(field)
    )


def _fields_looked_at(field: FieldSpec) -> set[str]:
    return {field.within, field.shown_if.field if field.shown_if else ""} - {""}


def other_options(
    located: Located, name: str, kept: frozenset[tuple[str, str, str]]
) -> Iterator[list[dict[str, Any]]]:  # Any: options of the catalogue, checked later
    """The options without one, and with one more."""
    field = located.resource.fields[name]
    options = [option.model_dump(mode="json", exclude_none=True) for option in field.options]
    needed_values = {value for kind, other, value in kept if (kind, other) == (located.kind, name)}
    needed_values |= set(field.default) if isinstance(field.default, list) else {str(field.default)}
    for other in located.resource.fields.values():
        if other.shown_if and other.shown_if.field == name:
            needed_values |= {str(value) for value in other.shown_if.values}
    if located.resource.price and name in located.resource.price.by:
        needed_values |= set(located.resource.price.by[name])
    for option in options:
        if len(options) > 2 and option["value"] not in needed_values:
            yield [other_option for other_option in options if other_option is not option]
    if options:
        extra_option = {"value": "legacy", "label": {"en": "Legacy type", "zh": "旧版类型"}}
        yield [*options, extra_option]


def other_defaults(located: Located, name: str) -> Iterator[Value]:
    """Other values for a field that has a default and that no other field looks at."""
    field = located.resource.fields[name]
    followers = [f for f in located.resource.fields.values() if name in _fields_looked_at(f)]
    if field.default is None or followers or field.is_hidden or field.generated:
        return
    if field.kind == "choice":
        for option in field.options:
            if option.value != field.default:
                yield option.value
    elif field.kind == "boolean":
        yield not field.default
    elif field.kind == "number" and isinstance(field.default, int):
        for value in (field.default * 2, field.default + 1, field.default - 1):
            if field.min <= value <= field.max and value != field.default:
                yield value
    elif field.kind == "cidr":
        yield from (network for network in _NETWORKS if network != field.default)
