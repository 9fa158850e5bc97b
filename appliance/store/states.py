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
    """Its first line."""
    verdict: Verdict
    """The last one."""
    verdict_at: datetime
    """When it was given."""
    run_id: str
    """In which run."""
    findings: int
    """Sentences that the console contradicts."""
    is_stale: bool
    """Whether the verdict is too old to be relied on."""
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
    """In which run."""
    verdict: Verdict
    """What was said."""
    at: datetime
    """When."""
    findings: int
    """Sentences that the console contradicted."""
    cost_s: float
    """Seconds that it took."""


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
    """All that have a verdict."""
    verified: int = 0
    drifted: int = 0
    broken: int = 0
    blocked: int = 0
    """Nothing learnt."""
    undecided: int = 0
    stale: int = 0
    """Of all: those whose verdict is too old."""
    oldest_verdict_at: datetime | None = None
    """None: there is none."""
    median_age_s: float | None = None
    """Age in seconds of the verdicts; half are younger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendDay:
    """Verdicts given on one day (UTC), and incidents that came and went."""

    day: date
    """Which."""
    verified: int = 0
    """Verdicts of that day."""
    drifted: int = 0
    """Verdicts of that day."""
    broken: int = 0
    """Verdicts of that day."""
    blocked: int = 0
    """Verdicts of that day."""
    undecided: int = 0
    """Verdicts of that day."""
    findings_opened: int = 0
    """Findings that are new or came back."""
    findings_closed: int = 0
    """Findings that went."""
