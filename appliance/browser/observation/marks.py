"""Numbers on a screenshot: a box and a small label for each element that can be acted upon.

A label goes where it hides least: what is written on the page shows as edges in the picture itself,
so the picture says where there is room. Nothing here touches the page.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from appliance.core.page import Element

# Dark enough for white digits (contrast of 4.5 and more), and far apart in hue; the order puts
# unlike ones beside each other, since neighbours on a page have neighbouring numbers.
COLOURS = (
    (200, 30, 45), (25, 90, 210), (10, 115, 60), (130, 45, 175), (160, 80, 0), (0, 110, 130),
    (190, 20, 125), (70, 75, 95), (95, 105, 0),
)  # fmt: skip
FONT_PX = 11
SMALL_FONT_PX = 9
CROWDED = 120  # from this many marks on, the labels are written small
PAD_PX = 2
GRAIN_PX = 2  # side of one cell of the map of what is hidden, in CSS pixels

# What covering a cell of the map costs, 0 to 255.
EDGE = 70  # an edge: text, an icon, a border
CONTROL_INSIDE = 12  # the inside of a control, where a label would seem to be that control's
OTHER_LABEL = 255  # another label
OWN_TEXT = 2  # times as bad to hide as other text
RANK = 0.4  # each place less liked than the one before
FAR = 6  # a line that leads to the box
FAR_COST = 34  # a place beside the box that costs more is given up for a free one further away
WORST_COST = 120  # a label that would lie on another one is left out
FAR_PX = (10, 20, 32, 46)
SMALL_AREA = 0.02  # of the picture: larger boxes are panels, whose inside is not theirs alone

UNUSABLE_STATES = frozenset({"disabled", "covered", "offscreen"})


class Area(NamedTuple):
    """A rectangle in pixels of the picture."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def size(self) -> float:
        """Square pixels."""
        return (self.right - self.left) * (self.bottom - self.top)


class Spot(NamedTuple):
    """A place for a label, its cost, and whether a line must connect it to the box."""

    cost: float
    area: Area
    is_far: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """One element's box, and its label if there was room for one."""

    id: int
    box: Area
    label: Area | None
    is_far: bool = False

    @property
    def colour(self) -> tuple[int, int, int]:
        """The colour that belongs to the number."""
        return colour_of(self.id)


