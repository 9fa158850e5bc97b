"""The REST API as OpenAPI 3.1, derived from the catalogue."""

from collections.abc import Sequence
from typing import Any

from appliance.core.jsonable import Json
from appliance.practice.catalogue import Action, Catalogue, FieldKind, FieldSpec, Located
from appliance.practice.refusals import STATUS, Code
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


VERSION = "1"
_DATA = "application/json"


def openapi_view(catalogue: Catalogue) -> dict[str, Json]:
    """The description of all resources."""
    paths: Spec = {}
    schemas: Spec = {"Problem": _PROBLEM}
    for located in catalogue.resources():
        name = _class(located.kind)
        schemas[name] = item_schema(located)
        schemas[f"{name}Create"] = given_schema(
            located, entered_fields(located), needs_required=True
        )
        schemas[f"{name}Change"] = given_schema(located, entered_fields(located))
        paths |= _paths(located, name)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": catalogue.text("brand").en,
            "version": VERSION,
            "description": "Every resource of the practice cloud.",
        },
        "security": [{"basic": []}, {"bearer": []}],
        "tags": [
            {"name": service, "description": product.name.en}
            for service, product in catalogue.products.items()
        ],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "parameters": {"region": _region(catalogue), "id": _path_parameter("id")},
            "responses": {"problem": _PROBLEM_RESPONSE},
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _paths(located: Located, name: str) -> Spec:
    """The addresses of a resource."""
    actions = located.resource.actions
    collection = f"/api/{located.service}/{located.resource.collection}"
    many: Spec = {"parameters": [_ref("parameters", "region")], "get": _list(located, name)}
    one: Spec = {
        "parameters": [_ref("parameters", "id"), _ref("parameters", "region")],
        "get": _operation(located, f"get{name}", f"One {located.resource.name.en}", 200, name),
    }
    if "create" in actions:
        many["post"] = _action(located, f"create{name}", actions["create"], 201, name, "Create")
    if any(action.kind in ("edit", "tags") for action in actions.values()):
        summary = f"Change a {located.resource.name.en}"
        one["patch"] = _operation(located, f"change{name}", summary, 200, name, f"{name}Change")
    if "delete" in actions:
        one["delete"] = _action(located, f"delete{name}", actions["delete"], 204, "", "")
    paths: Spec = {collection: many, f"{collection}/{{id}}": one}
    for word, action in actions.items():
        if action.kind in ("edit", "tags", "transition"):
            at = f"{collection}/{{id}}/{word}"
            paths[at] = {
                "parameters": one["parameters"],
                "post": _step(located, name, word, action),
            }
    return paths


def _step(located: Located, name: str, word: str, action: Action) -> Spec:
    operation = _action(located, f"{_camel(word)}{name}", action, 200, name, "")
    body = given_schema(located, action.fields)
    if action.requires:
        body["required"] = [*action.requires]
    operation["requestBody"] = {"required": True, "content": {_DATA: {"schema": body}}}
    return operation


def _action(
    located: Located, name: str, action: Action, status: int, answer: str, takes: str
) -> Spec:
    body = f"{answer}{takes}" if takes else ""
    operation = _operation(located, name, action.label.en, status, answer, body)
    operation["x-event"] = action.event
    if action.permission:
        operation["x-permission"] = action.permission
    return operation


def _operation(
    located: Located, name: str, summary: str, status: int, answer: str, body: str = ""
) -> Spec:
    done: Spec = {"description": "Done"}
    if answer:
        done["content"] = {_DATA: {"schema": _ref("schemas", answer)}}
    operation: Spec = {
        "operationId": name,
        "summary": summary,
        "tags": [located.service],
        "responses": {str(status): done, "default": _ref("responses", "problem")},
    }
    if body:
        content = {_DATA: {"schema": _ref("schemas", body)}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _list(located: Located, name: str) -> Spec:
    operation = _operation(located, f"list{name}", located.resource.plural.en, 200, name)
    number: Spec = {"type": "integer", "minimum": 1}
    texts = ["search", "sort", "state"]
    queries: Spec = {word: {"type": "string"} for word in texts}
    queries |= {"order": {"enum": ["asc", "desc"]}, "page": number, "per_page": number}
    operation["parameters"] = [
        {"name": word, "in": "query", "schema": schema} for word, schema in queries.items()
    ]
    page: Spec = {
        "items": {"type": "array", "items": _ref("schemas", name)},
        "total": {"type": "integer"},
        "page": number,
        "per_page": number,
    }
    schema = {"type": "object", "properties": page, "required": list(page)}
    operation["responses"]["200"]["content"] = {_DATA: {"schema": schema}}
    return operation


def _ref(section: str, name: str) -> Spec:
    return {"$ref": f"#/components/{section}/{name}"}


def _path_parameter(name: str) -> Spec:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _region(catalogue: Catalogue) -> Spec:
    regions = [region.id for region in catalogue.console.regions]
    return {
        "name": "region",
        "in": "query",
        "description": "The region; * for all. The header x-practice-region says the same.",
        "schema": {"enum": [*regions, "*"], "default": regions[0]},
    }


def _class(kind: str) -> str:
    name = _camel(kind)
    return name[:1].upper() + name[1:]


def _camel(words: str) -> str:
    first, *others = words.replace("_", "-").split("-")
    return first + "".join(word.capitalize() for word in others)


_PROBLEM: Spec = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer", "enum": sorted({*STATUS.values(), 500})},
        "detail": {"type": "string"},
        "code": {"enum": [*(code.value for code in Code), "BadRequest", "InternalError"]},
        "errors": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "required": ["type", "title", "status", "detail", "code", "errors"],
}
_PROBLEM_RESPONSE: Spec = {
    "description": "Refused",
    "content": {"application/problem+json": {"schema": _ref("schemas", "Problem")}},
}
