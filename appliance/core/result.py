"""Results: one shape in the store, in `result.json`, in reports and in REST."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from appliance.core.causes import CauseKind
from appliance.core.claims import Claim, Coverage, coverage_of
from appliance.core.verdict import (
    AfterChange,
    Basis,
    DivergenceKind,
    EvidenceKind,
    GoalChannel,
    PolicyName,
    Severity,
    StepStatus,
    Verdict,
    WayTaken,
)

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class ArtifactRef:
    """A file in the content-addressed folder beside the store."""

    sha256: str
    media_type: str
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One piece of evidence of a finding or step."""

    kind: EvidenceKind
    caption: str
    artifact: ArtifactRef | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One statement in the documentation that the console contradicts."""

    id: str
    fingerprint: str
    """Equal for the same root cause on other pages."""
    kind: DivergenceKind
    severity: Severity
    confidence: float
    """How likely it is true, 0..1: what the calibration makes of its basis and other signs."""
    document: str
    line: int
    column: int
    end_line: int
    end_column: int
    quote: str
    """The words of the source that are untrue; a known secret in them is masked, and then nothing
    is marked or patched there."""
    shown: str
    """What the console shows instead, as a sentence or phrase."""
    suggestion: str | None
    """What should stand in place of `quote`; None where only a person can say."""
    step: str
    """Index of the documented step."""
    evidence: tuple[Evidence, ...] = ()
    after_change: AfterChange = AfterChange.UNTRIED
    """Whether the procedure was verified with the suggestion in its text."""
    basis: Basis = Basis.UNKNOWN
    """How it was seen."""
    is_sure: bool = True
    """Whether its confidence reached the threshold of the day."""

    @property
    def is_cosmetic(self) -> bool:
        """Whether the reader finds the thing at once."""
        return self.severity is Severity.COSMETIC

    @property
    def is_alarming(self) -> bool:
        """Whether it counts; else it is reported apart, and changes no verdict and no build."""
        return self.is_sure and not self.is_cosmetic


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """How one documented step went."""

    index: str
    line: int
    text: str
    status: StepStatus
    note: str = ""
    before: ArtifactRef | None = None
    after: ArtifactRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelResult:
    """What one goal channel says."""

    channel: GoalChannel
    reached: bool | None
    """None: it cannot tell."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Whether the goal was reached, and who says so."""

    reached: bool | None
    channels: tuple[ChannelResult, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a verdict cost."""

    wall_s: float = 0.0
    browser_s: float = 0.0
    model_s: float = 0.0
    model_calls: int = 0
    tokens: int = 0
    resource_cost: float = 0.0
    """What was made for it, by the prices of resource modules; 0 also where they have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TierResult:
    """What one tier of the cascade said, and what it took."""

    policy: PolicyName
    verdict: Verdict
    """What would be said if there were no other tier."""
    attempts: int
    cost: Cost
    why: str = ""
    """Why it did not decide; empty for the one that did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureResult:
    """The verdict on one procedure."""

    id: str
    title: str
    title_path: tuple[str, ...]
    document: str
    line: int
    end_line: int
    verdict: Verdict
    goal: Goal
    path: WayTaken | Literal[""]
    """"" when no attempt was made."""
    decided_by: PolicyName | Literal[""]
    """The policy tier that decided; "" when no attempt was made."""
    attempts: int
    cost: Cost
    steps: tuple[StepResult, ...]
    findings: tuple[Finding, ...] = ()
    blocked_by: str | None = None
    """`boundary: sentence` for blocked and undecided results."""
    cause: CauseKind | None = None
    """What kind of thing that is; None also in results of appliances that did not keep it."""
    claims: tuple[Claim, ...] = ()
    """All that the text says; empty in results of appliances that did not tell them apart."""
    prerequisites: tuple[str, ...] = ()
    trajectory: ArtifactRef | None = None
    tiers: tuple[TierResult, ...] = ()
    """The tiers that were tried, in order; the last is not always the one that decided."""
    audit: ArtifactRef | None = None
    """The audit events of the last attempt, one JSON object a line."""
    pending_until: datetime | None = None
    """The audit log may still tell: until then the verdict may be settled anew."""

    @property
    def coverage(self) -> Coverage:
        """How much of what the text says somebody looked at."""
        return coverage_of(self.claims)

    def coverage_of_step(self, index: str) -> Coverage:
        """The same for one documented step."""
        return coverage_of(claim for claim in self.claims if claim.step == index)


def procedure_of(result_id: str) -> str:
    """The procedure's id: without language and role, which a sweep over several puts behind it."""
    return result_id.partition("@")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts."""

    procedures: int = 0
    verified: int = 0
    drifted: int = 0
    broken: int = 0
    blocked: int = 0
    undecided: int = 0
    findings: int = 0
    """Those that count: neither cosmetic nor unsure."""
    cosmetic: int = 0
    """The reader finds the thing at once."""
    unsure: int = 0
    """Below the threshold, for a person to look at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """One `verify`: everything about it that is kept."""

    id: str
    appliance_version: str
    commit: str
    console: str
    policy: str
    started_at: datetime
    ended_at: datetime
    procedures: tuple[ProcedureResult, ...]
    config: Mapping[str, Any] = field(default_factory=dict)  # Any: settings, secrets masked
    documents: Mapping[str, str] = field(default_factory=dict)
    """Revision (SHA-256) of each document, by path."""
    schema_version: int = SCHEMA_VERSION

    @property
    def coverage(self) -> Coverage:
        """How much of what all texts say somebody looked at."""
        return sum((procedure.coverage for procedure in self.procedures), Coverage())

    @property
    def summary(self) -> Summary:
        """Counts over the procedures."""
        by = {v: sum(p.verdict is v for p in self.procedures) for v in Verdict}
        return Summary(
            procedures=len(self.procedures),
            verified=by[Verdict.VERIFIED],
            drifted=by[Verdict.DRIFTED],
            broken=by[Verdict.BROKEN],
            blocked=by[Verdict.BLOCKED],
            undecided=by[Verdict.UNDECIDED],
            findings=sum(f.is_alarming for p in self.procedures for f in p.findings),
            cosmetic=sum(f.is_cosmetic for p in self.procedures for f in p.findings),
            unsure=sum(
                not f.is_sure and not f.is_cosmetic for p in self.procedures for f in p.findings
            ),
        )
