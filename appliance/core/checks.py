"""What a checks file says about a procedure, and the normalised audit event it is held against."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from appliance.core.source import Span


class EventOutcome(StrEnum):
    """How the backend says an operation ended."""

    SUCCESS = "success"
    FAILURE = "failure"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """One backend operation, whatever cloud it comes from."""

    time: datetime
    """When it happened, with a time zone."""
    service: str
    name: str
    """The operation, for example `network.create.end` or `CreateBucket`."""
    actor: str = ""
    outcome: EventOutcome = EventOutcome.UNKNOWN
    target_type: str = ""
    target_id: str = ""
    target_name: str = ""
    request_id: str = ""
    error_code: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)  # Any: the cloud's own JSON
    raw: Mapping[str, Any] = field(default_factory=dict)  # Any: the cloud's own JSON


class Comparison(StrEnum):
    """How a rule compares a value of an event."""

    EQUALS = "equals"
    MATCHES = "matches"  # regular expression, anywhere in the value
    ONE_OF = "one_of"


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """One condition on an event: the value at `path` compared with `expected`."""

    path: str
    """A dotted path: a field of `AuditEvent`, or `parameters.a.b`, or `raw.a.0.b`."""
    comparison: Comparison
    expected: tuple[str, ...]
    """One value, or several for `one_of`; `${binding}` stands for a bound value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRule:
    """An event that must, or must not, be in the audit log of an attempt."""

    event: str
    """Shell pattern over `AuditEvent.name`."""
    service: str = "*"
    where: tuple[Constraint, ...] = ()
    outcome: EventOutcome | None = EventOutcome.SUCCESS
    """`None`: whatever the outcome."""
    at_least: int = 1
    span: Span | None = None
    """Where the rule stands, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """Something that must exist before the procedure starts."""

    kind: str
    """The word of the console adapter or of a resource module: `network`, `bucket`, …"""
    values: Mapping[str, str] = field(default_factory=dict)
    span: Span | None = field(default=None, compare=False)
    """Where it stands, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """What is known about a procedure beside its text. Empty: nothing is."""

    expect: tuple[EventRule, ...] = ()
    forbid: tuple[EventRule, ...] = ()
    bindings: Mapping[str, str] = field(default_factory=dict)
    """Values for what the text leaves open, by the field's or thing's name in the text."""
    needs: tuple[Need, ...] = ()
    account: str | None = None
    """The name or role of the account to use; otherwise the console's default."""
    skip: str | None = None
    """Why the procedure cannot be verified at all; it is then blocked, with this reason."""
    source: str | None = None
    """The file the checks come from."""
