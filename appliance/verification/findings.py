"""Turns divergences that every attempt saw into findings."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from appliance.core import actions
from appliance.core.procedure import Document, Procedure
from appliance.core.result import Evidence, Finding, Goal
from appliance.core.source import Span
from appliance.core.verdict import Basis, DivergenceKind, EvidenceKind, StepStatus
from appliance.documents import markup_pattern
from appliance.policy.base import Divergence
from appliance.verification.trajectory import Trajectory

_NOT_FOUND_KINDS = frozenset(
    (DivergenceKind.RENAMED_LABEL, DivergenceKind.MOVED_CONTROL, DivergenceKind.MISSING_CONTROL)
)
"""Kinds that two readers may give to the same control that is not where the text says."""
_FAILED_STATUSES = frozenset((StepStatus.STUCK, StepStatus.UNREACHED))


class _Key(NamedTuple):
    kind: DivergenceKind
    span: Span
    quote: str


def confirmed_findings(
    document: Document,
    procedure: Procedure,
    attempts: Sequence[Trajectory],
    unique: Sequence[str],
    goal: Goal | None = None,
) -> tuple[Finding, ...]:
    """Findings that every attempt saw, with the evidence of the last one.

    Args:
        document: The document, for the words in the source.
        procedure: The procedure.
        attempts: One trajectory per attempt.
        unique: The made-up suffixes of the attempts, which are no part of what the console says.
        goal: The goal of the last attempt, by which guesses are judged.
    """
    reached = goal.reached if goal is not None else None
    keys_by_attempt = [{_key(d) for _, d in t.divergences()} for t in attempts]
    common = set.intersection(*keys_by_attempt) if keys_by_attempt else set()
    findings: dict[_Key, Finding] = {}
    for turn, divergence in attempts[-1].divergences():
        key = _key(divergence)
        if key in common and key not in findings and divergence.basis is not Basis.DOUBTFUL:
            evidence = tuple(_evidence(attempts[-1], turn, divergence))
            resolved = resolve_guess(divergence, attempts[-1], turn, reached)
            findings[key] = make_finding(document, procedure, resolved, evidence, unique)
    return tuple(sorted(findings.values(), key=lambda f: (f.line, f.column)))


def agreed_findings(
    document: Document,
    procedure: Procedure,
    attempts: Sequence[Trajectory],
    others: Sequence[Trajectory],
    unique: Sequence[str],
) -> tuple[Finding, ...]:
    """Findings that two trajectories saw, at least one of them in `attempts`, best worded.

    A model puts the same thing in other words each time: what counts is the place and the kind.

    Args:
        document: The document, for the words in the source.
        procedure: The procedure.
        attempts: The trajectories whose findings these are.
        others: The trajectories of another policy, which may only agree.
        unique: The made-up suffixes of the attempts.
    """
    findings: list[Finding] = []
    accepted: list[Divergence] = []
    noted_divergences = [
        _DivergenceAt(trajectory, turn, divergence)
        for trajectory in reversed(attempts)
        for turn, divergence in trajectory.divergences()
    ]
    for candidate in noted_divergences:
        matching = [
            other
            for other in noted_divergences
            if _is_same_place(document, candidate.divergence, other.divergence)
        ]
        others_divergences = (d for t in others for _, d in t.divergences())
        is_new = not any(
            _is_same_place(document, candidate.divergence, known) for known in accepted
        )
        is_agreed = len({id(other.trajectory) for other in matching}) > 1 or any(
            _is_same_place(document, candidate.divergence, other) for other in others_divergences
        )
        if is_new and is_agreed and candidate.divergence.basis is not Basis.DOUBTFUL:
            accepted.append(candidate.divergence)
            findings.append(_best_finding(document, procedure, matching, unique))
    return tuple(sorted(findings, key=lambda f: (f.line, f.column)))


class _DivergenceAt(NamedTuple):
    """A divergence, and where it was noted."""

    trajectory: Trajectory
    turn: int
    divergence: Divergence


def _best_finding(
    document: Document,
    procedure: Procedure,
    matching: Sequence[_DivergenceAt],
    unique: Sequence[str],
) -> Finding:
    """The best finding among matching divergences: with a suggestion, and the narrowest quote.

    Among equals, the latest.
    """

    def rank(noted: _DivergenceAt) -> tuple[bool, int]:
        span = narrowed(document, noted.divergence.span, noted.divergence.quote)
        is_exact = _is_exact(document, noted.divergence)
        has_words = noted.divergence.suggestion is not None and is_exact
        return has_words, -len(source_text(document, span))

    trusted = [noted for noted in matching if noted.divergence.basis is not Basis.DOUBTFUL]
    best = max(trusted, key=rank)
    evidence = tuple(_evidence(*best))
    return make_finding(document, procedure, best.divergence, evidence, unique)


def _is_same_place(document: Document, divergence: Divergence, other: Divergence) -> bool:
    kinds = {divergence.kind, other.kind}
    if len(kinds) > 1 and not kinds <= _NOT_FOUND_KINDS:
        return False
    span, other_span = (narrowed(document, d.span, d.quote) for d in (divergence, other))
    starts_before = (span.line, span.column) < (other_span.end_line, other_span.end_column)
    return starts_before and (other_span.line, other_span.column) < (span.end_line, span.end_column)


def _key(divergence: Divergence) -> _Key:
    return _Key(divergence.kind, divergence.span, divergence.quote)


def make_finding(
    document: Document,
    procedure: Procedure,
    divergence: Divergence,
    evidence: tuple[Evidence, ...],
    unique: Sequence[str],
) -> Finding:
    """Make a finding of a divergence; its confidence is set later.

    Args:
        document: For the words in the source.
        procedure: Whose step it is.
        divergence: What was noted.
        evidence: That shows it.
        unique: The made-up suffixes of the attempts.
    """
    span = narrowed(document, divergence.span, divergence.quote)
    quote = source_text(document, span)
    is_exact = _is_exact(document, divergence)
    fingerprint = _hash(
        divergence.kind,
        _normalised(divergence.quote, unique),
        _normalised(divergence.shown, unique),
    )
    return Finding(
        id=_hash(procedure.id, divergence.kind, str(span.line), str(span.column), divergence.quote),
        fingerprint=fingerprint,
        kind=divergence.kind,
        severity=divergence.severity,
        basis=divergence.basis,
        confidence=0.0,
        document=document.path,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        quote=quote or divergence.quote,
        shown=divergence.shown if is_exact else _shown_with_suggestion(divergence),
        suggestion=divergence.suggestion if is_exact else None,
        step=divergence.step,
        evidence=evidence,
    )


def _is_exact(document: Document, divergence: Divergence) -> bool:
    """Whether the source at its span is exactly what it quotes."""
    text = source_text(document, narrowed(document, divergence.span, divergence.quote))
    return markup_pattern(divergence.quote).fullmatch(text) is not None


def _shown_with_suggestion(divergence: Divergence) -> str:
    """What the console shows, with a suggestion that does not fit the source's exact words."""
    shown, suggestion = divergence.shown, divergence.suggestion
    is_new = suggestion and suggestion.casefold() not in shown.casefold()
    return f'{shown}; instead of "{divergence.quote}": "{suggestion}"' if is_new else shown


