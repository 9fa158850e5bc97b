"""The description of the API, for people and for programs that make clients of it."""

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, get_args

from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Tag
from litestar.openapi.spec.schema import Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition
from pydantic import BaseModel

from appliance import __version__
from appliance.server.api.shapes.base import Given

if TYPE_CHECKING:
    from litestar._openapi.schema_generation.schema import SchemaCreator

_REFERENCE = "#/components/schemas/{model}"
_ABOUT = """\
Carries out the documentation of a cloud console in the console itself, and says which sentences are
no longer true.

**Keys.** Send `Authorization: Bearer KEY`. `appliance key create` makes the first key; on the
machine itself none is needed, unless the settings say so. A *viewer* looks, an *operator* starts,
stops and triages, an *admin* also has keys, schedules and accounts.

**Lists** take `page` and `page_size`, and say with `links` where the other pages are.

**Errors** are problem documents (RFC 9457) with the media type `application/problem+json`.

**Repeating.** A `POST` with an `Idempotency-Key` is done once, however often it is sent. Answers
to `GET` have an `ETag`; `If-None-Match` saves the body where nothing has changed.

**Streams** (`…/events`) are server-sent events; `Last-Event-ID` goes on where one broke off."""
_TAGS = {
    "Verifications": "Documents that are verified now, because somebody asks.",
    "Sweeps": "All of the documentation, or what of it is due.",
    "Runs": "What sweeps and verifications found: one list of both.",
    "Findings": "Sentences that the console contradicts: one for each root cause, with its places.",
    "Documentation": "Documents and procedures, with their last verdicts.",
    "Schedules": "What is done by the clock.",
    "Environment": "Accounts of the consoles, and what was made in the clouds behind them.",
    "Models": "Models, their training and their benchmarks.",
    "Administration": "Keys, webhooks and the store.",
}


def openapi_config() -> OpenAPIConfig:
    """What `/schema/openapi.json` says besides the routes."""
    return OpenAPIConfig(
        title="Console Docs Appliance",
        version=__version__,
        summary="Verifies cloud-console documentation in the live console.",
        description=_ABOUT,
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
        render_plugins=[JsonRenderPlugin(), YamlRenderPlugin()],
        use_handler_docstrings=True,
    )


class ModelSchemas(OpenAPISchemaPlugin):
    """Schemas of our models as pydantic makes them: Litestar's own leave out half of it."""

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
        told = model.model_json_schema(
            ref_template=_REFERENCE,
            mode="validation" if issubclass(model, Given) else "serialization",
        )
        schema.title = told.get("title")
        schema.description = told.get("description")
        schema.type = told.get("type")
        schema.properties = told.get("properties")
        schema.required = told.get("required")
        schema.additional_properties = told.get("additionalProperties")
        schema.examples = told.get("examples")
        for part in _named(model):
            schema_creator.for_field_definition(FieldDefinition.from_annotation(part))
        return schema


def _named(model: type[BaseModel]) -> Iterator[type]:
    """The models and enumerations that a model's fields name."""
    for field in model.model_fields.values():
        yield from _inside(field.annotation)


def _inside(annotation: object) -> Iterator[type]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel | Enum):
        yield annotation
    for part in get_args(annotation):
        yield from _inside(part)
