"""Results: `result.json` of a report, `appliance verify --json` and REST have one shape."""

from typing import Annotated, Any, TypeAlias

from pydantic import Field, WithJsonSchema

from appliance.core import result
from appliance.core.result import SCHEMA_VERSION
from appliance.server.api.shapes.base import Moment, ResponseShape, shape_of

Version: TypeAlias = Annotated[int, WithJsonSchema({"type": "integer", "const": SCHEMA_VERSION})]


@shape_of(result.ArtifactRef)
class Artifact(ResponseShape):
    """A file that was kept: a picture, a page, a trajectory."""

    media_type: str = Field(examples=["image/jpeg"])
    """What it is."""


@shape_of(result.StepResult)
class Step(ResponseShape):
    """How one documented step went."""

    index: str = Field(examples=["3.2"])
    """Its number, nested ones with a dot."""


@shape_of(result.ChannelResult)
class Channel(ResponseShape):
    """What one goal channel says."""


@shape_of(result.TierResult)
class Tier(ResponseShape):
    """What one tier of the cascade said, and what it took."""


@shape_of(result.ProcedureResult)
class Procedure(ResponseShape):
    """The verdict on one procedure, with all that led to it."""


@shape_of(result.Summary)
class Summary(ResponseShape):
    """Counts over procedures."""


class Build(ResponseShape):
    """Which appliance it was."""

    version: str
    """Its version."""
    commit: str
    """Its commit; empty where that is not known."""


class Result(ResponseShape):
    """A run with everything that is kept of it, as in `result.json`."""

    schema_version: Version
    """Of this shape."""
    id: str = Field(examples=["20261121-220000-4f1c"])
    """Of the run."""
    appliance: Build
    """What made it."""
    console: str
    """Name of the console in the settings."""
    policy: str
    """How actions were chosen."""
    started_at: Moment
    """When it began."""
    ended_at: Moment | None
    """When it ended; null: it has not."""
    summary: Summary
    """Counts over the procedures."""
    not_reached: int = 0
    """Procedures of a sweep for which there was no time before its deadline: they have no
    verdict."""
    procedures: tuple[Procedure, ...]
    """Verdicts so far."""
    documents: dict[str, str]
    """Revision (SHA-256) of each document, by path."""
    config: dict[str, Any]  # Any: settings as JSON, secrets masked
    """The settings that were in force, secrets masked."""
