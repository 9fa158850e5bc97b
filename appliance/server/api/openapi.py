"""The description of the API, for people and for programs that make clients of it.

The schemas of our shapes are pydantic's, and what Litestar leaves out of the description is added.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

import yaml
from litestar.config.app import AppConfig
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Tag
from litestar.openapi.spec.schema import Schema
from litestar.plugins import InitPlugin, OpenAPISchemaPlugin
from litestar.typing import FieldDefinition
from pydantic import BaseModel

from appliance import __version__
from appliance.server.api._reports import MEDIA_TYPES
from appliance.server.api.shapes.base import RequestShape, ResponseShape
from appliance.server.permissions import in_markdown
from appliance.server.problems import AnyRequest

if TYPE_CHECKING:
    from litestar._openapi.schema_generation.schema import SchemaCreator

Spec: TypeAlias = dict[str, Any]  # Any: JSON

_API = "/api/"
_PLAIN = r"^[!-~]+$"
_NOT_REPEATED = ("createKey", "rotateKey", "receiveAuditEvents")
"""An answer that must not be kept; and senders without a key, whose events have ids."""
_IDEMPOTENCY_KEY: Spec = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Any text of your own. The request is done once, however often it is sent with"
    " it, and the first answer comes again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": _PLAIN},
    "example": "release-4.2-build-1711",
}
_IF_MATCH: Spec = {
    "name": "If-Match",
    "in": "header",
    "description": "The `ETag` that it was read with: 412 where somebody was quicker.",
    "schema": {"type": "string"},
}
_IF_NONE_MATCH: Spec = {
    "name": "If-None-Match",
    "in": "header",
    "description": "An `ETag` that you have: 304 where nothing has changed since.",
    "schema": {"type": "string"},
}
_LAST_EVENT_ID: Spec = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "Id of the last event that came: the stream goes on behind it.",
    "schema": {"type": "string", "maxLength": 255, "pattern": _PLAIN},
}
_IDS = {
    "series_id": "Id of the training in phases, as in the list.",
    "run_id": "Id of the run: `Location` said it, and lists do.",
    "question_id": "Id of the question, as lists have it.",
    "finding_id": "Id of the finding, as lists have it.",
    "procedure_id": "Id of the procedure, as lists have it, with its slashes (as such or `%2F`).",
    "key_id": "Id of the key, as the list has it.",
    "delivery_id": "Id of the message, as the list has it.",
    "console": "Name of the console in the settings.",
    "name": "Its name, as the list has it.",
}
_TAG: Spec = {"description": "Changes with the body.", "schema": {"type": "string"}}
_UNCHANGED: Spec = {"description": "Nothing has changed since that `ETag`."}
_REFERENCE = "#/components/schemas/{model}"
_ABOUT = """\
Carries out the documentation of a cloud console in the console itself, and says which sentences are
no longer true.

**Keys.** Send `Authorization: Bearer KEY`. `appliance key create` makes the first key; on the
machine itself none is needed, unless the settings say so. Too many wrong keys from one address lock
it out for a while (429).

{permissions}

**Lists** take `page` and `page_size`, and say with `links` where the other pages are.

**Errors** are problem documents (RFC 9457) with the media type `application/problem+json`.

**Repeating.** A `POST` with an `Idempotency-Key` is done once, however often it is sent. Answers
to `GET` have an `ETag`; `If-None-Match` saves the body where nothing has changed.

**Streams** (`…/events`) are server-sent events; `Last-Event-ID` goes on where one broke off."""
_TAGS = {
    "Verifications": "Documents that are verified now, because somebody asks.",
    "Sweeps": "All of the documentation, or what of it is due.",
    "Runs": "What sweeps and verifications found: one list of both.",
    "Questions": "What attempts ask people while they wait, and their answers.",
    "Findings": "Sentences that the console contradicts: one for each root cause, with its places.",
    "Documentation": "Documents and procedures, with their last verdicts.",
    "Schedules": "What is done by the clock.",
    "Environment": "Accounts of the consoles, and what was made in the clouds behind them.",
    "Models": "Models, their training and their benchmarks.",
    "Administration": "Keys, who did what, webhooks and the store.",
}


def openapi_config() -> OpenAPIConfig:
    """What `/schema/openapi.json` says besides the routes."""
    return OpenAPIConfig(
        title="Console Docs Appliance",
        version=__version__,
        summary="Verifies cloud-console documentation in the live console.",
        description=_ABOUT.format(permissions=in_markdown()),
        tags=[Tag(name=name, description=about) for name, about in _TAGS.items()],
        components=Components(
            security_schemes={
                "key": SecurityScheme(
                    type="http",
                    scheme="bearer",
                    description="A key that `appliance key create` or `POST /keys` made.",
                )
            }
        ),
        security=[{"key": []}, {}],
        render_plugins=[AsJson(), AsYaml()],
        use_handler_docstrings=True,
    )


class ModelSchemas(InitPlugin, OpenAPISchemaPlugin):
    """Makes them, and has what comes out written as they say."""

    def on_app_init(self, app_config: AppConfig) -> AppConfig:
        """With the names that the schemas have."""
        app_config.type_encoders = {**(app_config.type_encoders or {}), ResponseShape: _dump}
        return app_config

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:  # Any: whatever handlers name
        """Whether it is a model."""
        return isinstance(value, type) and issubclass(value, BaseModel)

    def to_openapi_schema(
        self, field_definition: FieldDefinition, schema_creator: "SchemaCreator"
    ) -> Schema:
        """The model's schema, put among the components with those of all that it names."""
        model: type[BaseModel] = field_definition.annotation
        schema = schema_creator.schema_registry.get_schema_for_field_definition(field_definition)
        spec = model.model_json_schema(
            ref_template=_REFERENCE,
            mode="validation" if issubclass(model, RequestShape) else "serialization",
        )
        schema.title = spec.get("title")
        schema.description = spec.get("description")
        schema.type = spec.get("type")
        schema.properties = spec.get("properties")
        schema.required = spec.get("required")
        schema.additional_properties = spec.get("additionalProperties")
        schema.examples = spec.get("examples")
        for part in _named_types(model):
            schema_creator.for_field_definition(FieldDefinition.from_annotation(part))
        return schema


