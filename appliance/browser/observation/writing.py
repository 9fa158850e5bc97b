"""Writes a page as lines: dialogs and frames, headings, texts, controls, tables, hints."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from appliance.browser.observation.arranging import arranged
from appliance.browser.observation.boxes import Nearby, is_inside, on_one_line
from appliance.browser.observation.folding import beyond, fold_line, fold_lines, is_seen
from appliance.browser.observation.gathering import Entry, Row
from appliance.browser.observation.notation import (
    CHOICES,
    FIELDS,
    Detail,
    address,
    clean,
    control,
    is_usable,
    line_of,
)
from appliance.browser.observation.rows import inlined, table_lines
from appliance.core.page import Box, Element, Fold, FoldKind, Observation, TextBlock, TextKind

REGIONS = {
    "navigation": "nav", "banner": "top", "contentinfo": "foot", "complementary": "aside",
    "menu": "menu", "menubar": "menu", "tablist": "tabs", "search": "search", "tree": "tree",
    "listbox": "list",
}  # fmt: skip
IDLE = 60  # controls that cannot be used, and texts, told of one dialog or frame
TEXTS = 500
ALIKE = 4  # options from which a list that was told before is referred to
WIDE = 400  # characters after which a line is broken


def written(observation: Observation, detail: Detail) -> str:
    """The page as lines."""
    return "\n".join([*head(observation), *body(observation, detail)]) + "\n"


def body(observation: Observation, detail: Detail) -> list[str]:
    """All that stands in the page, its dialogs and frames."""
    page = _page(observation)
    for known, how, lines in _told:
        # What an observation shares with the one before it is the very same: this is quick.
        if how == detail and known == page:
            return list(lines)
    lines = [
        line
        for frame, dialog in _places(observation)
        for line in _block(observation, frame, dialog, detail)
    ]
    _told.append((page, detail, lines))
    return list(lines)


def _page(observation: Observation) -> tuple[object, ...]:
    """All that its lines are made of."""
    return (
        observation.elements, observation.texts, observation.folds, observation.dialogs,
        observation.viewport,
    )  # fmt: skip


# What was written last: pages are told again and again, to models and in differences.
_told: deque[tuple[tuple[object, ...], Detail, list[str]]] = deque(maxlen=4)


def head(observation: Observation) -> list[str]:
    """Title and address, what happened, and what the page tells."""
    title = line_of(clean(observation.title, 80)) or "(untitled)"
    lines = [f"{title} {address(observation.url)}"]
    if observation.is_busy:
        lines.append("* still loading or changing")
    lines += [
        f"* {clean(event.kind)}: {clean(event.text)}"
        for event in observation.events
        if event.text != observation.url
    ]
    beside = {element.error for element in observation.elements if element.in_viewport}
    notices = (n for n in observation.notices() if n.text not in beside)
    said = dict.fromkeys((notice.tone, notice.text) for notice in notices)
    return lines + [f"! {clean(tone)}{': ' if tone else ''}{clean(text)}" for tone, text in said]


def _places(observation: Observation) -> list[tuple[int, str | None]]:
    items: Iterable[Element | TextBlock | Fold] = (
        *observation.elements,
        *observation.texts,
        *observation.folds,
    )
    places = dict.fromkeys((item.frame, item.dialog) for item in items)
    # The page itself first; dialogs in the order in which they opened.
    order = [None, *observation.dialogs]
    known = {dialog: at for at, dialog in enumerate(order)}
    return sorted(places, key=lambda p: (known.get(p[1], len(order)), p[0]))


def _block(observation: Observation, frame: int, dialog: str | None, detail: Detail) -> list[str]:
    """One dialog or frame."""
    elements = [e for e in observation.elements if (e.frame, e.dialog) == (frame, dialog)]
    texts = [
        t for t in observation.texts
        if (t.frame, t.dialog) == (frame, dialog) and t.kind not in SAID_ELSEWHERE
    ]  # fmt: skip
    view = observation.viewport
    seen = [e for e in elements if detail.whole or e.in_viewport]
    read = [t for t in texts if detail.whole or is_seen(t, view) or _heads(t, seen)]
    crowd: list[str] = []
    if not detail.whole:
        seen, read, crowd = _bounded(seen, read)
    headings = {t.text for t in read if t.kind is TextKind.HEADING}
    folds = [f for f in observation.folds if (f.frame, f.dialog) == (frame, dialog)]
    if observation.dialogs and not seen and not read:
        folds = []  # behind a dialog
    writer = Writer(detail, headings, {fold.id: fold for fold in folds})
    writer.write(arranged(seen, read))
    lines = writer.lines + crowd
    if not detail.whole:
        hidden = [e for e in elements if not e.in_viewport]
        unread = [t for t in texts if not is_seen(t, view)]
        folded = {fold.id for fold in folds}
        lines += beyond([e for e in hidden if e.fold not in folded], unread, view, detail)
    return _titled(lines, frame, dialog)


def _bounded(
    seen: list[Element], read: list[TextBlock]
) -> tuple[list[Element], list[TextBlock], list[str]]:
    """Crowds of what cannot be used, and of texts, are cut and counted."""
    idle = [e for e in seen if not is_usable(e)][IDLE:]
    plain = [t for t in read if t.kind is not TextKind.HEADING][TEXTS:]
    if not idle and not plain:
        return seen, read, []
    out = {id(item) for item in (*idle, *plain)}
    told = [f"{len(idle)} controls that cannot be used now"] if idle else []
    told += [f"{len(plain)} texts"] if plain else []
    kept = [e for e in seen if id(e) not in out]
    return kept, [t for t in read if id(t) not in out], [".. more: " + ", ".join(told)]


SAID_ELSEWHERE = frozenset({TextKind.NOTICE, TextKind.DIALOG_TITLE})


def _heads(text: TextBlock, seen: Sequence[Element]) -> bool:
    """Whether it heads a column of which cells are in view."""
    return text.kind is TextKind.COLUMN_HEADER and any(e.column == text.text for e in seen)


def _titled(lines: list[str], frame: int, dialog: str | None) -> list[str]:
    title = "" if dialog is None else f"dialog {clean(dialog)}".strip()
    if frame:
        title = f"{title} frame {frame}".strip()
    return [f"== {title}", *lines] if title and lines else lines


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
        for is_row, run in groupby(kept, lambda entry: isinstance(entry, Row)):
            if is_row:
                self._tables([entry for entry in run if isinstance(entry, Row)])
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
                said, used = inlined(clean(text.text, self._detail.text or 120), held, codes)
                self._texts[id(text)] = said
                inside |= used
        return inside

    def _one(self, entry: Entry) -> None:
        if isinstance(entry, TextBlock):
            self._words(entry)
        elif isinstance(entry, Element):
            self._control(entry)

    def _words(self, text: TextBlock) -> None:
        if text.kind is TextKind.HEADING:
            said = self._texts.get(id(text)) or clean(text.text, 120)
            self._start("#" * min(max(text.level, 1), 3) + " " + said, text)
            self._context = ("", "")
        elif text.kind is TextKind.ERROR:
            self._start("! " + clean(text.text), text)
        elif self._detail.text:
            said = self._texts.get(id(text)) or clean(text.text, self._detail.text)
            if self._is_beside(text.box):
                self._add(" " + said, text)
            else:
                self._start(line_of(said), text)

    def _control(self, element: Element) -> None:
        self._section(element)
        said = self._said(element)
        context = (REGIONS.get(element.region, ""), element.group)
        if context != self._context:
            label = ": ".join(clean(part, 60) for part in context if part)
            self._context = context
            if label:
                self._start(f"{line_of(label)}: {said}", element)
                return
            self._start(said, element)
        elif self._breaks(element):
            self._start(said, element)
        else:
            glue = " " if isinstance(self._before, TextBlock) else ""
            self._add(glue + said, element)

    def _said(self, element: Element) -> str:
        """Options that stand open below it, or were told of another drop-down, are not repeated."""
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
        if before is None or isinstance(before, Row) or len(self.lines[-1]) > WIDE:
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
        return before is not None and not isinstance(before, Row) and on_one_line(before.box, box)

    def _tables(self, rows: Sequence[Row]) -> None:
        for row, last in zip(rows[1:], rows, strict=False):
            if not row.headers and row.fold == last.fold and not row.cells:
                row.headers = last.headers  # a row at the rim of the view
        for _, table in groupby(rows, lambda row: [header.text for header in row.headers]):
            told = list(table)
            self.lines += table_lines(told, self._detail, has_head=self._has_head(told[0]))
            fold = self._folds.get(told[-1].fold or 0)
            if fold is not None and fold.first:
                self.lines.append(fold_line(self._folds.pop(fold.id)))
        self._before = rows[-1]
        self._context = ("", "")

    def _has_head(self, row: Row) -> bool:
        """Whether the headers stand above it as controls."""
        borne = [h for h in row.headers if any(is_inside(e.box, h.box) for e in self._controls)]
        return 2 * len(borne) > len(row.headers)

    def _start(self, line: str, entry: Entry) -> None:
        self.lines.append(line)
        self._before = entry

    def _add(self, said: str, entry: Entry) -> None:
        self.lines[-1] += said
        self._before = entry
