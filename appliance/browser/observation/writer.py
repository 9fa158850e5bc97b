"""Writes what belongs to one dialog or frame, entry after entry, on few lines."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from appliance.browser.observation.boxes import Nearby, is_inside, on_one_line
from appliance.browser.observation.folding import fold_line, fold_lines
from appliance.browser.observation.gathering import Entry, TableRow
from appliance.browser.observation.notation import (
    CHOICES,
    FIELDS,
    Detail,
    clean,
    control,
    is_usable,
    line_of,
)
from appliance.browser.observation.rows import inline_controls, table_lines
from appliance.core.page import Box, Element, Fold, FoldKind, TextBlock, TextKind

REGIONS = {
    "navigation": "nav", "banner": "top", "contentinfo": "foot", "complementary": "aside",
    "menu": "menu", "menubar": "menu", "tablist": "tabs", "search": "search", "tree": "tree",
    "listbox": "list",
}  # fmt: skip
MIN_REFERRED_OPTIONS = 4  # options from which a list that was told before is referred to
MAX_LINE = 400  # characters after which a line is broken


def nested_controls(entries: Sequence[Entry]) -> dict[int, Element]:
    """The control inside each control of the same name that holds nothing else, by `id()`."""
    return {
        id(outer): inner
        for outer, inner in pairwise(entries)
        if isinstance(outer, Element)
        and isinstance(inner, Element)
        and _is_single_control(outer, inner)
    }


def _is_single_control(outer: Element, inner: Element) -> bool:
    """Whether a reader takes both for one control, such as a tab and the button drawn in it."""
    a, b = outer.box, inner.box
    encloses = (
        a.x - 1 <= b.x and b.x + b.width <= a.x + a.width + 1
        and a.y - 1 <= b.y and b.y + b.height <= a.y + a.height + 1
    )  # fmt: skip
    return (
        encloses
        and outer.name != ""
        and (outer.name, outer.text) == (inner.name, inner.text)
        and all(is_usable(e) and not e.options and e.value is None for e in (outer, inner))
    )


class Writer:
    """Writes entries one after the other, on few lines."""

    def __init__(self, detail: Detail, headings: set[str], folds: dict[int, Fold]) -> None:
        self._detail = detail
        self._folds = folds
        self._headings = headings
        self._context: tuple[str, str] = ("", "")
        self._previous: Entry | None = None
        self._options: dict[tuple[str, ...], int] = {}
        self.lines: list[str] = []

    def write(self, entries: Sequence[Entry]) -> None:
        """Write all entries of one dialog or frame."""
        inlined_ids = self._inline(entries)
        self._controls = [e for e in entries if isinstance(e, Element)]
        self._offered = {e.name for e in self._controls if e.role in ("option", "menuitem")}
        shown_entries = [e for e in entries if id(e) not in inlined_ids]
        self._inner_controls = nested_controls(shown_entries)
        inner_ids = {id(inner) for inner in self._inner_controls.values()}
        shown_entries = [e for e in shown_entries if id(e) not in inner_ids]
        for is_row, run in groupby(shown_entries, lambda entry: isinstance(entry, TableRow)):
            if is_row:
                self._write_tables([entry for entry in run if isinstance(entry, TableRow)])
            else:
                for entry in run:
                    self._write_entry(entry)
        self.lines += [fold_line(fold) for fold in self._folds.values() if fold.first]
        self.lines += fold_lines(fold for fold in self._folds.values() if not fold.first)

    def _inline(self, entries: Sequence[Entry]) -> set[int]:
        """Controls that are written within a text, by `id()`."""
        self._texts: dict[int, str] = {}
        inlined_ids: set[int] = set()
        controls = Nearby(e for e in entries if isinstance(e, Element))
        for text in entries:
            if not isinstance(text, TextBlock):
                continue
            contained = [
                e
                for e in controls.at(text.box)
                if is_inside(e.box, text.box) and id(e) not in inlined_ids
            ]
            if contained and (self._detail.text or text.kind is TextKind.HEADING):
                control_texts = {id(e): control(e, self._detail) for e in contained}
                line, used_ids = inline_controls(
                    clean(text.text, self._detail.text or 120), contained, control_texts
                )
                self._texts[id(text)] = line
                inlined_ids |= used_ids
        return inlined_ids

    def _write_entry(self, entry: Entry) -> None:
        if isinstance(entry, TextBlock):
            self._write_text(entry)
        elif isinstance(entry, Element):
            self._write_control(entry)

    def _write_text(self, text: TextBlock) -> None:
        if text.kind is TextKind.HEADING:
            line = self._texts.get(id(text)) or clean(text.text, 120)
            self._start_line("#" * min(max(text.level, 1), 3) + " " + line, text)
            self._context = ("", "")
        elif text.kind is TextKind.ERROR:
            self._start_line("! " + clean(text.text), text)
        elif self._detail.text:
            line = self._texts.get(id(text)) or clean(text.text, self._detail.text)
            if self._is_beside(text.box):
                self._append(" " + line, text)
            else:
                self._start_line(line_of(line), text)

    def _write_control(self, element: Element) -> None:
        self._write_section(element)
        code = self._control_text(element)
        context = (REGIONS.get(element.region, ""), element.group)
        if context != self._context:
            label = ": ".join(clean(part, 60) for part in context if part)
            self._context = context
            if label:
                self._start_line(f"{line_of(label)}: {code}", element)
                return
            self._start_line(code, element)
        elif self._needs_new_line(element):
            self._start_line(code, element)
        else:
            glue = " " if isinstance(self._previous, TextBlock) else ""
            self._append(glue + code, element)

    def _control_text(self, element: Element) -> str:
        """The control; options listed elsewhere on the page are not repeated."""
        if (inner := self._inner_controls.get(id(element))) is not None:
            return control(element, self._detail, name="", more=self._control_text(inner))
        if not element.options or not self._detail.options:
            return control(element, self._detail)
        if self._offered.issuperset(element.options):
            return control(replace(element, options=()), self._detail)
        first_with_options = self._options.setdefault(element.options, element.id)
        if first_with_options == element.id or len(element.options) < MIN_REFERRED_OPTIONS:
            return control(element, self._detail)
        return control(replace(element, options=()), self._detail, more=f"|as {first_with_options}")

    def _write_section(self, element: Element) -> None:
        """Write the heading above the element if it is out of view."""
        if not self._detail.sections or element.dialog is not None or not element.section:
            return
        if element.section not in self._headings:
            self._headings.add(element.section)
            self.lines.append(f"# {clean(element.section, 120)} (above)")
            self._previous = None
            self._context = ("", "")

    def _needs_new_line(self, element: Element) -> bool:
        """Whether to start a new line: for a field, unless it is beside the previous entry."""
        previous = self._previous
        if previous is None or isinstance(previous, TableRow) or len(self.lines[-1]) > MAX_LINE:
            return True
        if self._is_beside(element.box):
            return False
        if element.fold is not None and self._is_grid(element.fold):
            return True
        is_field = element.role in FIELDS | CHOICES
        was_field = isinstance(previous, Element) and previous.role in FIELDS | CHOICES
        return is_field or was_field or isinstance(previous, TextBlock)

    def _is_grid(self, number: int) -> bool:
        fold = self._folds.get(number)
        return fold is not None and fold.kind is not FoldKind.LIST

    def _is_beside(self, box: Box) -> bool:
        previous = self._previous
        if isinstance(previous, TextBlock) and previous.kind in (TextKind.HEADING, TextKind.ERROR):
            return False
        return (
            previous is not None
            and not isinstance(previous, TableRow)
            and on_one_line(previous.box, box)
        )

    def _write_tables(self, rows: Sequence[TableRow]) -> None:
        for row, previous in zip(rows[1:], rows, strict=False):
            if not row.headers and row.fold == previous.fold and not row.cells:
                row.headers = previous.headers  # a row at the rim of the view
        for _, table in groupby(rows, lambda row: [header.text for header in row.headers]):
            members = list(table)
            self.lines += table_lines(members, self._detail, has_head=self._has_head(members[0]))
            fold = self._folds.get(members[-1].fold or 0)
            if fold is not None and fold.first:
                self.lines.append(fold_line(self._folds.pop(fold.id)))
        self._previous = rows[-1]
        self._context = ("", "")

    def _has_head(self, row: TableRow) -> bool:
        """Whether all headers stand above the row as controls; some would misalign the columns."""
        return all(any(is_inside(e.box, h.box) for e in self._controls) for h in row.headers)

    def _start_line(self, line: str, entry: Entry) -> None:
        self.lines.append(line)
        self._previous = entry

    def _append(self, more: str, entry: Entry) -> None:
        self.lines[-1] += more
        self._previous = entry
