"""Rows of tables and lists, put together from their controls and cells."""

from dataclasses import dataclass, field

from appliance.browser.observation.boxes import bounding_box, on_one_line
from appliance.core.page import Box, Element, TextBlock, TextKind


@dataclass(slots=True)
class TableRow:
    """One row of a table or list."""

    text: str
    controls: list[Element] = field(default_factory=list)
    cells: list[TextBlock] = field(default_factory=list)
    headers: tuple[TextBlock, ...] = ()
    _box: Box | None = None

    def add(self, item: Element | TextBlock) -> None:
        """One more of its controls or cells."""
        if isinstance(item, Element):
            self.controls.append(item)
        else:
            self.cells.append(item)
        self._box = item.box if self._box is None else bounding_box([self._box, item.box])

    @property
    def items(self) -> list[Element | TextBlock]:
        """Controls and cells."""
        return [*self.controls, *self.cells]

    @property
    def box(self) -> Box:
        """Around all of it."""
        return self._box or Box(0, 0, 0, 0)

    def has_column(self, column: str | None) -> bool:
        """Whether a cell of that column is there already."""
        return column is not None and any(cell.column == column for cell in self.cells)

    @property
    def fold(self) -> int | None:
        """The long table it belongs to."""
        return next((item.fold for item in self.items if item.fold is not None), None)


Entry = Element | TextBlock | TableRow


class RowGatherer:
    """Puts rows together; what stands in none keeps its order."""

    def __init__(self) -> None:
        self.order: list[Entry] = []
        self.free: list[TextBlock | TableRow] = []
        self._rows: list[TableRow] = []
        self._by_text: dict[str, list[TableRow]] = {}
        self._headers: list[list[TextBlock]] = []
        self._last: TableRow | None = None

    def add_control(self, element: Element) -> None:
        """The next control; they come before the texts."""
        if element.row is None:
            self.order.append(element)
            self._last = None
            return
        if self._last is None or not _continues(self._last, element):
            self._last = TableRow(element.row)
            self.order.append(self._last)
            self._rows.append(self._last)
        self._last.add(element)

    def index(self) -> None:
        """All controls are in; now come the texts."""
        self._last = None
        for row in self._rows:
            self._by_text.setdefault(row.text, []).append(row)

    def add_text(self, text: TextBlock) -> None:
        """The next text."""
        if text.kind is TextKind.COLUMN_HEADER:
            if not self._headers or self._last is not None:
                self._headers.append([])
                self._last = None
            self._headers[-1].append(text)
        elif text.row is None or text.kind is TextKind.HEADING:
            self.free.append(text)
        else:
            self._last = self._row_of(text, text.row)
            self._last.add(text)
            if self._headers:
                self._last.headers = tuple(self._headers[-1])

    def _row_of(self, text: TextBlock, row_text: str) -> TableRow:
        known = self._by_text.setdefault(row_text, [])
        for row in known:
            if on_one_line(row.box, text.box):
                return row
        last = self._last
        if last is not None and last.text == row_text and not last.has_column(text.column):
            return last
        row = TableRow(row_text)
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


def _continues(row: TableRow, element: Element) -> bool:
    """Whether a control stands in the same row; two rows may hold the same words."""
    if row.text != element.row:
        return False
    if on_one_line(row.box, element.box):
        return True
    return all((e.name, e.column) != (element.name, element.column) for e in row.controls)
