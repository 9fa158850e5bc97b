"""Divergences that were seen in every attempt become findings."""

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

_MISSED = frozenset(
    (DivergenceKind.RENAMED_LABEL, DivergenceKind.MOVED_CONTROL, DivergenceKind.MISSING_CONTROL)
)
"""What two readers may call a control that is not where the text says, and mean the same."""
_BAD = frozenset((StepStatus.STUCK, StepStatus.UNREACHED))


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
    """What every attempt saw, with the evidence of the last.

    Args:
        document: The document, for the words in the source.
        procedure: The procedure.
        attempts: One trajectory an attempt.
        unique: The made-up suffixes of the attempts, which are no part of what the console says.
        goal: What the last one reached: by it a guess is judged.
    """
    reached = goal.reached if goal is not None else None
    seen = [{_key(d) for _, d in t.divergences()} for t in attempts]
    common = set.intersection(*seen) if seen else set()
    findings: dict[_Key, Finding] = {}
    for turn, divergence in attempts[-1].divergences():
        key = _key(divergence)
        if key in common and key not in findings and divergence.basis is not Basis.DOUBTFUL:
            evidence = tuple(_evidence(attempts[-1], turn, divergence))
            combined = as_told(divergence, attempts[-1], turn, reached)
            findings[key] = make_finding(document, procedure, combined, evidence, unique)
    return tuple(sorted(findings.values(), key=lambda f: (f.line, f.column)))


def agreed_findings(
    document: Document,
    procedure: Procedure,
    attempts: Sequence[Trajectory],
    others: Sequence[Trajectory],
    unique: Sequence[str],
) -> tuple[Finding, ...]:
    """What two of them saw, at least one of them among `attempts`, in the best words of those.

    A model puts the same thing in other words each time: what counts is the place and the kind.

    Args:
        document: The document, for the words in the source.
        procedure: The procedure.
        attempts: Those whose findings these are.
        others: Those of another reader, who may only agree.
        unique: The made-up suffixes of the attempts.
    """
    findings: list[Finding] = []
    taken: list[Divergence] = []
    noted = [
        _Noted(trajectory, turn, divergence)
        for trajectory in reversed(attempts)
        for turn, divergence in trajectory.divergences()
    ]
    for one in noted:
        alike = [other for other in noted if _is_same(document, one.divergence, other.divergence)]
        theirs = (d for t in others for _, d in t.divergences())
        is_new = not any(_is_same(document, one.divergence, known) for known in taken)
        is_seen = len({id(other.trajectory) for other in alike}) > 1 or any(
            _is_same(document, one.divergence, other) for other in theirs
        )
        if is_new and is_seen and one.divergence.basis is not Basis.DOUBTFUL:
            taken.append(one.divergence)
            findings.append(_in_best_words(document, procedure, alike, unique))
    return tuple(sorted(findings, key=lambda f: (f.line, f.column)))


class _Noted(NamedTuple):
    """A divergence, and where it was noted."""

    trajectory: Trajectory
    turn: int
    divergence: Divergence


def _in_best_words(
    document: Document, procedure: Procedure, alike: Sequence[_Noted], unique: Sequence[str]
) -> Finding:
    """Of what was noted of one place: with words to put there, and for no more than they replace.

    The latest of equals.
    """

    def rank(one: _Noted) -> tuple[bool, int]:
        span = narrowed(document, one.divergence.span, one.divergence.quote)
        is_exact = _is_exact(document, one.divergence)
        has_words = one.divergence.suggestion is not None and is_exact
        return has_words, -len(source_text(document, span))

    believed = [one for one in alike if one.divergence.basis is not Basis.DOUBTFUL]
    best = max(believed, key=rank)
    evidence = tuple(_evidence(*best))
    return make_finding(document, procedure, best.divergence, evidence, unique)


def _is_same(document: Document, one: Divergence, other: Divergence) -> bool:
    kinds = {one.kind, other.kind}
    if len(kinds) > 1 and not kinds <= _MISSED:
        return False
    a, b = (narrowed(document, d.span, d.quote) for d in (one, other))
    starts_before = (a.line, a.column) < (b.end_line, b.end_column)
    return starts_before and (b.line, b.column) < (a.end_line, a.end_column)


def _key(divergence: Divergence) -> _Key:
    return _Key(divergence.kind, divergence.span, divergence.quote)


