"""The consoles, which are kept open; those that are down are retried."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import structlog

from appliance.consoles import configured_console
from appliance.core.errors import ApplianceError, ConsoleError, HinderedError
from appliance.core.secrets import without_secrets
from appliance.engine.context import EngineContext
from appliance.engine.problems import NotReady
from appliance.environment.lifecycle import OpenConsole
from appliance.environment.opening import open_environment, preflight

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 30.0
"""Pauses before a console that is down is retried; each is twice the one before."""

_log = structlog.get_logger()


class Consoles:
    """All consoles. Leftovers of a crash are cleaned up before a console is lent."""

    def __init__(self, context: EngineContext, on_change: Callable[[], None]) -> None:
        """Create it without opening anything.

        Args:
            context: The engine's context.
            on_change: Called when a console comes up.
        """
        self._context = context
        self._settings = settings = context.settings
        self._on_change = on_change
        self._open: dict[str, OpenConsole] = {}
        self._down = dict.fromkeys(settings.consoles, "not opened yet")
        self._doubted = {name: asyncio.Event() for name in settings.consoles}
        self._group: asyncio.TaskGroup | None = None
        self._keepers: dict[str, asyncio.Task[None]] = {}

    async def keep(self) -> None:
        """Open every console, and keep it open until cancelled."""
        async with asyncio.TaskGroup() as self._group:
            for name in self._settings.consoles:
                self._begin(name)

    async def renew(self, name: str) -> None:
        """Reopen a console by the current settings, or close it if it is no longer in them."""
        self._down[name] = "not opened yet"
        self._doubted[name] = asyncio.Event()
        if keeper := self._keepers.pop(name, None):
            keeper.cancel()
            await asyncio.wait([keeper])
        if name in self._settings.consoles:
            self._begin(name)
        else:
            del self._down[name], self._doubted[name]

    def _begin(self, name: str) -> None:
        if self._group is not None:
            keeper = self._group.create_task(self._keep(name), name=f"console {name}")
            self._keepers[name] = keeper

    def ready(self, name: str) -> OpenConsole | None:
        """The console if it is ready for work now, else None."""
        return None if name in self._down else self._open.get(name)

    def find_open(self, name: str) -> OpenConsole | None:
        """The console if it has been opened, even if it does not answer now."""
        return self._open.get(name)

    def need(self, name: str) -> OpenConsole:
        """The console, ready to be worked in.

        Raises:
            SetupError: There is no console of that name.
            ConsoleError: It does not answer.
        """
        name = self._settings.console_name(name)
        opened = self.ready(name)
        if opened is None:
            raise ConsoleError(f"console {name} is not ready: {self._down.get(name, '')}")
        return opened

    def why_not(self, name: str) -> str:
        """Why a console is not ready; empty if it is."""
        return self._down.get(name, "")

    def doubt(self, name: str, why: str) -> None:
        """Mark a console that did not answer as not ready until it does."""
        self._down[name] = why
        self._doubted[name].set()

    def problems(self) -> tuple[NotReady, ...]:
        """The consoles that are not ready."""
        return tuple(NotReady(f"console {name}", why) for name, why in self._down.items())

    async def _keep(self, name: str) -> None:
        pause_s = _FIRST_PAUSE_S
        while True:
            try:
                async with self.opening(name) as opened:
                    pause_s = _FIRST_PAUSE_S
                    self._open[name] = opened
                    self._is_up(name)
                    while True:
                        await self._doubted[name].wait()
                        self._doubted[name].clear()
                        await self._until_it_answers(name, opened)
                        with suppress(HinderedError):  # it is down again: doubted again
                            await opened.environment_of("").clean_up_later()
            except ApplianceError as exc:
                self._note(name, str(exc))
            except Exception as exc:  # noqa: BLE001 - one console's fault is not the others'
                _log.error("console_failed", console=name, exc_info=True)
                self._note(name, f"{type(exc).__name__}: {exc}")
            finally:
                self._open.pop(name, None)
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)

    @asynccontextmanager
    async def opening(self, name: str) -> AsyncIterator[OpenConsole]:
        """One console, as long as the block runs; what a crash left in it is removed first.

        Raises:
            ConsoleError: It does not answer, or an account's password cannot be read.
            SetupError: A resource module is wrong.
        """
        context = self._context
        async with AsyncExitStack() as stack:
            console = await asyncio.to_thread(
                configured_console, self._settings, name, context.store
            )
            stack.push_async_callback(console.close)
            await preflight(console)
            opening = open_environment(
                console,
                self._settings,
                context.store,
                events=context.events,
                clock=context.clock,
                ends_with_run=name in context.started,
            )
            opened = await stack.enter_async_context(opening)
            for reaped in await opened.janitor.reap():
                context.on_reaped(reaped)
            await opened.environment_of("").look_again()
            yield opened

    async def _until_it_answers(self, name: str, opened: OpenConsole) -> None:
        pause_s = _FIRST_PAUSE_S
        while True:
            try:
                await opened.console.check()
            except ConsoleError as exc:
                self._note(name, str(exc))
            else:
                self._is_up(name)
                return
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)

    def _is_up(self, name: str) -> None:
        self._down.pop(name, None)
        _log.info("console_ready", console=name)
        self._on_change()

    def _note(self, name: str, why: str) -> None:
        why = without_secrets(why)
        if self._down.get(name) != why:
            _log.warning("console_not_ready", console=name, reason=why)
        self._down[name] = why