def _dump(shape: ResponseShape) -> dict[str, Any]:  # Any: JSON
    return shape.model_dump(mode="json", by_alias=True)


def _named_types(model: type[BaseModel]) -> Iterator[type]:
    """The models and enumerations that a model's fields name."""
    for field in model.model_fields.values():
        yield from _inside(field.annotation)


def _inside(annotation: object) -> Iterator[type]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel | Enum):
        yield annotation
    for part in get_args(annotation):
        yield from _inside(part)


def complete(spec: Spec) -> Spec:
    """A copy that says everything."""
    spec = deepcopy(spec)
    for path, operations in spec["paths"].items():
        for method, operation in operations.items():
            for parameter in operation.get("parameters", ()):
                _without_null(parameter)
                if parameter["in"] == "path":
                    parameter.setdefault("description", _IDS.get(parameter["name"], ""))
            _list_formats(operation)
            for response in operation["responses"].values():
                for header in response.get("headers", {}).values():
                    header.setdefault("schema", {"type": "string"})
            if path.startswith(_API):
                operation.setdefault("parameters", []).extend(_headers(method, operation))
                _describe_etag(method, operation)
    for schema in spec["components"]["schemas"].values():
        for part in schema.get("properties", {}).values():
            part.pop("title", None)  # its name once more, with capitals
    return spec


def _list_formats(operation: Spec) -> None:
    """A report comes in several, which a decorator cannot say."""
    success = operation["responses"].get("200", {})
    if "*/*" in success.get("content", {}):
        text = {"schema": {"type": "string"}}
        success["content"] = dict.fromkeys(MEDIA_TYPES.values(), text)


class AsJson(JsonRenderPlugin):
    """`/schema/openapi.json`."""

    _document = b""

    def render(self, request: AnyRequest, openapi_schema: Spec) -> bytes:
        """The description as JSON; made once."""
        self._document = (
            self._document or json.dumps(complete(openapi_schema), ensure_ascii=False).encode()
        )
        return self._document


class AsYaml(YamlRenderPlugin):
    """`/schema/openapi.yaml`."""

    _document = b""

    def render(self, request: AnyRequest, openapi_schema: Spec) -> bytes:
        """The description as YAML; made once."""
        self._document = self._document or _yaml(json.loads(json.dumps(complete(openapi_schema))))
        return self._document


def _yaml(spec: Spec) -> bytes:
    """With the parser in C, where there is one: the other takes a second, in which all wait."""
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text: str = yaml.dump(spec, Dumper=dumper, sort_keys=False, allow_unicode=True)
    return text.encode()


def _headers(method: str, operation: Spec) -> Iterator[Spec]:
    """What is taken by a whole kind of operations."""
    if method == "post" and operation["operationId"] not in _NOT_REPEATED:
        yield _IDEMPOTENCY_KEY
    if "412" in operation["responses"]:
        yield _IF_MATCH
    if method == "get":
        content = operation["responses"]["200"].get("content", {})
        if "text/event-stream" in content:
            yield _LAST_EVENT_ID
        if "application/json" in content:
            yield _IF_NONE_MATCH


def _describe_etag(method: str, operation: Spec) -> None:
    """What comes with an `ETag`."""
    if method != "get":
        return
    success = operation["responses"]["200"]
    if "application/json" in success.get("content", {}):
        success.setdefault("headers", {})["ETag"] = _TAG
        operation["responses"]["304"] = _UNCHANGED


def _without_null(parameter: Spec) -> None:
    """What may be left out is not sent as null: an address has no such thing."""
    schema = parameter.get("schema", {})
    kinds = schema.get("oneOf", [])
    if {"type": "null"} in kinds and len(kinds) == 2:
        schema_without_null = next(kind for kind in kinds if kind != {"type": "null"})
        other_keywords = {name: value for name, value in schema.items() if name != "oneOf"}
        parameter["schema"] = schema_without_null | (
            {} if "$ref" in schema_without_null else other_keywords
        )
