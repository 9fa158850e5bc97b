"""Keep tables intact after edits: pad cells again and widen columns as needed.

Columns are counted as docutils does: wide characters take two.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias
from unicodedata import east_asian_width

from appliance.documents.editing.source import SourceText, Stretch
from appliance.documents.editing.words import BREAK

_GRID = re.compile(r"[ \t]*[+|]")
_GRID_BORDER = re.compile(r"\+[-=+]+\+$")
_SIMPLE_BORDER = re.compile(r"[ \t]*=+(?: +=+)+[ \t]*$")
_UNDERLINE = re.compile(r"[ \t]*-+(?: +-+)*[ \t]*$")
_DELIMITER = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_PIPE = re.compile(r"(?<!\\)\|")
_FILLER = "\0"
"""Follows each wide character while columns are counted."""

LineEdits: TypeAlias = Mapping[int, list[tuple[Stretch, str]]]
"""By line (from 0): stretches of columns and the text that replaces them."""


def in_markdown_table(source: SourceText, line: int) -> bool:
    """Whether a line (from 0) is a row of a Markdown table."""
    return _markdown_delimiter(source, line) is not None


def refit_tables(
    source: SourceText, edits: Iterable[tuple[Stretch, str]], format: str
) -> dict[int, str] | None:
    """The new lines (by number from 0, without line ends) of all tables that the edits touch.

    None if a table would break.
    """
    by_line = _edits_by_line(source, edits)
    refitted: dict[int, str] = {}
    for line in by_line:
        if line in refitted:
            continue
        if format == "rst":
            lines = _refit_grid(source, line, by_line) if _grid_lines(source, line) else None
            if lines is None and _simple_lines(source, line):
                lines = _refit_simple(source, line, by_line)
            is_table = bool(_grid_lines(source, line) or _simple_lines(source, line))
        else:
            is_table = format == "markdown" and in_markdown_table(source, line)
            lines = _refit_markdown(source, line, by_line) if is_table else None
        if is_table and lines is None:
            return None
        refitted |= lines or {}
    return refitted


def _edits_by_line(source: SourceText, edits: Iterable[tuple[Stretch, str]]) -> LineEdits:
    edits_by_line: dict[int, list[tuple[Stretch, str]]] = {}
    for at, new in edits:
        old_parts, start = list[Stretch](), at.start
        for gap in BREAK.finditer(source.text[at.start : at.end]):
            old_parts.append(Stretch(start, at.start + gap.start()))
            start = at.start + gap.end()
        old_parts.append(Stretch(start, at.end))
        new_parts = BREAK.split(new)
        if len(old_parts) != len(new_parts):  # no table has room for that: never within one
            new_parts = [new, *[""] * (len(old_parts) - 1)]
        for old, text in zip(old_parts, new_parts, strict=True):
            line = source.place(old.start).line - 1
            line_start = source.starts[line]
            columns = Stretch(old.start - line_start, old.end - line_start)
            edits_by_line.setdefault(line, []).append((columns, text))
    return edits_by_line


@dataclass(slots=True)
class _Row:
    """A line of a table, with one character per column."""

    text: str
    """With fillers."""
    edits: list[tuple[Stretch, str]] = field(default_factory=list)
    """Edits, in the same columns."""

    @classmethod
    def of(cls, line: str, edits: Iterable[tuple[Stretch, str]] = ()) -> "_Row":
        return cls(
            _pad(line),
            [
                (
                    Stretch(len(_pad(line[: at.start])), len(_pad(line[: at.end]))),
                    _pad(new),
                )
                for at, new in edits
            ],
        )

    def cell(self, start: int, end: int) -> str | None:
        """The edited text between two columns; None if an edit crosses their borders."""
        text, position = "", start
        for at, new in sorted(self.edits):
            if at.end <= start or at.start >= end:
                continue
            if at.start < start or at.end > end:
                return None
            text += self.text[position : at.start] + new
            position = at.end
        return text + self.text[position:end]


def _pad(text: str) -> str:
    return "".join(c + _FILLER if east_asian_width(c) in "WF" else c for c in text)


# Grid tables of reStructuredText.


def _grid_lines(source: SourceText, line: int) -> range | None:
    lines = _block(source, line, lambda text: bool(_GRID.match(text)))
    if len(lines) < 3 or not _GRID_BORDER.match(source.line(lines[0] + 1).strip()):
        return None
    return lines


def _refit_grid(source: SourceText, line: int, edits: LineEdits) -> dict[int, str] | None:
    lines = _grid_lines(source, line)
    assert lines is not None  # noqa: S101 - asked before
    rows = {n: _Row.of(source.line(n + 1), edits.get(n, ())) for n in lines}
    bounds = sorted({i for row in rows.values() if _is_border(row.text) for i in _crossings(row)})
    growth: dict[int, int] = {}
    cells: dict[int, list[tuple[int, int, str]]] = {}
    for number, row in rows.items():
        if not row.edits:
            continue
        edges = [b for b in bounds if row.text[b : b + 1] in ("|", "+")]
        for start, end in pairwise(edges):
            text = row.cell(start + 1, end)
            if text is None:
                return None
            cells.setdefault(number, []).append((start, end, text.rstrip(" ")))
            need = len(text.rstrip(" ")) + 1 - (end - start - 1)
            if text != row.text[start + 1 : end] and need > 0:
                growth[end] = max(growth.get(end, 0), need)
        if any(not (edges and edges[0] < at.start <= at.end <= edges[-1]) for at, _ in row.edits):
            return None
    return {
        number: _strip_padding(
            _fill_row(row, cells[number], growth)
            if number in cells
            else _grow_line(row, bounds, growth)
        )
        for number, row in rows.items()
    }


def _is_border(text: str) -> bool:
    return text.lstrip().startswith("+")


def _crossings(row: _Row) -> list[int]:
    return [i for i, char in enumerate(row.text) if char == "+"]


def _fill_row(row: _Row, cells: list[tuple[int, int, str]], growth: Mapping[int, int]) -> str:
    """Write a row with changed cells, each padded to its new width."""
    text = row.text[: cells[0][0]]
    for start, end, content in cells:
        width = end - start - 1 + sum(n for at, n in growth.items() if start < at <= end)
        text += row.text[start] + content.ljust(width)
    return text + row.text[cells[-1][1] :]


def _grow_line(row: _Row, bounds: list[int], growth: Mapping[int, int]) -> str:
    """Widen the columns of a line without changes."""
    text = row.text
    for at, number in sorted(growth.items(), reverse=True):
        before, there = row.text[at - 1 : at], row.text[at : at + 1]
        if before in "-=" and there in "-=+" and before and there:
            text = text[:at] + before * number + text[at:]
        else:  # a cell over several columns is widened at its end
            end = next((b for b in bounds if b >= at and row.text[b : b + 1] in ("|", "+")), None)
            if end is not None:
                text = text[:end] + " " * number + text[end:]
    return text


# Simple tables of reStructuredText.


def _simple_lines(source: SourceText, line: int) -> range | None:
    """The lines of a simple table, from its first border to the last."""
    first: int | None = None
    for number, text in enumerate(source.lines):
        if not _SIMPLE_BORDER.match(text.rstrip("\r\n")):
            continue
        if first is None:
            first = number
        elif not source.line(number + 2).strip():
            if first <= line <= number:
                return range(first, number + 1)
            first = None
    return None


def _refit_simple(source: SourceText, line: int, edits: LineEdits) -> dict[int, str] | None:
    lines = _simple_lines(source, line)
    assert lines is not None  # noqa: S101 - asked before
    border = source.line(lines[0] + 1).rstrip()
    starts = [m.start() for m in re.finditer("=+", border)]
    ends = [m.end() for m in re.finditer("=+", border)]
    rows = {n: _Row.of(source.line(n + 1), edits.get(n, ())) for n in lines}
    growth: dict[int, int] = {}
    changed: dict[int, list[str]] = {}
    for number, row in rows.items():
        if not row.edits:
            continue
        for column, (start, end) in enumerate(zip(starts, [*starts[1:], 10**9], strict=True)):
            text = row.cell(start, end)
            if text is None:
                return None
            changed.setdefault(number, []).append(text.rstrip(" "))
            overflow = len(text.rstrip(" ")) - (ends[column] - start)
            if overflow > 0 and column < len(starts) - 1:
                growth[column] = max(growth.get(column, 0), overflow)
        if any(at.start < starts[0] for at, _ in row.edits):
            return None
    return {
        number: _strip_padding(
            _lay_out(row.text[: starts[0]], changed[number], starts, growth)
            if number in changed
            else _widen(row.text, ends, growth)
        )
        for number, row in rows.items()
    }


def _lay_out(lead: str, cells: list[str], starts: list[int], growth: Mapping[int, int]) -> str:
    text = lead
    for column, cell in enumerate(cells):
        is_last = column == len(cells) - 1
        width = 0 if is_last else starts[column + 1] - starts[column] + growth.get(column, 0)
        text += cell.ljust(width)
    return text.rstrip(" ")


def _widen(text: str, ends: list[int], growth: Mapping[int, int]) -> str:
    for column, number in sorted(growth.items(), reverse=True):
        end = ends[column]
        if len(text) < end:
            continue
        fill = text[end - 1] if _SIMPLE_BORDER.match(text) or _UNDERLINE.match(text) else " "
        text = text[:end] + fill * number + text[end:]
    return text


# Tables of Markdown.


def _markdown_delimiter(source: SourceText, line: int) -> int | None:
    if not _PIPE.search(source.line(line + 1)):
        return None
    lines = _block(source, line, lambda text: bool(_PIPE.search(text)))
    for number in (lines[0] + 1, lines[0]):
        if number in lines and _DELIMITER.match(source.line(number + 1)) and number != line:
            return number
    return None


def _refit_markdown(source: SourceText, line: int, edits: LineEdits) -> dict[int, str] | None:
    """Refit one row: cells aligned with the delimiter row keep their width if they can."""
    delimiter = _markdown_delimiter(source, line)
    assert delimiter is not None  # noqa: S101 - asked before
    aligned = {m.start() for m in _PIPE.finditer(_pad(source.line(delimiter + 1)))}
    row = _Row.of(source.line(line + 1), edits[line])
    bars = [m.start() for m in _PIPE.finditer(row.text)]
    edges = [-1, *bars, len(row.text)]
    text, shift = "", 0
    for start, end in pairwise(edges):
        content = row.cell(start + 1, end)
        if content is None:
            return None
        if content != row.text[start + 1 : end] and end in bars and end in aligned:
            bare = content.rstrip(" ")
            content = bare.ljust(max(end - start - 1 - shift, len(bare) + 1))
            shift += len(content) - (end - start - 1)
        text += content + (row.text[end] if end < len(row.text) else "")
    return {line: _strip_padding(text)}


def _strip_padding(text: str) -> str:
    return text.replace(_FILLER, "")


def _block(source: SourceText, line: int, belongs: Callable[[str], bool]) -> range:
    first = last = line
    if not belongs(source.line(line + 1)):
        return range(line, line)
    while first > 0 and belongs(source.line(first)):
        first -= 1
    while last + 1 < len(source.lines) and belongs(source.line(last + 2)):
        last += 1
    return range(first, last + 1)
