"""The body of every answer that is an error."""

from pydantic import ConfigDict, Field

from appliance.server.api.shapes.base import Shown


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
