"""Tables and lists as lines: headers once, cells and controls of a row on one line.

Controls that every row has are named once (`each row: …`) and bear only their numbers in the rows.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from appliance.browser.observation.arranging import bare
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

NEARLY = 0.8  # share of the rows that have a control which is taken for theirs all
OFTEN = 3  # rows that must be alike before what they share is told once
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
    used = {item.column for row in rows for item in row.items}
    while headers and headers[0] not in used:
        headers.pop(0)  # of columns that no row fills
    lines += [_line(row, headers, detail, shared) for row in rows]
    return [line for line in lines if line]


@dataclass(frozen=True, slots=True)
class SharedColumns:
    """What the rows of a table have in common."""

    of: dict[int, Template]
    """Of each control, by the object: what it is called, with the words of its row taken out."""
    templates: tuple[Template, ...] = ()
    """The controls, in order, that most rows have; those named by a cell of their own aside."""


def _find_shared(rows: Sequence[TableRow]) -> SharedColumns:
    times = Counter(key for row in rows for key in {(e.role, e.name) for e in row.controls})
    enough = max(OFTEN, NEARLY * len(rows))
    constant = {key for key, count in times.items() if count >= enough}
    shared = SharedColumns(
        {id(e): _template(e, row, constant) for row in rows for e in row.controls}
    )
    counts = Counter(_templates(row, shared) for row in rows)
    counts.pop((), None)
    if not counts:
        return shared
    templates, count = counts.most_common(1)[0]
    return replace(shared, templates=templates) if count >= OFTEN else shared


def _templates(row: TableRow, shared: SharedColumns) -> tuple[Template, ...]:
    templates = (shared.of[id(element)] for element in row.controls)
    return tuple(template for template in templates if _is_telling(template))


def _template(element: Element, row: TableRow, constant: set[tuple[str, str]]) -> Template:
    name = element.name
    if _is_datum(element, row) or (element.role, name) not in constant:
        cells = [c for c in _words(row) if c == name or (len(c) > 1 and c in name)]
        if cells:
            name = name.replace(max(cells, key=len), "…", 1)
    return element.role, name, element.options


def _is_datum(element: Element, row: TableRow) -> bool:
    """Whether it is what stands in a column, though every row may hold the same."""
    if element.tag in ("td", "th"):
        return True
    return bool(element.column) and any(
        cell.text == element.name and cell.column == element.column for cell in row.cells
    )


def _words(row: TableRow) -> set[str]:
    return {cell.text for cell in row.cells} | set(row.text.split(" | "))


def _is_telling(template: Template) -> bool:
    """Not a link that is named by its cell, nor a control without any name."""
    return template[0] != "row" and (template[1] not in ("", "…") or bool(template[2]))


def _template_text(template: Template, detail: Detail) -> str:
    role, name, choices = template
    shown = Element(id=0, role=role, name=name, options=choices)
    return clean(name, detail.name) + options(shown, replace(detail, options=12))


def _line(row: TableRow, headers: list[str], detail: Detail, shared: SharedColumns) -> str:
    short = bool(shared.templates) and _templates(row, shared) == shared.templates
    codes = {
        id(e): _control_text(e, detail, is_short=short and _is_telling(shared.of[id(e)]))
        for e in row.controls
    }
    pieces = _cells(row, detail, codes)
    if not row.cells and not _is_named_by(row):
        pieces.append(
            Piece(
                -1.0, None, clean(row.text, detail.text or detail.name).replace(" | ", "|"), False
            )
        )
    pieces.sort(key=lambda piece: piece.x)
    return _join(pieces, headers)


def _control_text(element: Element, detail: Detail, *, is_short: bool) -> str:
    if element.role == "row":  # the whole row can be clicked: it says itself what it is
        return control(replace(element, text=""), detail, name="row")
    if is_short and is_usable(element):
        element = replace(element, options=(), description="", text="")
        return control(element, detail, name="")
    return control(element, detail)


class Piece(NamedTuple):
    """Part of a row's line."""

    x: float
    column: str | None
    text: str
    is_control: bool


def _cells(row: TableRow, detail: Detail, codes: dict[int, str]) -> list[Piece]:
    pieces: list[Piece] = []
    left = list(row.controls)
    for cell in row.cells:
        inside = [e for e in left if _stands_in(e, cell)]
        text, used = inline_controls(clean(cell.text, detail.cell), inside, codes)
        left = [element for element in left if id(element) not in used]
        if detail.cell or used:
            pieces.append(Piece(cell.box.x, cell.column, text, False))
    pieces += [Piece(e.box.x, e.column, codes[id(e)], True) for e in left]
    return pieces


def _stands_in(element: Element, cell: TextBlock) -> bool:
    is_there = is_inside(element.box, cell.box) or element.name == cell.text
    return is_there and element.role != "row"


def inline_controls(
    text: str, controls: Sequence[Element], codes: dict[int, str]
) -> tuple[str, set[int]]:
    """A text with the controls that stand in it written where their names are."""
    done = ""
    used: set[int] = set()
    for element in controls:
        name = clean(element.name, 1000)
        at = _find(name, text)
        if at < 0:
            continue
        before, after = text[:at], text[at + len(name) :]
        gap = " " if before.endswith("\\") else ""
        done += before + gap + codes[id(element)]
        text = after
        used.add(id(element))
    return done + text, used


def _find(name: str, text: str) -> int:
    """Where the name stands as a whole word (or words); -1 where it does not."""
    at = text.find(name) if name else -1
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (_joins(before, name[0]) or _joins(name[-1], after)):
            return at
        at = text.find(name, at + 1)
    return -1


def _joins(a: str, b: str) -> bool:
    return a.isascii() and b.isascii() and a.isalnum() and b.isalnum()


def _is_named_by(row: TableRow) -> bool:
    """Whether its controls' names say all that the row says."""
    rest = row.text.replace(" | ", " ")
    for element in row.controls:
        if element.role != "row":
            rest = rest.replace(element.name, "", 1)
    return not bare(rest)


def _join(pieces: Sequence[Piece], headers: list[str]) -> str:
    line = ""
    column = 0
    was_control = True
    for _, header, text, is_control in pieces:
        at = _index(headers, header, column)
        if at > column:
            line += "|" * (at - column)
            column = at
        elif line and not (was_control or is_control):
            line += " " if at == column and headers else "|"
        line += text if line or is_control else line_of(text)
        was_control = is_control
    return line


def _index(headers: list[str], header: str | None, since: int) -> int:
    if header is None or header not in headers[since:]:
        return -1
    return headers.index(header, since)
