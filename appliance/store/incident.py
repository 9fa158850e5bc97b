"""An incident: one root cause on one console, with its places and what people said of it."""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import assert_never

from appliance.core.errors import SetupError
from appliance.core.result import Finding
from appliance.core.verdict import DivergenceKind, Severity
from appliance.store.times import as_stored


class IncidentState(StrEnum):
    """How it stands with an incident."""

    OPEN = "open"
    CONFIRMED = "confirmed"  # somebody looked: the documentation is wrong
    REJECTED = "rejected"  # somebody looked: the appliance is wrong; stays so when seen again
    ACCEPTED = "accepted"  # known, and left until a date
    CLOSED = "closed"  # every procedure that showed it was carried out since without it


class TriageAction(StrEnum):
    """What a person does with an incident."""

    CONFIRM = "confirm"
    REJECT = "reject"
    ACCEPT = "accept"  # with a date until which
    ASSIGN = "assign"  # to nobody: with an empty name
    COMMENT = "comment"
    REOPEN = "reopen"
    UNDO = "undo"  # takes back the last of the others


@dataclass(frozen=True, slots=True)
class TriageDecision:
    """What a person says of an incident."""

    action: TriageAction
    comment: str = ""
    until: datetime | None = None
    """Needed to accept it: a date yet to come."""
    assignee: str | None = None
    """Needed to assign it; empty: nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentFilter:
    """Which incidents are looked at; None: any."""

    console: str | None = None
    state: IncidentState | None = None
    kind: DivergenceKind | None = None
    severity: Severity | None = None
    document: str | None = None
    """With a place in that document."""
    assignee: str | None = None
    """Empty: of nobody."""
    query: str | None = None
    """Words in what is quoted, shown or suggested, in the document's name, or an id."""


EVERY_INCIDENT = IncidentFilter()


def incident_id(console: str, fingerprint: str) -> str:
    """The same for the same root cause on the same console."""
    return hashlib.sha256(f"{console}\0{fingerprint}".encode("utf-8", "replace")).hexdigest()[:12]


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """All findings of one fingerprint on one console. What it quotes is the last one seen."""

    id: str
    console: str
    fingerprint: str
    """Equal for the same root cause on other consoles."""
    kind: DivergenceKind
    """In what way the console differs."""
    severity: Severity
    confidence: float
    """From 0 to 1."""
    state: IncidentState
    """`open`, or what a person said of it; `closed` where the console does not show it any more."""
    quote: str
    """The words of the source that are untrue."""
    shown: str
    """What the console shows instead."""
    suggestion: str | None
    """What should stand in place of the quote; None where only a person can say."""
    document: str
    """Where it was seen last."""
    line: int
    """Where it was seen last."""
    places: int
    """In the documentation, where it was seen last; 0 when it is closed."""
    first_seen_at: datetime
    """When it was found."""
    last_seen_at: datetime
    """When it was seen last."""
    closed_at: datetime | None
    """Since when it is not seen any more."""
    assignee: str
    """Who looks after it; empty: nobody."""
    accepted_until: datetime | None
    """Until when it is left alone."""
    run_id: str
    """With `procedure_id` and `finding_id`: the finding that was seen last."""
    procedure_id: str
    """Procedure in which it was seen last."""
    finding_id: str

    def as_finding(self) -> Finding:
        """What it says itself, where the finding that was seen last is not kept any more."""
        return Finding(
            id=self.finding_id,
            fingerprint=self.fingerprint,
            kind=self.kind,
            severity=self.severity,
            confidence=self.confidence,
            document=self.document,
            line=self.line,
            column=1,
            end_line=self.line,
            end_column=1,
            quote=self.quote,
            shown=self.shown,
            suggestion=self.suggestion,
            step="",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """Where the documentation says it."""

    document: str
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
    seen_at: datetime
    """When."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriageEntry:
    """Something that happened to an incident."""

    at: datetime
    """When."""
    by: str
    """Who; empty: the appliance itself."""
    action: str
    """A `TriageAction`, or `opened`, `closed`, `reopened`, `expired` by the appliance."""
    comment: str
    """What was said; with `accept` the date and with `assign` the name before it."""
    is_undone: bool = False
    """Whether it was taken back."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What people say of what was found: the last word on each incident counts."""

    confirmed: int
    """Findings that were confirmed or accepted."""
    rejected: int
    """Findings that were rejected."""

    @property
    def rate(self) -> float | None:
        """The share that was right; None before anybody said anything."""
        decided = self.confirmed + self.rejected
        return self.confirmed / decided if decided else None


@dataclass(frozen=True, slots=True)
class IncidentChanges:
    """What a verdict did to incidents."""

    opened: tuple[Incident, ...] = ()
    """Never seen before, or closed and seen again."""
    closed: tuple[Incident, ...] = ()


def after(before: Incident, decision: TriageDecision, at: datetime) -> Incident:
    """The incident as it is then; `SetupError` says why it may not be."""
    match decision.action:
        case TriageAction.CONFIRM:
            return _with_state(before, IncidentState.CONFIRMED, at)
        case TriageAction.REJECT:
            return replace(before, state=IncidentState.REJECTED, accepted_until=None)
        case TriageAction.ACCEPT:
            if decision.until is None or decision.until <= at:
                raise SetupError("To accept an incident, say until when: a date yet to come.")
            accepted = _with_state(before, IncidentState.ACCEPTED, at)
            return replace(accepted, accepted_until=decision.until)
        case TriageAction.REOPEN:
            return _with_state(before, IncidentState.OPEN, at)
        case TriageAction.ASSIGN:
            if decision.assignee is None:
                raise SetupError("To assign an incident, name somebody; an empty name is nobody.")
            return replace(before, assignee=decision.assignee.strip())
        case TriageAction.COMMENT | TriageAction.UNDO:  # what to go back to stands in its log
            if decision.action is TriageAction.COMMENT and not decision.comment.strip():
                raise SetupError("A comment needs words.")
            return before
    assert_never(decision.action)


def words(decision: TriageDecision) -> str:
    """What its log says besides the action."""
    first = ""
    if decision.action is TriageAction.ACCEPT and decision.until is not None:
        first = f"until {as_stored(decision.until):%Y-%m-%d %H:%M} UTC"
    elif decision.action is TriageAction.ASSIGN:
        first = (decision.assignee or "").strip() or "nobody"
    return ": ".join(part for part in (first, decision.comment.strip()) if part)


def _with_state(before: Incident, state: IncidentState, at: datetime) -> Incident:
    if before.state is IncidentState.CLOSED:
        raise SetupError(
            f"The incident {before.id} is closed: the console agrees with the text now. It opens "
            "by itself when it is seen again."
        )
    if not before.places:  # was rejected, and is not shown any more
        return replace(before, state=IncidentState.CLOSED, closed_at=at, accepted_until=None)
    return replace(before, state=state, closed_at=None, accepted_until=None)
