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
ALIKE = 4  # options from which a list that was told before is referred to
WIDE = 400  # characters after which a line is broken


def nested(entries: Sequence[Entry]) -> dict[int, Element]:
    """Of controls that hold another of the same name and nothing else, that one, by the object."""
    return {
        id(outer): inner
        for outer, inner in pairwise(entries)
        if isinstance(outer, Element) and isinstance(inner, Element) and _is_one(outer, inner)
    }


def _is_one(outer: Element, inner: Element) -> bool:
    """Whether a reader takes both for one control, such as a tab and the button drawn in it."""
    a, b = outer.box, inner.box
    is_around = (
        a.x - 1 <= b.x and b.x + b.width <= a.x + a.width + 1
        and a.y - 1 <= b.y and b.y + b.height <= a.y + a.height + 1
    )  # fmt: skip
    return (
        is_around
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
        self._before: Entry | None = None
        self._options: dict[tuple[str, ...], int] = {}
        self.lines: list[str] = []

    def write(self, entries: Sequence[Entry]) -> None:
        """All entries of one dialog or frame."""
        inside = self._inline(entries)
        self._controls = [e for e in entries if isinstance(e, Element)]
        self._offered = {e.name for e in self._controls if e.role in ("option", "menuitem")}
        kept = [e for e in entries if id(e) not in inside]
        self._inner = nested(kept)
        held = {id(inner) for inner in self._inner.values()}
        kept = [e for e in kept if id(e) not in held]
        for is_row, run in groupby(kept, lambda entry: isinstance(entry, TableRow)):
            if is_row:
                self._tables([entry for entry in run if isinstance(entry, TableRow)])
            else:
                for entry in run:
                    self._one(entry)
        self.lines += [fold_line(fold) for fold in self._folds.values() if fold.first]
        self.lines += fold_lines(fold for fold in self._folds.values() if not fold.first)

    def _inline(self, entries: Sequence[Entry]) -> set[int]:
        """Controls that are written in the midst of a text."""
        self._texts: dict[int, str] = {}
        inside: set[int] = set()
        controls = Nearby(e for e in entries if isinstance(e, Element))
        for text in entries:
            if not isinstance(text, TextBlock):
                continue
            held = [
                e
                for e in controls.at(text.box)
                if is_inside(e.box, text.box) and id(e) not in inside
            ]
            if held and (self._detail.text or text.kind is TextKind.HEADING):
                codes = {id(e): control(e, self._detail) for e in held}
                line, used = inline_controls(
                    clean(text.text, self._detail.text or 120), held, codes
                )
                self._texts[id(text)] = line
                inside |= used
        return inside

    def _one(self, entry: Entry) -> None:
        if isinstance(entry, TextBlock):
            self._words(entry)
        elif isinstance(entry, Element):
            self._control(entry)

    def _words(self, text: TextBlock) -> None:
        if text.kind is TextKind.HEADING:
            line = self._texts.get(id(text)) or clean(text.text, 120)
            self._start("#" * min(max(text.level, 1), 3) + " " + line, text)
            self._context = ("", "")
        elif text.kind is TextKind.ERROR:
            self._start("! " + clean(text.text), text)
        elif self._detail.text:
            line = self._texts.get(id(text)) or clean(text.text, self._detail.text)
            if self._is_beside(text.box):
                self._add(" " + line, text)
            else:
                self._start(line_of(line), text)

    def _control(self, element: Element) -> None:
        self._section(element)
        code = self._control_text(element)
        context = (REGIONS.get(element.region, ""), element.group)
        if context != self._context:
            label = ": ".join(clean(part, 60) for part in context if part)
            self._context = context
            if label:
                self._start(f"{line_of(label)}: {code}", element)
                return
            self._start(code, element)
        elif self._breaks(element):
            self._start(code, element)
        else:
            glue = " " if isinstance(self._before, TextBlock) else ""
            self._add(glue + code, element)

    def _control_text(self, element: Element) -> str:
        """What stands open below it, or was told of another, is not repeated."""
        if (inner := self._inner.get(id(element))) is not None:
            return control(element, self._detail, name="", more=self._control_text(inner))
        if not element.options or not self._detail.options:
            return control(element, self._detail)
        if self._offered.issuperset(element.options):
            return control(replace(element, options=()), self._detail)
        alike = self._options.setdefault(element.options, element.id)
        if alike == element.id or len(element.options) < ALIKE:
            return control(element, self._detail)
        return control(replace(element, options=()), self._detail, more=f"|as {alike}")

    def _section(self, element: Element) -> None:
        """The heading over it, where that is not in view."""
        if not self._detail.sections or element.dialog is not None or not element.section:
            return
        if element.section not in self._headings:
            self._headings.add(element.section)
            self.lines.append(f"# {clean(element.section, 120)} (above)")
            self._before = None
            self._context = ("", "")

    def _breaks(self, element: Element) -> bool:
        """Whether a new line reads better: for a field, unless it stands beside the last thing."""
        before = self._before
        if before is None or isinstance(before, TableRow) or len(self.lines[-1]) > WIDE:
            return True
        if self._is_beside(element.box):
            return False
        if element.fold is not None and self._is_grid(element.fold):
            return True
        is_field = element.role in FIELDS | CHOICES
        was_field = isinstance(before, Element) and before.role in FIELDS | CHOICES
        return is_field or was_field or isinstance(before, TextBlock)

    def _is_grid(self, number: int) -> bool:
        fold = self._folds.get(number)
        return fold is not None and fold.kind is not FoldKind.LIST

    def _is_beside(self, box: Box) -> bool:
        before = self._before
        if isinstance(before, TextBlock) and before.kind in (TextKind.HEADING, TextKind.ERROR):
            return False
        return (
            before is not None and not isinstance(before, TableRow) and on_one_line(before.box, box)
        )

    def _tables(self, rows: Sequence[TableRow]) -> None:
        for row, last in zip(rows[1:], rows, strict=False):
            if not row.headers and row.fold == last.fold and not row.cells:
                row.headers = last.headers  # a row at the rim of the view
        for _, table in groupby(rows, lambda row: [header.text for header in row.headers]):
            members = list(table)
            self.lines += table_lines(members, self._detail, has_head=self._has_head(members[0]))
            fold = self._folds.get(members[-1].fold or 0)
            if fold is not None and fold.first:
                self.lines.append(fold_line(self._folds.pop(fold.id)))
        self._before = rows[-1]
        self._context = ("", "")

    def _has_head(self, row: TableRow) -> bool:
        """Whether the headers stand above it as controls: all, or columns seem to shift."""
        return all(any(is_inside(e.box, h.box) for e in self._controls) for h in row.headers)

    def _start(self, line: str, entry: Entry) -> None:
        self.lines.append(line)
        self._before = entry

    def _add(self, more: str, entry: Entry) -> None:
        self.lines[-1] += more
        self._before = entry
