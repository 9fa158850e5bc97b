"""Where secrets stand on a page. They are looked for here: no secret is told to a page."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from appliance.browser._frames import Frame
from appliance.browser._tab import Tab
from appliance.browser._world import GoneError
from appliance.core.errors import BrowserError
from appliance.core.page import Box
from appliance.core.secrets import Span, sought, spans_of_secrets

EVERYTHING = Box(0, 0, 1e5, 1e5)
"""Where it cannot be said where a secret is."""


@dataclass(frozen=True, slots=True)
class SecretExposure:
    """What must be known of the page to make its picture ready."""

    width: float
    secrets: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class _FrameText:
    """What is written in one frame."""

    name: str
    text: str
    stretches: tuple[Span, ...]
    """The secrets in it, counted as scripts count characters."""
    sought: object
    """What was looked for."""


@dataclass(slots=True)
class SecretWatch:
    """Look for secrets in all frames of one tab; what has not changed is not read again."""

    tab: Tab
    _readings: dict[str, _FrameText] = field(default_factory=dict)

    async def look(self) -> SecretExposure:
        """All frames at this moment.

        Raises:
            GoneError: The page has another document now.
        """
        held = [one.name for one in self._readings.values()]
        eyes = await self.tab.everywhere("eye", held)
        self._readings = {frame.id: self._read(frame, eye["written"]) for frame, eye in eyes}
        boxes_by_frame = await asyncio.gather(
            *(self._boxes(frame, eye["secrets"]) for frame, eye in eyes),
            *map(self._whole, await self.tab.unread([frame for frame, _ in eyes])),
        )
        return SecretExposure(
            width=eyes[0][1]["width"],
            secrets=tuple(box for boxes in boxes_by_frame for box in boxes),
        )

    def _read(self, frame: Frame, texts: dict[str, str]) -> _FrameText:
        last = self._readings.get(frame.id)
        text = texts.get("text", last.text if last else "")
        looked_for = sought()
        if last and last.name == texts["name"] and last.sought is looked_for:
            return last
        spans = spans_of_secrets(text)
        return _FrameText(texts["name"], text, tuple(_as_scripts_count(text, spans)), looked_for)

    async def _boxes(self, frame: Frame, fields: list[Any]) -> Sequence[Box]:  # Any: JSON
        """Of the secrets in a frame: in its fields, and wherever else they are written."""
        reading = self._readings[frame.id]
        boxes = fields
        try:
            if reading.stretches:
                in_texts = await self.tab.call_frame(
                    frame.id, "boxesOf", reading.name, reading.stretches
                )
                if in_texts is None:
                    return [EVERYTHING]  # it has changed since it was read
                boxes = [*fields, *in_texts]
            return await self.tab.in_page(frame, boxes) if boxes else []
        except (GoneError, BrowserError):
            return [EVERYTHING]

    async def _whole(self, frame: Frame) -> Sequence[Box]:
        """Of a frame that cannot be read: what may stand there nobody knows."""
        try:
            return await self.tab.in_page(frame, None)
        except (GoneError, BrowserError):
            return [EVERYTHING]


def _as_scripts_count(text: str, spans: Sequence[Span]) -> list[Span]:
    """Scripts count a character beyond the first 65,536 as two."""
    if text.isascii():
        return list(spans)
    return [Span(_length(text[: one.start]), _length(text[: one.end])) for one in spans]


def _length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
