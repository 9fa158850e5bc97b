"""Observes all frames of a page at the same time, in one round trip."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from appliance.browser._frames import Frame
from appliance.browser._roots import Roots
from appliance.browser._world import GoneError, World
from appliance.browser.observation.reading import FramePlacement
from appliance.core.errors import BrowserError

CHILD_PATIENCE_S = 2.0  # an embedded page whose script is stuck does not hold up the rest


Options = Mapping[str, dict[str, object]]
"""Options for the observer, by the frame's id."""


@dataclass(frozen=True, slots=True)
class FrameAnswer:
    """What one frame's observer answered, and where the frame lies."""

    frame: Frame
    place: FramePlacement
    raw: dict[str, Any]  # Any: the observer's JSON


class _CachedAnswer(NamedTuple):
    """The observer's last answer under the name that it gave it; never modified."""

    name: str
    raw: dict[str, Any]  # Any: the observer's JSON


class PageObserver:
    """Looks into all frames of one page."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._roots = Roots(world)
        self._stuck: set[tuple[str, int | None]] = set()
        self._cached_answers: dict[str, _CachedAnswer] = {}

    async def look(self, options: Options) -> list[FrameAnswer]:
        """The frames that a person can see, the main one first; `GoneError` when it navigates."""
        frames = self.responsive(await self._world.frames())
        answers = await self._ask_all(frames, options)
        if answers[0] is None:
            raise GoneError("the page has another document now")
        by_frame: dict[str, FrameAnswer] = {
            frames[0].id: FrameAnswer(frames[0], _main_placement(answers[0]), answers[0])
        }
        for index, (frame, raw) in enumerate(zip(frames, answers, strict=True)):
            parent = by_frame.get(frame.parent or "")
            if parent is None or raw is None:
                continue
            place = _child_placement(index, frame, parent, raw)
            if place is not None:
                by_frame[frame.id] = FrameAnswer(frame, place, raw)
        self._cached_answers = {
            id: cached for id, cached in self._cached_answers.items() if id in by_frame
        }
        return list(by_frame.values())

    async def _ask_all(
        self, frames: list[Frame], options: Options
    ) -> list[dict[str, Any] | None]:  # Any: JSON
        if len(frames) == 1:  # as most pages: a task of its own costs more than the asking
            return [await self._ask(frames[0], options.get(frames[0].id))]
        return await asyncio.gather(*(self._ask(f, options.get(f.id)) for f in frames))

    def responsive(self, frames: list[Frame]) -> list[Frame]:
        """The frames that are not known to be stuck."""
        return [frame for frame in frames if (frame.id, frame.context) not in self._stuck]

    async def _ask(
        self, frame: Frame, options: dict[str, object] | None
    ) -> dict[str, Any] | None:  # Any: JSON
        """One frame's answer; `None` if the frame went away or is stuck."""
        observation = self._observe(frame, options)
        if frame.parent is None:
            return await observation
        try:
            async with asyncio.timeout(CHILD_PATIENCE_S):
                raw, _ = await asyncio.gather(observation, self._world.owner_id(frame))
        except GoneError:
            return None
        except (TimeoutError, BrowserError):
            self._stuck.add((frame.id, frame.context))
            return None
        answer: dict[str, Any] = raw  # Any: JSON
        return answer

    async def _observe(
        self, frame: Frame, options: dict[str, object] | None
    ) -> dict[str, Any]:  # Any: JSON
        raw = await self._request(frame, options)
        suspects = raw.get("suspects")
        if suspects and await self._roots.open(frame.id, raw["document"], suspects):
            raw = await self._request(frame, options)
        return raw

    async def _request(
        self, frame: Frame, options: dict[str, object] | None
    ) -> dict[str, Any]:  # Any: JSON
        """The observer's answer; the previous object itself if nothing has changed."""
        previous = self._cached_answers.get(frame.id)
        answer: str = await self._world.call(
            frame.id, "observeJson", options, previous.name if previous else ""
        )
        if previous is not None and answer == "=":
            return previous.raw
        name, _, text = answer.partition("\n")
        cached = self._cached_answers[frame.id] = _CachedAnswer(name, orjson.loads(text))
        return cached.raw


def _child_placement(
    index: int, frame: Frame, parent: FrameAnswer, raw: dict[str, Any]
) -> FramePlacement | None:  # Any: JSON
    """A child frame's place; `None` when its iframe is hidden or behind a dialog."""
    iframe = parent.raw["frames"].get(str(frame.owner))
    if iframe is None:
        return None
    outer = parent.place
    x, y, _, _ = iframe["box"]
    left, top, right, bottom = iframe["clip"]
    clip = (
        max(outer.clip[0], outer.x + left),
        max(outer.clip[1], outer.y + top),
        min(outer.clip[2], outer.x + right),
        min(outer.clip[3], outer.y + bottom),
    )
    dialog = outer.dialog if iframe["dialog"] is None else iframe["dialog"]
    return FramePlacement(index, outer.x + x, outer.y + y, dialog, clip, raw["rows"])


def _main_placement(raw: dict[str, Any]) -> FramePlacement:  # Any: JSON
    return FramePlacement(0, clip=(0.0, 0.0, raw["width"], raw["height"]), rows=raw["rows"])
