"""Checks the field definitions of a resource, and its prices."""

import re
from collections.abc import Iterator

from appliance.practice.catalogue import FieldKind, FieldSpec, Located, Price, Resource
from appliance.practice.loading import CatalogueNames, unknown_names
from appliance.practice.state import AccountState
from appliance.practice.value_checks import CheckContext, problem_of

_K = FieldKind
_REFERENCES = frozenset({_K.REFERENCE, _K.REFERENCES})
_OPTIONAL = frozenset({_K.CHOICE, _K.CHOICES})
_WIDGETS = {
    "select": {_K.CHOICE, _K.REFERENCE},
    "combobox": {_K.CHOICE},
    "typeahead": {_K.CHOICE, _K.REFERENCE},
    "plain": {_K.CHOICE},
    "cards": {_K.CHOICE},
    "radio": {_K.CHOICE},
    "switch": {_K.BOOLEAN},
    "checkbox": {_K.BOOLEAN},
    "checkboxes": {_K.CHOICES, _K.REFERENCES},
    "transfer": {_K.CHOICES, _K.REFERENCES},
    "stepper": {_K.NUMBER},
    "slider": {_K.NUMBER},
    "calendar": {_K.DATE},
    "native": {_K.DATE, _K.TIME},
}


def field_problems(
    where: str, name: str, located: Located, catalogue_names: CatalogueNames
) -> Iterator[str]:
    """Problems with a field, as sentences."""
    field = located.resource.fields[name]
    options = [option.value for option in field.options]
    if field.kind == "choice" and field.default is not None and field.default not in options:
        yield f"{where}: the default {field.default!r} is none of the options"
    else:
        yield from _value_problems(where, name, located)
    yield from _form_problems(where, field)
    yield from _reference_problems(where, name, located, catalogue_names)
    yield from _condition_problems(where, name, located.resource)


def _form_problems(where: str, field: FieldSpec) -> Iterator[str]:
    if field.widget and field.kind not in _WIDGETS[field.widget]:
        yield f"{where}: a {field.kind.value} cannot be entered with {field.widget!r}"
    if bool(field.options) != (field.kind in _OPTIONAL):
        yield f"{where}: choices have options, and nothing else has"
    if len({option.value for option in field.options}) < len(field.options):
        yield f"{where}: an option is there twice"
    if field.min > field.max or field.min_length > field.max_length:
        yield f"{where}: the lower bound is above the upper one"
    if field.kind is FieldKind.CODE and "max_length" not in field.model_fields_set:
        yield f"{where}: code needs a max_length, for the usual one is too short"
    if field.generated and field.kind not in (FieldKind.TEXT, FieldKind.SECRET):
        yield f"{where}: what is generated is a text or a secret"


def _value_problems(where: str, name: str, located: Located) -> Iterator[str]:
    """A default and an example must be values that the cloud accepts."""
    field = located.resource.fields[name]
    try:
        re.compile(field.pattern)
    except re.error as exc:
        yield f"{where}: the pattern cannot be used: {exc}"
        return
    if field.kind in _REFERENCES or field.generated:
        return
    values: dict[str, object] = {"default": field.default}
    if field.example and field.kind not in (*_OPTIONAL, FieldKind.FILE, FieldKind.TAGS):
        is_number = field.kind is FieldKind.NUMBER and re.fullmatch(r"-?\d+", field.example)
        values["example"] = int(field.example) if is_number else field.example
    for role, value in values.items():
        if value not in (None, "", [], {}, False) and not _is_accepted(name, value, located):
            yield f"{where}: the {role} {value!r} is not accepted"


def _is_accepted(name: str, value: object, located: Located) -> bool:
    resource = located.resource.model_copy(
        update={"fields": {name: located.resource.fields[name].model_copy(update={"within": ""})}}
    )
    values = {name: value}
    context = CheckContext(resource, located.kind, values, AccountState(), None, "", ())  # type: ignore[arg-type]  # the value is what is checked
    return problem_of(name, context) is None


def _reference_problems(
    where: str, name: str, located: Located, catalogue_names: CatalogueNames
) -> Iterator[str]:
    field, fields = located.resource.fields[name], located.resource.fields
    if bool(field.refers_to) != (field.kind in _REFERENCES):
        yield f"{where}: references name a kind in refers_to, and nothing else does"
        return
    if field.refers_to:
        yield from unknown_names(where, [field.refers_to], catalogue_names.kinds)
    if not field.within:
        return
    yield from unknown_names(f"{where}.within", [field.within], fields)
    around_field = fields.get(field.within)
    if around_field is None:
        return
    if around_field.kind is not FieldKind.REFERENCE:
        yield f"{where}.within: {field.within} is no reference"
        return
    is_range = field.kind is FieldKind.CIDR
    referenced = catalogue_names.kinds.get(around_field.refers_to if is_range else field.refers_to)
    if referenced is not None:
        required_field = name if is_range else field.within
        yield from unknown_names(
            f"{where}.within: {referenced.kind}", [required_field], referenced.resource.fields
        )


def _condition_problems(where: str, name: str, resource: Resource) -> Iterator[str]:
    condition = resource.fields[name].shown_if
    if condition is None:
        return
    where = f"{where}.shown_if"
    yield from unknown_names(where, [condition.field], resource.fields)
    chain = [name]
    while condition is not None and condition.field in resource.fields:
        if condition.field in chain:
            yield f"{where}: {' and '.join(dict.fromkeys(chain))} wait for one another"
            return
        chain.append(condition.field)
        condition = resource.fields[condition.field].shown_if
    condition = resource.fields[name].shown_if
    controlling = resource.fields.get(condition.field) if condition else None
    if condition is None or controlling is None:
        return
    possible_values: list[str | bool] = []
    match controlling.kind:
        case FieldKind.BOOLEAN:
            possible_values = [True, False]
        case FieldKind.CHOICE | FieldKind.CHOICES:
            possible_values = [option.value for option in controlling.options]
        case _:
            yield f"{where}: {condition.field} is neither a choice nor a boolean"
            return
    for value in condition.values:
        if value not in possible_values:
            yield f"{where}: {condition.field} is never {value!r}"


def price_problems(where: str, price: Price, resource: Resource) -> Iterator[str]:
    """Problems with a price.

    Values that are not options are harmless, as options may be removed by a drift.
    """
    yield from unknown_names(f"{where}.by", price.by, resource.fields)
    for name, prices in price.by.items():
        field = resource.fields.get(name)
        if field is not None and field.kind is FieldKind.NUMBER and list(prices) != ["each"]:
            yield f"{where}.by.{name}: a number has the price of one, as `each`"
