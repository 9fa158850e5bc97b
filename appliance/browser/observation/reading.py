"""From what the observer found in each frame to an observation."""

import hashlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from appliance.browser.observation.identity import Handle
from appliance.core.page import Box, Element, TextBlock, TextKind

Raw = dict[str, Any]  # Any: the observer's JSON


@dataclass(frozen=True, slots=True)
class Place:
    """A frame's place in the page: its number, offset, dialog, and what of it can be seen."""

    index: int
    x: float = 0.0
    y: float = 0.0
    dialog: str | None = None
    clip: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Left, top, right and bottom of its visible part, in the page's viewport."""

    def shows(self, box: Box) -> bool:
        """Whether the middle of a box (of its upper end, where it is high) can be seen."""
        x, y = box.x + box.width / 2, box.y + min(box.height / 2, 20)
        left, top, right, bottom = self.clip
        return left <= x < right and top <= y < bottom


def read_element(raw: Raw, place: Place) -> Element:
    """One element; its number is given later."""
    states = set(raw["states"])
    box = _box(raw["box"], place)
    seen = raw["seen"] and (place.index == 0 or place.shows(box))
    if not seen:
        states.add("offscreen")
    return Element(
        id=0,
        role=raw["role"],
        name=raw["name"],
        text=raw.get("text", ""),
        tag=raw["tag"],
        type=raw["type"],
        value=raw["value"],
        states=frozenset(states),
        options=tuple(raw["options"]),
        placeholder=raw["placeholder"],
        description=raw["description"],
        error=raw["error"],
        box=box,
        frame=place.index,
        dialog=place.dialog if raw["dialog"] is None else raw["dialog"],
        region=raw["region"],
        section=raw["section"],
        group=raw["group"],
        row=raw["row"],
        column=raw["column"],
        href=raw["href"],
        is_submit=raw["submit"],
        in_viewport=seen,
    )


def read_text(raw: Raw, place: Place) -> TextBlock:
    """One text."""
    return TextBlock(
        kind=TextKind(raw["kind"]),
        text=raw["text"],
        level=raw.get("level", 0),
        tone=raw.get("tone", ""),
        dialog=place.dialog if raw["dialog"] is None else raw["dialog"],
        row=raw["row"],
        column=raw["column"],
        box=_box(raw["box"], place),
        frame=place.index,
    )


def _box(box: list[float], place: Place) -> Box:
    x, y, width, height = box
    return Box(round(x + place.x, 1), round(y + place.y, 1), round(width, 1), round(height, 1))


def read_elements(raw: Raw, frame: str, place: Place) -> list[tuple[Handle, Element]]:
    """All elements of a frame with their handles."""
    return [
        (Handle(frame, raw["document"], item["id"]), read_element(item, place))
        for item in raw["elements"]
    ]


def fingerprint(url: str, elements: list[Element]) -> str:
    """Hash of what can be acted on, where the page is scrolled to left out."""
    digest = hashlib.sha256(urlsplit(url)._replace(fragment="").geturl().encode())
    for element in elements:
        states = ",".join(sorted(element.states - {"offscreen", "covered"}))
        line = (element.role, element.name, element.value, states, element.dialog, element.row)
        digest.update(repr(line).encode())
    return digest.hexdigest()[:16]
