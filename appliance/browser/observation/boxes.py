"""Geometry of boxes on a page: beside, inside, before, near."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from appliance.core.page import Box

COLUMN_GAP = 240.0  # pixels from which things on one line need not belong together
LINE = 4.0  # pixels by which things on one line may be shifted
STRIPE = 200.0  # pixels down the page that are searched together
MAX_STRIPES = 50  # of one box; what is taller is looked for at its ends


class Placed(Protocol):
    """Anything with a box."""

    @property
    def box(self) -> Box:
        """The box of the item."""


PlacedT = TypeVar("PlacedT", bound=Placed)


class Nearby(Generic[PlacedT]):
    """Finds items at a given height of the page without checking every one."""

    def __init__(self, items: Iterable[PlacedT]) -> None:
        self._stripes: dict[int, list[PlacedT]] = defaultdict(list)
        for item in items:
            for stripe in _stripes(item.box, 0.0):
                self._stripes[stripe].append(item)

    def at(self, box: Box, margin: float = 0.0) -> list[PlacedT]:
        """Items that share a stripe with the enlarged box, each once, in order."""
        matches = {}
        for stripe in _stripes(box, margin):
            for item in self._stripes.get(stripe, ()):
                matches[id(item)] = item
        return list(matches.values())


def _stripes(box: Box, margin: float) -> Iterable[int]:
    first = int((box.y - margin) // STRIPE)
    last = int((box.y + box.height + margin) // STRIPE)
    if last - first > MAX_STRIPES:
        return (
            *range(first, first + MAX_STRIPES // 2),
            *range(last - MAX_STRIPES // 2, last + 1),
        )
    return range(first, last + 1)


def bounding_box(boxes: list[Box]) -> Box:
    """The smallest box that contains all of these."""
    left = min(box.x for box in boxes)
    top = min(box.y for box in boxes)
    right = max(box.x + box.width for box in boxes)
    bottom = max(box.y + box.height for box in boxes)
    return Box(left, top, right - left, bottom - top)


def is_inside(inner: Box, outer: Box) -> bool:
    """Whether the centre of one box lies in the other."""
    x, y = inner.x + inner.width / 2, inner.y + inner.height / 2
    return outer.x <= x <= outer.x + outer.width and outer.y <= y <= outer.y + outer.height


def on_one_line(a: Box, b: Box) -> bool:
    """Whether the boxes are beside each other."""
    return min(a.y + a.height, b.y + b.height) - max(a.y, b.y) > min(LINE, a.height, b.height)


def comes_before(a: Box, b: Box) -> bool | None:
    """Whether a reader meets `a` before `b`; None if they are in different columns."""
    if on_one_line(a, b):
        horizontal_gap = max(a.x, b.x) - min(a.x + a.width, b.x + b.width)
        return a.x <= b.x if horizontal_gap < COLUMN_GAP else None
    if min(a.x + a.width, b.x + b.width) <= max(a.x, b.x):
        return None
    return a.y <= b.y


def distance(a: Box, b: Box) -> float:
    """Horizontal plus vertical gap between the boxes; 0 if they overlap."""
    horizontal_gap = max(a.x, b.x) - min(a.x + a.width, b.x + b.width)
    vertical_gap = max(a.y, b.y) - min(a.y + a.height, b.y + b.height)
    return max(horizontal_gap, 0.0) + max(vertical_gap, 0.0)
