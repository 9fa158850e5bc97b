"""Results: `result.json` of a report, `appliance verify --json` and REST have one shape."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, WithJsonSchema

from appliance.core.causes import CauseKind
from appliance.core.claims import ClaimKind, ClaimStatus
from appliance.core.result import SCHEMA_VERSION
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
from appliance.server.api.shapes.base import Moment, Shown

# Bounds are told, not enforced: what is in the store goes out as it is.
Count: TypeAlias = Annotated[int, WithJsonSchema({"type": "integer", "minimum": 0})]
Amount: TypeAlias = Annotated[float, WithJsonSchema({"type": "number", "minimum": 0})]
Share: TypeAlias = Annotated[float, WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})]
Place: TypeAlias = Annotated[int, WithJsonSchema({"type": "integer", "minimum": 1})]
Digest: TypeAlias = Annotated[str, WithJsonSchema({"type": "string", "pattern": "^[0-9a-f]{64}$"})]

Version: TypeAlias = Annotated[int, WithJsonSchema({"type": "integer", "const": SCHEMA_VERSION})]


class Artifact(Shown):
    """A file that was kept: a picture, a page, a trajectory."""

    sha256: Digest
    """Its content, in hexadecimal; names it in the evidence archive."""
    media_type: str = Field(examples=["image/jpeg"])
    """What it is."""
    size: Count
    """Bytes."""


class Evidence(Shown):
    """One piece of evidence of a finding."""

    kind: EvidenceKind
    """What it is."""
    caption: str
    """What it shows."""
    artifact: Artifact | None
    """The file, where it is one."""
    text: str
    """The text, where it is one."""


class Finding(Shown):
    """One sentence of the documentation that the console contradicts."""

    id: str
    """Of this finding in this run."""
    fingerprint: str
    """Equal for the same root cause in other places."""
    kind: DivergenceKind
    """In what way the console differs."""
    severity: Severity
    """How much it hurts a reader."""
    confidence: Share
    """How likely it is true, from 0 to 1."""
    document: str
    """Path of the document."""
    line: Place
    """Where the quote begins, from 1."""
    column: Place
    """Where the quote begins, from 1."""
    end_line: Place
    """Where it ends."""
    end_column: Place
    """Where it ends; this column is not part of it."""
    quote: str
    """The words of the source that are untrue."""
    shown: str
    """What the console shows instead."""
    suggestion: str | None
    """What should stand in place of the quote; null where only a person can say."""
    step: str
    """Index of the documented step."""
    evidence: tuple[Evidence, ...]
    """Why."""
    after_change: AfterChange
    """`verified`: the procedure was carried out with it in its text; `failed`: it did not verify,
    and is not in patches; empty: not tried."""
    basis: Basis
    """How it was seen; empty in results of appliances that did not keep it."""
    is_sure: bool
    """Whether it was sure enough to count; else it is for a person to look at."""


class Step(Shown):
    """How one documented step went."""

    index: str = Field(examples=["3.2"])
    """Its number, nested ones with a dot."""
    line: Place
    """Where it stands."""
    text: str
    """What it says."""
    status: StepStatus
    """How it went."""
    note: str
    """In a sentence."""
    before: Artifact | None
    """Picture before it."""
    after: Artifact | None
    """Picture after it."""


class Claim(Shown):
    """One thing that the text says of the console."""

    kind: ClaimKind
    """What it is about."""
    status: ClaimStatus
    """Whether it was seen, is contradicted by a finding, or was not looked at."""
    text: str
    """The words that say it."""
    line: Place
    """Where they begin, from 1."""
    column: Place
    """Where they begin, from 1."""
    end_line: Place
    """Where they end."""
    end_column: Place
    """Where they end; this column is not part of it."""
    step: str
    """Index of the documented step; empty outside the steps."""
    reason: str
    """Why it was not checked; empty for the others."""
    quote: str
    """Words of a page by which a model confirmed it; empty: it was measured."""


class Channel(Shown):
    """What one goal channel says."""

    channel: GoalChannel
    """Who says it."""
    reached: bool | None
    """Null: it cannot tell."""
    reason: str
    """Why."""


class Goal(Shown):
    """Whether the procedure's goal was reached."""

    reached: bool | None
    """Null: nobody can tell."""
    channels: tuple[Channel, ...]
    """Who says so."""


class Cost(Shown):
    """What a verdict cost."""

    wall_s: Amount
    """Seconds from beginning to end."""
    browser_s: Amount
    """Seconds with a page open."""
    model_s: Amount
    """Seconds of waiting for models."""
    model_calls: Count
    """Questions to models."""
    tokens: Count
    """Of all questions and answers."""
    resource_cost: Amount = 0.0
    """Of what was made in the cloud, in the console's currency."""


class Tier(Shown):
    """What one tier of the cascade said, and what it took."""

    policy: PolicyName
    """What chose the actions."""
    verdict: Verdict
    """What it alone would say."""
    attempts: Count
    """How often it carried the procedure out."""
    cost: Cost
    """What that cost."""
    why: str
    """Why it did not decide; empty for the one that did."""


class Procedure(Shown):
    """The verdict on one procedure, with all that led to it."""

    id: str
    """Folder, file and title; behind an @ language, role and region, where there are several."""
    title: str
    """Its own title."""
    title_path: tuple[str, ...]
    """Titles from the document's down to its own."""
    document: str
    """Path of the document."""
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
    steps: tuple[Step, ...]
    """All documented steps."""
    findings: tuple[Finding, ...]
    """What the console contradicts."""
    blocked_by: str | None
    """Of a blocked or undecided one: why."""
    cause: CauseKind | None = None
    """What kind of thing that is."""
    claims: tuple[Claim, ...] = ()
    """All that its text says, in order, and what was seen of it."""
    prerequisites: tuple[str, ...]
    """What it needs, in the document's words."""
    trajectory: Artifact | None
    """All that was seen and done."""
    tiers: tuple[Tier, ...] = ()
    """The tiers that were tried, in order; the last is not always the one that decided."""
    audit: Artifact | None = None
    """The audit events of the last attempt, one JSON object a line."""
    pending_until: Moment | None = None
    """The audit log may still tell: until then the verdict may change; null: it stands."""


class Summary(Shown):
    """Counts over procedures."""

    procedures: Count
    """All with a verdict."""
    verified: Count
    """Goal reached as written."""
    drifted: Count
    """Goal reached, but not as written."""
    broken: Count
    """Not reachable by the text."""
    blocked: Count
    """Nothing learnt: log-in, quota, outage, prerequisites."""
    undecided: Count
    """A person has to look."""
    findings: Count
    """Sentences that the console contradicts."""
    cosmetic: Count = 0
    """Trifles besides: one for many, strokes. They change no verdict."""
    unsure: Count = 0
    """What was not sure enough to count: for a person to look at."""


class Build(Shown):
    """Which appliance it was."""

    version: str
    """Its version."""
    commit: str
    """Its commit; empty where that is not known."""


class Result(Shown):
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
    procedures: tuple[Procedure, ...]
    """Verdicts so far."""
    documents: dict[str, str]
    """Revision (SHA-256) of each document, by path."""
    config: dict[str, Any]  # Any: settings as JSON, secrets masked
    """The settings that were in force, secrets masked."""
