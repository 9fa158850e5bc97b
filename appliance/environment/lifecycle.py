"""provision → execute → recover → destroy, in that order, whatever fails.

Each phase is in the store before it begins, so that a crash leaves a trace for the janitor.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from appliance.browser import Page, Person
from appliance.config import EnvironmentSettings
from appliance.consoles import Account, Console
from appliance.core.blocking import in_thread, to_its_end
from appliance.core.checks import Checks, Need
from appliance.core.clock import Clock
from appliance.core.errors import (
    AttemptError,
    ConsoleError,
    HinderedError,
    ProvisioningError,
    StoreError,
)
from appliance.core.page import Performed
from appliance.core.procedure import Procedure
from appliance.core.resources import Inventory, Lifetime, Phase, Receipt, new_marker
from appliance.environment.accounts import AccountPool, Lease
from appliance.environment.health import BY_HEALTH, HealthChecks, no_room, with_own_limits
from appliance.environment.janitor import Janitor
from appliance.environment.needs import infer, with_inferred
from appliance.environment.obstacles import Obstacles
from appliance.environment.provisioning import Provisioner, Supply
from appliance.environment.recovery import Recovery
from appliance.environment.sessions import Sessions
from appliance.outcome.bindings import bind_checks, bind_needs
from appliance.store.store import Store

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """An attempt that may begin: everything it needs is there."""

    lifetime: Lifetime
    account: Account
    began: datetime
    """When everything was there: what the audit log has from before is not of the attempt."""
    bindings: Mapping[str, str]
    made: Mapping[str, str]
    """What was made for it, in words: names and ids by kind."""
    cost_per_hour: float
    """Of what was made for it alone, by the prices of its modules."""
    supply: Callable[[str], Awaitable[Performed]]
    """Makes what is asked for in words, while the attempt waits."""
    seen: "SeenAfterwards"
    """For what the console's lists show of the attempt, where it has no API to ask."""


