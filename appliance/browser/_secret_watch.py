"""Locates secrets on a page. The search happens here, so that no secret is sent to the page."""

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
"""Used when the position of a secret is unknown."""


@dataclass(frozen=True, slots=True)
class SecretExposure:
    """What has to be known of the page to mask its picture."""

    width: float
    secrets: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class _FrameText:
    """The text of one frame."""

    name: str
    text: str
    spans: tuple[Span, ...]
    """The secrets in it, counted as scripts count characters."""
    sought: object
    """What was looked for."""


@dataclass(slots=True)
class SecretWatch:
    """Looks for secrets in all frames of one tab; unchanged text is not searched again."""

    tab: Tab
    _readings: dict[str, _FrameText] = field(default_factory=dict)

    async def look(self) -> SecretExposure:
        """All frames at this moment.

        Raises:
            GoneError: The page has another document now.
        """
        known_names = [reading.name for reading in self._readings.values()]
        answers = await self.tab.everywhere("eye", known_names)
        self._readings = {
            frame.id: self._read(frame, answer["written"]) for frame, answer in answers
        }
        boxes_by_frame = await asyncio.gather(
            *(self._boxes(frame, answer["secrets"]) for frame, answer in answers),
            *map(self._all_boxes, await self.tab.unread([frame for frame, _ in answers])),
        )
        return SecretExposure(
            width=answers[0][1]["width"],
            secrets=tuple(box for boxes in boxes_by_frame for box in boxes),
        )

    def _read(self, frame: Frame, texts: dict[str, str]) -> _FrameText:
        previous = self._readings.get(frame.id)
        text = texts.get("text", previous.text if previous else "")
        secrets = sought()
        if previous and previous.name == texts["name"] and previous.sought is secrets:
            return previous
        spans = spans_of_secrets(text)
        return _FrameText(texts["name"], text, tuple(_in_utf16_units(text, spans)), secrets)

    async def _boxes(self, frame: Frame, fields: list[Any]) -> Sequence[Box]:  # Any: JSON
        """Boxes of the secrets in a frame: in its fields, and in its other text."""
        reading = self._readings[frame.id]
        boxes = fields
        try:
            if reading.spans:
                in_texts = await self.tab.call_frame(
                    frame.id, "boxesOf", reading.name, reading.spans
                )
                if in_texts is None:
                    return [EVERYTHING]  # it has changed since it was read
                boxes = [*fields, *in_texts]
            return await self.tab.in_page(frame, boxes) if boxes else []
        except (GoneError, BrowserError):
            return [EVERYTHING]

    async def _all_boxes(self, frame: Frame) -> Sequence[Box]:
        """The whole of a frame that cannot be read, as it may show anything."""
        try:
            return await self.tab.in_page(frame, None)
        except (GoneError, BrowserError):
            return [EVERYTHING]


def _in_utf16_units(text: str, spans: Sequence[Span]) -> list[Span]:
    """The spans in UTF-16 code units, in which scripts count characters."""
    if text.isascii():
        return list(spans)
    return [
        Span(_utf16_length(text[: span.start]), _utf16_length(text[: span.end])) for span in spans
    ]


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
