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
    """What was created in a cloud for an attempt or by hand and may still exist."""

    lifetime: Lifetime
    receipts: tuple[Receipt, ...]
    is_alive: bool = False
    """Whether this process works in it now."""


@dataclass(frozen=True, slots=True)
class _AccountNames:
    """Account names from the settings alone, without opening the console."""

    name: str
    settings: Settings

    def accounts(self, wanted: str | None) -> Sequence[Account]:
        return matching_accounts(self.name, self.settings.consoles[self.name].identities, wanted)


class Clouds:
    """The accounts of the consoles and the cloud resources created with them."""

    def __init__(self, context: EngineContext, consoles: Consoles) -> None:
        self._context = context
        self._consoles = consoles

    def accounts(self, console: str) -> tuple[AccountRow, ...]:
        """All accounts of a console with their state, even while it is down. Blocks.

        Raises:
            SetupError: There is no such console.
        """
        settings = self._context.settings
        console = settings.console_name(console)
        open_console = self._consoles.find_open(console)
        if open_console is not None:
            return open_console.pool.list()
        identities = settings.consoles[console].identities
        if not identities:
            return ()
        leases, clock = settings.environment.leases, self._context.clock
        names = _AccountNames(console, settings)
        return AccountPool(names, self._context.store.accounts, leases, clock, identities).list()

    async def check_account(self, console: str, name: str) -> AccountRow:
        """Try the log-in and read quotas; an account that cannot log in is quarantined.

        Raises:
            SetupError: There is no such console or account.
            ConsoleError: The console does not answer.
        """
        open_console = self._consoles.need(console)
        return await HealthChecks(open_console.console, open_console.pool).check(
            _find_account(open_console, name)
        )

    async def record_log_in(self, console: str, name: str) -> AccountRow:
        """Have a person log in through questions with the page's picture, and record the log-in.

        Raises:
            SetupError: There is no such console or account, or its log-ins are not recorded.
            ConsoleError: The console does not answer, or asks for a log-in still.
            PersonError: Nobody answered in time.
        """
        open_console, context = self._consoles.need(console), self._context
        account, settings = _find_account(open_console, name), context.settings
        console_settings = settings.consoles[open_console.console.name]
        if console_settings.log_in != "state":
            raise SetupError(
                f"console {open_console.console.name} has `log_in: {console_settings.log_in}`:"
                " only that of `log_in: state` is recorded"
            )
        recorded_log_ins = await asyncio.to_thread(RecordedLogIns.of, settings)
        person = Person(
            people=context.people,
            run_id="",
            procedure_id=f"log-in/{open_console.console.name}/{name}",
            wait_s=settings.agent.person_wait_minutes * 60,
            clock=context.clock,
        )
        console_adapter = open_console.console
        async with context.pool.page(
            console_adapter.hosts, console_settings.locale or "en", console_adapter.network
        ) as page:
            await RecordedLogIn(
                open_console.console.name, console_settings.url, recorded_log_ins
            ).record(page, account, person)
        return await self.check_account(console, name)

    async def quarantine(self, console: str, name: str, reason: str, by: str) -> AccountRow:
        """Exclude an account from further attempts. Raises as `check_account` does."""
        open_console = self._consoles.need(console)
        account = _find_account(open_console, name)
        await open_console.pool.quarantine(name, reason, by)
        return open_console.pool.row(account)

    async def release(self, console: str, name: str) -> AccountRow:
        """Let attempts use an account again. Raises as `check_account` does."""
        open_console = self._consoles.need(console)
        account = _find_account(open_console, name)
        await open_console.pool.release(name)
        return open_console.pool.row(account)

    async def resources(self, console: str | None = None) -> tuple[ResourceRow, ...]:
        """Attempts that may still have something in a cloud; in all consoles if None.

        For a week, this includes attempts that left what only a person can remove.
        """
        rows = await asyncio.to_thread(self._resources, console)
        consoles = map(self._consoles.find_open, {row.lifetime.console for row in rows})
        living = {
            attempt_id
            for open_console in consoles
            if open_console
            for attempt_id in open_console.living
        }
        return tuple(replace(row, is_alive=row.lifetime.id in living) for row in rows)

    def _resources(self, console: str | None) -> tuple[ResourceRow, ...]:
        attempts, since = self._context.store.attempts, datetime.now(UTC) - LEFT_SHOWN
        return tuple(
            ResourceRow(lifetime=lifetime, receipts=attempts.receipts(lifetime.id))
            for lifetime in attempts.standing(since)
            if console in (None, lifetime.console)
        )

    async def reap(self, console: str, dry_run: bool = False) -> tuple[Reaped, ...]:
        """Remove leftovers of a crash, expired resources and strays; a dry run only lists them.

        Raises:
            SetupError: There is no such console.
            ConsoleError: It does not answer.
        """
        open_console = self._consoles.need(console)
        living = frozenset(open_console.living)
        if not dry_run:
            reaped = await open_console.janitor.reap(living)
            return (*reaped, *await open_console.janitor.reap_strays())
        due_attempts = await asyncio.to_thread(open_console.janitor.due, living)
        strays: dict[str, list[Receipt]] = defaultdict(list)
        for account, stray in await open_console.janitor.strays():
            receipt = Receipt(deed=ReceiptKind.MADE, kind=stray.kind, id=stray.id, name=stray.name)
            strays[account.name].append(receipt)
        return (
            *(Reaped(account=lifetime.account, attempt=lifetime) for lifetime in due_attempts),
            *(
                Reaped(account=account_name, attempt=None, receipts=tuple(receipts))
                for account_name, receipts in strays.items()
            ),
        )

    async def prepare(self, console: str) -> int:
        """Create ahead what the next sweep's procedures share; return how many exist now.

        Raises:
            SetupError: There is no such console, or nothing to verify.
            ConsoleError: It does not answer.
            ProvisioningError: Something cannot be made.
        """
        open_console = self._consoles.need(console)
        request = RunRequest(kind=RunKind.SWEEP, console=console)
        by_account: dict[str | None, list[Procedure]] = defaultdict(list)
        for procedure in await asyncio.to_thread(self._context.planner.due, request):
            by_account[procedure.checks.account].append(procedure)
        environment = open_console.environment_of("")
        count = 0
        for account_name, procedures in by_account.items():
            async with open_console.pool.lease(account_name, "prepare") as lease:
                count += await environment.prepare(lease, procedures)
        return count


def _find_account(open_console: OpenConsole, name: str) -> Account:
    if name not in {row.name for row in open_console.pool.list()}:
        names = ", ".join(row.name for row in open_console.pool.list())
        raise SetupError(
            f"console {open_console.console.name} has no account {name}; there are {names}"
        )
    return open_console.console.accounts(name)[0]
