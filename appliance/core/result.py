"""Results: one shape in the store, in `result.json`, in reports and in REST."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from appliance.core.causes import CauseKind
from appliance.core.claims import Claim, Coverage, coverage_of
from appliance.core.jsonable import Amount, Count, Digest, Place, Share
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

    sha256: Digest
    """Its content, in hexadecimal; names it in the evidence archive."""
    media_type: str
    size: Count
    """Bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One piece of evidence of a finding or step."""

    kind: EvidenceKind
    """What it is."""
    caption: str
    """What it shows."""
    artifact: ArtifactRef | None = None
    """The file, where it is one."""
    text: str = ""
    """The text, where it is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One statement in the documentation that the console contradicts."""

    id: str
    """Of this finding in this run."""
    fingerprint: str
    """Equal for the same root cause on other pages."""
    kind: DivergenceKind
    """In what way the console differs."""
    severity: Severity
    confidence: Share
    """How likely it is true, from 0 to 1."""
    document: str
    line: Place
    """Where the quote begins, from 1."""
    column: Place
    """Where the quote begins, from 1."""
    end_line: Place
    """Where it ends."""
    end_column: Place
    """Where it ends; this column is not part of it."""
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
    """Why."""
    after_change: AfterChange = AfterChange.UNTRIED
    """`verified`: the procedure was carried out with it in its text; `failed`: it did not verify,
    and is not in patches; empty: not tried."""
    basis: Basis = Basis.UNKNOWN
    """How it was seen; empty in results of appliances that did not keep it."""
    is_sure: bool = True
    """Whether it was sure enough to count; else it is for a person to look at."""

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
    line: Place
    """Where it stands."""
    text: str
    """What it says."""
    status: StepStatus
    """How it went."""
    note: str = ""
    """In a sentence."""
    before: ArtifactRef | None = None
    """Picture before it."""
    after: ArtifactRef | None = None
    """Picture after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelResult:
    """What one goal channel says."""

    channel: GoalChannel
    """Who says it."""
    reached: bool | None
    """None: it cannot tell."""
    reason: str
    """Why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Whether the goal was reached, and who says so."""

    reached: bool | None
    """None: nobody can tell."""
    channels: tuple[ChannelResult, ...] = ()
    """Who says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a verdict cost."""

    wall_s: Amount = 0.0
    """Seconds from beginning to end."""
    browser_s: Amount = 0.0
    """Seconds with a page open."""
    model_s: Amount = 0.0
    """Seconds of waiting for models."""
    model_calls: Count = 0
    """Questions to models."""
    tokens: Count = 0
    """Of all questions and answers."""
    resource_cost: Amount = 0.0
    """What was made for it, by the prices of resource modules; 0 also where they have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TierResult:
    """What one tier of the cascade said, and what it took."""

    policy: PolicyName
    """What chose the actions."""
    verdict: Verdict
    """What would be said if there were no other tier."""
    attempts: Count
    """How often it carried the procedure out."""
    cost: Cost
    """What that cost."""
    why: str = ""
    """Why it did not decide; empty for the one that did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureResult:
    """The verdict on one procedure."""

    id: str
    """Folder, file and title; behind an @ language, role and region, where there are several."""
    title: str
    """Its own title."""
    title_path: tuple[str, ...]
    """Titles from the document's down to its own."""
    document: str
    line: Place
    """Its first line."""
    end_line: Place
    """Its last line."""
    verdict: Verdict
    """What is said of it."""
    goal: Goal
    """Whether its goal was reached."""
    path: WayTaken | Literal[""]
    """How its steps went, all together; empty: it was not attempted."""
    decided_by: PolicyName | Literal[""]
    """Which policy's attempt it stands on; empty: it was not attempted."""
    attempts: Count
    """How often it was carried out."""
    cost: Cost
    """What that cost."""
    steps: tuple[StepResult, ...]
    """All documented steps."""
    findings: tuple[Finding, ...] = ()
    """What the console contradicts."""
    blocked_by: str | None = None
    """Of a blocked or undecided one: why."""
    cause: CauseKind | None = None
    """What kind of thing that is; None also in results of appliances that did not keep it."""
    claims: tuple[Claim, ...] = ()
    """All that the text says; empty in results of appliances that did not tell them apart."""
    prerequisites: tuple[str, ...] = ()
    """What it needs, in the document's words."""
    trajectory: ArtifactRef | None = None
    """All that was seen and done."""
    tiers: tuple[TierResult, ...] = ()
    """The tiers that were tried, in order; the last is not always the one that decided."""
    audit: ArtifactRef | None = None
    """The audit events of the last attempt, one JSON object a line."""
    pending_until: datetime | None = None
    """The audit log may still tell: until then the verdict may change; None: it stands."""

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

    procedures: Count = 0
    """All with a verdict."""
    verified: Count = 0
    drifted: Count = 0
    broken: Count = 0
    blocked: Count = 0
    undecided: Count = 0
    findings: Count = 0
    """Those that count: neither cosmetic nor unsure."""
    cosmetic: Count = 0
    """Trifles besides: one for many, strokes. They change no verdict."""
    unsure: Count = 0
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
    not_reached: Count = 0
    """Procedures of a sweep for which there was no time before its deadline."""
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


def documents_of(run: RunResult) -> frozenset[str]:
    """The paths of all documents that a result names."""
    findings = (f.document for procedure in run.procedures for f in procedure.findings)
    return frozenset(findings).union(
        run.documents, (procedure.document for procedure in run.procedures)
    )


def with_documents_named(run: RunResult, name: Callable[[str], str]) -> RunResult:
    """The same result; `name` gives the path that is shown for one that the run has."""
    procedures = tuple(
        replace(
            procedure,
            document=name(procedure.document),
            findings=tuple(
                replace(finding, document=name(finding.document)) for finding in procedure.findings
            ),
        )
        for procedure in run.procedures
    )
    documents = {name(path): revision for path, revision in run.documents.items()}
    return replace(run, procedures=procedures, documents=documents)