@dataclass(slots=True)
class SeenAfterwards:
    """What the console's own lists showed of what an attempt made."""

    receipts: tuple[Receipt, ...] | None = ()
    """Deleted or left; nothing as long as nothing was done. None: nobody looked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenConsole:
    """A console that is open, with all that looks after its accounts and resources."""

    console: Console
    store: Store
    settings: EnvironmentSettings
    """How long things last."""
    clock: Clock
    pool: AccountPool
    """Its accounts."""
    provisioner: Provisioner
    """Makes and destroys in it."""
    sessions: Sessions
    """Its log-ins."""
    obstacles: Obstacles
    """What hinders every attempt in it."""
    recovery: Recovery
    """Brings its accounts back to what they were."""
    janitor: Janitor
    """Cleans up later what cannot be now."""
    ends_with_run: bool = False
    """Whether nothing of the console stays after the run."""
    living: set[str] = field(default_factory=set)
    """Ids of attempts that are under way in it: nothing for a janitor."""

    def environment_of(self, run_id: str, *, is_urgent: bool = False) -> "Environment":
        """The environment of a run; all share accounts, log-ins and what is shared in the cloud.

        Attempts of an urgent one get accounts before others that wait.
        """
        return Environment(self, run_id, is_urgent=is_urgent)


class Environment:
    """The world around the attempts of one run in one console."""

    def __init__(self, opened: OpenConsole, run_id: str, *, is_urgent: bool = False) -> None:
        self.pool = opened.pool
        self.console = opened.console
        self.obstacles = opened.obstacles
        self._opened = opened
        self._health = HealthChecks(opened.console, opened.pool)
        self._run_id = run_id
        self._is_urgent = is_urgent

    def lease(
        self, wanted: str | None, holder: str, region: str = ""
    ) -> AbstractAsyncContextManager[Lease]:
        """An account for attempts of this run; see `AccountPool.lease`."""
        return self.pool.lease(wanted, holder, region, is_urgent=self._is_urgent)

    @asynccontextmanager
    async def attempt(
        self, lease: Lease, procedure: Procedure, number: int, values: Mapping[str, str]
    ) -> AsyncIterator[Ready]:
        """Provision, let the caller execute, recover, destroy.

        Raises:
            ProvisioningError: What is needed could not be made; or what was made could not be
                removed, unless the caller's own failure came first. The account is in quarantine
                then.
            HinderedError: A full disk or a console that is down was in the way. Where the account
                could not be cleaned for it, the janitor has it.
        """
        account = lease.account
        try:
            lifetime = await self._start(account, procedure, number)
        except AttemptError as exc:
            await self._examine(account, exc)
            raise
        is_whole, afterwards = False, SeenAfterwards()
        try:
            await self.console.remember(account)
            checks, supplied = await self._provide(lifetime, account, procedure, values)
            await in_thread(self._opened.store.attempts.enter, lifetime.id, Phase.EXECUTING)
            bindings = {"unique": lifetime.unique, **values, **supplied.bindings}
            yield Ready(
                lifetime=lifetime,
                account=account,
                began=self._opened.clock.now(),
                bindings=bind_checks(checks, bindings),
                made=supplied.bindings,
                cost_per_hour=supplied.cost_per_hour,
                supply=lambda words: self._opened.provisioner.provide_requested(
                    words, lifetime, account, bindings
                ),
                seen=afterwards,
            )
            is_whole = True
        except AttemptError as exc:
            await self.obstacles.raise_if_hindered(
                exc
            )  # at once: it may pass while it is cleaned up
            raise
        finally:
            problem = await self._end(lifetime, lease, afterwards)
            if problem and is_whole:
                raise ProvisioningError(f"could not remove {problem}")

    async def log_in(
        self, page: Page, account: Account, locale: str, person: Person | None = None
    ) -> None:
        """Leave `page` on the console's start page, logged in, by a session that lasts still.

        Raises:
            ConsoleError: It is refused. Where the account itself is at fault (locked, expired,
                wrong password), it is in quarantine then.
            PersonError: It needs a person, and none comes.
            HinderedError: The console is down.
        """
        try:
            await self._opened.sessions.log_in(self.console, page, account, locale, person)
        except ConsoleError as exc:
            await self.log_in_failed(account, exc)
            raise

    async def log_in_failed(self, account: Account, exc: ConsoleError) -> None:
        """The kept log-in is forgotten, and the account looked at.

        Raises:
            HinderedError: The console is down.
        """
        await self._opened.sessions.forget(self.console, account)
        await self._examine(account, exc)

    async def lend_log_in(self, account: Account, locale: str) -> str | None:
        """What is kept of a log-in, for another process; see `Sessions.lend`."""
        return await self._opened.sessions.lend(self.console, account, locale)

    async def take_log_in(
        self, account: Account, locale: str, kept: str | None, *, was_good: bool | None
    ) -> None:
        """What another process made of it; see `Sessions.take`."""
        await self._opened.sessions.take(self.console, account, locale, kept, was_usable=was_good)

    async def keep_log_in(self, page: Page, account: Account) -> None:
        """After an attempt: what the console has made of a log-in that a person did."""
        await self.console.keep_log_in(page, account)

    async def look_again(self) -> None:
        """Accounts that were no good may be so now: somebody has put the password right."""
        for row in self.pool.list():
            if row.quarantined_by == BY_HEALTH:
                await self._look_at(self.console.accounts(row.name)[0])

    async def clean_up_later(self) -> None:
        """Finish what could not be cleaned up when its attempts ended.

        Raises:
            HinderedError: It cannot be done now either.
        """
        try:
            await self._opened.janitor.reap(frozenset(self._opened.living))
        except AttemptError as exc:
            _log.warning("not_cleaned_up", reason=str(exc))  # nobody gets such an account

    async def _examine(self, account: Account, exc: AttemptError) -> None:
        """After a failure: an account that is itself at fault is put into quarantine.

        Raises:
            HinderedError: It is not: the console is down.
        """
        await self.obstacles.raise_if_hindered(exc)
        await self._look_at(account)

    async def _look_at(self, account: Account) -> None:
        with suppress(AttemptError):  # what failed first says enough
            await self._health.check(account)

    async def apply(
        self, lease: Lease, needs: Sequence[Need], minutes: float | None = None
    ) -> tuple[Lifetime, Supply]:
        """Make something that stays for a time: by hand, or ahead of a sweep.

        Raises:
            ProvisioningError: It cannot be made; nothing of it is left, or the account is in
                quarantine.
        """
        lifetime = self._lifetime(lease.account, "", 0, None, minutes)
        await self._keep(lifetime)
        try:
            bindings = {"unique": lifetime.unique}
            supplied = await self._opened.provisioner.provide(
                lifetime, lease.account, needs, bindings
            )
        except BaseException:
            await self._end(lifetime, lease)
            raise
        self._opened.living.discard(lifetime.id)
        await in_thread(self._opened.store.attempts.enter, lifetime.id, Phase.EXECUTING)
        return lifetime, supplied

    async def prepare(self, lease: Lease, procedures: Sequence[Procedure]) -> int:
        """Make ahead what several of these procedures will share; how many there are now.

        Raises:
            ProvisioningError: One cannot be made.
        """
        lifetime = self._lifetime(lease.account, "", 0, None)
        needs: list[Need] = []
        for procedure in procedures:
            needs += bind_needs(self._checks(procedure), {"unique": lifetime.unique})
        return await self._opened.provisioner.prepare(lifetime, lease.account, needs)

    async def destroy(self, lifetime: Lifetime, seen: SeenAfterwards | None = None) -> str:
        """Remove what was made by an attempt and for it; what is left, with why.

        The account is in quarantine when something is left.
        """
        receipts = seen.receipts if seen else None
        problem = await self._opened.recovery.finish(lifetime, Phase.DONE, seen=receipts)
        if problem:
            _log.warning("clean_up_failed", account=lifetime.account, problem=problem)
        return problem

    async def _start(self, account: Account, procedure: Procedure, number: int) -> Lifetime:
        """Keep what the account holds now, before anything is made in it."""
        baseline = None
        if not account.settings.is_shareable:
            baseline = await self.console.inventory(account)
        lifetime = self._lifetime(account, procedure.id, number, baseline)
        await self._keep(lifetime)
        return lifetime

    async def _keep(self, lifetime: Lifetime) -> None:
        """From here on the store knows of it, whatever becomes of this process."""
        try:
            await in_thread(self._opened.store.attempts.start, lifetime)
        except asyncio.CancelledError:  # nothing is made yet
            await in_thread(
                self._opened.store.attempts.enter,
                lifetime.id,
                Phase.DONE,
                at=self._opened.clock.now(),
            )
            raise
        self._opened.living.add(lifetime.id)

    async def _end(
        self, lifetime: Lifetime, lease: Lease, afterwards: SeenAfterwards | None = None
    ) -> str:
        """Destroy it, also while the program stops: a clean-up that was cut is a leak."""
        try:
            return await to_its_end(self._destroy_leased(lifetime, lease, afterwards))
        finally:
            self._opened.living.discard(lifetime.id)

    async def _destroy_leased(
        self, lifetime: Lifetime, lease: Lease, afterwards: SeenAfterwards | None
    ) -> str:
        try:
            return await self.destroy(lifetime, afterwards)
        except (HinderedError, StoreError, OSError):
            self.pool.leave_over(lease.id)  # nobody gets it before it is clean
            raise

    def _lifetime(
        self,
        account: Account,
        procedure_id: str,
        number: int,
        baseline: Inventory | None,
        minutes: float | None = None,
    ) -> Lifetime:
        now = self._opened.clock.now()
        lasts = timedelta(minutes=minutes or self._opened.settings.time_to_live_minutes)
        return Lifetime(
            id=f"a{now:%m%d%H%M%S}-{secrets.token_hex(3)}",
            run_id=self._run_id,
            procedure_id=procedure_id,
            number=number,
            console=self.console.name,
            account=account.name,
            unique=new_marker(),
            phase=Phase.PROVISIONING,
            since=now,
            baseline=baseline,
            expires_at=now + lasts,
            started_at=now,
            ends_with_run=self._opened.ends_with_run,
        )

    async def _provide(
        self,
        lifetime: Lifetime,
        account: Account,
        procedure: Procedure,
        values: Mapping[str, str],
    ) -> tuple[Checks, Supply]:
        """What was made, and the checks with what the text itself speaks of."""
        bindings = {"unique": lifetime.unique, **values}
        checks = procedure.checks
        if self._opened.settings.provision == "off":
            return checks, Supply(bindings={})
        if checks.source is None:
            return await self._provide_inferred(lifetime, account, procedure, bindings)
        needs = bind_needs(checks, bindings)
        await self._check_quota(account, needs)
        return checks, await self._opened.provisioner.provide(lifetime, account, needs, bindings)

    def _checks(self, procedure: Procedure) -> Checks:
        """What is known about a procedure; where nobody wrote that down, what its text tells."""
        if procedure.checks.source is not None:
            return procedure.checks
        return with_inferred(procedure.checks, infer(procedure, self._opened.provisioner.modules))

    async def _check_quota(self, account: Account, needs: Sequence[Need]) -> None:
        """Where the settings say how much may be made in an account, it is not exceeded."""
        if not needs or not account.settings.quota:
            return
        health = with_own_limits(await self.console.health(account), account)
        if problems := no_room(health, Counter(need.kind for need in needs)):
            raise ProvisioningError(f"quota of account {account.name}: {'; '.join(problems)}")

    async def _provide_inferred(
        self,
        lifetime: Lifetime,
        account: Account,
        procedure: Procedure,
        known: Mapping[str, str],
    ) -> tuple[Checks, Supply]:
        """What the text speaks of. That it cannot be made is no reason not to read on."""
        checks = self._checks(procedure)
        try:
            needs = bind_needs(checks, known)
            return checks, await self._opened.provisioner.provide(lifetime, account, needs, known)
        except ProvisioningError as exc:
            _log.warning("inferred_need_not_made", procedure=procedure.id, problem=str(exc))
            return procedure.checks, Supply(bindings={})
