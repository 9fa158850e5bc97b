"""Accounts of a console, leased by one attempt at a time, in turn.

The pool is the one that decides; every decision is in the store before anybody acts on it, so that
a crash leaves a row for each account in use. Such an account is not leased until the janitor has
cleaned up after the dead and says so (`drop`).
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Protocol

import structlog

from appliance.config import AccountSettings, LeaseSettings
from appliance.consoles import Account
from appliance.core.blocking import in_thread
from appliance.core.clock import Clock
from appliance.core.errors import ConsoleError, ProvisioningError, StoreError
from appliance.core.events import AccountQuarantined, Events
from appliance.core.resources import AccountHealth
from appliance.environment.account_rows import (
    AccountRow,
    account_row,
    in_words,
    what_to_do,
)
from appliance.store.accounts import AccountState, AccountTables, LeaseRow

_NEVER = datetime.min.replace(tzinfo=UTC)

_log = structlog.get_logger()


class AccountSource(Protocol):
    """Where accounts come from: a `Console`, or its settings alone."""

    @property
    def name(self) -> str:
        """Of the console."""

    def accounts(self, name_or_role: str | None) -> Sequence[Account]:
        """Those of that name or role; `ConsoleError` when there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to use an account until the block that got it ends."""

    id: str
    account: Account
    holder: str
    taken_at: datetime


@dataclass(slots=True, eq=False)
class _Waiter:
    fitting: Sequence[Account]
    holder: str
    is_urgent: bool
    given: "asyncio.Future[LeaseRow]"


class AccountPool:
    """The accounts of one console.

    Made before the first attempt, in a thread: it reads what a crash left.
    """

    def __init__(
        self,
        console: AccountSource,
        tables: AccountTables,
        settings: LeaseSettings,
        clock: Clock,
        everyone: Mapping[str, AccountSettings] | None = None,
        events: Events | None = None,
    ) -> None:
        self._console = console
        self._tables = tables
        self._settings = settings
        self._clock = clock
        self._all_accounts = everyone
        self._events = events or Events()
        self._states = {state.account: state for state in tables.states(console.name)}
        self._left_leases = {row.id: row for row in tables.leases(console.name)}
        self._active_leases: dict[str, LeaseRow] = {}
        self._unclean_leases: set[str] = set()  # leases whose clean-up has to wait
        self._waiting: dict[_Waiter, None] = {}  # a set that remembers its order
        self._requested: dict[str, AccountSettings] = {}

    @asynccontextmanager
    async def lease(
        self, name_or_role: str | None, holder: str, region: str = "", *, is_urgent: bool = False
    ) -> AsyncIterator[Lease]:
        """Lease an account of that name or role for the block, waiting in turn.

        Should the lease be lost (no sign of life for its whole time, as on a machine that was
        suspended), the block is cancelled, and the account is for the janitor.

        Args:
            name_or_role: Of the account; None: any like the default one.
            holder: What it is for.
            region: The region that it works in; empty: any.
            is_urgent: Whether it is served before waiters that are not urgent.

        Raises:
            ConsoleError: No account fits.
            ProvisioningError: None came free in time, or all are in quarantine; or the lease was
                lost.
        """
        fitting = self._fitting(name_or_role, region)
        row = await self._wait(_Waiter(fitting, holder, is_urgent, _future()))
        is_held = True
        try:
            await in_thread(self._tables.take, row)
            account = next(account for account in fitting if account.name == row.account)
            async with asyncio.timeout(self._time_s) as limit:
                heartbeat = asyncio.get_running_loop().create_task(self._renew(row, limit))
                try:
                    yield Lease(id=row.id, account=account, holder=holder, taken_at=row.taken_at)
                finally:
                    heartbeat.cancel()
                    with suppress(asyncio.CancelledError):
                        await heartbeat
                    is_held = not limit.expired() and row.id in self._active_leases
        except TimeoutError:
            if is_held:
                raise  # the block's own
            raise ProvisioningError(
                f"{holder} lost its lease of account {row.account}: no sign of life for"
                f" {self._settings.minutes:g} minutes; the account is cleaned up first"
            ) from None
        finally:
            if is_held and row.id not in self._unclean_leases:
                await self._end_lease(row.id)
            else:
                self._unclean_leases.discard(row.id)
                self._keep_for_janitor(row)

    def leave_over(self, lease_id: str) -> None:
        """Leave the account to the janitor when the lease ends, without blaming anybody."""
        self._unclean_leases.add(lease_id)

    async def quarantine(self, name: str, reason: str, by: str) -> None:
        """Refuse new leases of an account until it is released; a running lease goes on."""
        now = self._clock.now()
        is_news = self._state(name).quarantined_at is None
        self._states[name] = replace(
            self._state(name),
            quarantined_at=now,
            quarantine_reason=reason,
            quarantined_by=by,
        )
        _log.info("account_quarantined", account=name, reason=reason, by=by)
        self._refuse_hopeless(tuple(self._waiting))
        await in_thread(self._tables.quarantine, self._console.name, name, reason, by, now)
        if is_news:
            console = self._console.name
            event = AccountQuarantined(console=console, account=name, reason=reason, by=by)
            self._events.emit(event)

    async def release(self, name: str) -> bool:
        """End an account's quarantine; whether it was in quarantine."""
        was = await in_thread(self._tables.release, self._console.name, name)
        self._states[name] = replace(
            self._state(name), quarantined_at=None, quarantine_reason="", quarantined_by=""
        )
        self._serve()
        return was

    async def keep_health(self, name: str, health: AccountHealth) -> None:
        """Store the result of a health check."""
        now = self._clock.now()
        await in_thread(self._tables.keep_health, self._console.name, name, health, now)
        self._states[name] = replace(self._state(name), health=health, checked_at=now)

    def list(self) -> tuple[AccountRow, ...]:
        """All accounts with their present states."""
        accounts = self._all_accounts or {a.name: a.settings for a in self._console.accounts(None)}
        return tuple(self._row(name, settings) for name, settings in accounts.items())

    def row(self, account: Account) -> AccountRow:
        """The state of one account."""
        return self._row(account.name, account.settings)

    def is_waiting(self, holder: str) -> bool:
        """Whether a holder of that name waits for an account."""
        return any(waiter.holder == holder for waiter in self._waiting)

    def left_over(self) -> tuple[LeaseRow, ...]:
        """Leases that their holders lost or left unclean; the janitor handles their accounts."""
        return tuple(self._left_leases.values())

    async def drop(self, lease_id: str) -> None:
        """Forget a left-over lease once the janitor has cleaned up or quarantined the account."""
        if lease_id in self._left_leases:
            await in_thread(self._tables.end, lease_id, self._clock.now())
            del self._left_leases[lease_id]
            self._serve()

    async def forget(self) -> None:
        """Forget all account states, as for a cloud that was newly started for a run.

        For before the first lease: the rows of those that are held go, too.
        """
        await in_thread(self._tables.forget, self._console.name)
        self._states.clear()
        self._left_leases.clear()
        self._serve()

    @property
    def _time_s(self) -> float:
        return self._settings.minutes * 60

    def _state(self, name: str) -> AccountState:
        return self._states.get(name) or AccountState(account=name)

    def _row(self, name: str, settings: AccountSettings) -> AccountRow:
        return account_row(
            self._console.name,
            name,
            settings,
            self._state(name),
            [row for row in self._active_leases.values() if row.account == name],
            [row for row in self._left_leases.values() if row.account == name],
        )

    def _fitting(self, name_or_role: str | None, region: str) -> Sequence[Account]:
        fitting = self._console.accounts(name_or_role)
        in_region = [a for a in fitting if not region or a.settings.region == region]
        if not in_region:
            names = ", ".join(account.name for account in fitting)
            raise ConsoleError(
                f"console {self._console.name} has no account in region {region} among {names};"
                f" give one of them that region in consoles.{self._console.name}.accounts"
            )
        return in_region

    async def _wait(self, waiter: _Waiter) -> LeaseRow:
        fitting, holder, lease_future = waiter.fitting, waiter.holder, waiter.given
        self._waiting[waiter] = None
        self._requested |= {account.name: account.settings for account in fitting}
        self._refuse_hopeless([waiter])
        self._serve()
        try:
            async with asyncio.timeout(self._settings.wait_minutes * 60):
                return await lease_future
        except TimeoutError:
            self._give_up(waiter)
            rows = [self.row(account) for account in fitting]
            raise ProvisioningError(
                f"no account of {self._console.name} came free for {holder} within"
                f" {self._settings.wait_minutes:g} minutes: {_states_of(rows)};"
                f" {what_to_do(self._console.name, rows)}"
            ) from None
        except BaseException:
            self._give_up(waiter)
            raise

    def _give_up(self, waiter: _Waiter) -> None:
        """Remove a waiter; an account granted to it at the same moment goes to the next one."""
        self._waiting.pop(waiter, None)
        lease_future = waiter.given
        if (
            lease_future.done()
            and not lease_future.cancelled()
            and lease_future.exception() is None
        ):
            del self._active_leases[lease_future.result().id]
            self._serve()

    def _serve(self) -> None:
        """Grant free accounts to waiters, first come, first served among those that fit."""
        free = self._free_accounts()
        # a stable sort: among equals it stays first come, first served
        queue = sorted(self._waiting, key=lambda waiter: not waiter.is_urgent)
        for waiter in queue if free else ():
            options = [a for a in waiter.fitting if a.name in free and not waiter.given.done()]
            if not options:
                continue
            chosen = min(options, key=lambda account: free[account.name])
            row = self._grant(chosen.name, waiter.holder)
            del self._waiting[waiter]
            waiter.given.set_result(row)
            uses, _ = free.pop(chosen.name)
            if chosen.settings.is_shareable:
                free[chosen.name] = (uses + 1, row.taken_at)
            if not free:
                return

    def _free_accounts(self) -> dict[str, tuple[int, datetime]]:
        """Accounts that may be leased now, with their number of uses and last lease."""
        use_counts = Counter(row.account for row in self._active_leases.values())
        uncleaned = {row.account for row in self._left_leases.values()}
        return {
            name: (use_counts[name], self._state(name).last_leased_at or _NEVER)
            for name, settings in self._requested.items()
            if name not in uncleaned
            and (settings.is_shareable or not use_counts[name])
            and self._state(name).quarantined_at is None
        }

    def _refuse_hopeless(self, waiters: Iterable[_Waiter]) -> None:
        """Refuse waiters whose fitting accounts are all in quarantine."""
        for waiter in waiters:
            fitting = waiter.fitting
            if all(self._state(a.name).quarantined_at is not None for a in fitting):
                del self._waiting[waiter]
                if not waiter.given.done():  # it may have given up in this very moment
                    rows = [self.row(account) for account in fitting]
                    waiter.given.set_exception(self._all_quarantined(waiter, rows))

    def _grant(self, name: str, holder: str) -> LeaseRow:
        now = self._clock.now()
        row = LeaseRow(
            id=secrets.token_hex(8),
            console=self._console.name,
            account=name,
            holder=holder,
            taken_at=now,
            heartbeat_at=now,
            expires_at=now + timedelta(seconds=self._time_s),
        )
        self._active_leases[row.id] = row
        self._states[name] = replace(self._state(name), last_leased_at=now)
        return row

    def _all_quarantined(self, waiter: _Waiter, rows: Sequence[AccountRow]) -> ProvisioningError:
        name = self._console.name
        return ProvisioningError(
            f"no account of {name} may be used for {waiter.holder}: {_states_of(rows)};"
            f" {what_to_do(name, rows)}"
        )

    async def _end_lease(self, lease_id: str) -> None:
        now, row = self._clock.now(), self._active_leases[lease_id]
        try:
            await in_thread(self._tables.end, lease_id, now)
        except StoreError:
            self._keep_for_janitor(row)  # the store holds it still
            raise
        finally:
            self._active_leases.pop(lease_id, None)
            self._states[row.account] = replace(self._state(row.account), last_leased_at=now)
            self._serve()

    def _keep_for_janitor(self, row: LeaseRow) -> None:
        """Keep a lease that did not end cleanly, so that its account stays taken until clean-up."""
        self._active_leases.pop(row.id, None)
        self._left_leases[row.id] = row
        self._serve()

    async def _renew(self, row: LeaseRow, limit: asyncio.Timeout) -> None:
        """Renew the lease by heartbeats; when one comes too late, the lease is lost."""
        loop = asyncio.get_running_loop()
        lifetime, expires_at = timedelta(seconds=self._time_s), row.expires_at
        while True:
            await asyncio.sleep(min(self._settings.heartbeat_s, self._time_s / 3))
            now = self._clock.now()
            if now >= expires_at:
                break
            try:
                if not await in_thread(self._tables.extend, row.id, now, now + lifetime):
                    break
            except StoreError as exc:  # a full disk may pass before the time is up
                _log.warning("lease_not_extended", account=row.account, reason=str(exc))
                continue
            expires_at = now + lifetime
            self._active_leases[row.id] = replace(row, heartbeat_at=now, expires_at=expires_at)
            limit.reschedule(loop.time() + self._time_s)
        limit.reschedule(loop.time())


def _future() -> "asyncio.Future[LeaseRow]":
    return asyncio.get_running_loop().create_future()


def _states_of(rows: Iterable[AccountRow]) -> str:
    """The states of accounts as one line: who holds them, who is quarantined and why."""
    return "; ".join(map(in_words, rows))
