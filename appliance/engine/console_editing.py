"""Add, change, test and remove consoles while the engine works."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import structlog

from appliance.config import ConsoleSettings, EditedConsoles, Settings, checked
from appliance.consoles import configured_console
from appliance.core.errors import ApplianceError, SetupError
from appliance.engine.consoles import Consoles
from appliance.engine.context import EngineContext
from appliance.engine.problems import UnknownConsole

_log = structlog.get_logger()


class ConsoleOrigin(StrEnum):
    """Where the settings of a console stand."""

    CONFIG = "config"  # the settings file, a variable, or our default
    DASHBOARD = "dashboard"  # the data folder: made while it ran


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleState:
    """A console, and how it stands with it."""

    name: str
    """Its name."""
    kind: str
    """Which adapter drives it."""
    url: str
    """Address of its log-in page."""
    log_in: str
    """How an account gets in."""
    accounts: tuple[str, ...]
    """Names of its accounts."""
    origin: ConsoleOrigin
    """`config`: the settings file, where it is changed; `dashboard`: made here."""
    problem: str
    """Why it cannot be worked in now; empty: it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountTrial:
    """Whether an account got in."""

    account: str
    """Its name; empty: it is about the console itself."""
    problem: str
    """Why not; empty: it did."""


class ConsoleEditor:
    """The consoles of the settings file and those added here; only the latter can be changed.

    All copies of the settings share one mapping of consoles, which only this class changes.
    """

    def __init__(
        self, context: EngineContext, consoles: Consoles, is_busy: Callable[[str], bool]
    ) -> None:
        """`is_busy`: whether a run is under way in a console."""
        self._context = context
        self._settings: Settings = context.settings
        self._consoles = consoles
        self._is_busy = is_busy
        self._file = EditedConsoles(context.settings.data_dir)
        self._change = asyncio.Lock()
        self._trial = asyncio.Lock()

    def list(self) -> tuple[ConsoleState, ...]:
        """All, in the order of the settings. Blocks."""
        own_names = self._file.names()
        return tuple(
            ConsoleState(
                name=name,
                kind=console.kind,
                url=console.url,
                log_in=console.log_in,
                accounts=tuple(console.accounts),
                origin=ConsoleOrigin.DASHBOARD if name in own_names else ConsoleOrigin.CONFIG,
                problem=self._consoles.why_not(name),
            )
            for name, console in self._settings.consoles.items()
        )

    def get(self, name: str) -> ConsoleState:
        """One of them; `UnknownConsole` where there is none. Blocks."""
        if name not in self._settings.consoles:
            raise UnknownConsole(name)
        return next(row for row in self.list() if row.name == name)

    async def put(self, name: str, console: ConsoleSettings) -> ConsoleState:
        """Add a console, or replace one added here; it is saved and opened.

        Raises:
            SetupError: It stands in the settings file, cannot be, names what `server.consoles` does
                not allow, or a run is under way in it.
        """
        async with self._change:
            await self._require_ours(name)
            self._check(name, console)
            await asyncio.to_thread(self._file.put, name, console)
            self._settings.consoles[name] = console
            await self._consoles.renew(name)
        _log.info("console.changed", console=name)
        return await asyncio.to_thread(self.get, name)

    async def remove(self, name: str) -> None:
        """Remove a console added here; the findings about it stay.

        Raises:
            UnknownConsole: There is none.
            SetupError: It stands in the settings file, or runs of it are not over.
        """
        async with self._change:
            if name not in self._settings.consoles:
                raise UnknownConsole(name)
            await self._require_ours(name)
            rows = await asyncio.to_thread(self._context.store.sweeps.unfinished)
            if remaining := [row.id for row in rows if row.console == name]:
                raise SetupError(
                    f"console {name} has runs that are not over: {', '.join(remaining)}"
                )
            await asyncio.to_thread(self._file.drop, name)
            del self._settings.consoles[name]
            await self._consoles.renew(name)
        _log.info("console.removed", console=name)

    async def try_out(self, name: str, console: ConsoleSettings) -> tuple[AccountTrial, ...]:
        """Whether it answers, and lets each account in; nothing is kept. One at a time.

        Raises:
            SetupError: It cannot be, or names what `server.consoles` does not allow.
        """
        settings = self._check(name, console)
        async with self._trial:
            try:
                adapter = await asyncio.to_thread(configured_console, settings, name)
            except ApplianceError as exc:
                return (AccountTrial(account="", problem=str(exc)),)
            try:
                await adapter.check()
                healths = {
                    account: await adapter.health(adapter.accounts(account)[0])
                    for account in console.identities
                }
            except ApplianceError as exc:
                return (AccountTrial(account="", problem=str(exc)),)
            finally:
                await adapter.close()
        return tuple(
            AccountTrial(account=account, problem="" if health.can_log_in else health.problem)
            for account, health in healths.items()
        )

    def _check(self, name: str, console: ConsoleSettings) -> Settings:
        return checked(self._settings.with_console(name, console), {name})

    async def _require_ours(self, name: str) -> None:
        own_names = await asyncio.to_thread(self._file.names)
        if name in self._settings.consoles and name not in own_names:
            raise SetupError(
                f"console {name} stands in the settings file: change it there, and start the"
                " server again"
            )
        if self._is_busy(name):
            raise SetupError(
                f"a run is under way in console {name}: wait for its end, or cancel it"
            )
