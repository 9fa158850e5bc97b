"""Cleans up leftovers: unfinished attempts, expired resources, strays."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from appliance.consoles import Account, Trace
from appliance.core.blocking import in_thread
from appliance.core.errors import AttemptError
from appliance.core.resources import MARKER, Inventory, Lifetime, Phase, Receipt, Thing
from appliance.environment.account_rows import Standing
from appliance.environment.recovery import CLEAN_UP, Recovery

_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaped:
    """One attempt, or one account's strays, and what became of it."""

    account: str
    attempt: Lifetime | None
    """None: strays, which no store remembers."""
    receipts: tuple[Receipt, ...] = ()
    """What was removed, or would be."""
    problem: str = ""
    """What is left, with why."""


class Janitor:
    """Cleans up in one console, except for what a live attempt of this process uses."""

    def __init__(self, recovery: Recovery, time_to_live: timedelta) -> None:
        self._recovery = recovery
        self._console = recovery.console
        self._pool = recovery.pool
        self._provisioner = recovery.provisioner
        self._store = recovery.store
        self._clock = recovery.clock
        self._time_to_live = time_to_live

    def due(self, living: frozenset[str] = frozenset()) -> tuple[Lifetime, ...]:
        """Attempts of this console that left something, or may have; `living` ones are not due.

        Blocks.
        """
        return tuple(
            lifetime
            for lifetime in self._store.attempts.unfinished()
            if lifetime.console == self._console.name
            and lifetime.id not in living
            and (_is_of_attempt(lifetime) or self._is_over(lifetime))
        )

    async def reap(self, living: frozenset[str] = frozenset()) -> tuple[Reaped, ...]:
        """Clean up what is due; repeating it does no harm.

        Raises:
            HinderedError: Not now: the console is down, or the disk is full.
        """
        reaped = []
        for lifetime in await asyncio.to_thread(self.due, living):
            async with self._alone(lifetime.account):
                reaped.append(await self._finish(lifetime))
        for lease in self._pool.left_over():
            if not any(r.problem and r.account == lease.account for r in reaped):
                await self._pool.drop(lease.id)
        return tuple(reaped)

    async def strays(self) -> tuple[tuple[Account, Thing], ...]:
        """Resources that carry a marker, have expired, and are not in the store."""
        unfinished = await asyncio.to_thread(self._store.attempts.unfinished)
        unfinished_ids = {lifetime.unique for lifetime in unfinished}
        strays = []
        for row in self._pool.list():
            account = self._console.accounts(row.name)[0]
            inventory = await self._console.inventory(account) or Inventory()
            strays += [
                (account, item) for item in inventory.things if self._is_stray(item, unfinished_ids)
            ]
        return tuple(strays)

    async def reap_strays(self) -> tuple[Reaped, ...]:
        """Delete the strays."""
        by_account: dict[str, list[Thing]] = {}
        accounts = {}
        for account, item in await self.strays():
            accounts[account.name] = account
            by_account.setdefault(account.name, []).append(item)
        reaped = []
        for name, things in by_account.items():
            async with self._alone(name):
                reaped.append(await self._delete(accounts[name], things))
        return tuple(reaped)

    @asynccontextmanager
    async def _alone(self, name: str) -> AsyncIterator[None]:
        """Lease the account exclusively, lest another's new resources be taken for strays."""
        rows = [row for row in self._pool.list() if row.name == name]
        if not rows or rows[0].standing in (Standing.LEFT_OVER, Standing.QUARANTINED):
            yield  # nobody can lease it
            return
        async with self._pool.lease(name, CLEAN_UP):
            yield

    async def _finish(self, lifetime: Lifetime) -> Reaped:
        if lifetime.ends_with_run:
            await in_thread(self._provisioner.forget, lifetime)
            now = self._clock.now()
            await in_thread(self._store.attempts.enter, lifetime.id, Phase.LOST, at=now)
            return Reaped(account=lifetime.account, attempt=lifetime)
        problem = await self._recovery.finish(lifetime, Phase.LOST, gives_back=True)
        return Reaped(
            account=lifetime.account,
            attempt=lifetime,
            receipts=await asyncio.to_thread(self._store.attempts.receipts, lifetime.id),
            problem=problem,
        )

    async def _delete(self, account: Account, things: Sequence[Thing]) -> Reaped:
        """Delete the strays, and treat everything else as having been there before."""
        inventory = await self._console.inventory(account) or Inventory()
        before = Inventory(inventory.things - frozenset(things))
        keep = await asyncio.to_thread(self._provisioner.kept)
        trace = Trace(since=_LONG_AGO, unique="", before=before, keep=keep)
        try:
            receipts = await self._console.recover(account, trace)
        except AttemptError as exc:
            return Reaped(account=account.name, attempt=None, problem=str(exc))
        return Reaped(account=account.name, attempt=None, receipts=tuple(receipts))

    def _is_stray(self, item: Thing, unfinished_ids: set[str]) -> bool:
        marker = MARKER.search(item.name)
        if marker is None or marker.group() in unfinished_ids or item.created is None:
            return False
        return item.created <= self._clock.now() - self._time_to_live

    def _is_over(self, lifetime: Lifetime) -> bool:
        """Whether it has expired and is unused."""
        is_used = any(s.attempt_id == lifetime.id and s.users for s in self._store.shared.all())
        return lifetime.expires_at <= self._clock.now() and not is_used


def _is_of_attempt(lifetime: Lifetime) -> bool:
    """Whether it belongs to an attempt, and was not applied by hand or to be shared."""
    return bool(lifetime.procedure_id) or lifetime.phase is not Phase.EXECUTING
