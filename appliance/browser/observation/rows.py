"""Tables and lists as lines: headers once, cells and controls of a row on one line.

Controls that every row has are named once (`each row: …`) and bear only their numbers in the rows.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from appliance.browser.observation.arranging import bare_label
from appliance.browser.observation.boxes import is_inside
from appliance.browser.observation.gathering import TableRow
from appliance.browser.observation.notation import (
    Detail,
    clean,
    control,
    is_usable,
    line_of,
    options,
)
from appliance.core.page import Element, TextBlock

COMMON_SHARE = 0.8  # share of the rows that have a control which is taken for theirs all
MIN_ALIKE_ROWS = 3  # rows that must be alike before what they share is told once
Template = tuple[str, str, tuple[str, ...]]


def table_lines(rows: Sequence[TableRow], detail: Detail, *, has_head: bool) -> list[str]:
    """The rows of one table; `has_head` when its headers stand above it as controls."""
    headers = [header.text for header in rows[0].headers]
    lines = []
    if headers and not has_head:
        lines.append(".. cols: " + "|".join(clean(header, detail.name) for header in headers))
    shared = _find_shared(rows)
    if shared.templates:
        names = ", ".join(_template_text(template, detail) for template in shared.templates)
        lines.append(f".. each row: {names}")
    filled_columns = {item.column for row in rows for item in row.items}
    while headers and headers[0] not in filled_columns:
        headers.pop(0)  # of columns that no row fills
    lines += [_row_line(row, headers, detail, shared) for row in rows]
    return [line for line in lines if line]


@dataclass(frozen=True, slots=True)
class SharedColumns:
    """What the rows of a table have in common."""

    template_of: dict[int, Template]
    """The template of each control, by `id()` of the element: its name without its row's words."""
    templates: tuple[Template, ...] = ()
    """The controls that most rows have, in order, without those named by a cell of their own."""


def _find_shared(rows: Sequence[TableRow]) -> SharedColumns:
    occurrences = Counter(key for row in rows for key in {(e.role, e.name) for e in row.controls})
    threshold = max(MIN_ALIKE_ROWS, COMMON_SHARE * len(rows))
    constant = {key for key, count in occurrences.items() if count >= threshold}
    shared = SharedColumns(
        {id(e): _template(e, row, constant) for row in rows for e in row.controls}
    )
    counts = Counter(_templates(row, shared) for row in rows)
    counts.pop((), None)
    if not counts:
        return shared
    templates, count = counts.most_common(1)[0]
    return replace(shared, templates=templates) if count >= MIN_ALIKE_ROWS else shared


def _templates(row: TableRow, shared: SharedColumns) -> tuple[Template, ...]:
    templates = (shared.template_of[id(element)] for element in row.controls)
    return tuple(template for template in templates if _identifies_control(template))


def _template(element: Element, row: TableRow, constant: set[tuple[str, str]]) -> Template:
    name = element.name
    if _is_datum(element, row) or (element.role, name) not in constant:
        cells = [c for c in _row_words(row) if c == name or (len(c) > 1 and c in name)]
        if cells:
            name = name.replace(max(cells, key=len), "…", 1)
    return element.role, name, element.options


def _is_datum(element: Element, row: TableRow) -> bool:
    """Whether the element is a datum of a column, even if every row happens to hold the same."""
    if element.tag in ("td", "th"):
        return True
    return bool(element.column) and any(
        cell.text == element.name and cell.column == element.column for cell in row.cells
    )


def _row_words(row: TableRow) -> set[str]:
    return {cell.text for cell in row.cells} | set(row.text.split(" | "))


def _identifies_control(template: Template) -> bool:
    """Whether the template is more than a link named by its cell or a control without a name."""
    return template[0] != "row" and (template[1] not in ("", "…") or bool(template[2]))


def _template_text(template: Template, detail: Detail) -> str:
    role, name, choices = template
    sample = Element(id=0, role=role, name=name, options=choices)
    return clean(name, detail.name) + options(sample, replace(detail, options=12))


