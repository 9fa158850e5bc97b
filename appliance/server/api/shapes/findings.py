"""Findings as incidents: one for each root cause on a console."""

from typing import Annotated

from pydantic import ConfigDict, Field

from appliance.core.verdict import DivergenceKind, Severity
from appliance.server.api.shapes.base import Given, Moment, Page, Shown
from appliance.store.incident import IncidentState, TriageAction


class Incident(Shown):
    """All findings of one root cause on one console. What it quotes is what was seen last."""

    id: str = Field(examples=["3f0c9a1b2d4e"])
    """The same as long as the root cause is."""
    console: str
    """Name of the console in the settings."""
    fingerprint: str
    """Equal for the same root cause on other consoles."""
    kind: DivergenceKind
    """In what way the console differs."""
    severity: Severity
    """How much it hurts a reader."""
    confidence: float
    """From 0 to 1."""
    state: IncidentState
    """`open`, or what a person said of it; `closed` where the console does not show it any more."""
    quote: str
    """The words of the source that are untrue."""
    shown: str
    """What the console shows instead."""
    suggestion: str | None
    """What should stand in place of the quote; null where only a person can say."""
    document: str
    """Where it was seen last."""
    line: int
    """Where it was seen last."""
    places: int
    """In the documentation; 0 when it is closed."""
    first_seen_at: Moment
    """When it was found."""
    last_seen_at: Moment
    """When it was seen last."""
    closed_at: Moment | None
    """Since when it is not seen any more."""
    assignee: str
    """Who looks after it; empty: nobody."""
    accepted_until: Moment | None
    """Until when it is left alone."""
    run_id: str
    """Run in which it was seen last."""
    procedure_id: str
    """Procedure in which it was seen last."""
    finding_id: str
    """Of the finding in that run's result."""


class IncidentPage(Page[Incident]):
    """Findings: those that need a person first, then the worst, then the latest."""


class Place(Shown):
    """Where the documentation says it."""

    document: str
    """Path of the document."""
    line: int
    """From 1."""
    column: int
    """From 1."""
    quote: str
    """The words there."""
    procedure_id: str
    """The procedure that they belong to."""
    procedure_title: str
    """Its title."""
    run_id: str
    """Run in which it was seen."""
    finding_id: str
    """Of the finding in that run's result."""
    seen_at: Moment
    """When."""


class LogEntry(Shown):
    """Something that happened to a finding."""

    at: Moment
    """When."""
    by: str
    """Who; empty: the appliance itself."""
    action: str = Field(examples=["confirm"])
    """What was done; `opened`, `closed`, `reopened` and `expired` happen by themselves."""
    comment: str
    """What was said."""


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
    left alone `until` a date. `assign`: to the `assignee`. `comment`. `reopen`."""
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


class Confirmation(Shown):
    """How often people agree with what was found."""

    confirmed: int
    """Findings that were confirmed or accepted."""
    rejected: int
    """Findings that were rejected."""
    rate: float | None
    """Share of those that were right; null before anybody said anything."""
