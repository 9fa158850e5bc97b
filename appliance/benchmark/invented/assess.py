"""What a reader of the report sees of each untruth, and what was found that is none."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from appliance.benchmark.invented.editions import PlacedUntruth, holder_of
from appliance.benchmark.invented.untruth import Origin, Part
from appliance.core.claims import Claim, ClaimKind, ClaimStatus
from appliance.core.procedure import Document, Procedure
from appliance.core.result import Finding, ProcedureResult, RunResult
from appliance.core.source import Span, overlap
from appliance.core.verdict import DivergenceKind, Verdict

ShownGreen = Callable[[Document, Procedure, ProcedureResult], Sequence[Span]]
"""The stretches of a document that its report marks as verified."""


class Showing(StrEnum):
    """What is shown of an untrue sentence."""

    CONFIRMED = "confirmed"  # its untrue words are marked as verified: must not be
    CONTRADICTED = "contradicted"  # a finding is about it
    NOT_CHECKED = "not_checked"  # a claim, and nobody looked
    NO_CLAIM = "no_claim"  # not among the claims at all


class ShownUntruth(BaseModel):
    """One untruth, and what became of it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    id: str
    part: Part
    origin: Origin
    kind: ClaimKind
    language: str
    format: str
    document: str
    line: int
    text: str
    words: str
    why: str
    shown: Showing
    claims: tuple[ClaimKind, ...]
    """Kinds of the claims that have some of the untrue words."""
    confirmed: tuple[ClaimKind, ...]
    """Those of them that are said to be confirmed, whatever the report marks."""
    procedure: str
    verdict: Verdict | None
    """None: the procedure could not be read any more."""


class FalseFinding(BaseModel):
    """A finding about a sentence that is true."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    document: str
    line: int
    kind: DivergenceKind
    quote: str
    shown: str
    verdict: Verdict
    untruths: tuple[str, ...]
    """Ids of what is untrue elsewhere in the procedure, and may have led there."""


def assess(
    placed: Sequence[PlacedUntruth],
    documents: Sequence[Document],
    run: RunResult,
    green: ShownGreen,
) -> list[ShownUntruth]:
    """What is shown of each untruth of a copy."""
    by_name = {Path(document.path).name: document for document in documents}
    results = {result.id: result for result in run.procedures}
    return [
        _shown_untruth(untruth, by_name[untruth.untruth.document], results, green)
        for untruth in placed
    ]


def false_findings(placed: Sequence[PlacedUntruth], run: RunResult) -> Iterator[FalseFinding]:
    """The findings that are about no untruth."""
    for result in run.procedures:
        name = Path(result.document).name
        near = [untruth for untruth in placed if untruth.untruth.document == name]
        inside = [
            untruth for untruth in near if result.line <= untruth.span.line <= result.end_line
        ]
        for finding in result.findings:
            if finding.is_sure and not _is_about(near, finding):
                yield FalseFinding(
                    document=name,
                    line=finding.line,
                    kind=finding.kind,
                    quote=finding.quote,
                    shown=finding.shown,
                    verdict=result.verdict,
                    untruths=tuple(untruth.untruth.id for untruth in inside),
                )


def is_about_one(placed: Sequence[PlacedUntruth], finding: Finding) -> bool:
    """Whether a finding is about one of the untruths."""
    name = Path(finding.document).name
    return _is_about([untruth for untruth in placed if untruth.untruth.document == name], finding)


def _is_about(near: Sequence[PlacedUntruth], finding: Finding) -> bool:
    return any(overlap(untruth.span, _finding_span(finding)) for untruth in near)


def _shown_untruth(
    placed: PlacedUntruth,
    document: Document,
    results: dict[str, ProcedureResult],
    green: ShownGreen,
) -> ShownUntruth:
    procedure = holder_of(document, placed.span.line)
    result = results.get(procedure.id) if procedure else None
    claims = [c for c in result.claims if overlap(placed.words, _claim_span(c))] if result else []
    untruth = placed.untruth
    return ShownUntruth(
        id=untruth.id,
        part=untruth.part,
        origin=untruth.origin,
        kind=untruth.kind,
        language=untruth.language,
        format=untruth.format,
        document=untruth.document,
        line=placed.span.line,
        text=" ".join(untruth.text.split()),
        words=untruth.words,
        why=untruth.why,
        shown=_showing(placed, claims, result, green(document, procedure, result))
        if procedure and result
        else Showing.NO_CLAIM,
        claims=tuple(claim.kind for claim in claims),
        confirmed=tuple(c.kind for c in claims if c.status is ClaimStatus.CONFIRMED),
        procedure=procedure.id if procedure else "",
        verdict=result.verdict if result else None,
    )


def _showing(
    placed: PlacedUntruth, claims: Sequence[Claim], result: ProcedureResult, green: Sequence[Span]
) -> Showing:
    if any(overlap(placed.words, span) for span in green):
        return Showing.CONFIRMED
    if any(
        overlap(placed.span, _finding_span(finding))
        for finding in result.findings
        if finding.is_sure
    ):
        return Showing.CONTRADICTED
    return Showing.NOT_CHECKED if claims else Showing.NO_CLAIM


def _claim_span(claim: Claim) -> Span:
    return Span("", claim.line, claim.column, claim.end_line, claim.end_column)


def _finding_span(finding: Finding) -> Span:
    return Span("", finding.line, finding.column, finding.end_line, finding.end_column)
