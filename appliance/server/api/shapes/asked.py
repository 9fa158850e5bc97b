"""What verifications and sweeps are asked for with."""

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from appliance.server.api.shapes.base import Given

Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=200)]
Pattern: TypeAlias = Annotated[str, Field(min_length=1, max_length=500)]
PLAIN = r"^[^\x00-\x1f]+$"
DocumentPath: TypeAlias = Annotated[str, Field(max_length=1000, pattern=PLAIN)]
Policy: TypeAlias = Literal["auto", "replay", "literal", "model"]
FILE_NAME = r"^[^/\\\x00-\x1f]{1,120}\.(md|markdown|rst|html|htm)$"
Values: TypeAlias = dict[
    Annotated[str, Field(max_length=200)], Annotated[str, Field(max_length=10_000)]
]


class Asked(Given):
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
    policy: Policy = "auto"
    """How actions are chosen; `auto` takes the cheapest that works."""


class AskedDocument(Given):
    """A document, in one of three ways: its text, its path, or its address."""

    name: Annotated[str, Field(pattern=FILE_NAME, examples=["disks.md"])] | None = None
    """With `text`: a file name; its ending says the format."""
    text: Annotated[str, Field(max_length=5_000_000)] | None = None
    """The document itself."""
    path: (
        Annotated[str, Field(min_length=1, max_length=1000, examples=["docs/disks.md"])] | None
    ) = None
    """A file or folder inside the configured documentation."""
    url: (
        Annotated[
            str, Field(min_length=1, max_length=2000, examples=["https://docs.example/disks"])
        ]
        | None
    ) = None
    """An address on one of the hosts in `documentation.url_hosts`."""

    @model_validator(mode="after")
    def one_way(self) -> "AskedDocument":
        """Exactly one, and a name where there is a text."""
        ways = [way for way in (self.text, self.path, self.url) if way is not None]
        if len(ways) != 1:
            raise PydanticCustomError("ways", "give one of `text` (with `name`), `path` and `url`")
        if (self.name is None) != (self.text is None):
            raise PydanticCustomError(
                "name", "`name` goes with `text`: it says the format, as in `disks.md`"
            )
        return self


class VerificationAsked(Asked):
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


class SweepAsked(Asked):
    """What a sweep is about; empty: all of the documentation that is due."""

    documents: Annotated[
        tuple[DocumentPath, ...], Field(max_length=1000, examples=[["docs/network"]])
    ] = ()
    """Files and folders inside the configured documentation; empty: all of it."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{}, {"documents": ["docs/network"], "policy": "literal"}]}
    )
