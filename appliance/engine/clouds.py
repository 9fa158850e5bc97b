"""Accounts and resources of a console, as the engine's callers ask for them."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from appliance.browser import Person
from appliance.config import Settings
from appliance.consoles import Account, RecordedLogIn, RecordedLogIns, matching_accounts
from appliance.core.errors import SetupError
from appliance.core.procedure import Procedure
from appliance.core.resources import Lifetime, Receipt, ReceiptKind
from appliance.engine.consoles import Consoles
from appliance.engine.context import EngineContext
from appliance.engine.request import RunKind, RunRequest
from appliance.environment.account_rows import AccountRow
from appliance.environment.accounts import AccountPool
from appliance.environment.health import HealthChecks
from appliance.environment.janitor import Reaped
from appliance.environment.lifecycle import OpenConsole
from appliance.store.attempts import LEFT_SHOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceRow:
    """What was made in a cloud for an attempt, or by hand, and is not known to be gone."""

    lifetime: Lifetime
    receipts: tuple[Receipt, ...]
    is_alive: bool = False
    """Whether this process works in it now."""


@dataclass(frozen=True, slots=True)
class _AccountNames:
    """Accounts by the settings alone: looking at them needs no console."""

    name: str
    settings: Settings

    def accounts(self, wanted: str | None) -> Sequence[Account]:
        return matching_accounts(self.name, self.settings.consoles[self.name].identities, wanted)


class Clouds:
    """The accounts of the consoles, and what was made with them."""

    def __init__(self, context: EngineContext, consoles: Consoles) -> None:
        self._context = context
        self._consoles = consoles

    def accounts(self, console: str) -> tuple[AccountRow, ...]:
        """All accounts of a console, as they stand, also of one that is down. Blocks.

        Raises:
            SetupError: There is no such console.
        """
        settings = self._context.settings
        console = settings.console_name(console)
        opened = self._consoles.find_open(console)
        if opened is not None:
            return opened.pool.list()
        known = settings.consoles[console].identities
        if not known:
            return ()
        leases, clock = settings.environment.leases, self._context.clock
        names = _AccountNames(console, settings)
        return AccountPool(names, self._context.store.accounts, leases, clock, known).list()

    async def check_account(self, console: str, name: str) -> AccountRow:
        """Try the log-in and ask for quotas; who cannot log in goes into quarantine.

        Raises:
            SetupError: There is no such console or account.
            ConsoleError: The console does not answer.
        """
        opened = self._consoles.need(console)
        return await HealthChecks(opened.console, opened.pool).check(_account(opened, name))

    async def record_log_in(self, console: str, name: str) -> AccountRow:
        """Have a person log in, by a question with the page's picture, and keep that.

        Raises:
            SetupError: There is no such console or account, or its log-ins are not recorded.
            ConsoleError: The console does not answer, or asks for a log-in still.
            PersonError: Nobody answered in time.
        """
        opened, context = self._consoles.need(console), self._context
        account, settings = _account(opened, name), context.settings
        of = settings.consoles[opened.console.name]
        if of.log_in != "state":
            raise SetupError(
                f"console {opened.console.name} has `log_in: {of.log_in}`: only that of `log_in:"
                " state` is recorded"
            )
        kept = await asyncio.to_thread(RecordedLogIns.of, settings)
        person = Person(
            people=context.people,
            run_id="",
            procedure_id=f"log-in/{opened.console.name}/{name}",
            wait_s=settings.agent.person_wait_minutes * 60,
            clock=context.clock,
        )
        at = opened.console
        async with context.pool.page(at.hosts, of.locale or "en", at.network) as page:
            await RecordedLogIn(opened.console.name, of.url, kept).record(page, account, person)
        return await self.check_account(console, name)

    async def quarantine(self, console: str, name: str, reason: str, by: str) -> AccountRow:
        """No attempt uses it from now on. See `check_account`."""
        opened = self._consoles.need(console)
        account = _account(opened, name)
        await opened.pool.quarantine(name, reason, by)
        return opened.pool.row(account)

    async def release(self, console: str, name: str) -> AccountRow:
        """It may be used again. See `check_account`."""
        opened = self._consoles.need(console)
        account = _account(opened, name)
        await opened.pool.release(name)
        return opened.pool.row(account)

    async def resources(self, console: str | None = None) -> tuple[ResourceRow, ...]:
        """Attempts that have something in a cloud still, or may have; None: in all consoles.

        For a week also those that left what only a person can remove.
        """
        rows = await asyncio.to_thread(self._resources, console)
        consoles = map(self._consoles.find_open, {row.lifetime.console for row in rows})
        living = {one for opened in consoles if opened for one in opened.living}
        return tuple(replace(row, is_alive=row.lifetime.id in living) for row in rows)

    def _resources(self, console: str | None) -> tuple[ResourceRow, ...]:
        attempts, since = self._context.store.attempts, datetime.now(UTC) - LEFT_SHOWN
        return tuple(
            ResourceRow(lifetime=one, receipts=attempts.receipts(one.id))
            for one in attempts.standing(since)
            if console in (None, one.console)
        )

    async def reap(self, console: str, dry_run: bool = False) -> tuple[Reaped, ...]:
        """Remove what a crash left, what is past its time, and strays; or only say what.

        Raises:
            SetupError: There is no such console.
            ConsoleError: It does not answer.
        """
        opened = self._consoles.need(console)
        living = frozenset(opened.living)
        if not dry_run:
            reaped = await opened.janitor.reap(living)
            return (*reaped, *await opened.janitor.reap_strays())
        due = await asyncio.to_thread(opened.janitor.due, living)
        strays: dict[str, list[Receipt]] = defaultdict(list)
        for account, thing in await opened.janitor.strays():
            there = Receipt(deed=ReceiptKind.MADE, kind=thing.kind, id=thing.id, name=thing.name)
            strays[account.name].append(there)
        return (
            *(Reaped(account=one.account, attempt=one) for one in due),
            *(Reaped(account=n, attempt=None, receipts=tuple(r)) for n, r in strays.items()),
        )

    async def prepare(self, console: str) -> int:
        """Make ahead what the procedures of the coming sweep share; how many there are now.

        Raises:
            SetupError: There is no such console, or nothing to verify.
            ConsoleError: It does not answer.
            ProvisioningError: Something cannot be made.
        """
        opened = self._consoles.need(console)
        request = RunRequest(kind=RunKind.SWEEP, console=console)
        by_account: dict[str | None, list[Procedure]] = defaultdict(list)
        for procedure in await asyncio.to_thread(self._context.planner.due, request):
            by_account[procedure.checks.account].append(procedure)
        environment = opened.environment_of("")
        count = 0
        for wanted, procedures in by_account.items():
            async with opened.pool.lease(wanted, "prepare") as lease:
                count += await environment.prepare(lease, procedures)
        return count


def _account(opened: OpenConsole, name: str) -> Account:
    if name not in {row.name for row in opened.pool.list()}:
        there = ", ".join(row.name for row in opened.pool.list())
        raise SetupError(f"console {opened.console.name} has no account {name}; there are {there}")
    return opened.console.accounts(name)[0]
