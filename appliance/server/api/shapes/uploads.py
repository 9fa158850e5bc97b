"""Documents that come as files."""

import json
import re
from typing import Annotated, Any

from litestar.datastructures import UploadFile
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from appliance.server.api.shapes.asked import FILE_NAME, Pattern, Policy, Values
from appliance.server.api.shapes.base import Given


def _all(value: Any) -> Any:  # Any: what a form has: one thing, or a list of them
    return value if isinstance(value, list | tuple) else [value]


def _read(value: Any) -> Any:  # Any: what a form has
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError as error:
        raise PydanticCustomError("json", "is no JSON: {why}", {"why": str(error)}) from error


def _named(files: tuple[UploadFile, ...]) -> tuple[UploadFile, ...]:
    for file in files:
        if not re.fullmatch(FILE_NAME, file.filename):
            raise PydanticCustomError(
                "document_name",
                "{name} is no name of a document: as in `disks.md`, without folders",
                {"name": repr(file.filename)},
            )
    return files


class Upload(Given):
    """A form with files."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    files: Annotated[
        tuple[UploadFile, ...],
        BeforeValidator(_all),
        Field(min_length=1, max_length=50),
        AfterValidator(_named),
        WithJsonSchema(
            {
                "type": "array",
                "items": {"type": "string", "format": "binary"},
                "minItems": 1,
                "maxItems": 50,
            }
        ),
    ]
    """Documents; the endings of their names say the format."""
    console: Annotated[str, Field(max_length=200, examples=["practice"])] = ""
    """Name of a console in the settings; empty: the default one."""
    procedures: Annotated[tuple[Pattern, ...], BeforeValidator(_all), Field(max_length=200)] = ()
    """Only procedures whose id or title matches one of these shell patterns; empty: all."""
    values: Annotated[
        Values,
        BeforeValidator(_read),
        WithJsonSchema({"type": "string", "examples": ['{"disk_name": "demo-disk"}']}),
    ] = Field(default_factory=dict)
    """For what the texts leave open: a JSON object, by name."""
    policy: Policy = "auto"
    """How actions are chosen; `auto` takes the cheapest that works."""
