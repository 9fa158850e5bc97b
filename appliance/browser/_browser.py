"""One browser of the pool: its process, and the two connections to it."""

import asyncio
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Self

import structlog
from playwright.async_api import Browser as RawBrowser
from playwright.async_api import Error, Playwright

from appliance.browser._cdp import Connection
from appliance.browser._chromium import find_executable, launch_flags, not_started
from appliance.browser._process import BrowserProcess, NotStartedError
from appliance.config import BrowserSettings
from appliance.core.errors import BrowserError

CONNECT_TIMEOUT_S = 30.0
CLOSE_TIMEOUT_S = 10.0

_log = structlog.get_logger()


class Browser:
    """A Chromium that runs, under Playwright and under a connection of our own."""

    def __init__(
        self,
        process: BrowserProcess,
        raw: RawBrowser,
        connection: Connection,
        stack: AsyncExitStack,
    ) -> None:
        self.process = process
        self.raw = raw
        self.connection = connection
        self._stack = stack

    @classmethod
    async def start(cls, playwright: Playwright, settings: BrowserSettings) -> Self:
        """Start one; `SetupError` when there is none that starts."""
        executable = find_executable(settings, Path(playwright.chromium.executable_path))
        if executable is None:
            raise not_started(None, "")
        async with AsyncExitStack() as stack:
            process = await _started(executable, settings)
            stack.push_async_callback(process.close)
            try:
                raw = await playwright.chromium.connect_over_cdp(
                    process.ws_url,
                    artifacts_dir=process.folder,
                    is_local=True,
                    timeout=CONNECT_TIMEOUT_S * 1000,
                )
                stack.push_async_callback(bounded, raw.close())
            except Error as exc:
                raise BrowserError(f"the browser is out of reach: {first_line(exc)}") from exc
            connection = await Connection.open(process.ws_url)
            stack.push_async_callback(connection.close)
            return cls(process, raw, connection, stack.pop_all())

    @property
    def is_alive(self) -> bool:
        """Whether it runs and listens."""
        return self.process.is_running and self.raw.is_connected()

    async def close(self) -> None:
        """End it."""
        await self._stack.aclose()


async def _started(executable: Path, settings: BrowserSettings) -> BrowserProcess:
    """Chromium in its own sandbox, or without it where the system allows none (containers)."""
    try:
        return await BrowserProcess.start(executable, launch_flags(settings, sandbox=True))
    except NotStartedError as exc:
        if "sandbox" not in str(exc).lower():
            raise not_started(executable, str(exc)) from exc
    _log.warning("browser_without_sandbox", executable=str(executable))
    try:
        return await BrowserProcess.start(executable, launch_flags(settings, sandbox=False))
    except NotStartedError as exc:
        raise not_started(executable, str(exc)) from exc


async def bounded(closing: Awaitable[None]) -> None:
    """Close something of Playwright's, bounded; what crashed is closed already."""
    try:
        async with asyncio.timeout(CLOSE_TIMEOUT_S):
            await closing
    except (Error, TimeoutError):
        return


def first_line(exc: Error) -> str:
    """The part of an error of Playwright's that says something."""
    return exc.message.splitlines()[0] if exc.message else "no reason given"
