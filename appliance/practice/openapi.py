"""The REST API as OpenAPI 3.1, derived from the catalogue."""

from collections.abc import Sequence
from typing import Any

from appliance.core.jsonable import Json
from appliance.practice.catalogue import Action, Catalogue, FieldKind, FieldSpec, Located
from appliance.practice.refusals import STATUS, Code
from appliance.practice.views import is_secret

Spec = dict[str, Any]  # Any: a part of an OpenAPI document


def item_schema(located: Located) -> Spec:
    """The schema of an item in responses."""
    fields = located.resource.fields
    text = {"type": "string"}
    properties: Spec = {
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
                name: _output_field_schema(field)
                for name, field in fields.items()
                if not is_secret(field)
            },
        },
        "references": {"type": "object"},
    }
    required = list(properties)
    if any(action.reveals for action in located.resource.actions.values()):
        properties["revealed"] = {
            "type": "object",
            "description": "Only in the answer to the creation.",
        }
    return {"type": "object", "properties": properties, "required": required}


def enterable_fields(located: Located) -> list[str]:
    """The fields that can be entered."""
    return [name for name, field in located.resource.fields.items() if not field.generated]


def input_schema(located: Located, names: Sequence[str], *, needs_required: bool = False) -> Spec:
    """The schema of a request body with values for these fields."""
    fields = located.resource.fields
    schema: Spec = {
        "type": "object",
        "properties": {name: _input_field_schema(fields[name]) for name in names},
        "additionalProperties": False,
    }
    required_names = [n for n in names if fields[n].required and fields[n].default in (None, "")]
    required_names = [name for name in required_names if fields[name].shown_if is None]
    if needs_required and required_names:
        schema["required"] = required_names
    return schema


def _input_field_schema(field: FieldSpec) -> Spec:
    schema = _value_schema(field)
    schema["title"] = field.label.en
    if field.hint:
        schema["description"] = field.hint.en
    if field.default is not None:
        schema["default"] = field.default
    return schema


def _output_field_schema(field: FieldSpec) -> Spec:
    if field.kind is FieldKind.FILE:
        properties: Spec = {"name": {"type": "string"}, "size": {"type": "integer"}}
        return {"type": ["object", "null"], "properties": properties}
    if field.kind is FieldKind.NUMBER:
        return {"type": ["integer", "null"]}
    schema = _value_schema(field)
    for key in ("minLength", "pattern", "enum", "format"):  # a value may also be absent: ""
        schema.pop(key, None)
    return schema


def _value_schema(field: FieldSpec) -> Spec:
    """The schema of a field's value; the cases cover every kind of field."""
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
            properties: Spec = {
                "name": {"type": "string"},
                "content": {"type": "string", "contentEncoding": "base64"},
            }
            return {"type": "object", "properties": properties, "required": list(properties)}
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
_JSON_TYPE = "application/json"


def openapi_view(catalogue: Catalogue) -> dict[str, Json]:
    """The OpenAPI document for all resources."""
    paths: Spec = {}
    schemas: Spec = {"Problem": _PROBLEM}
    for located in catalogue.resources():
        name = _schema_name(located.kind)
        schemas[name] = item_schema(located)
        schemas[f"{name}Create"] = input_schema(
            located, enterable_fields(located), needs_required=True
        )
        schemas[f"{name}Change"] = input_schema(located, enterable_fields(located))
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
    """The paths of a resource."""
    actions = located.resource.actions
    collection = f"/api/{located.service}/{located.resource.collection}"
    collection_path: Spec = {
        "parameters": [_ref("parameters", "region")],
        "get": _list_operation(located, name),
    }
    item_path: Spec = {
        "parameters": [_ref("parameters", "id"), _ref("parameters", "region")],
        "get": _operation(located, f"get{name}", f"One {located.resource.name.en}", 200, name),
    }
    if "create" in actions:
        collection_path["post"] = _action_operation(
            located, f"create{name}", actions["create"], 201, name, "Create"
        )
    if any(action.kind in ("edit", "tags") for action in actions.values()):
        summary = f"Change a {located.resource.name.en}"
        item_path["patch"] = _operation(
            located, f"change{name}", summary, 200, name, f"{name}Change"
        )
    if "delete" in actions:
        item_path["delete"] = _action_operation(
            located, f"delete{name}", actions["delete"], 204, "", ""
        )
    paths: Spec = {collection: collection_path, f"{collection}/{{id}}": item_path}
    for action_name, action in actions.items():
        if action.kind in ("edit", "tags", "transition"):
            action_path = f"{collection}/{{id}}/{action_name}"
            paths[action_path] = {
                "parameters": item_path["parameters"],
                "post": _item_action_operation(located, name, action_name, action),
            }
    return paths


def _item_action_operation(located: Located, name: str, action_name: str, action: Action) -> Spec:
    operation = _action_operation(located, f"{_camel(action_name)}{name}", action, 200, name, "")
    body = input_schema(located, action.fields)
    if action.requires:
        body["required"] = [*action.requires]
    operation["requestBody"] = {"required": True, "content": {_JSON_TYPE: {"schema": body}}}
    return operation


def _action_operation(
    located: Located, name: str, action: Action, status: int, answer_schema: str, body_suffix: str
) -> Spec:
    body = f"{answer_schema}{body_suffix}" if body_suffix else ""
    operation = _operation(located, name, action.label.en, status, answer_schema, body)
    operation["x-event"] = action.event
    if action.permission:
        operation["x-permission"] = action.permission
    return operation


def _operation(
    located: Located,
    name: str,
    summary: str,
    status: int,
    answer_schema: str,
    body_schema: str = "",
) -> Spec:
    success: Spec = {"description": "Done"}
    if answer_schema:
        success["content"] = {_JSON_TYPE: {"schema": _ref("schemas", answer_schema)}}
    operation: Spec = {
        "operationId": name,
        "summary": summary,
        "tags": [located.service],
        "responses": {str(status): success, "default": _ref("responses", "problem")},
    }
    if body_schema:
        content = {_JSON_TYPE: {"schema": _ref("schemas", body_schema)}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _list_operation(located: Located, name: str) -> Spec:
    operation = _operation(located, f"list{name}", located.resource.plural.en, 200, name)
    positive_integer: Spec = {"type": "integer", "minimum": 1}
    text_queries = ["search", "sort", "state"]
    queries: Spec = {query_name: {"type": "string"} for query_name in text_queries}
    queries |= {
        "order": {"enum": ["asc", "desc"]},
        "page": positive_integer,
        "per_page": positive_integer,
    }
    operation["parameters"] = [
        {"name": query_name, "in": "query", "schema": schema}
        for query_name, schema in queries.items()
    ]
    page: Spec = {
        "items": {"type": "array", "items": _ref("schemas", name)},
        "total": {"type": "integer"},
        "page": positive_integer,
        "per_page": positive_integer,
    }
    schema = {"type": "object", "properties": page, "required": list(page)}
    operation["responses"]["200"]["content"] = {_JSON_TYPE: {"schema": schema}}
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


def _schema_name(kind: str) -> str:
    name = _camel(kind)
    return name[:1].upper() + name[1:]


def _camel(words: str) -> str:
    first, *remaining = words.replace("_", "-").split("-")
    return first + "".join(word.capitalize() for word in remaining)


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
