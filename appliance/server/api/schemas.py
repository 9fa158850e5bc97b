"""Schemas of our shapes, as pydantic makes them: Litestar's own leave out half of it."""

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, get_args

from litestar.config.app import AppConfig
from litestar.openapi.spec.schema import Schema
from litestar.plugins import InitPlugin, OpenAPISchemaPlugin
from litestar.typing import FieldDefinition
from pydantic import BaseModel

from appliance.server.api.shapes.base import Given, Shown

if TYPE_CHECKING:
    from litestar._openapi.schema_generation.schema import SchemaCreator

_REFERENCE = "#/components/schemas/{model}"


class ModelSchemas(InitPlugin, OpenAPISchemaPlugin):
    """Makes them, and has what comes out written as they say."""

    def on_app_init(self, app_config: AppConfig) -> AppConfig:
        """With the names that the schemas have."""
        app_config.type_encoders = {**(app_config.type_encoders or {}), Shown: _written}
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


def _written(shown: Shown) -> dict[str, Any]:  # Any: JSON
    return shown.model_dump(mode="json", by_alias=True)


def _named(model: type[BaseModel]) -> Iterator[type]:
    """The models and enumerations that a model's fields name."""
    for field in model.model_fields.values():
        yield from _inside(field.annotation)


def _inside(annotation: object) -> Iterator[type]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel | Enum):
        yield annotation
    for part in get_args(annotation):
        yield from _inside(part)
