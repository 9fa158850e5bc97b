"""Which browser new attempts get, and what becomes of those that are worn, dead or stuck."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import structlog

from appliance.browser._browser import Browser
from appliance.browser._contexts import ContextKind, OpenContext
from appliance.browser._folder import reap
from appliance.browser._jobs import Jobs
from appliance.config import BrowserSettings
from appliance.core.errors import BrowserError, SetupError
from appliance.system.network.network import Network

CHECK_EVERY_S = 10.0

_log = structlog.get_logger()


class Fleet:
    """One browser for new attempts; worn ones go when their last attempt has gone."""

    def __init__(self, settings: BrowserSettings, networks: Sequence[Network] = ()) -> None:
        self._settings = settings
        self._networks = networks
        self._current: Browser | None = None
        self._drained: set[Browser] = set()
        self._starting = asyncio.Lock()  # one browser is started, however many ask at once
        self._tending = Jobs()
        self._ending = Jobs()

    async def open(self) -> None:
        """Remove what dead owners left, start the first browser, and look after it."""
        for folder in await asyncio.to_thread(reap):
            _log.info("orphan_reaped", folder=str(folder))
        self._current = await Browser.start(self._settings, self._networks)
        self._tending.start(self._tend())

    async def close(self) -> None:
        """End every browser."""
        await self._tending.close()
        if self._current is not None:
            self._retire(self._current)
        for browser in list(self._drained):
            self._end(browser)
        await self._ending.finish()

    @property
    def current(self) -> Browser | None:
        """The browser that the next attempt gets, if it is well."""
        return self._current

    @property
    def browsers(self) -> list[Browser]:
        """All running browsers."""
        return [*([self._current] if self._current else []), *self._drained]

    @asynccontextmanager
    async def context(self, kind: ContextKind) -> AsyncIterator[OpenContext]:
        """A context that nobody has used; thrown away afterwards."""
        async with AsyncExitStack() as stack:
            browser = await stack.enter_async_context(self._use())
            try:
                opened = await browser.contexts.take(kind)
            except BrowserError as exc:
                # Nothing was done in it yet: an attempt need not suffer from what came before it.
                _log.warning("browser_gives_no_page", reason=str(exc))
                self._retire(browser)
                browser = await stack.enter_async_context(self._use())
                opened = await browser.contexts.take(kind)
            try:
                yield opened
            finally:
                closing = self._ending.start(opened.close())
                if not await asyncio.shield(closing):  # goes on when this attempt is given up
                    _log.warning("context_not_closed", attempts=browser.attempts)
                    self._retire(browser)

    @asynccontextmanager
    async def _use(self) -> AsyncIterator[Browser]:
        browser = await self._ready()
        browser.users += 1
        browser.attempts += 1
        try:
            yield browser
        finally:
            browser.users -= 1
            if browser in self._drained and browser.users == 0:
                self._end(browser)

    async def _ready(self) -> Browser:
        """The current browser, a fresh one when it died."""
        if self._current is not None and self._current.is_alive:
            return self._current
        async with self._starting:
            if self._current is None or not self._current.is_alive:
                if self._current is not None:
                    _log.warning("browser_died", attempts=self._current.attempts)
                try:
                    await self._replace()
                except SetupError as exc:  # it did start before: this attempt has bad luck
                    raise BrowserError(str(exc)) from exc
        return await self._ready()

    async def _replace(self) -> None:
        fresh = await Browser.start(self._settings, self._networks)
        if self._current is not None:
            self._retire(self._current)
        self._current = fresh

    def _retire(self, browser: Browser) -> None:
        """Give it to nobody any more; it ends with its last attempt."""
        if browser is self._current:
            self._current = None
            self._drained.add(browser)
            if browser.users == 0:
                self._end(browser)
            else:
                self._ending.start(browser.contexts.discard())

    def _end(self, browser: Browser) -> None:
        self._drained.discard(browser)
        self._ending.start(browser.close())

    async def _tend(self) -> None:
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            await self.check()

    async def check(self) -> None:
        """Kill what is stuck, replace what is worn, throw away what is stale."""
        for browser in self.browsers:
            if await browser.is_stuck():
                _log.warning("browser_stuck", attempts=browser.attempts)
                browser.process.kill()
        current = self._current
        if current is None or not current.is_alive:
            return
        await current.contexts.tend()
        if why := await current.wear():
            await self._renew(current, why)

    async def _renew(self, worn: Browser, why: str) -> None:
        async with self._starting:  # attempts go on with the worn one until the fresh one is there
            if self._current is not worn:
                return
            try:
                await self._replace()
            except (BrowserError, SetupError) as exc:
                _log.warning("browser_not_renewed", why=why, reason=str(exc))
            else:
                _log.info("browser_renewed", why=why)
