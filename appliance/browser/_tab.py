"""One tab: its frames, its traffic, and when it is quiet."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Page as RawPage

from appliance.browser._traffic import Traffic
from appliance.browser._world import Frame, GoneError, World
from appliance.browser.observation.identity import Handle
from appliance.browser.observation.reading import Place
from appliance.config import BrowserSettings
from appliance.core.errors import BrowserError

NAVIGATION_RETRIES = 8  # documents that may replace each other while one observation is made
TICK_S = 0.02


@dataclass(frozen=True, slots=True)
class Seen:
    """What one frame's observer answered, and where the frame lies."""

    frame: Frame
    place: Place
    raw: dict[str, Any]  # Any: the observer's JSON


class Tab:
    """One page of the browser under an attempt."""

    def __init__(self, raw: RawPage, world: World, settings: BrowserSettings) -> None:
        self.raw = raw
        self.notices: list[dict[str, str]] = []
        self._world = world
        self._settings = settings
        self.traffic = Traffic(raw)

    @classmethod
    async def open(
        cls, raw: RawPage, settings: BrowserSettings, on_window: Callable[[], None]
    ) -> "Tab":
        """Take a page under observation."""
        notices: list[dict[str, str]] = []
        tab = cls(raw, await World.open(raw, notices.append, on_window), settings)
        tab.notices = notices
        return tab

    def take_notices(self) -> list[dict[str, str]]:
        """Notices that appeared since the last call, shown still or not."""
        taken = list(self.notices)
        self.notices.clear()
        return taken

    def crashed(self) -> None:
        """The page's process died."""
        self._world.crashed()

    async def settle(self) -> bool:
        """Wait until the page is quiet; whether it became so within the bound."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._settings.settle_timeout_s
        quiet_s = self._settings.quiet_ms / 1000
        while (left := end - loop.time()) > 0:
            self._check()
            if self.traffic.quiet_for() < quiet_s:
                await asyncio.sleep(TICK_S)
                continue
            try:
                await self._quiet_frames(left)
            except GoneError:
                await asyncio.sleep(TICK_S)
                continue
            if self.traffic.in_flight == 0:
                return loop.time() < end
        self.traffic.give_up()
        return False

    async def _quiet_frames(self, left_s: float) -> None:
        frames = await self._world.frames()
        bound_ms = min(left_s, self._settings.settle_timeout_s) * 1000
        calls = (self._world.call(f.id, "quiet", self._settings.quiet_ms, bound_ms) for f in frames)
        first, *rest = await asyncio.gather(*calls, return_exceptions=True)
        if isinstance(first, BaseException):
            raise first
        for answer in rest:  # a child frame may leave at any time
            if isinstance(answer, BaseException) and not isinstance(answer, GoneError):
                raise answer

    def _check(self) -> None:
        if self.raw.is_closed():
            raise BrowserError("the page was closed")

    async def look(self) -> list[Seen]:
        """Every frame's elements and texts, all frames at once."""
        for _ in range(NAVIGATION_RETRIES):
            self._check()
            try:
                return await self._look()
            except GoneError:
                await asyncio.sleep(0.05)
        raise BrowserError(f"the page keeps navigating: {self.raw.url}")

    async def _look(self) -> list[Seen]:
        frames = await self._world.frames()
        answers = await asyncio.gather(
            *(self._world.call(frame.id, "observe") for frame in frames), return_exceptions=True
        )
        owners = await asyncio.gather(
            *(self._world.owner(frame) for frame in frames[1:]), return_exceptions=True
        )
        seen: dict[str, Seen] = {}
        for index, (frame, raw) in enumerate(zip(frames, answers, strict=True)):
            if isinstance(raw, BaseException):
                if index == 0 or not isinstance(raw, GoneError):
                    raise raw
                continue
            if index == 0:
                seen[frame.id] = Seen(frame, Place(0), raw)
                continue
            owner = owners[index - 1]
            parent = seen.get(frame.parent or "")
            if parent is not None and not isinstance(owner, BaseException):
                place = _place(index, parent, owner)
                if place is not None:
                    seen[frame.id] = Seen(frame, place, raw)
        return list(seen.values())

    async def offset(self, frame_id: str, *, show: bool = False) -> tuple[float, float]:
        """Where a frame's viewport begins in the page's; `show` scrolls its iframes into view."""
        frames = {frame.id: frame for frame in await self._world.frames()}
        x = y = 0.0
        frame = frames.get(frame_id)
        while frame is not None and frame.parent is not None:
            owner = await self._world.owner(frame, show=show)
            x, y = x + owner["x"], y + owner["y"]
            frame = frames.get(frame.parent)
        return x, y

    async def call(self, handle: Handle, function: str, *args: object) -> Any:  # Any: JSON
        """Call an exported function about one element."""
        answer = await self._world.call(
            handle.frame, "at", handle.document, function, handle.local, *args
        )
        if answer == "__gone__":
            raise GoneError(f"{self.raw.url} has another document now")
        return answer

    async def call_main(self, function: str, *args: object) -> Any:  # Any: JSON
        """Call an exported function in the main frame."""
        main = (await self._world.frames())[0]
        return await self._world.call(main.id, function, *args)

    async def main_frame(self) -> Frame:
        """The main frame."""
        return (await self._world.frames())[0]

    async def picture(self) -> bytes:
        """The viewport as PNG."""
        return await self._world.picture()

    async def set_files(self, handle: Handle, paths: list[str]) -> None:
        """Put files into a file input."""
        await self._world.set_files(handle.frame, handle.local, paths)

    async def secret_boxes(self) -> list[tuple[float, float, float, float]]:
        """Boxes of filled secret fields, in the page's viewport."""
        found: list[tuple[float, float, float, float]] = []
        for frame in await self._world.frames():
            try:
                boxes = await self._world.call(frame.id, "secretBoxes")
                x, y = await self.offset(frame.id) if boxes else (0.0, 0.0)
            except GoneError:
                continue
            found.extend((left + x, top + y, width, height) for left, top, width, height in boxes)
        return found


def _place(index: int, parent: Seen, owner: dict[str, float]) -> Place | None:
    """A child frame's place; `None` when its iframe is hidden or behind a dialog."""
    offered = parent.raw["frames"].get(str(int(owner["id"])))
    if offered is None or owner["width"] < 1 or owner["height"] < 1:
        return None
    dialog = parent.place.dialog if offered["dialog"] is None else offered["dialog"]
    return Place(index, parent.place.x + owner["x"], parent.place.y + owner["y"], dialog)