def source_text(document: Document, span: Span) -> str:
    """The source text at a span, line breaks included."""
    lines = list(document.lines[span.line - 1 : span.end_line])
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


def narrowed(document: Document, span: Span, quote: str) -> Span:
    """The span of the quote itself within a longer span (one entry of a menu path)."""
    text = source_text(document, span)
    matches = list(markup_pattern(quote).finditer(text)) if text != quote and quote.strip() else []
    if len(matches) != 1:
        return span
    (line, column), (end_line, end_column) = (
        _line_and_column(text, offset) for offset in matches[0].span()
    )
    return Span(
        span.file,
        span.line + line,
        column + (span.column if line == 0 else 1),
        span.line + end_line,
        end_column + (span.column if end_line == 0 else 1),
    )


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset, both from 0."""
    return text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1


def _evidence(trajectory: Trajectory, turn: int, divergence: Divergence) -> Iterator[Evidence]:
    if divergence.is_guess and divergence.box is None:
        turn = _last_click(trajectory, turn)
    turn_record = trajectory.turns[turn]
    if turn_record.before is not None:
        page = turn_record.view.title or turn_record.view.url
        caption = f"where it was looked for: {page}" if divergence.is_missed else page
        yield Evidence(kind=EvidenceKind.BEFORE, caption=caption, artifact=turn_record.before)
    after = trajectory.screenshot_after(turn)
    if after is not None and after != turn_record.before:
        yield Evidence(
            kind=EvidenceKind.AFTER,
            caption=turn_record.decision.thought or "afterwards",
            artifact=after,
        )
    if turn_record.dom is not None:
        yield Evidence(kind=EvidenceKind.DOM, caption="HTML around it", artifact=turn_record.dom)
    yield Evidence(
        kind=EvidenceKind.TRAJECTORY, caption=f"turn {turn}", text=turn_record.decision.thought
    )


def _last_click(trajectory: Trajectory, turn: int) -> int:
    """The last click before `turn`, which proved a guess right; `turn` if it has no picture."""
    for index in range(turn - 1, -1, -1):
        earlier = trajectory.turns[index]
        if isinstance(earlier.decision.action, actions.Click):
            return index if earlier.before is not None else turn
    return turn


def _normalised(text: str, unique: Sequence[str]) -> str:
    for suffix in unique:
        text = text.replace(suffix, "…")
    return re.sub(r"\s+", " ", text).strip().casefold()


def _hash(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def resolve_guess(
    divergence: Divergence, trajectory: Trajectory, turn: int, reached: bool | None
) -> Divergence:
    """Resolve a guess: a rename if it proved right, else a question.

    Args:
        divergence: What was noted.
        trajectory: The attempt.
        turn: Index of the turn that noted it.
        reached: Whether the attempt reached its goal; None: nobody can tell.
    """
    if not divergence.is_guess or _is_guess_confirmed(trajectory, turn, reached):
        return divergence
    is_label = divergence.kind is DivergenceKind.RENAMED_LABEL
    nothing = f'nothing is called "{divergence.quote}"' if is_label else divergence.shown
    return replace(
        divergence,
        kind=DivergenceKind.MISSING_CONTROL if is_label else divergence.kind,
        basis=Basis.GUESS,
        shown=f'{nothing}; did you mean "{divergence.suggestion}"?',
        suggestion=None,  # nothing that was not seen to be right is written into a document
    )


def _is_guess_confirmed(trajectory: Trajectory, turn: int, reached: bool | None) -> bool:
    """Whether the goal was reached; where nobody can tell, whether all later steps went well."""
    if reached is not None:
        return reached
    later_statuses = [r.status for t in trajectory.turns[turn + 1 :] for r in t.decision.reports]
    return StepStatus.AS_WRITTEN in later_statuses and not _FAILED_STATUSES.intersection(
        later_statuses
    )
