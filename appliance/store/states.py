"""How it stands with procedures and documents: what lists and pages show."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from appliance.core.verdict import Verdict
from appliance.store.sweeps import ItemState


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureState:
    """The last verdict on one procedure of a console."""

    console: str
    id: str
    """Of its results: with language and role where a sweep has several."""
    title: str
    document: str
    line: int
    verdict: Verdict
    verdict_at: datetime
    run_id: str
    """Where the verdict is."""
    findings: int
    is_stale: bool
    """Whether the verdict is older than `stale_after`."""
    cost_s: float
    """Seconds that the verdict took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureFilter:
    """Which procedures of a console are looked at; None: any."""

    console: str
    verdict: Verdict | None = None
    document: str | None = None
    query: str | None = None
    """Words in the title, the id or the document's name."""
    is_stale: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastVerdict:
    """One verdict of a procedure's history."""

    run_id: str
    verdict: Verdict
    at: datetime
    findings: int
    cost_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a sweep is."""

    items: Mapping[ItemState, int]
    """How many of its procedures are in which state; states that none is in are left out."""
    verdicts: Mapping[str, int]
    """What its run has so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentState:
    """A document whose procedures have verdicts."""

    path: str
    revision: str
    """SHA-256, as it was verified last; empty: not known."""
    procedures: int
    verdicts: Mapping[str, int]
    """How many of its procedures have which verdict; those that none has are left out."""
    oldest_verdict_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of what was ever verified on a console is known today."""

    procedures: int = 0
    verified: int = 0
    drifted: int = 0
    broken: int = 0
    blocked: int = 0
    undecided: int = 0
    stale: int = 0
    """Of all: those whose verdict is too old."""
    oldest_verdict_at: datetime | None = None
    median_age_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendDay:
    """Verdicts given on one day (UTC), and incidents that came and went."""

    day: date
    verified: int = 0
    drifted: int = 0
    broken: int = 0
    blocked: int = 0
    undecided: int = 0
    findings_opened: int = 0
    findings_closed: int = 0
