"""A document's own text with every sentence marked by what the last verdict says of it."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise

from appliance.core.claims import Claim, ClaimStatus, Coverage
from appliance.core.procedure import Field, Note, Procedure, Sentence
from appliance.core.result import Finding, ProcedureResult
from appliance.core.source import Span, overlap
from appliance.policy.literal import stated_claims
from appliance.reports import SourceText


class Mark(StrEnum):
    """What is known of a sentence."""

    VERIFIED = "verified"  # all that it says was seen
    DRIFTED = "drifted"  # the console contradicts it
    UNCHECKED = "unchecked"  # nothing was learnt about it


_BY_NEED = (Mark.DRIFTED, Mark.UNCHECKED, Mark.VERIFIED)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a line."""

    text: str
    mark: Mark | None
    """None: no sentence of a procedure."""
    finding: Finding | None = None
    """The words themselves are untrue."""


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """One line of the source."""

    number: int
    pieces: tuple[Piece, ...]
    findings: tuple[Finding, ...] = ()
    """Those whose words end in it."""

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def mark(self) -> Mark | None:
        """That of its pieces which needs a reader most."""
        marks = {piece.mark for piece in self.pieces}
        return next((mark for mark in _BY_NEED if mark in marks), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentProcedure:
    """A procedure as the text has it now, with what its last verdict says."""

    procedure: Procedure
    result: ProcedureResult | None
    dismissed: Collection[str] = ()
    """Fingerprints of findings that a person has rejected."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Characters of one line from `start` to before `end`, from 0."""

    start: int
    end: int
    mark: Mark | None = None
    finding: Finding | None = None


@dataclass(slots=True)
class _Layers:
    """What lies over each line: marks of sentences, and the words of findings."""

    lines: Sequence[str]
    marks: dict[int, list[_Stretch]] = field(default_factory=dict)
    words: dict[int, list[_Stretch]] = field(default_factory=dict)
    ends: dict[int, list[Finding]] = field(default_factory=dict)

    def mark(self, span: Span, mark: Mark) -> None:
        for number, start, end in self._rows(span):
            self.marks.setdefault(number, []).append(_Stretch(start, end, mark))

    def point_out(self, finding: Finding, span: Span) -> None:
        rows = list(self._rows(span))
        for number, start, end in rows:
            self.words.setdefault(number, []).append(_Stretch(start, end, None, finding))
        self.ends.setdefault(rows[-1][0] if rows else span.line, []).append(finding)

    def _rows(self, span: Span) -> Iterator[tuple[int, int, int]]:
        """The stretch in each line, without the white space around it."""
        for number in range(span.line, min(span.end_line, len(self.lines)) + 1):
            text = self.lines[number - 1]
            start = span.column - 1 if number == span.line else 0
            end = span.end_column - 1 if number == span.end_line else len(text)
            words = text[start:end]
            start += len(words) - len(words.lstrip())
            end = start + len(words.strip())
            if end > start:
                yield number, start, end


def marked_lines(
    lines: Sequence[str],
    judged: Iterable[CurrentProcedure],
    first: int = 1,
    last: int | None = None,
) -> tuple[MarkedLine, ...]:
    """The lines from `first` to `last`, with what is known of each stretch of them."""
    layers = _Layers(lines)
    source = SourceText.of("\n".join(lines))
    for procedure in judged:
        _lay(layers, source, procedure)
    return tuple(
        MarkedLine(
            number,
            tuple(_pieces(lines[number - 1], layers, number)),
            tuple(layers.ends.get(number, ())),
        )
        for number in range(first, min(last or len(lines), len(lines)) + 1)
    )


def coverage(judged: CurrentProcedure) -> Coverage:
    """How much of what the procedure says now somebody looked at."""
    return Coverage.of(status for _, status in _claims(judged))


def is_unchanged(judged: CurrentProcedure) -> bool:
    """Whether the steps are still those that the verdict is about."""
    if judged.result is None:
        return True
    now = [(step.index, step.text) for step in judged.procedure.walk()]
    return now == [(step.index, step.text) for step in judged.result.steps]


def place_of(source: SourceText, finding: Finding, within: Span) -> Span | None:
    """Where a finding's words stand now: at their place, or where they moved to in the procedure.

    None where the text does not say this any more, or says it more than once.
    """
    at = source.find(finding)
    if at is not None and within.line <= finding.line <= within.end_line:
        start, end = source.place(at.start), source.place(at.end)
        return Span(finding.document, start.line, start.column, end.line, end.column)
    words = finding.quote.split()
    first, last = source.offset(within.line, 1), source.offset(within.end_line, 1)
    if not words or first is None or last is None:
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    places = list(pattern.finditer(source.text, first, last + len(source.line(within.end_line))))
    if len(places) != 1:
        return None
    start, end = source.place(places[0].start()), source.place(places[0].end())
    return Span(finding.document, start.line, start.column, end.line, end.column)


def _lay(layers: _Layers, source: SourceText, judged: CurrentProcedure) -> None:
    placed = _place_findings(source, judged)
    for finding in judged.result.findings if judged.result else ():
        if finding.id in placed:
            layers.point_out(finding, placed[finding.id])
    for span, mark in _sentence_marks(judged, placed):
        layers.mark(span, mark)


def _place_findings(source: SourceText, judged: CurrentProcedure) -> dict[str, Span]:
    """Where the words of each finding that stands are now, by its id."""
    findings = judged.result.findings if judged.result else ()
    standing = (f for f in findings if f.fingerprint not in judged.dismissed)
    within = _with_introduction(judged.procedure)
    spans = {f.id: place_of(source, f, within) for f in standing}
    return {id: span for id, span in spans.items() if span is not None}


def _with_introduction(procedure: Procedure) -> Span:
    """The lines of a procedure, and those before it that introduce it."""
    first = min([procedure.span.line, *(s.span.line for s in procedure.introduction)])
    return replace(procedure.span, line=first)


def _sentence_marks(
    judged: CurrentProcedure, placed: Mapping[str, Span]
) -> Iterator[tuple[Span, Mark]]:
    """Every sentence of the procedure with its mark, and confirmed words in those without one.

    A sentence is confirmed where all that it says is.
    """
    claims = list(_claims(judged))
    procedure = judged.procedure
    steps = (part for step in procedure.walk() for part in step.body)
    around = (*procedure.introduction, *procedure.remarks)
    for span in _spans((*procedure.prerequisites, *around, *steps, *procedure.results)):
        inside = [(words, status) for words, status in claims if _covers(span, words)]
        good = [words for words, status in inside if status is ClaimStatus.CONFIRMED]
        is_confirmed = bool(inside) and len(good) == len(inside)
        yield span, _mark(span, Mark.VERIFIED if is_confirmed else Mark.UNCHECKED, placed)
        if not is_confirmed:
            yield from ((words, _mark(words, Mark.VERIFIED, placed)) for words in good)


def _claims(judged: CurrentProcedure) -> Iterator[tuple[Span, ClaimStatus]]:
    """What the text says now, and what was seen of it when it said the same.

    What a person says is no error was not seen to be right either.
    """
    result = judged.result
    same = _same_steps(judged)
    then: dict[tuple[str, str], list[ClaimStatus]] = {}
    for claim in result.claims if result is not None else ():
        then.setdefault((claim.step, claim.text), []).append(_standing(judged, claim))
    for stated in stated_claims(judged.procedure):
        known = then.get((stated.step, stated.text)) if stated.step in same else None
        yield stated.span, known.pop(0) if known else ClaimStatus.NOT_CHECKED


def _same_steps(judged: CurrentProcedure) -> frozenset[str]:
    """Indexes of the steps that say what they said; "" where all do: the rest is about them."""
    now = {step.index: step.text for step in judged.procedure.walk()}
    steps = judged.result.steps if judged.result else ()
    same = {step.index for step in steps if now.get(step.index) == step.text}
    return frozenset(same | {""}) if is_unchanged(judged) else frozenset(same)


def _standing(judged: CurrentProcedure, claim: Claim) -> ClaimStatus:
    if claim.status is not ClaimStatus.CONTRADICTED or judged.result is None:
        return claim.status
    was = Span(judged.result.document, claim.line, claim.column, claim.end_line, claim.end_column)
    for f in judged.result.findings:
        untrue = Span(f.document, f.line, f.column, f.end_line, f.end_column)
        if f.fingerprint not in judged.dismissed and overlap(was, untrue):
            return claim.status
    return ClaimStatus.NOT_CHECKED


def _spans(body: Iterable[object]) -> Iterator[Span]:
    """The sentences and labels directly in a step or field."""
    for part in body:
        match part:
            case Sentence():
                yield part.span
            case Field():
                yield from (label.span for label in part.labels)
                yield from _spans((*part.description, *part.options, *part.notes))
            case Note():
                yield from (sentence.span for sentence in part.sentences)
            case _:  # nested steps come by themselves; code and figures are not prose
                pass


def _mark(span: Span, usual: Mark, placed: Mapping[str, Span]) -> Mark:
    return Mark.DRIFTED if any(overlap(span, words) for words in placed.values()) else usual


def _covers(outer: Span, inner: Span) -> bool:
    """Whether the first stretch contains the second."""
    starts = (outer.line, outer.column) <= (inner.line, inner.column)
    return starts and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)


def _pieces(text: str, layers: _Layers, number: int) -> Iterator[Piece]:
    marks, words = layers.marks.get(number, []), layers.words.get(number, [])
    edges = {0, len(text)} | {e for s in (*marks, *words) for e in (s.start, s.end)}
    for start, end in pairwise(sorted(edges)):
        over = [s for s in marks if s.start <= start and end <= s.end]
        covering = [s for s in words if s.start <= start and end <= s.end]
        mark = max((s.mark for s in over if s.mark), key=_WEIGHT.__getitem__, default=None)
        finding = covering[0].finding if covering else None
        yield Piece(text[start:end], Mark.DRIFTED if finding else mark, finding)


_WEIGHT = {Mark.UNCHECKED: 0, Mark.VERIFIED: 1, Mark.DRIFTED: 2}
"""Which mark is shown where two lie over each other, as in procedures that share a sentence."""
