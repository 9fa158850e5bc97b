"""From what the observer found in each frame to an observation."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from appliance.browser.observation.identity import Handle
from appliance.core.page import Bounds, Box, Element, Fold, FoldKind, TextBlock, TextKind

Raw = dict[str, Any]  # Any: the observer's JSON


@dataclass(frozen=True, slots=True)
class FramePlacement:
    """A frame's place in the page: its number, offset, dialog, and what of it can be seen."""

    index: int
    x: float = 0.0
    y: float = 0.0
    dialog: str | None = None
    clip: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Left, top, right and bottom of its visible part, in the page's viewport."""
    rows: Sequence[str] = ()
    """Texts of its rows, which its elements and texts name by number."""

    def row(self, raw: Raw) -> str | None:
        """The row's text, where there is one."""
        return self.rows[raw["row"]] if "row" in raw else None

    def shows(self, box: Box) -> bool:
        """Whether some of a box can be seen."""
        left, top, right, bottom = self.clip
        across = min(box.x + box.width, right) - max(box.x, left)
        down = min(box.y + box.height, bottom) - max(box.y, top)
        return (
            across > 0 and down > 0 and across >= min(2, box.width) and down >= min(2, box.height)
        )


_NOTHING_CHOSEN = re.compile(
    r"(?:please )?(?:select|choose)(?:\W*| (?:an?|one|the|your)\b.{0,30}| here\W*"
    r"| \w+\W*(?:\.\.\.|…))"
    r"|-{2,}.*|(?:请)?选择.{0,8}",
    re.IGNORECASE,
)
"""What a drop-down that is drawn says where a native one would be empty."""
_DECIMAL = re.compile(r"-?\d+(?:\.\d+)?")
Folds = dict[int, int]
"""Numbers of a frame's folds, by the number of their node there."""


def read_element(raw: Raw, place: FramePlacement, folds: Folds) -> Element:
    """One element; its number is given later. The observer leaves out what is empty."""
    get = raw.get
    value, placeholder = get("value"), get("placeholder", "")
    is_drawn = raw["role"] == "combobox" and raw["tag"] not in ("input", "select", "textarea")
    if is_drawn and value and not placeholder and _NOTHING_CHOSEN.fullmatch(value.strip()):
        value, placeholder = "", value
    box = _box(raw["box"], place)
    is_in_view = "off" not in raw and (place.index == 0 or place.shows(box))
    states = frozenset(get("states", ()))
    return Element(
        id=0,
        role=raw["role"],
        name=raw["name"],
        text=get("text", ""),
        tag=raw["tag"],
        type=get("type", ""),
        value=value,
        states=states if is_in_view else states | {"offscreen"},
        options=tuple(get("options", ())),
        placeholder=placeholder,
        description=get("description", ""),
        error=get("error", ""),
        box=box,
        frame=place.index,
        dialog=get("dialog", place.dialog),
        region=get("region", ""),
        section=get("section", ""),
        group=get("group", ""),
        row=place.row(raw),
        column=get("column"),
        href=get("href", ""),
        is_submit="submit" in raw,
        is_wordless="wordless" in raw,
        look=get("look", ""),
        in_viewport=is_in_view,
        bounds=_bounds(raw["bounds"]) if "bounds" in raw else None,
        fold=folds.get(get("fold", 0)),
    )


def _bounds(attributes: dict[str, str]) -> Bounds:
    """The attributes that limit a field; a date is no number."""
    return Bounds(
        min_length=_whole(attributes.get("minlength")),
        max_length=_whole(attributes.get("maxlength")),
        least=_number(attributes.get("min", attributes.get("aria-valuemin"))),
        most=_number(attributes.get("max", attributes.get("aria-valuemax"))),
        pattern=attributes.get("pattern", ""),
    )


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and text.strip().isdecimal() else None


def _number(text: str | None) -> float | None:
    return float(text) if text is not None and _DECIMAL.fullmatch(text.strip()) else None


def read_text(raw: Raw, place: FramePlacement, folds: Folds) -> TextBlock:
    """One text."""
    get = raw.get
    return TextBlock(
        kind=TextKind(raw["kind"]),
        text=raw["text"],
        level=get("level", 0),
        tone=get("tone", ""),
        dialog=get("dialog", place.dialog),
        row=place.row(raw),
        column=get("column"),
        box=_box(raw["box"], place),
        frame=place.index,
        fold=folds.get(get("fold", 0)),
    )


def read_fold(raw: Raw, place: FramePlacement) -> Fold:
    """One long table or list; its number is given later."""
    return Fold(
        id=0,
        kind=FoldKind(raw["kind"]),
        name=raw.get("name", ""),
        total=raw["total"],
        listed=raw["listed"],
        first=raw["first"],
        last=raw["last"],
        columns=tuple(column or "" for column in raw.get("columns", ())),
        dialog=raw.get("dialog", place.dialog),
        frame=place.index,
    )


def _box(box: list[int], place: FramePlacement) -> Box:
    x, y, width, height = box[0] / 10, box[1] / 10, box[2] / 10, box[3] / 10
    if not place.index:
        return Box(x, y, width, height)
    return Box(round(x + place.x, 1), round(y + place.y, 1), width, height)


def read_folds(raw: Raw, frame: str, place: FramePlacement) -> list[tuple[Handle, Fold]]:
    """All long tables and lists of a frame with their handles."""
    return [
        (Handle(frame, raw["document"], item["id"]), read_fold(item, place))
        for item in raw["folds"]
    ]


def fingerprint(url: str, lines: Iterable[bytes]) -> str:
    """Hash of what can be acted on, where the page is scrolled to left out."""
    digest = hashlib.sha256(urlsplit(url)._replace(fragment="").geturl().encode())
    digest.update(b"".join(lines))
    return digest.hexdigest()[:16]


def fingerprint_line(element: Element) -> bytes:
    """What of one element counts."""
    states = ",".join(sorted(element.states - {"offscreen", "covered"}))
    line = (element.role, element.name, element.value, states, element.dialog, element.row)
    return repr(line).encode()
