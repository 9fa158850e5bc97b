"""Values and items as JSON schemas, for the API's description of itself."""

from collections.abc import Sequence
from typing import Any

from appliance.practice.catalogue import FieldKind, FieldSpec, Located
from appliance.practice.views import is_secret

Spec = dict[str, Any]  # Any: a part of an OpenAPI document


def item_schema(located: Located) -> Spec:
    """An item as it is answered."""
    fields = located.resource.fields
    text = {"type": "string"}
    parts: Spec = {
        "id": text,
        "kind": {"const": located.kind},
        "name": text,
        "region": text,
        "state": {"enum": list(located.resource.states)},
        "is_settled": {"type": "boolean"},
        "created": {"type": "string", "format": "date-time"},
        "values": {
            "type": "object",
            "properties": {
                name: _answered_schema(field)
                for name, field in fields.items()
                if not is_secret(field)
            },
        },
        "references": {"type": "object"},
    }
    required = list(parts)
    if any(action.reveals for action in located.resource.actions.values()):
        parts["revealed"] = {"type": "object", "description": "Only in the answer to the creation."}
    return {"type": "object", "properties": parts, "required": required}


def entered_fields(located: Located) -> list[str]:
    """The fields that can be given."""
    return [name for name, field in located.resource.fields.items() if not field.generated]


def given_schema(located: Located, names: Sequence[str], *, needs_required: bool = False) -> Spec:
    """What can be given for some fields."""
    fields = located.resource.fields
    schema: Spec = {
        "type": "object",
        "properties": {name: _given_field(fields[name]) for name in names},
        "additionalProperties": False,
    }
    needed = [n for n in names if fields[n].required and fields[n].default in (None, "")]
    needed = [name for name in needed if fields[name].shown_if is None]
    if needs_required and needed:
        schema["required"] = needed
    return schema


def _given_field(field: FieldSpec) -> Spec:
    schema = _value_schema(field)
    schema["title"] = field.label.en
    if field.hint:
        schema["description"] = field.hint.en
    if field.default is not None:
        schema["default"] = field.default
    return schema


def _answered_schema(field: FieldSpec) -> Spec:
    if field.kind is FieldKind.FILE:
        parts: Spec = {"name": {"type": "string"}, "size": {"type": "integer"}}
        return {"type": ["object", "null"], "properties": parts}
    if field.kind is FieldKind.NUMBER:
        return {"type": ["integer", "null"]}
    schema = _value_schema(field)
    for word in ("minLength", "pattern", "enum", "format"):  # a value may also be absent: ""
        schema.pop(word, None)
    return schema


def _value_schema(field: FieldSpec) -> Spec:
    """What a value may be. Keys mirror the kinds of fields one to one."""
    options = [option.value for option in field.options]
    match field.kind:
        case FieldKind.BOOLEAN:
            return {"type": "boolean"}
        case FieldKind.NUMBER:
            return {"type": "integer", "minimum": field.min, "maximum": field.max}
        case FieldKind.CHOICE:
            return {"type": "string", "enum": options if field.required else ["", *options]}
        case FieldKind.CHOICES:
            return {"type": "array", "items": {"enum": options}}
        case FieldKind.REFERENCE:
            return {"type": "string", "x-refers-to": field.refers_to}
        case FieldKind.REFERENCES:
            return {"type": "array", "items": {"type": "string"}, "x-refers-to": field.refers_to}
        case FieldKind.TAGS:
            return {"type": "object", "additionalProperties": {"type": "string"}}
        case FieldKind.FILE:
            parts: Spec = {
                "name": {"type": "string"},
                "content": {"type": "string", "contentEncoding": "base64"},
            }
            return {"type": "object", "properties": parts, "required": list(parts)}
        case _:
            return _text_schema(field)


def _text_schema(field: FieldSpec) -> Spec:
    schema: Spec = {"type": "string"}
    match field.kind:
        case FieldKind.TEXT | FieldKind.MULTILINE | FieldKind.SECRET | FieldKind.CODE:
            schema["maxLength"] = field.max_length
            if field.required and field.min_length:
                schema["minLength"] = field.min_length
            if field.pattern and field.required:
                schema["pattern"] = f"^(?:{field.pattern})$"
    if field.kind is FieldKind.SECRET:
        schema["writeOnly"] = True
    if field.kind is FieldKind.DATE and field.required:
        schema["format"] = "date"
    return schema
