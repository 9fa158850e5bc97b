"""Boxes on a page: what is beside, inside, before or near what."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from appliance.core.page import Box

COLUMNS = 240.0  # pixels from which things on one line need not belong together
LINE = 4.0  # pixels by which things on one line may be shifted
STRIPE = 200.0  # pixels down the page that are searched together
MOST_STRIPES = 50  # of one box; what is taller is looked for at its ends


class Placed(Protocol):
    """Anything with a box."""

    @property
    def box(self) -> Box:
        """Where it is."""


Thing = TypeVar("Thing", bound=Placed)


class Nearby(Generic[Thing]):
    """Finds what stands at a height of the page without asking everything on it."""

    def __init__(self, things: Iterable[Thing]) -> None:
        self._stripes: dict[int, list[Thing]] = defaultdict(list)
        for thing in things:
            for stripe in _stripes(thing.box, 0.0):
                self._stripes[stripe].append(thing)

    def at(self, box: Box, margin: float = 0.0) -> list[Thing]:
        """All whose stripes the box, made larger by the margin, shares; each once, in order."""
        things = {}
        for stripe in _stripes(box, margin):
            for thing in self._stripes.get(stripe, ()):
                things[id(thing)] = thing
        return list(things.values())


def _stripes(box: Box, margin: float) -> Iterable[int]:
    first = int((box.y - margin) // STRIPE)
    last = int((box.y + box.height + margin) // STRIPE)
    if last - first > MOST_STRIPES:
        return (
            *range(first, first + MOST_STRIPES // 2),
            *range(last - MOST_STRIPES // 2, last + 1),
        )
    return range(first, last + 1)


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


def distance(a: Box, b: Box) -> float:
    """How far apart they are, across and down together; 0 where they overlap."""
    across = max(a.x, b.x) - min(a.x + a.width, b.x + b.width)
    down = max(a.y, b.y) - min(a.y + a.height, b.y + b.height)
    return max(across, 0.0) + max(down, 0.0)
