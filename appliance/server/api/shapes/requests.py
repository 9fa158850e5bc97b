"""What verifications and sweeps are asked for with."""

from typing import Annotated, Any, TypeAlias

from litestar.datastructures import UploadFile
from pydantic import BeforeValidator, ConfigDict, Discriminator, Field, Tag, WithJsonSchema

from appliance.core.verdict import PolicyChoice
from appliance.server.api.shapes.base import RequestShape

Pattern: TypeAlias = Annotated[str, Field(min_length=1, max_length=500)]
PLAIN = r"^[^\x00-\x1f]+$"
DocumentPath: TypeAlias = Annotated[str, Field(max_length=1000, pattern=PLAIN)]
FILE_NAME = r"^[^/\\\x00-\x1f]{1,120}\.(md|markdown|rst|html|htm)$"
Values: TypeAlias = dict[
    Annotated[str, Field(max_length=200)], Annotated[str, Field(max_length=10_000)]
]


class RunRequestBody(RequestShape):
    """What all that is carried out has in common."""

    console: Annotated[str, Field(max_length=200, examples=["practice"])] = ""
    """Name of a console in the settings; empty: the default one."""
    procedures: Annotated[
        tuple[Pattern, ...], Field(max_length=200, examples=[["create-a-disk", "*snapshot*"]])
    ] = ()
    """Only procedures whose id or title matches one of these shell patterns; empty: all."""
    values: Annotated[Values, Field(max_length=100, examples=[{"disk_name": "demo-disk"}])] = Field(
        default_factory=dict
    )
    """For what the texts leave open, by name. They are not kept secret."""
    policy: PolicyChoice = PolicyChoice.AUTO
    """How actions are chosen; `auto` takes the cheapest that works."""
    try_patches: bool | None = None
    """Whether procedures that are not true are carried out once more with the suggested texts in
    them, so that only what verifies then is in patches; null: as the settings say."""


class GivenText(RequestShape):
    """A document that comes with the request."""

    name: Annotated[str, Field(pattern=FILE_NAME, examples=["disks.md"])]
    """A file name; its ending says the format."""
    text: Annotated[str, Field(max_length=5_000_000, examples=["# Disks\n\n1. Open **Disks**.\n"])]
    """The document itself."""


class GivenPath(RequestShape):
    """A document of the configured documentation."""

    path: Annotated[DocumentPath, Field(examples=["docs/disks.md"])]
    """A file or folder."""


class GivenAddress(RequestShape):
    """A document on one of the hosts in `documentation.url_hosts`."""

    url: Annotated[
        str, Field(min_length=1, max_length=2000, examples=["https://docs.example/disks"])
    ]
    """Its address."""


def _way(value: Any) -> str | None:  # Any: what a request has there
    names = value if isinstance(value, dict) else getattr(type(value), "model_fields", {})
    ways = {"text", "name"} & names.keys(), {"path"} & names.keys(), {"url"} & names.keys()
    named = [name for name, has in zip(("text", "path", "url"), ways, strict=True) if has]
    return named[0] if len(named) == 1 else None


AskedDocument: TypeAlias = Annotated[
    Annotated[GivenText, Tag("text")]
    | Annotated[GivenPath, Tag("path")]
    | Annotated[GivenAddress, Tag("url")],
    Discriminator(
        _way,
        custom_error_type="document",
        custom_error_message="give either `name` and `text`, or `path`, or `url`",
    ),
]


class VerificationAsked(RunRequestBody):
    """Documents that are to be verified now."""

    documents: Annotated[tuple[AskedDocument, ...], Field(min_length=1, max_length=50)]
    """What is to be verified."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "documents": [
                        {
                            "name": "disks.md",
                            "text": "# Create a disk\n\n1. Open **Disks**.\n",
                        }
                    ]
                },
                {"documents": [{"path": "docs/disks.md"}], "procedures": ["*resize*"]},
            ]
        }
    )


class SweepAsked(RunRequestBody):
    """What a sweep is about; empty: all of the documentation that is due."""

    documents: Annotated[
        tuple[DocumentPath, ...], Field(max_length=1000, examples=[["docs/network"]])
    ] = ()
    """Files and folders inside the configured documentation; empty: all of it."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{}, {"documents": ["docs/network"], "policy": "literal"}]}
    )


MOST_FILES = 900
"""A form has at most 1,000 parts."""


def _all(value: Any) -> Any:  # Any: what a form has: one thing, or a list of them
    return value if isinstance(value, list | tuple) else [value]


class Upload(RequestShape):
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
