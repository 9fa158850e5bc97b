"""What all shapes have in common."""

from typing import Annotated, Generic, TypeAlias, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema

T = TypeVar("T")

# As `core.jsonable` writes times: the command line prints the same, whoever it asked.
Moment: TypeAlias = Annotated[
    AwareDatetime,
    PlainSerializer(lambda time: time.isoformat(), return_type=str),
    # Most validators do not look at the format: the pattern is for them.
    WithJsonSchema(
        {
            "type": "string",
            "format": "date-time",
            "pattern": r"^\d{4}-\d\d-\d\dT[\d:.]+([+-]\d\d:\d\d|Z)$",
        }
    ),
]


class Shown(BaseModel):
    """Something that comes out: made from the dataclass of the same fields, or from a mapping."""

    model_config = ConfigDict(
        frozen=True,
        from_attributes=True,
        json_schema_serialization_defaults_required=True,
        use_attribute_docstrings=True,
    )


class Given(BaseModel):
    """Something that goes in: what it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Links(Shown):
    """Other pages of the same list, as paths on this server."""

    first: str
    """The first page."""
    previous: str | None
    """The page before; null on the first."""
    next: str | None
    """The page after; null on the last."""
    last: str
    """The last page."""


class Page(Shown, Generic[T]):
    """A part of a list."""

    items: tuple[T, ...]
    """What is on this page."""
    total: int
    """How many there are on all pages."""
    page: int
    """Which page this is; the first is 1."""
    page_size: int
    """How many fit on a page."""
    links: Links
    """The other pages."""


class FieldProblem(Shown):
    """What is wrong with one part of a request."""

    field: str
    """Where, with dots; empty: the whole."""
    source: str
    """`body`, `query`, `path`, `header` or `cookie`; empty where that is not known."""
    detail: str
    """What is wrong."""


class Problem(Shown):
    """A problem document (RFC 9457)."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False, extra="forbid")

    type: str = Field(examples=["urn:appliance:problem:unknown-run"])
    """The kind of problem, for programs."""
    title: str
    """The kind of problem, for people."""
    status: int
    """Of the answer."""
    detail: str
    """What it is this time, and what to do."""
    errors: tuple[FieldProblem, ...] = ()
    """Which parts of the request are wrong."""
    id: str = ""
    """Of an unexpected error: the log of the server has the same."""