def colour_of(element_id: int) -> tuple[int, int, int]:
    """The colour of an element's mark."""
    # Shifted every round: in a table of nine controls a row, no column has one colour.
    return COLOURS[(element_id + element_id // len(COLOURS) * 4) % len(COLOURS)]


def can_be_marked(element: Element) -> bool:
    """Whether it is in view and can be acted upon now."""
    return element.in_viewport and not element.states & UNUSABLE_STATES


def mark(image: Image.Image, elements: Iterable[Element], scale: float = 1.0) -> list[Mark]:
    """Draw boxes and numbers; `scale` is the picture's pixels per CSS pixel."""
    boxes = [
        (element.id, box)
        for element in elements
        if can_be_marked(element) and (box := _clip(element, image, scale)) is not None
    ]
    font = _font(round((SMALL_FONT_PX if len(boxes) >= CROWDED else FONT_PX) * scale))
    marks = _place_marks(boxes, image, font, scale)
    _draw(image, marks, font, scale)
    return marks


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _clip(element: Element, image: Image.Image, scale: float) -> Area | None:
    box = element.box
    left, top = max(box.x * scale - 1, 0), max(box.y * scale - 1, 0)
    right = min((box.x + box.width) * scale, image.width - 1)
    bottom = min((box.y + box.height) * scale, image.height - 1)
    area = Area(round(left), round(top), round(right), round(bottom))
    return area if area.right > area.left and area.bottom > area.top else None


class _CostMap:
    """A coarse map of how much a label would hide."""

    def __init__(self, image: Image.Image, boxes: list[Area], scale: float) -> None:
        self._grain = max(round(GRAIN_PX * scale), 1)
        max_area = image.width * image.height * SMALL_AREA
        grey = image.convert("L").reduce(self._grain)
        self._map = Image.new("L", grey.size)
        self._draw = ImageDraw.Draw(self._map)
        for box in boxes:
            if box.size < max_area:
                self._fill(box, CONTROL_INSIDE)
        edges = grey.filter(ImageFilter.FIND_EDGES)
        self._map.paste(EDGE, mask=edges.point(lambda value: 255 if value > 24 else 0))

    def _fill(self, area: Area, value: int) -> None:
        last = area.right - 1, area.bottom - 1
        corners = [int(side / self._grain) for side in (area.left, area.top, *last)]
        self._draw.rectangle(corners, fill=value)

    def reserve(self, area: Area) -> None:
        """Keep other labels from this area."""
        self._fill(area, OTHER_LABEL)

    def cost(self, area: Area) -> float:
        """Mean cost of hiding what is in the area; infinite outside of the picture."""
        last = area.right - 1, area.bottom - 1
        left, top, right, bottom = (
            int(side / self._grain) for side in (area.left, area.top, *last)
        )
        width, height = self._map.size
        if area.left < 0 or area.top < 0 or right >= width or bottom >= height:
            return float("inf")
        # What is taken counts in full: half a label over another one makes both unreadable.
        if OTHER_LABEL in self._map.crop((left, top, right + 1, bottom + 1)).tobytes():
            return float(OTHER_LABEL)
        # Its rim does not count: a label may well lie on the border of its own box.
        cells = self._map.crop((left + 1, top + 1, max(right, left + 2), bottom)).tobytes()
        return sum(cells) / len(cells)


def _place_marks(
    boxes: list[tuple[int, Area]],
    image: Image.Image,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    scale: float,
) -> list[Mark]:
    cost_map = _CostMap(image, [box for _, box in boxes], scale)
    marks = []
    # The smallest have the fewest places to choose from.
    for element_id, box in sorted(boxes, key=lambda pair: (pair[1].size, pair[0])):
        width, height = _label_size(str(element_id), font, scale)
        spot = _best_spot(box, width, height, cost_map, scale)
        if spot.cost > WORST_COST:
            marks.append(Mark(element_id, box, None))
            continue
        cost_map.reserve(spot.area)
        marks.append(Mark(element_id, box, spot.area, spot.is_far))
    return marks


def _label_size(
    text: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont, scale: float
) -> tuple[int, int]:
    left, top, right, bottom = font.getbbox(text)
    pad = round(PAD_PX * scale)
    return round(right - left) + 2 * pad, round(bottom - top) + 2 * pad


def _best_spot(box: Area, width: int, height: int, cost_map: _CostMap, scale: float) -> Spot:
    best = Spot(float("inf"), box, False)
    for rank, (left, top, is_inside) in enumerate(_adjacent_places(box, width, height)):
        area = Area(left, top, left + width, top + height)
        cost = cost_map.cost(area)
        if is_inside:  # its own inside is no other control's, but its own text is what names it
            cost = max(cost - CONTROL_INSIDE, 0) * OWN_TEXT
        cost += rank * RANK
        if cost < best.cost:
            best = Spot(cost, area, False)
        if best.cost <= (rank + 1) * RANK:  # no place to come can be better
            break
    if best.cost <= FAR_COST:
        return best
    for left, top in _distant_places(box, width, height, scale):
        area = Area(left, top, left + width, top + height)
        cost = cost_map.cost(area) + FAR
        if cost < best.cost and cost <= FAR_COST:
            return Spot(cost, area, True)
    return best


def _adjacent_places(box: Area, width: int, height: int) -> Iterator[tuple[float, float, bool]]:
    """Places next to or inside the box, best first."""
    left, top, right, bottom = box
    middle = (top + bottom - height) // 2
    yield left, top - height, False
    yield left - width, top, False
    yield left - width, middle, False
    yield right - width, top - height, False
    if right - left > 3 * width or bottom - top > 3 * height:
        yield right - width, top, True
        yield left, top, True
        yield right - width - 2, middle, True
        yield right - width, bottom - height, True
        yield left, bottom - height, True
    yield right + 1, top, False
    yield right + 1, middle, False
    yield left, bottom + 1, False
    yield right - width, bottom + 1, False
    yield left - width // 2, top - height // 2, False
    yield right - width // 2, top - height // 2, False
    yield left - width // 2, bottom - height // 2, False
    yield right - width // 2, bottom - height // 2, False


def _distant_places(
    box: Area, width: int, height: int, scale: float
) -> Iterator[tuple[float, float]]:
    """Places from which a line leads to the box, nearest first."""
    left, top, right, bottom = box
    centre, middle = (left + right - width) // 2, (top + bottom - height) // 2
    for css_px in FAR_PX:
        offset_px = round(css_px * scale)
        lefts = (left - width - offset_px, left, centre, right - width, right + offset_px)
        for x in lefts:
            yield x, top - height - offset_px
            yield x, bottom + offset_px
        for x in (lefts[0], lefts[-1]):
            yield x, top
            yield x, middle


def _draw(
    image: Image.Image,
    marks: list[Mark],
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    scale: float,
) -> None:
    draw = ImageDraw.Draw(image)
    line = max(round(scale), 1)
    for placed in sorted(marks, key=lambda one: -one.box.size):
        draw.rectangle(placed.box, outline=placed.colour, width=line)
    for placed in marks:
        if placed.label is not None and placed.is_far:
            draw.line(_leader(placed.box, placed.label), fill=placed.colour, width=line)
    for placed in marks:
        if placed.label is None:
            continue
        left, top, right, bottom = placed.label
        draw.rectangle((left, top, right - 1, bottom - 1), fill=placed.colour)
        x, y, _, _ = font.getbbox(str(placed.id))
        pad = round(PAD_PX * scale)
        draw.text((left + pad - x, top + pad - y), str(placed.id), fill=(255, 255, 255), font=font)


def _leader(box: Area, label: Area) -> tuple[float, float, float, float]:
    """A line from the nearest point of the label's edge to the box."""
    middle_x, middle_y = (label.left + label.right) / 2, (label.top + label.bottom) / 2
    to_x = min(max(middle_x, box.left), box.right)
    to_y = min(max(middle_y, box.top), box.bottom)
    from_x = min(max(to_x, label.left), label.right)
    from_y = min(max(to_y, label.top), label.bottom)
    return (from_x, from_y, to_x, to_y)
