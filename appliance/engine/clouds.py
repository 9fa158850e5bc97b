"""Accounts and resources of a console, as the engine's callers ask for them."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from appliance.config import Settings
from appliance.consoles import Account, fitting_accounts
from appliance.core.clock import Clock
from appliance.core.errors import SetupError
from appliance.core.procedure import Procedure
from appliance.core.resources import Lifetime, Receipt, ReceiptKind
from appliance.engine.consoles import Consoles
from appliance.environment.account_rows import AccountRow
from appliance.environment.accounts import AccountPool
from appliance.environment.health import HealthChecks
from appliance.environment.janitor import Reaped
from appliance.environment.lifecycle import OpenConsole
from appliance.store.attempts import LEFT_SHOWN
from appliance.store.store import Store


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
        return fitting_accounts(self.name, self.settings.consoles[self.name].accounts, wanted)


def accounts(
    settings: Settings, store: Store, consoles: Consoles, console: str, clock: Clock
) -> tuple[AccountRow, ...]:
    """All accounts of a console, also of one that is down.

    Raises:
        SetupError: There is no such console.
    """
    console = settings.console_name(console)
    opened = consoles.find_open(console)
    if opened is not None:
        return opened.pool.list()
    known_accounts = settings.consoles[console].accounts
    if not known_accounts:
        return ()
    leases = settings.environment.leases
    source = _AccountNames(console, settings)
    return AccountPool(source, store.accounts, leases, clock, known_accounts).list()


async def check(opened: OpenConsole, name: str) -> AccountRow:
    """Check the health of one account."""
    return await HealthChecks(opened.console, opened.pool).check(_account(opened, name))


async def quarantine(opened: OpenConsole, name: str, reason: str, by: str) -> AccountRow:
    """Put an account into quarantine: no attempt leases it."""
    account = _account(opened, name)
    await opened.pool.quarantine(name, reason, by)
    return opened.pool.row(account)


async def release(opened: OpenConsole, name: str) -> AccountRow:
    """End an account's quarantine."""
    account = _account(opened, name)
    await opened.pool.release(name)
    return opened.pool.row(account)


def resources(store: Store, console: str | None) -> tuple[ResourceRow, ...]:
    """Attempts that have something in a cloud still, or may have.

    For a week also those that left what only a person can remove.
    """
    since = datetime.now(UTC) - LEFT_SHOWN
    standing = [one for one in store.attempts.standing(since) if console in (None, one.console)]
    return tuple(
        ResourceRow(lifetime=one, receipts=tuple(store.attempts.receipts(one.id)))
        for one in standing
    )


async def reap(opened: OpenConsole, *, dry_run: bool) -> tuple[Reaped, ...]:
    """What the janitor has done, or would do."""
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


async def prepare(opened: OpenConsole, procedures: Sequence[Procedure]) -> int:
    """Make ahead what these procedures share, as the accounts that they ask for."""
    by_account: dict[str | None, list[Procedure]] = defaultdict(list)
    for procedure in procedures:
        by_account[procedure.checks.account].append(procedure)
    environment = opened.environment_of("")
    count = 0
    for wanted, theirs in by_account.items():
        async with opened.pool.lease(wanted, "prepare") as lease:
            count += await environment.prepare(lease, theirs)
    return count


def _account(opened: OpenConsole, name: str) -> Account:
    if name not in {row.name for row in opened.pool.list()}:
        there = ", ".join(row.name for row in opened.pool.list())
        raise SetupError(f"console {opened.console.name} has no account {name}; there are {there}")
    return opened.console.accounts(name)[0]
