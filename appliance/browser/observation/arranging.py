"""Controls and texts of a page, brought together again in reading order.

An observation lists both apart, each in document order. Here a text finds its place among the
controls by its box, a row of a table is put together from its cells and controls, and what says
the same thing twice (the label of a field that bears its name) is left out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from appliance.browser.observation.notation import CHOICES, FIELDS
from appliance.core.page import Box, Element, TextBlock, TextKind

NEAR = 90.0  # pixels within which a label stands beside its control
FAR = 120.0  # pixels from which a text belongs to another column
COLUMNS = 240.0  # pixels from which things on one line need not belong together
LEADING = 12.0  # pixels between the lines of what is read in one go
LINE = 4.0  # pixels by which things on one line may be shifted
UNNAMED = frozenset({TextKind.LABEL, TextKind.TEXT, TextKind.COLUMN_HEADER})


@dataclass(slots=True)
class Row:
    """One row of a table or list."""

    text: str
    controls: list[Element] = field(default_factory=list)
    cells: list[TextBlock] = field(default_factory=list)
    headers: tuple[TextBlock, ...] = ()

    @property
    def items(self) -> list[Element | TextBlock]:
        """Controls and cells."""
        return [*self.controls, *self.cells]

    @property
    def box(self) -> Box:
        """Around all of it."""
        return around([item.box for item in self.items])

    def has_column(self, column: str | None) -> bool:
        """Whether a cell of that column is there already."""
        return column is not None and any(cell.column == column for cell in self.cells)

    @property
    def fold(self) -> int | None:
        """The long table it belongs to."""
        return next((item.fold for item in self.items if item.fold is not None), None)


Entry = Element | TextBlock | Row


def around(boxes: list[Box]) -> Box:
    """The smallest box that holds all."""
    left = min(box.x for box in boxes)
    top = min(box.y for box in boxes)
    right = max(box.x + box.width for box in boxes)
    bottom = max(box.y + box.height for box in boxes)
    return Box(left, top, right - left, bottom - top)


def is_inside(inner: Box, outer: Box) -> bool:
    """Whether the middle of one lies in the other."""
    x, y = inner.x + inner.width / 2, inner.y + inner.height / 2
    return outer.x <= x <= outer.x + outer.width and outer.y <= y <= outer.y + outer.height


def on_one_line(a: Box, b: Box) -> bool:
    """Whether they stand beside each other."""
    return min(a.y + a.height, b.y + b.height) - max(a.y, b.y) > min(LINE, a.height, b.height)


def comes_before(a: Box, b: Box) -> bool | None:
    """Whether a reader meets `a` first; None where columns stand side by side."""
    if on_one_line(a, b):
        apart = max(a.x, b.x) - min(a.x + a.width, b.x + b.width)
        return a.x <= b.x if apart < COLUMNS else None
    if min(a.x + a.width, b.x + b.width) <= max(a.x, b.x):
        return None
    return a.y <= b.y


def arranged(elements: Iterable[Element], texts: Iterable[TextBlock]) -> list[Entry]:
    """One dialog's or frame's controls, texts and rows, as a reader meets them."""
    rows = _Rows()
    for element in elements:
        rows.add_control(element)
    rows.index()
    for text in texts:
        rows.add_text(text)
    rows.give_headers()
    loose = [entry for entry in rows.order if isinstance(entry, Element)]
    return _merged(
        rows.order, [t for t in rows.free if isinstance(t, Row) or not is_told(t, loose)]
    )


class _Rows:
    """Puts rows together; what stands in none keeps its order."""

    def __init__(self) -> None:
        self.order: list[Entry] = []
        self.free: list[TextBlock | Row] = []
        self._rows: list[Row] = []
        self._by_text: dict[str, list[Row]] = {}
        self._headers: list[list[TextBlock]] = []
        self._last: Row | None = None

    def add_control(self, element: Element) -> None:
        if element.row is None:
            self.order.append(element)
            self._last = None
            return
        if self._last is None or not _continues(self._last, element):
            self._last = Row(element.row)
            self.order.append(self._last)
            self._rows.append(self._last)
        self._last.controls.append(element)

    def index(self) -> None:
        """All controls are in; now come the texts."""
        self._last = None
        for row in self._rows:
            self._by_text.setdefault(row.text, []).append(row)

    def add_text(self, text: TextBlock) -> None:
        if text.kind is TextKind.COLUMN_HEADER:
            if not self._headers or self._last is not None:
                self._headers.append([])
                self._last = None
            self._headers[-1].append(text)
        elif text.row is None or text.kind is TextKind.HEADING:
            self.free.append(text)
        else:
            self._last = self._row_of(text, text.row)
            self._last.cells.append(text)
            if self._headers:
                self._last.headers = tuple(self._headers[-1])

    def _row_of(self, text: TextBlock, said: str) -> Row:
        known = self._by_text.setdefault(said, [])
        for row in known:
            if on_one_line(row.box, text.box):
                return row
        last = self._last
        if last is not None and last.text == said and not last.has_column(text.column):
            return last
        row = Row(said)
        known.append(row)
        self._rows.append(row)
        self.free.append(row)
        return row

    def give_headers(self) -> None:
        """Rows whose cells are all controls find the headers that name their columns."""
        for row in self._rows:
            columns = {control.column for control in row.controls if control.column}
            if row.headers or not columns:
                continue
            for run in self._headers:
                if columns <= {text.text for text in run}:
                    row.headers = tuple(run)
                    break


def _continues(row: Row, element: Element) -> bool:
    """Whether a control stands in the same row; two rows may hold the same words."""
    if row.text != element.row:
        return False
    if on_one_line(row.box, element.box):
        return True
    return all((e.name, e.column) != (element.name, element.column) for e in row.controls)


def is_told(text: TextBlock, entries: Iterable[Entry]) -> bool:
    """Whether a control beside it says the same."""
    if text.kind is TextKind.ERROR:
        return any(isinstance(e, Element) and e.error == text.text for e in entries)
    if text.kind not in UNNAMED:
        return False
    said = bare(text.text)
    return not said or any(
        isinstance(entry, Element) and _says(entry, said) and _is_near(entry, text)
        for entry in entries
    )


def bare(text: str) -> str:
    """A label without its colon and star."""
    return text.strip().strip("*＊:：").strip()


def _says(element: Element, said: str) -> bool:
    if said in (bare(element.name), element.text, element.description, element.group):
        return True
    rest = said.replace(element.name, "", 1).replace(element.description, "", 1)
    return bool(element.name) and element.name in said and not bare(rest)


def _is_near(element: Element, text: TextBlock) -> bool:
    a, b = element.box, text.box
    across = max(a.x, b.x) - min(a.x + a.width, b.x + b.width)
    if not on_one_line(a, b):
        return across < LINE and _distance(a, b) < NEAR
    # The label of a field may stand far to its left.
    return across < LINE or text.kind is TextKind.LABEL or element.role in FIELDS | CHOICES


def _merged(entries: list[Entry], texts: list[TextBlock | Row]) -> list[Entry]:
    """Texts put before the first control that a reader meets after them."""
    boxes = [entry.box for entry in entries]
    at = 0
    places: list[list[Entry]] = [[] for _ in range(len(entries) + 1)]
    before: TextBlock | Row | None = None
    for text in texts:
        place = at if before and _goes_on(before, text) else _place(text, entries, boxes, at)
        if place is None:
            places[-1].append(text)
        else:
            places[place].append(text)
            at = place
        before = text
    return list(_woven(entries, places))


def _goes_on(before: TextBlock | Row, text: TextBlock | Row) -> bool:
    """Whether a text is the next line of the one before it."""
    is_plain = all(isinstance(t, TextBlock) and t.kind is TextKind.TEXT for t in (before, text))
    down = text.box.y - before.box.y - before.box.height
    return (
        is_plain
        and down < LEADING
        and _distance(before.box, text.box) < NEAR
        and (down > -LINE or on_one_line(before.box, text.box))
    )


def _place(text: TextBlock | Row, entries: list[Entry], boxes: list[Box], at: int) -> int | None:
    """Before which control a text stands.

    That is between the last that comes before it and the first that comes after it; where columns
    side by side leave a choice, beside the nearest. None: behind all, and nothing is near.
    """
    box = text.box
    title = text.text if isinstance(text, TextBlock) and text.kind is TextKind.HEADING else None
    low, high = at, len(entries)
    for index in range(at, len(entries)):
        entry = entries[index]
        before = comes_before(box, boxes[index])
        if before or (title and isinstance(entry, Element) and entry.section == title):
            high = index
            break
        if before is False:
            low = index + 1
    if low == high:
        return low
    apart, place = min((_gap(box, boxes, index), index) for index in range(low, high + 1))
    if apart < FAR:
        return place
    return high if high < len(entries) else None


def _gap(box: Box, boxes: list[Box], index: int) -> float:
    """How far a text put before `index` stands from its neighbours there."""
    return min(_distance(box, boxes[i]) for i in (index - 1, index) if 0 <= i < len(boxes))


def _distance(a: Box, b: Box) -> float:
    across = max(a.x, b.x) - min(a.x + a.width, b.x + b.width)
    down = max(a.y, b.y) - min(a.y + a.height, b.y + b.height)
    return max(across, 0.0) + max(down, 0.0)


def _woven(entries: list[Entry], places: list[list[Entry]]) -> Iterator[Entry]:
    for index, entry in enumerate(entries):
        yield from places[index]
        yield entry
    yield from places[-1]
