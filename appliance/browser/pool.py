"""Browsers kept for attempts."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Self

from playwright.async_api import Browser, BrowserContext, Error, Playwright, async_playwright

from appliance.browser._chromium import find_executable, launch_flags, not_started
from appliance.browser._hosts import DeadEnd
from appliance.browser._tabs import Tabs
from appliance.browser._world import hook_source
from appliance.browser.page import Page
from appliance.config import BrowserSettings
from appliance.core.errors import BrowserError, SetupError

LAUNCH_TIMEOUT_S = 60.0
CLOSE_TIMEOUT_S = 10.0
NOT_OPEN = "the browser pool is not open: use `async with BrowserPool(...)`"
LOCALES = {"en": "en-US", "zh": "zh-CN"}


class BrowserPool:
    """Starts Chromium once and lends pages, each in a context of its own."""

    def __init__(self, settings: BrowserSettings) -> None:
        self._settings = settings
        self._free = asyncio.Semaphore(settings.pool_size)
        self._starting = asyncio.Lock()  # one browser is started, however many ask at once
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._stack = AsyncExitStack()
        self._dead_end: DeadEnd | None = None

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            self._dead_end = stack.enter_context(closing(DeadEnd()))
            self._playwright = await _started()
            stack.push_async_callback(self._playwright.stop)
            stack.push_async_callback(self._close_browser)
            await self._running()
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._stack.aclose()

    async def _close_browser(self) -> None:
        if self._browser is not None:
            await _close(self._browser)

    @property
    def version(self) -> str:
        """Of the browser that runs; empty before it was started."""
        return self._browser.version if self._browser else ""

    async def _running(self) -> Browser:
        """The browser, started again when it crashed."""
        async with self._starting:
            if self._browser is None or not self._browser.is_connected():
                self._browser = await self._launch()
            return self._browser

    async def _launch(self) -> Browser:
        if self._playwright is None:
            raise BrowserError(NOT_OPEN)
        executable = find_executable(self._settings)
        try:
            return await self._playwright.chromium.launch(
                executable_path=executable,
                channel=None if executable else "chromium",
                headless=self._settings.headless,
                args=launch_flags(),
                timeout=LAUNCH_TIMEOUT_S * 1000,
            )
        except Error as exc:
            raise not_started(executable, exc.message) from exc

    @asynccontextmanager
    async def page(self, hosts: frozenset[str], locale: str = "en") -> AsyncIterator[Page]:
        """A fresh page that reaches only `hosts` (`host` or `host:port`)."""
        async with self._free:
            with tempfile.TemporaryDirectory(prefix="appliance-browser-") as folder:
                context = await self._context(hosts, locale)
                tabs = Tabs(context, hosts, self._settings, Path(folder))
                try:
                    await tabs.open_first()
                    yield Page(tabs, hosts, self._settings)
                finally:
                    await tabs.close()
                    await _close(context)

    async def _context(self, hosts: frozenset[str], locale: str) -> BrowserContext:
        browser = await self._running()
        if self._dead_end is None:
            raise BrowserError(NOT_OPEN)
        try:
            context = await browser.new_context(
                locale=LOCALES.get(locale, locale),
                timezone_id="UTC",
                viewport={
                    "width": self._settings.viewport_width_px,
                    "height": self._settings.viewport_height_px,
                },
                proxy=self._dead_end.proxy(hosts),
                service_workers="block",
                reduced_motion="reduce",
                accept_downloads=True,
            )
            await context.add_init_script(hook_source())
        except Error as exc:
            raise BrowserError(f"the browser gave no page: {exc.message.splitlines()[0]}") from exc
        return context


async def _started() -> Playwright:
    try:
        return await async_playwright().start()
    except Exception as exc:  # Playwright has no narrower type for a driver that does not start
        raise SetupError(
            f"cannot start Playwright's driver: {exc}; `python -m playwright --version` says why "
            "(Debian: apt-get install libatomic1)"
        ) from exc


async def _close(thing: Browser | BrowserContext) -> None:
    """Close, bounded; what crashed is closed already."""
    try:
        async with asyncio.timeout(CLOSE_TIMEOUT_S):
            await thing.close()
    except (Error, TimeoutError):
        return
