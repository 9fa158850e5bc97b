"""Tables of AsciiDoc: lines to rows of cells.

https://docs.asciidoctor.org/asciidoc/latest/tables/build-a-basic-table/
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from appliance.documents._asciidoc_lines import Line
from appliance.documents._limits import check_cells

_BAR = re.compile(
    r"(?:(?:^|(?<=[ \t]))(?P<count>\d{1,4})?(?P<rows>\.\d{1,4})?(?P<sign>[+*])?"
    r"(?:[<^>](?:\.[<^>])?|\.[<^>])?(?P<style>[adehlmsv])?)?(?<!\\)\|"
)
_COLUMN = re.compile(r"(?:(\d{1,3})\*)?([^,;]*)")


@dataclass(slots=True)
class Cell:
    """A cell: its lines, without the bar."""

    lines: list[Line] = field(default_factory=list)
    columns: int = 1
    rows: int = 1
    style: str = ""

    @property
    def is_document(self) -> bool:
        """Whether the cell holds blocks."""
        return self.style == "a"

    @property
    def paragraphs(self) -> list[list[Line]]:
        """Its texts, split at blank lines."""
        texts: list[list[Line]] = [[]]
        for line in self.lines:
            stripped = line.cut(len(line.text) - len(line.text.lstrip()))
            if stripped.text:
                texts[-1].append(stripped)
            elif texts[-1]:
                texts.append([])
        return [text for text in texts if text]


@dataclass(frozen=True, slots=True)
class Row:
    """The cells that begin in a row."""

    cells: tuple[Cell, ...]
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows from top to bottom."""

    rows: tuple[Row, ...]


def table_of(
    lines: Sequence[Line], attributes: Mapping[str, str], options: Collection[str]
) -> Table:
    """Parse a table; `attributes` and `options` are those of its block."""
    styles = _styles(attributes.get("cols", ""))
    texts = [line for line in lines if not line.text.startswith("//")]
    while texts and not texts[0].text:
        texts.pop(0)
    cells, first_line_columns = _cells(texts)
    columns = len(styles) or first_line_columns
    if not columns:
        return Table(())
    rows = _rows(cells, columns, styles)
    has_header = "header" in options or (
        "noheader" not in options
        and len(texts) > 1
        and not texts[1].text
        and bool(rows)
        and sum(cell.columns for cell in rows[0]) == first_line_columns
    )
    return Table(
        tuple(Row(row, is_header=has_header and number == 0) for number, row in enumerate(rows))
    )


def _styles(text: str) -> tuple[str, ...]:
    """The style letter of each column; empty for the default."""
    styles = list[str]()
    for part in re.split("[,;]", text) if text else ():
        match = _COLUMN.fullmatch(part.strip().strip('"'))
        count = int(match[1] or 1) if match else 1
        rest = (match[2] if match else "").strip()
        styles += [rest[-1] if rest[-1:] in tuple("adehlmsv") else ""] * min(count, 1_000)
    return tuple(styles)


def _cells(lines: Iterable[Line]) -> tuple[list[Cell], int]:
    """All cells, and the number of columns that the first line fills."""
    cells, first_line_columns, number = list[Cell](), 0, -1
    for number, line in enumerate(lines):
        bars = list(_BAR.finditer(line.text))
        before = line.cut(0, bars[0].start() if bars else None)
        if cells:
            cells[-1].lines.append(Line(before.text.rstrip(), before.at))
        ends = [*(bar.start() for bar in bars[1:]), None]
        for match, end in zip(bars, ends, strict=False):
            text = line.cut(match.end(), end)
            text = text.cut(len(text.text) - len(text.text.lstrip()))
            times = int(match["count"] or 1) if match["sign"] == "*" else 1
            for _ in range(min(times, 100)):
                cells.append(_cell(match, Line(text.text.rstrip(), text.at)))
                check_cells(len(cells), lambda: line.at)  # noqa: B023 - called at once
            if number == 0:
                first_line_columns += sum(cell.columns for cell in cells[-min(times, 100) :])
    return cells, first_line_columns


def _cell(match: re.Match[str], text: Line) -> Cell:
    spans = match["sign"] == "+"
    return Cell(
        lines=[text],
        columns=min(int(match["count"] or 1), 1_000) if spans else 1,
        rows=min(int((match["rows"] or ".1")[1:]), 1_000) if spans else 1,
        style=match["style"] or "",
    )


def _rows(cells: Iterable[Cell], columns: int, styles: Sequence[str]) -> list[tuple[Cell, ...]]:
    """Group cells into rows; a cell that spans rows takes its column in those below."""
    taken = [0] * columns
    rows, row, column = list[tuple[Cell, ...]](), list[Cell](), 0
    for cell in cells:
        while column < columns and taken[column]:
            column += 1
        if column < len(styles):
            cell.style = cell.style or styles[column]
        row.append(cell)
        for place in range(column, min(column + cell.columns, columns)):
            taken[place] = cell.rows
        column += cell.columns
        while column < columns and taken[column]:
            column += 1
        if column >= columns:
            rows.append(tuple(row))
            row, column = [], 0
            taken = [max(0, left - 1) for left in taken]
    return rows if not row else [*rows, tuple(row)]
