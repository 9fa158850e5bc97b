"""What a checks file says about a procedure, and the normalised audit event it is held against."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from appliance.core.source import Span

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,4})?", re.ASCII)


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
    id: str = ""
    """The log's own id of the event; empty: it has none."""
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


def as_number(value: object) -> Decimal | None:
    """The number that a value is or writes, None where it is none; a truth value is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    return Decimal(text) if _NUMBER.fullmatch(text) else None


class Comparison(StrEnum):
    """How a rule compares a value of an event."""

    EQUALS = "equals"
    NOT_EQUALS = "not_equals"  # there is a value, and none is that
    MATCHES = "matches"  # regular expression, anywhere in the value
    ONE_OF = "one_of"
    MORE_THAN = "more_than"
    LESS_THAN = "less_than"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    BETWEEN = "between"  # both ends are fine
    EXISTS = "exists"  # null and an empty text are none


NUMERIC = (
    Comparison.MORE_THAN,
    Comparison.LESS_THAN,
    Comparison.AT_LEAST,
    Comparison.AT_MOST,
    Comparison.BETWEEN,
)
"""Those that compare numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """One condition on an event: the value at `path` compared with `expected`."""

    path: str
    """A dotted path: a field of `AuditEvent`, or `parameters.a.b`, or `raw.a.0.b`."""
    comparison: Comparison
    expected: tuple[str, ...]
    """One value; several for `one_of`, two for `between`, `true` or `false` for `exists`.

    `${binding}` stands for a bound value, `${name.path}` for one of the event that the rule `name`
    found.
    """


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
    at_most: int | None = None
    name: str = ""
    """What rules below call the event that was found; `#…` where nobody named it."""
    after: tuple[str, ...] = ()
    """Names of rules above: the event must not be older than theirs, nor the same."""
    span: Span | None = None
    """Where the rule stands, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyOf:
    """Of these ways one must be in the audit log, with all its rules."""

    alternatives: tuple[tuple[EventRule, ...], ...]
    span: Span | None = None
    """Where it stands, for messages."""


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

    expect: tuple[EventRule | AnyOf, ...] = ()
    forbid: tuple[EventRule, ...] = ()
    bindings: Mapping[str, str] = field(default_factory=dict)
    """Values for what the text leaves open, by the field's or thing's name in the text."""
    needs: tuple[Need, ...] = ()
    account: str | None = None
    """The name or role of the account to use; otherwise the console's default."""
    start: str = ""
    """Where the procedure begins, where its text does not say it: names of what is opened one after
    the other, as `Admin > Users`, or an address of the console, as `/admin/users`."""
    skip: str | None = None
    """Why the procedure cannot be verified at all; it is then blocked, with this reason."""
    source: str | None = None
    """The file the checks come from."""

    def expected(self) -> Iterator[EventRule]:
        """Every rule under `expect`, those of alternatives too."""
        for entry in self.expect:
            if isinstance(entry, AnyOf):
                for alternative in entry.alternatives:
                    yield from alternative
            else:
                yield entry
