"""The place in the source as the HTML page shows it: lines with marked words, old and new."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from appliance.core.result import Finding
from appliance.documents import Edit, SourceText, Stretch


class LineKind(StrEnum):
    """What a line is in a diff."""

    CONTEXT = "context"
    HERE = "here"  # the line with the untrue words, where nothing is suggested
    OLD = "old"
    NEW = "new"


class Part(NamedTuple):
    """A stretch of a line."""

    text: str
    is_marked: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an excerpt."""

    kind: LineKind
    number: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some lines of a source."""

    lines: tuple[Line, ...]
    note: str = ""
    """Key in the catalogue of what must be said of them."""


def excerpt(source: SourceText | None, finding: Finding, edit: Edit | None = None) -> Excerpt:
    """The quote in its lines with one of context on either side, and what an edit makes of them."""
    at = edit.at if edit else source.find(finding) if source else None
    if source is None or at is None:
        why = "report.no_source" if source is None else "report.changed_since"
        return Excerpt(_without_source(finding), why)
    first, last = source.place(at.start).line, source.place(max(at.start, at.end - 1)).line
    old = _mark_lines(source, at, source.text[at.start : at.end])
    new = None
    if edit is not None:
        new = _mark_lines(source, at, edit.new)
    kind = LineKind.HERE if new is None else LineKind.OLD
    lines = [*_context(source, first - 1), *_number_lines(kind, first, old)]
    lines += _number_lines(LineKind.NEW, first, new or [])
    return Excerpt((*lines, *_context(source, last + 1)))


def _without_source(finding: Finding) -> tuple[Line, ...]:
    def whole(kind: LineKind, text: str) -> list[Line]:
        rows = [[Part(line, is_marked=True)] for line in text.splitlines()]
        return _number_lines(kind, finding.line, rows)

    if finding.suggestion is None or finding.suggestion == finding.quote:
        return tuple(whole(LineKind.HERE, finding.quote))
    old, new = whole(LineKind.OLD, finding.quote), whole(LineKind.NEW, finding.suggestion)
    return (*old, *new)


def _mark_lines(source: SourceText, at: Stretch, middle: str) -> list[list[Part]]:
    """The lines around a stretch with `middle` in its place, marked."""
    start, end = source.place(at.start), source.place(at.end)
    if end.column == 1 and at.end > at.start:  # the stretch ends with its line
        end, middle = source.place(at.end - 1), middle.removesuffix("\n")
    before = source.line(start.line)[: start.column - 1]
    after = source.line(end.line)[end.column - 1 :]
    first, *more = middle.split("\n")
    rows = [[Part(first.rstrip("\r"), is_marked=True)]]
    rows += [_indent_parts(line.rstrip("\r")) for line in more]
    rows[0].insert(0, Part(before, is_marked=False))
    rows[-1].append(Part(after, is_marked=False))
    return [[part for part in row if part.text] for row in rows]


def _indent_parts(line: str) -> list[Part]:
    """A further line of the stretch: its indentation is not part of the words."""
    words = line.lstrip()
    return [Part(line[: len(line) - len(words)], is_marked=False), Part(words, is_marked=True)]


def _context(source: SourceText, number: int) -> list[Line]:
    text = source.line(number)
    parts = (Part(text, is_marked=False),)
    return [Line(LineKind.CONTEXT, number, parts)] if text.strip() else []


def _number_lines(kind: LineKind, first: int, rows: list[list[Part]]) -> list[Line]:
    return [Line(kind, number, tuple(parts)) for number, parts in enumerate(rows, first)]
