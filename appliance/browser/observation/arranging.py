"""Merges the controls and texts of a page in reading order.

An observation lists the two separately, each in document order. Here a text finds its place among
the controls by its box, a table row is put together from its cells and controls, and redundant
texts (such as the label of a field that has the same name) are left out.
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
LOOKAHEAD = 300  # controls among which the place of a text is looked for
LEADING = 12.0  # pixels between the lines of what is read in one go
LABEL_KINDS = frozenset({TextKind.LABEL, TextKind.TEXT, TextKind.COLUMN_HEADER})


def arrange(elements: Iterable[Element], texts: Iterable[TextBlock]) -> list[Entry]:
    """Controls, texts and rows of one dialog or frame in reading order."""
    rows = RowGatherer()
    for element in elements:
        rows.add_control(element)
    rows.index()
    for text in texts:
        rows.add_text(text)
    rows.give_headers()
    placed_controls = Nearby(entry for entry in rows.order if isinstance(entry, Element))
    return _merge(
        rows.order,
        [t for t in rows.free if isinstance(t, TableRow) or not _is_redundant(t, placed_controls)],
    )


def _is_redundant(text: TextBlock, controls: Nearby[Element]) -> bool:
    """Whether a nearby control says the same."""
    if text.kind is TextKind.ERROR:
        return any(e.error == text.text for e in controls.at(text.box, 2 * NEAR))
    if text.kind not in LABEL_KINDS:
        return False
    words = bare_label(text.text)
    nearby = controls.at(text.box, NEAR)
    return not words or any(_has_words(e, words) and _is_near(e, text) for e in nearby)


def bare_label(text: str) -> str:
    """A label without its colon and asterisk."""
    return text.strip().strip("*＊:：").strip()


def _has_words(element: Element, words: str) -> bool:
    if words in (bare_label(element.name), element.text, element.description, element.group):
        return True
    remaining = words.replace(element.name, "", 1).replace(element.description, "", 1)
    return bool(element.name) and element.name in words and not bare_label(remaining)


def _is_near(element: Element, text: TextBlock) -> bool:
    a, b = element.box, text.box
    horizontal_gap = max(a.x, b.x) - min(a.x + a.width, b.x + b.width)
    if not on_one_line(a, b):
        return horizontal_gap < LINE and distance(a, b) < NEAR
    # The label of a field may stand far to its left.
    return horizontal_gap < LINE or text.kind is TextKind.LABEL or element.role in FIELDS | CHOICES


def _merge(entries: list[Entry], texts: list[TextBlock | TableRow]) -> list[Entry]:
    """Insert each text before the first control that comes after it in reading order."""
    boxes = [entry.box for entry in entries]
    position = 0
    places: list[list[Entry]] = [[] for _ in range(len(entries) + 1)]
    previous: TextBlock | TableRow | None = None
    for text in texts:
        place = (
            position
            if previous and _continues(previous, text)
            else _place(text, entries, boxes, position)
        )
        if place is None:
            places[-1].append(text)
        else:
            places[place].append(text)
            position = place
        previous = text
    return list(_weave(entries, places))


def _continues(previous: TextBlock | TableRow, text: TextBlock | TableRow) -> bool:
    """Whether a text is the next line of the one before."""
    is_plain = all(isinstance(t, TextBlock) and t.kind is TextKind.TEXT for t in (previous, text))
    vertical_gap = text.box.y - previous.box.y - previous.box.height
    return (
        is_plain
        and vertical_gap < LEADING
        and distance(previous.box, text.box) < NEAR
        and (vertical_gap > -LINE or on_one_line(previous.box, text.box))
    )


def _place(
    text: TextBlock | TableRow, entries: list[Entry], boxes: list[Box], first: int
) -> int | None:
    """The index of the control before which a text belongs.

    It lies between the last control that comes before the text and the first that comes after
    it; where columns leave a choice, next to the nearest. None: after all controls, and near
    none.
    """
    box = text.box
    title = text.text if isinstance(text, TextBlock) and text.kind is TextKind.HEADING else None
    low, high = first, min(len(entries), first + LOOKAHEAD)
    for index in range(first, high):
        entry = entries[index]
        is_before = comes_before(box, boxes[index])
        if is_before or (title and isinstance(entry, Element) and entry.section == title):
            high = index
            break
        if is_before is False:
            low = index + 1
    if low == high:
        return low
    gap, place = min(
        (_distance_to_neighbours(box, boxes, index), index) for index in range(low, high + 1)
    )
    if gap < FAR:
        return place
    return high if high < len(entries) else None


def _distance_to_neighbours(box: Box, boxes: list[Box], index: int) -> float:
    """Distance of a text placed before `index` from its neighbours there."""
    return min(distance(box, boxes[i]) for i in (index - 1, index) if 0 <= i < len(boxes))


def _weave(entries: list[Entry], places: list[list[Entry]]) -> Iterator[Entry]:
    for index, entry in enumerate(entries):
        yield from places[index]
        yield entry
    yield from places[-1]
