"""Findings as incidents: one for each root cause on a console."""

from typing import Annotated

from pydantic import ConfigDict, Field

from appliance.server.api.shapes.base import Given, Moment, Page, Shown, shape_of
from appliance.store import incident
from appliance.store.incident import TriageAction


@shape_of(incident.Incident)
class Incident(Shown):
    """All findings of one root cause on one console. What it quotes is what was seen last."""

    id: str = Field(examples=["3f0c9a1b2d4e"])
    """The same as long as the root cause is."""


class IncidentPage(Page[Incident]):
    """Findings: those that need a person first, then the worst, then the latest."""


@shape_of(incident.Location)
class Place(Shown):
    """Where the documentation says it."""


@shape_of(incident.TriageEntry)
class LogEntry(Shown):
    """Something that happened to a finding."""

    action: str = Field(examples=["confirm"])
    """What was done; `opened`, `closed`, `reopened` and `expired` happen by themselves."""


class WholeIncident(Incident):
    """A finding with its places, and with what people said of it."""

    where: tuple[Place, ...]
    """Its places, in the order of the documentation."""
    log: tuple[LogEntry, ...]
    """What happened to it, oldest first."""


class Triage(Given):
    """What a person says of a finding."""

    action: TriageAction
    """`confirm`: the documentation is wrong. `reject`: the appliance is wrong. `accept`: known, and
    left alone `until` a date. `assign`: to the `assignee`. `comment`. `reopen`. `undo`: takes back
    the last of these."""
    comment: Annotated[str, Field(max_length=10_000)] = ""
    """Why."""
    until: Moment | None = None
    """With `accept`: a time to come."""
    assignee: Annotated[str, Field(max_length=200)] | None = None
    """With `assign`: a name; empty: nobody."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"action": "confirm", "comment": "Renamed in release 4.2."},
                {"action": "accept", "until": "2027-01-31T00:00:00Z"},
                {"action": "assign", "assignee": "mei"},
            ]
        }
    )


@shape_of(incident.Confirmation)
class Confirmation(Shown):
    """How often people agree with what was found."""

    rate: float | None
    """Share of those that were right; null before anybody said anything."""
