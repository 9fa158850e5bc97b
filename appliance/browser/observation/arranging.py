"""Controls and texts of a page, brought together again in reading order.

An observation lists both apart, each in document order. Here a text finds its place among the
controls by its box, a row of a table is put together from its cells and controls, and what says
the same thing twice (the label of a field that bears its name) is left out.
"""

from collections.abc import Iterable, Iterator

from appliance.browser.observation.boxes import (
    LINE,
    Nearby,
    comes_before,
    distance,
    on_one_line,
)
from appliance.browser.observation.gathering import Entry, RowGatherer, TableRow
from appliance.browser.observation.notation import CHOICES, FIELDS
from appliance.core.page import Box, Element, TextBlock, TextKind

NEAR = 90.0  # pixels within which a label stands beside its control
FAR = 120.0  # pixels from which a text belongs to another column
AHEAD = 300  # controls among which the place of a text is looked for
LEADING = 12.0  # pixels between the lines of what is read in one go
UNNAMED = frozenset({TextKind.LABEL, TextKind.TEXT, TextKind.COLUMN_HEADER})


def arrange(elements: Iterable[Element], texts: Iterable[TextBlock]) -> list[Entry]:
    """One dialog's or frame's controls, texts and rows, as a reader meets them."""
    rows = RowGatherer()
    for element in elements:
        rows.add_control(element)
    rows.index()
    for text in texts:
        rows.add_text(text)
    rows.give_headers()
    loose = Nearby(entry for entry in rows.order if isinstance(entry, Element))
    return _merge(
        rows.order, [t for t in rows.free if isinstance(t, TableRow) or not _is_told(t, loose)]
    )


def _is_told(text: TextBlock, controls: Nearby[Element]) -> bool:
    """Whether a control beside it says the same."""
    if text.kind is TextKind.ERROR:
        return any(e.error == text.text for e in controls.at(text.box, 2 * NEAR))
    if text.kind not in UNNAMED:
        return False
    words = bare(text.text)
    beside = controls.at(text.box, NEAR)
    return not words or any(_says(e, words) and _is_near(e, text) for e in beside)


def bare(text: str) -> str:
    """A label without its colon and star."""
    return text.strip().strip("*＊:：").strip()


def _says(element: Element, words: str) -> bool:
    if words in (bare(element.name), element.text, element.description, element.group):
        return True
    rest = words.replace(element.name, "", 1).replace(element.description, "", 1)
    return bool(element.name) and element.name in words and not bare(rest)


def _is_near(element: Element, text: TextBlock) -> bool:
    a, b = element.box, text.box
    across = max(a.x, b.x) - min(a.x + a.width, b.x + b.width)
    if not on_one_line(a, b):
        return across < LINE and distance(a, b) < NEAR
    # The label of a field may stand far to its left.
    return across < LINE or text.kind is TextKind.LABEL or element.role in FIELDS | CHOICES


def _merge(entries: list[Entry], texts: list[TextBlock | TableRow]) -> list[Entry]:
    """Texts put before the first control that a reader meets after them."""
    boxes = [entry.box for entry in entries]
    at = 0
    places: list[list[Entry]] = [[] for _ in range(len(entries) + 1)]
    before: TextBlock | TableRow | None = None
    for text in texts:
        place = at if before and _goes_on(before, text) else _place(text, entries, boxes, at)
        if place is None:
            places[-1].append(text)
        else:
            places[place].append(text)
            at = place
        before = text
    return list(_weave(entries, places))


def _goes_on(before: TextBlock | TableRow, text: TextBlock | TableRow) -> bool:
    """Whether a text is the next line of the one before it."""
    is_plain = all(isinstance(t, TextBlock) and t.kind is TextKind.TEXT for t in (before, text))
    down = text.box.y - before.box.y - before.box.height
    return (
        is_plain
        and down < LEADING
        and distance(before.box, text.box) < NEAR
        and (down > -LINE or on_one_line(before.box, text.box))
    )


def _place(
    text: TextBlock | TableRow, entries: list[Entry], boxes: list[Box], at: int
) -> int | None:
    """Before which control a text stands.

    That is between the last that comes before it and the first that comes after it; where columns
    side by side leave a choice, beside the nearest. None: behind all, and nothing is near.
    """
    box = text.box
    title = text.text if isinstance(text, TextBlock) and text.kind is TextKind.HEADING else None
    low, high = at, min(len(entries), at + AHEAD)
    for index in range(at, high):
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
    return min(distance(box, boxes[i]) for i in (index - 1, index) if 0 <= i < len(boxes))


def _weave(entries: list[Entry], places: list[list[Entry]]) -> Iterator[Entry]:
    for index, entry in enumerate(entries):
        yield from places[index]
        yield entry
    yield from places[-1]
