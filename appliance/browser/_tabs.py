"""The tabs of one attempt: pop-ups, native dialogs, downloads, crashes."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path

from playwright.async_api import (
    BrowserContext,
    Dialog,
    Download,
    Error,
    Request,
    Response,
)
from playwright.async_api import Frame as RawFrame
from playwright.async_api import Page as RawPage

from appliance.browser._cdp import Connection
from appliance.browser._hosts import is_allowed
from appliance.browser._tab import Tab
from appliance.browser.acting.target import NotDoneError
from appliance.browser.observation.identity import Identity
from appliance.config import BrowserSettings
from appliance.core.errors import BrowserError
from appliance.core.page import PageEvent

DIALOG_LIMIT = (
    50  # native dialogs accepted in one attempt; a page that loops on alerts is refused after
)
OPEN_TIMEOUT_S = 10.0
POPUP_TIMEOUT_S = 3.0  # a window that was asked for may be blocked


class Tabs:
    """All tabs of a browser context; the newest is the active one."""

    def __init__(
        self,
        context: BrowserContext,
        connection: Connection,
        hosts: frozenset[str],
        settings: BrowserSettings,
        downloads: Path,
    ) -> None:
        self._context = context
        self._connection = connection
        self._hosts = hosts
        self._settings = settings
        self._downloads = downloads
        self._tabs: list[Tab] = []
        self._identities: dict[Tab, Identity] = {}
        self._active: Tab | None = None
        self._events: list[PageEvent] = []
        self._taken_count = 0
        self._dialogs = 0
        self._expected = 0
        self._opening: set[asyncio.Task[None]] = set()
        self._saving: set[asyncio.Task[None]] = set()
        self._numbers = iter(range(1, 10**9))
        self.objects: Callable[[str], str] = lambda message: ""
        """What is against saying yes to a question of the browser's own; empty: nothing."""

    async def open_first(self, raw: RawPage | None = None) -> None:
        """Open the attempt's first tab, or take the one that is open."""
        await self._add(raw or await self._context.new_page())
        self._context.on("page", self._on_page)

    @property
    def active(self) -> Tab:
        """The tab that is looked at."""
        if self._active is None:
            raise BrowserError("the page was closed")
        return self._active

    @property
    def is_open(self) -> bool:
        """Whether there is a tab left."""
        return self._active is not None

    def is_active(self, tab: Tab) -> bool:
        """Whether that tab is the one that is looked at."""
        return self._active is tab

    @property
    def active_identity(self) -> Identity:
        """The numbers of the active tab's elements."""
        return self._identities[self.active]

    @property
    def event_count(self) -> int:
        """How many events there have been."""
        return len(self._events)

    def events_since(self, count: int) -> list[PageEvent]:
        """The events after the first so many."""
        return self._events[count:]

    def take_events(self) -> list[PageEvent]:
        """Events since the last call."""
        new_events = self._events[self._taken_count :]
        self._taken_count = len(self._events)
        return new_events

    def _expect(self) -> None:
        self._expected += 1

    async def ready(self) -> None:
        """Wait for pop-ups that are opening."""
        loop = asyncio.get_running_loop()
        end = loop.time() + POPUP_TIMEOUT_S
        while self._expected > 0 and loop.time() < end:
            await asyncio.sleep(0.02)
        self._expected = 0
        if self._opening:
            await asyncio.wait(self._opening, timeout=OPEN_TIMEOUT_S)

    async def switch(self, wanted: str) -> None:
        """Make a tab active: by number from 1, or by part of its title or address."""
        for index, tab in enumerate(self._tabs, 1):
            title = await tab.raw.title()
            if wanted.strip() == str(index) or (
                wanted and (wanted in title or wanted in tab.raw.url)
            ):
                self._active = tab
                await tab.raw.bring_to_front()
                return
        raise NotDoneError(f"there is no tab {wanted!r}; {len(self._tabs)} are open")

    async def close(self) -> None:
        """Stop listening."""
        for task in (*self._opening, *self._saving):
            task.cancel()
        await asyncio.gather(*self._opening, *self._saving, return_exceptions=True)
        for tab in self._tabs:
            await tab.close()

    def _tell(self, kind: str, text: str) -> None:
        self._events.append(PageEvent(kind=kind, text=text))

    def _spawn(self, job: Coroutine[None, None, None], tasks: set[asyncio.Task[None]]) -> None:
        # Playwright's handlers are plain functions; this object owns the task and ends it.
        task = asyncio.get_running_loop().create_task(job)
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    def _on_page(self, raw: RawPage) -> None:
        self._expected -= 1
        self._tell("popup", raw.url)
        self._spawn(self._adopt(raw), self._opening)

    async def _adopt(self, raw: RawPage) -> None:
        try:
            await self._add(raw)
        except Error as exc:  # it closed again at once
            self._tell("popup", f"closed again: {exc.message.splitlines()[0]}")

    async def _add(self, raw: RawPage) -> None:
        raw.on("dialog", self._on_dialog)
        raw.on("download", self._on_download)
        raw.on("requestfailed", self._on_failed)
        raw.on("response", self._on_response)
        raw.on("framenavigated", self._on_navigated)
        callbacks = (self._expect, self._on_chooser)
        tab = await Tab.open(raw, self._connection, self._settings, self._downloads, *callbacks)
        raw.on("crash", lambda _: self._on_crash(tab))
        raw.on("close", lambda _: self._on_close(tab))
        self._tabs.append(tab)
        self._identities[tab] = Identity(self._numbers)
        self._active = tab
        if raw.is_closed():
            self._on_close(tab)

    def _on_close(self, tab: Tab) -> None:
        if tab in self._tabs:
            self._tabs.remove(tab)
        if self._active is tab:
            self._active = self._tabs[-1] if self._tabs else None

    def _on_crash(self, tab: Tab) -> None:
        tab.on_crash()
        self._tell("crash", tab.raw.url)

    def _on_navigated(self, frame: RawFrame) -> None:
        if frame.parent_frame is None:
            self._tell("navigation", frame.url)

    def _on_dialog(self, dialog: Dialog) -> None:
        # A reader who confirms a deletion presses OK; so does the appliance, and says so.
        self._dialogs += 1
        why = self.objects(dialog.message) if dialog.type in ("confirm", "prompt") else ""
        accept = self._dialogs <= DIALOG_LIMIT and not why
        outcome = "accepted" if accept else f"dismissed: {why}" if why else "dismissed"
        self._tell("native_dialog", f"{dialog.type}: {dialog.message!r} ({outcome})")
        self._spawn(self._answer(dialog, accept), self._saving)

    async def _answer(self, dialog: Dialog, accept: bool) -> None:
        try:
            if accept:
                await dialog.accept(dialog.default_value)
            else:
                await dialog.dismiss()
        except Error as exc:  # its page is gone
            self._tell("native_dialog", f"not answered: {exc.message.splitlines()[0]}")

    def _on_chooser(self, takes_many: bool) -> None:
        # It never opens: who wants to give it a file does so by an upload to what opened it.
        self._tell("file_chooser", "several files" if takes_many else "one file")

    def _on_download(self, download: Download) -> None:
        self._tell("download", download.suggested_filename)
        self._spawn(self._save(download), self._saving)

    async def _save(self, download: Download) -> None:
        name = Path(download.suggested_filename).name or "download"
        try:
            await download.save_as(self._downloads / name)
        except Error as exc:
            self._tell("download", f"{name} failed: {exc.message.splitlines()[0]}")

    def _on_failed(self, request: Request) -> None:
        if request.is_navigation_request() and not is_allowed(request.url, self._hosts):
            self._tell("navigation", f"blocked: {request.url} is not on one of the console's hosts")

    def _on_response(self, response: Response) -> None:
        kind = response.request.resource_type
        worst = {"document": 400, "xhr": 500, "fetch": 500}.get(kind, 600)
        if response.status >= worst:
            text = f"{response.status} {response.request.method} {response.url}"
            self._tell("http_error", text)