def _row_line(row: TableRow, headers: list[str], detail: Detail, shared: SharedColumns) -> str:
    is_uniform = bool(shared.templates) and _templates(row, shared) == shared.templates
    control_texts = {
        id(e): _control_text(
            e,
            detail,
            is_short=is_uniform and _identifies_control(shared.template_of[id(e)]),
            row=row,
        )
        for e in row.controls
    }
    pieces = _pieces(row, detail, control_texts)
    if not row.cells and not _is_covered_by_names(row):
        pieces.append(
            Piece(
                -1.0, None, clean(row.text, detail.text or detail.name).replace(" | ", "|"), False
            )
        )
    pieces.sort(key=lambda piece: piece.x)
    return _join_pieces(pieces, headers)


def _control_text(element: Element, detail: Detail, *, is_short: bool, row: TableRow) -> str:
    if element.role == "row":  # the whole row can be clicked: it says itself what it is
        return control(replace(element, text=""), detail, name="row")
    if is_short and is_usable(element):
        text, own_name = element.text, element.name
        is_told = text.casefold() in own_name.casefold() or text in _row_words(row)
        name = "" if is_told else f"/{clean(text, detail.name)}"  # a count, say
        element = replace(element, options=(), description="", text="")
        return control(element, detail, name=name)
    return control(element, detail)


class Piece(NamedTuple):
    """Part of a row's line."""

    x: float
    column: str | None
    text: str
    is_control: bool


def _pieces(row: TableRow, detail: Detail, control_texts: dict[int, str]) -> list[Piece]:
    pieces: list[Piece] = []
    remaining = list(row.controls)
    for cell in row.cells:
        contained = [e for e in remaining if _belongs_to(e, cell)]
        text, inlined = inline_controls(clean(cell.text, detail.cell), contained, control_texts)
        remaining = [element for element in remaining if id(element) not in inlined]
        if detail.cell or inlined:
            pieces.append(Piece(cell.box.x, cell.column, text, False))
    pieces += [Piece(e.box.x, e.column, control_texts[id(e)], True) for e in remaining]
    return pieces


def _belongs_to(element: Element, cell: TextBlock) -> bool:
    is_there = is_inside(element.box, cell.box) or element.name == cell.text
    return is_there and element.role != "row"


def inline_controls(
    text: str, controls: Sequence[Element], control_texts: dict[int, str]
) -> tuple[str, set[int]]:
    """The text with its controls written in place of their names, and the ids of those controls."""
    written = ""
    inlined: set[int] = set()
    for element in controls:
        name = clean(element.name, 1000)
        start = _find_word(name, text)
        if start < 0:
            continue
        text_before, text_after = text[:start], text[start + len(name) :]
        separator = " " if text_before.endswith("\\") else ""
        written += text_before + separator + control_texts[id(element)]
        text = text_after
        inlined.add(id(element))
    return written + text, inlined


def _find_word(name: str, text: str) -> int:
    """Start of the name as one or more whole words; -1 if it does not occur."""
    start = text.find(name) if name else -1
    while start >= 0:
        before, after = text[start - 1 : start], text[start + len(name) : start + len(name) + 1]
        if not (_is_inside_word(before, name[0]) or _is_inside_word(name[-1], after)):
            return start
        start = text.find(name, start + 1)
    return -1


def _is_inside_word(a: str, b: str) -> bool:
    return a.isascii() and b.isascii() and a.isalnum() and b.isalnum()


def _is_covered_by_names(row: TableRow) -> bool:
    """Whether the names of the row's controls say everything that the row says."""
    remaining = row.text.replace(" | ", " ")
    for element in row.controls:
        if element.role != "row":
            remaining = remaining.replace(element.name, "", 1)
    return not bare_label(remaining)


def _join_pieces(pieces: Sequence[Piece], headers: list[str]) -> str:
    line = ""
    column = 0
    was_control = True
    for _, header, text, is_control in pieces:
        index = _column_index(headers, header, column)
        if index > column:
            line += "|" * (index - column)
            column = index
        elif line and not (was_control or is_control):
            line += " " if index == column and headers else "|"
        line += text if line or is_control else line_of(text)
        was_control = is_control
    return line


def _column_index(headers: list[str], header: str | None, since: int) -> int:
    if header is None or header not in headers[since:]:
        return -1
    return headers.index(header, since)