def make_finding(
    document: Document,
    procedure: Procedure,
    divergence: Divergence,
    evidence: tuple[Evidence, ...],
    unique: Sequence[str],
) -> Finding:
    """A divergence as it is said of the document; how likely it is true is not said here.

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
        divergence.kind, _words(divergence.quote, unique), _words(divergence.shown, unique)
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
        shown=divergence.shown if is_exact else _told(divergence),
        suggestion=divergence.suggestion if is_exact else None,
        step=divergence.step,
        evidence=evidence,
    )


def _is_exact(document: Document, divergence: Divergence) -> bool:
    """Whether what stands at its place is what it quotes, and nothing else."""
    text = source_text(document, narrowed(document, divergence.span, divergence.quote))
    return markup_pattern(divergence.quote).fullmatch(text) is not None


def _told(divergence: Divergence) -> str:
    """What is shown, with a suggestion that is for other words than those that stand there."""
    shown, suggestion = divergence.shown, divergence.suggestion
    is_new = suggestion and suggestion.casefold() not in shown.casefold()
    return f'{shown}; instead of "{divergence.quote}": "{suggestion}"' if is_new else shown


def source_text(document: Document, span: Span) -> str:
    """The source's own words at a span, line breaks included."""
    lines = list(document.lines[span.line - 1 : span.end_line])
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


def narrowed(document: Document, span: Span, quote: str) -> Span:
    """The place of the quote itself within a span that holds more (one entry of a menu path)."""
    text = source_text(document, span)
    places = list(markup_pattern(quote).finditer(text)) if text != quote and quote.strip() else []
    if len(places) != 1:
        return span
    (line, column), (end_line, end_column) = (_place(text, at) for at in places[0].span())
    return Span(
        span.file,
        span.line + line,
        column + (span.column if line == 0 else 1),
        span.line + end_line,
        end_column + (span.column if end_line == 0 else 1),
    )


def _place(text: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset, both from 0."""
    return text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1


def _evidence(trajectory: Trajectory, turn: int, divergence: Divergence) -> Iterator[Evidence]:
    if divergence.is_guess and divergence.box is None:
        turn = _last_click(trajectory, turn)
    at = trajectory.turns[turn]
    if at.before is not None:
        page = at.view.title or at.view.url
        caption = f"where it was looked for: {page}" if divergence.is_missed else page
        yield Evidence(kind=EvidenceKind.BEFORE, caption=caption, artifact=at.before)
    after = trajectory.screenshot_after(turn)
    if after is not None and after != at.before:
        yield Evidence(
            kind=EvidenceKind.AFTER, caption=at.decision.thought or "afterwards", artifact=after
        )
    if at.dom is not None:
        yield Evidence(kind=EvidenceKind.DOM, caption="HTML around it", artifact=at.dom)
    yield Evidence(kind=EvidenceKind.TRAJECTORY, caption=f"turn {turn}", text=at.decision.thought)


def _last_click(trajectory: Trajectory, turn: int) -> int:
    """The turn whose click proved a guess right; this one where no picture shows it."""
    for number in range(turn - 1, -1, -1):
        earlier = trajectory.turns[number]
        if isinstance(earlier.decision.action, actions.Click):
            return number if earlier.before is not None else turn
    return turn


def _words(text: str, unique: Sequence[str]) -> str:
    for suffix in unique:
        text = text.replace(suffix, "…")
    return re.sub(r"\s+", " ", text).strip().casefold()


def _hash(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def as_told(
    divergence: Divergence, trajectory: Trajectory, turn: int, reached: bool | None
) -> Divergence:
    """As it is said of the document: a guess is a rename where it proved right, else a question.

    Args:
        divergence: What was noted.
        trajectory: The attempt.
        turn: That noted it.
        reached: Whether the attempt reached its goal; None: nobody can tell.
    """
    if not divergence.is_guess or _is_borne_out(trajectory, turn, reached):
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


def _is_borne_out(trajectory: Trajectory, turn: int, reached: bool | None) -> bool:
    """The goal was reached by it; where nobody can tell, all that follows went as written."""
    if reached is not None:
        return reached
    after = [r.status for t in trajectory.turns[turn + 1 :] for r in t.decision.reports]
    return StepStatus.AS_WRITTEN in after and not _BAD.intersection(after)
