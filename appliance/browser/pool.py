"""Browsers kept for attempts."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Self

from playwright.async_api import BrowserContext, Error, Playwright, async_playwright

from appliance.browser._browser import Browser, bounded, first_line
from appliance.browser._folder import reap
from appliance.browser._hosts import DeadEnd
from appliance.browser._tabs import Tabs
from appliance.browser._world import hook_source
from appliance.browser.page import Page
from appliance.config import BrowserSettings
from appliance.core.errors import BrowserError, SetupError

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
            await asyncio.to_thread(reap)
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
            await self._browser.close()

    @property
    def version(self) -> str:
        """Of the browser that runs; empty before it was started."""
        return self._browser.raw.version if self._browser else ""

    async def _running(self) -> Browser:
        """The browser, started again when it crashed."""
        async with self._starting:
            if self._browser is None or not self._browser.is_alive:
                await self._close_browser()
                self._browser = None
                if self._playwright is None:
                    raise BrowserError(NOT_OPEN)
                self._browser = await Browser.start(self._playwright, self._settings)
            return self._browser

    @asynccontextmanager
    async def page(self, hosts: frozenset[str], locale: str = "en") -> AsyncIterator[Page]:
        """A fresh page that reaches only `hosts` (`host` or `host:port`)."""
        async with self._free:
            browser = await self._running()
            context = await self._context(browser, hosts, locale)
            downloads = Path(tempfile.mkdtemp(prefix="downloads-", dir=browser.process.folder))
            tabs = Tabs(context, browser.connection, hosts, self._settings, downloads)
            try:
                await tabs.open_first()
                yield Page(tabs, hosts, self._settings)
            finally:
                await tabs.close()
                await bounded(context.close())

    async def _context(
        self, browser: Browser, hosts: frozenset[str], locale: str
    ) -> BrowserContext:
        if self._dead_end is None:
            raise BrowserError(NOT_OPEN)
        try:
            context = await browser.raw.new_context(
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
            raise BrowserError(f"the browser gave no page: {first_line(exc)}") from exc
        return context


async def _started() -> Playwright:
    try:
        return await async_playwright().start()
    except Exception as exc:  # Playwright has no narrower type for a driver that does not start
        raise SetupError(
            f"cannot start Playwright's driver: {exc}; `python -m playwright --version` says why "
            "(Debian: apt-get install libatomic1)"
        ) from exc
