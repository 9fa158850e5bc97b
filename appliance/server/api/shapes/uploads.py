"""Documents that come as files."""

from typing import Annotated, Any

from litestar.datastructures import UploadFile
from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema

from appliance.core.verdict import PolicyChoice
from appliance.server.api.shapes.base import Given
from appliance.server.api.shapes.requests import Pattern

MOST_FILES = 900
"""A form has at most 1,000 parts."""


def _all(value: Any) -> Any:  # Any: what a form has: one thing, or a list of them
    return value if isinstance(value, list | tuple) else [value]


class Upload(Given):
    """A form with files."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    files: Annotated[
        tuple[UploadFile, ...],
        BeforeValidator(_all),
        Field(min_length=1, max_length=MOST_FILES),
        WithJsonSchema(
            {
                "type": "array",
                "items": {"type": "string", "format": "binary"},
                "minItems": 1,
                "maxItems": MOST_FILES,
            }
        ),
    ]
    """Documents; the endings of their names say the format. With them may come what they are held
    against (`disks.checks.yaml`) and, where names have folders (`network/disks.md`), what they read
    (`antora.yml`, files of entities)."""
    console: Annotated[str, Field(max_length=200, examples=["practice"])] = ""
    """Name of a console in the settings; empty: the default one."""
    procedures: Annotated[tuple[Pattern, ...], BeforeValidator(_all), Field(max_length=2000)] = ()
    """Only procedures whose id or title matches one of these shell patterns; empty: all."""
    values: Annotated[str, Field(examples=['{"disk_name": "demo-disk"}'])] = "{}"
    """For what the texts leave open: a JSON object of texts, by name."""
    policy: PolicyChoice = PolicyChoice.AUTO
    """How actions are chosen; `auto` takes the cheapest that works."""
    try_patches: bool | None = None
    """Whether procedures that are not true are carried out once more with the suggested texts in
    them, so that only what verifies then is in patches; left out: as the settings say."""
