"""One tab: its frames, its traffic, and when it is quiet."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from playwright.async_api import Error
from playwright.async_api import Page as RawPage

from appliance.browser._cdp import Connection
from appliance.browser._folder import make_readable
from appliance.browser._frames import Frame
from appliance.browser._page_observer import FrameAnswer, Options, PageObserver
from appliance.browser._settling import Settling
from appliance.browser._world import Chooser, GoneError, World
from appliance.browser.observation.identity import Handle
from appliance.config import BrowserSettings
from appliance.core.errors import BrowserError
from appliance.core.page import Box

NAVIGATION_RETRIES = 8  # documents that may replace each other while one observation is made
PATIENCE_S = 2.0  # with a child frame whose script is stuck


class Tab:
    """One page of the browser under an attempt."""

    def __init__(self, raw: RawPage, world: World, settings: BrowserSettings, folder: Path) -> None:
        self.raw = raw
        self._folder = folder
        self.notices: list[dict[str, str]] = []
        self._world = world
        self._observer = PageObserver(world)
        self.traffic = world.traffic
        self._settling = Settling(self.everywhere, self.traffic, settings)

    @classmethod
    async def open(
        cls,
        raw: RawPage,
        connection: Connection,
        settings: BrowserSettings,
        folder: Path,
        on_window: Callable[[], None],
        on_chooser: Callable[[bool], None],
    ) -> "Tab":
        """Take a page under observation."""
        notices: list[dict[str, str]] = []
        target = await _target(raw)
        world = await World.open(connection, target, notices.append, on_window, on_chooser)
        tab = cls(raw, world, settings, folder)
        tab.notices = notices
        return tab

    def take_notices(self) -> list[dict[str, str]]:
        """Notices that appeared since the last call, shown still or not."""
        notices = list(self.notices)
        self.notices.clear()
        return notices

    def on_crash(self) -> None:
        """Note that the page's process died."""
        self._world.on_crash()

    async def settle(self) -> bool:
        """Wait until the page is quiet; return whether it became so in time."""
        return await self._settling.settle(self._check)

    def _check(self) -> None:
        if self.raw.is_closed():
            raise BrowserError("the page was closed")

    async def look(self, options: Options) -> list[FrameAnswer]:
        """The elements and texts of every frame, asked for at the same time."""
        for _ in range(NAVIGATION_RETRIES):
            self._check()
            try:
                return await self._observer.look(options)
            except GoneError:
                await asyncio.sleep(0.05)
        raise BrowserError(f"the page keeps navigating: {self.raw.url}")

    async def close(self) -> None:
        """Let go of the page."""
        await self._world.close()

    async def offset(self, frame_id: str, *, show: bool = False) -> tuple[float, float]:
        """Where a frame's viewport begins in the page's; `show` scrolls its iframes into view."""
        frames = {frame.id: frame for frame in await self._world.frames()}
        x = y = 0.0
        frame = frames.get(frame_id)
        while frame is not None and frame.parent is not None:
            left, top = await self._world.owner(frame, show=show)
            x, y = x + left, y + top
            frame = frames.get(frame.parent)
        return x, y

    async def in_page(self, frame: Frame, boxes: Sequence[Any] | None) -> list[Box]:  # Any: JSON
        """Boxes of a frame's viewport in the page's, as far as they are in view; None: all of it.

        Raises:
            GoneError: The frame, or one around it, has gone.
        """
        frames = {frame.id: frame for frame in await self._world.frames()}
        ancestor: Frame | None = frame
        while ancestor is not None and ancestor.parent is not None:
            owner = await self._world.owner_id(ancestor)
            boxes = await self._world.call(ancestor.parent, "outOf", owner, boxes)
            if boxes is None:
                raise GoneError("its iframe is gone")
            ancestor = frames.get(ancestor.parent)
        if ancestor is None or boxes is None:
            raise GoneError("the frame is gone")
        return [Box(*box) for box in boxes]

    async def unread(self, answered: Sequence[Frame]) -> list[Frame]:
        """The outermost frames that have not answered."""
        answered_ids = {frame.id for frame in answered}
        frames = await self._world.frames()
        return [
            frame
            for frame in frames
            if frame.id not in answered_ids and frame.parent in answered_ids
        ]

    async def show_point(self, frame_id: str, x: float, y: float) -> dict[str, Any]:  # Any: JSON
        """Bring a point of a frame's viewport into view: where it is, and whether it can be hit."""
        frames = {frame.id: frame for frame in await self._world.frames()}
        frame = frames.get(frame_id)
        point: dict[str, Any] = {"x": x, "y": y, "ok": True}  # Any: JSON
        while frame is not None and frame.parent is not None:
            owner = await self._world.owner_id(frame)
            outer_point = await self._world.call(
                frame.parent, "showPoint", owner, point["x"], point["y"]
            )
            if outer_point is None:
                raise GoneError("its iframe is gone")
            point = {**outer_point, "ok": point["ok"] and outer_point["ok"]}
            frame = frames.get(frame.parent)
        return point

    async def call(self, handle: Handle, function: str, *args: object) -> Any:  # Any: JSON
        """Call an exported function about one element."""
        answer = await self._world.call(
            handle.frame, "at", handle.document, function, handle.local, *args
        )
        if answer == "__gone__":
            raise GoneError(f"{self.raw.url} has another document now")
        return answer

    async def know_tip(self, address: str, text: str) -> None:
        """Use this text as the name of links to the address, here and in later documents."""
        if address:
            await self._world.tell("knowTip", address, text)

    async def call_frame(self, frame_id: str, function: str, *args: object) -> Any:  # Any: JSON
        """Call an exported function in one frame."""
        return await self._world.call(frame_id, function, *args)

    async def backend_node(self, handle: Handle) -> int:
        """The protocol's number of an element's node."""
        return await self._world.backend_node(handle.frame, handle.local)

    async def call_main(self, function: str, *args: object) -> Any:  # Any: JSON
        """Call an exported function in the main frame."""
        main = (await self._world.frames())[0]
        return await self._world.call(main.id, function, *args)

    async def main_frame(self) -> Frame:
        """The main frame."""
        return (await self._world.frames())[0]

    async def picture(self, **options: object) -> bytes:
        """The viewport as PNG, or as `options` of the protocol say."""
        return await self._world.picture(**options)

    async def set_files(self, handle: Handle, paths: list[str]) -> None:
        """Put files into a file input."""
        readable_paths = await asyncio.to_thread(make_readable, paths, self._folder)
        await self._world.set_files(handle.frame, handle.local, readable_paths)

    def chooser(self) -> asyncio.Future[Chooser]:
        """The next file chooser that opens."""
        return self._world.chooser()

    async def fill(self, chooser: Chooser, paths: list[str]) -> None:
        """Choose files in an open chooser."""
        await self._world.fill(chooser, await asyncio.to_thread(make_readable, paths, self._folder))

    async def everywhere(
        self, function: str, *args: object, patience_s: float = PATIENCE_S
    ) -> list[tuple[Frame, Any]]:  # Any: JSON
        """Call an exported function in all frames at once, the main one first.

        Child frames that have left or are stuck are left out.
        """
        main, *children = self._observer.responsive(await self._world.frames())

        async def ask(frame: Frame) -> Any:  # Any: JSON
            try:
                async with asyncio.timeout(patience_s):
                    return await self._world.call(frame.id, function, *args)
            except (GoneError, TimeoutError, BrowserError):
                return None

        calls = (self._world.call(main.id, function, *args), *map(ask, children))
        answers = await asyncio.gather(*calls)
        pairs = zip((main, *children), answers, strict=True)
        return [(frame, answer) for frame, answer in pairs if answer is not None]


async def _target(raw: RawPage) -> str:
    """The protocol's id of a page that Playwright opened."""
    session = await raw.context.new_cdp_session(raw)
    try:
        info = await session.send("Target.getTargetInfo")
    finally:
        with contextlib.suppress(Error):
            await session.detach()
    return str(info["targetInfo"]["targetId"])
