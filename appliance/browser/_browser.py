"""One browser of the pool: its process, the two connections to it, its contexts, its wear."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, closing
from functools import partial
from pathlib import Path
from typing import Self

import structlog
from playwright.async_api import Browser as RawBrowser
from playwright.async_api import Error, Playwright

from appliance.browser._cdp import Connection, ProtocolError
from appliance.browser._chromium import find_executable, launch_flags, not_started
from appliance.browser._contexts import Contexts
from appliance.browser._driver import close_bounded, first_line, start_driver
from appliance.browser._egress import Egress
from appliance.browser._hosts import DeadEnd
from appliance.browser._process import BrowserProcess, NotAsUserError, NotStartedError
from appliance.browser._trust import trusted_by
from appliance.config import BrowserSettings
from appliance.core.errors import BrowserError, SetupError
from appliance.system.network.authority import Authority
from appliance.system.network.network import Network

BROWSER_USER = 65501
"""Whom root's browsers run as: in the range that Debian reserves and systemd gives to services, so
that it is nobody's; below 65536, so that a container has it."""
CONNECT_TIMEOUT_S = 30.0
ANSWER_TIMEOUT_S = 10.0
SILENCES = 2  # checks in a row without an answer: one may be our own process's fault

_log = structlog.get_logger()


class Browser:
    """A Chromium that runs, under a driver of its own: what one loses, the others keep."""

    def __init__(
        self,
        process: BrowserProcess,
        raw: RawBrowser,
        connection: Connection,
        contexts: Contexts,
        settings: BrowserSettings,
        stack: AsyncExitStack,
    ) -> None:
        self.process = process
        self.raw = raw
        self.contexts = contexts
        self.users = 0
        self.attempts = 0
        self._connection = connection
        self._settings = settings
        self._stack = stack
        self._started = asyncio.get_running_loop().time()
        self._silences = 0

    @classmethod
    async def start(cls, settings: BrowserSettings, networks: Sequence[Network] = ()) -> Self:
        """Start one that trusts whom the networks trust; `SetupError` when none starts."""
        authority = Authority() if any(each.client for each in networks) else None
        trusted = await asyncio.to_thread(trusted_by, networks, authority)
        async with AsyncExitStack() as stack:
            driver = await start_driver()
            stack.push_async_callback(driver.stop)
            executable = find_executable(settings, Path(driver.chromium.executable_path))
            if executable is None:
                raise not_started(None, "")
            dead_end = stack.enter_context(closing(DeadEnd()))
            process = await start_browser(executable, settings, dead_end.flags(), trusted)
            stack.push_async_callback(process.close)
            try:
                raw = await _connect(driver, process)
            except Error as exc:
                raise BrowserError(f"the browser is out of reach: {first_line(exc)}") from exc
            stack.push_async_callback(lambda: close_bounded(raw.close()))
            connection = await Connection.open(process.ws_url)
            stack.push_async_callback(connection.close)
            egress = await stack.enter_async_context(Egress(dead_end, authority, process.user))
            contexts = Contexts(raw, connection, process.folder, egress, settings)
            stack.push_async_callback(contexts.discard)
            return cls(process, raw, connection, contexts, settings, stack.pop_all())

    @property
    def is_alive(self) -> bool:
        """Whether it runs and listens."""
        return self.process.is_running and self.raw.is_connected() and self._connection.is_open

    async def is_stuck(self) -> bool:
        """Ask it; whether it has been silent several times in a row."""
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                await self._connection.session("").send("Browser.getVersion")
        except TimeoutError:
            self._silences += 1
        except (BrowserError, ProtocolError):
            return False  # not alive: seen elsewhere
        else:
            self._silences = 0
        return self._silences >= SILENCES

    async def wear(self) -> str:
        """Why it had better be replaced; empty while it is good."""
        if self.attempts == 0:
            return ""
        if self.attempts >= self._settings.recycle_after_attempts:
            return f"{self.attempts} attempts"
        minutes = (asyncio.get_running_loop().time() - self._started) / 60
        if minutes >= self._settings.recycle_after_minutes:
            return f"{minutes:.0f} minutes old"
        memory = await self.process.memory_mib()
        return f"{memory} MiB" if memory > self._settings.recycle_over_mib else ""

    async def close(self) -> None:
        """Close the browser and end its process."""
        await self._stack.aclose()
        await self.contexts.close()


async def _connect(driver: Playwright, process: BrowserProcess) -> RawBrowser:
    """Connect, also when interrupted: what Playwright knows by half complains aloud at its end."""
    connecting = asyncio.ensure_future(
        driver.chromium.connect_over_cdp(
            process.ws_url,
            artifacts_dir=process.own_folder,
            is_local=True,
            timeout=CONNECT_TIMEOUT_S * 1000,
        )
    )
    try:
        return await asyncio.shield(connecting)
    except asyncio.CancelledError:
        process.kill()  # then it is soon over, whatever the browser is at
        await asyncio.gather(connecting, return_exceptions=True)
        raise


async def start_browser(
    executable: Path, settings: BrowserSettings, flags: list[str], trusted: Sequence[str] = ()
) -> BrowserProcess:
    """Chromium in its own sandbox, or without it where the system allows none (containers).

    As root Chromium has no sandbox: it runs as a user without rights. Where that cannot be, it runs
    as root only with `browser.allow_root_without_sandbox`.

    Args:
        executable: The Chromium.
        settings: Of the browsers.
        flags: Beside those of every browser.
        trusted: Certificates, in PEM, that it trusts besides its own.
    """
    user = BROWSER_USER if os.geteuid() == 0 else None
    launch = partial(_try_start, executable, settings, flags, trusted)
    try:
        try:
            return await launch(user=user, sandbox=True)
        except NotStartedError as exc:
            if "sandbox" not in str(exc).lower() or isinstance(exc, NotAsUserError):
                raise
            return await launch(user=user, sandbox=False)
    except NotAsUserError as exc:
        if settings.allow_root_without_sandbox:
            return await _as_root(executable, launch)
        raise SetupError(
            f"root's browser ({executable}) runs as the user {user}, who has no rights, and that "
            f"cannot be: {exc}. Run the appliance as another user; or put the browser, and TMPDIR, "
            "where every user may go; or set browser.allow_root_without_sandbox"
        ) from exc
    except NotStartedError as exc:
        raise not_started(executable, str(exc)) from exc


async def _as_root(
    executable: Path, launch: Callable[..., Awaitable[BrowserProcess]]
) -> BrowserProcess:
    try:
        return await launch(user=None, sandbox=False)
    except NotStartedError as exc:
        raise not_started(executable, str(exc)) from exc


async def _try_start(
    executable: Path,
    settings: BrowserSettings,
    flags: list[str],
    trusted: Sequence[str],
    *,
    user: int | None,
    sandbox: bool,
) -> BrowserProcess:
    own = launch_flags(settings, sandbox=sandbox)
    process = await BrowserProcess.start(executable, [*own, *flags], user, trusted)
    process.is_sandboxed = sandbox
    if not sandbox:
        _log.warning("browser_without_sandbox", executable=str(executable), user=user)
    return process
