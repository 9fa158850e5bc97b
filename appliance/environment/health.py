"""Health of accounts: log-in, quota and balance, as reported by the console."""

from collections.abc import Mapping
from dataclasses import replace

from appliance.consoles import Account, Console
from appliance.core.resources import AccountHealth, Quota
from appliance.environment.account_rows import AccountRow
from appliance.environment.accounts import AccountPool

BY_HEALTH = "health"
"""Who puts accounts into quarantine that cannot log in, and takes them out again."""


class HealthChecks:
    """Checks accounts and stores the results."""

    def __init__(self, console: Console, pool: AccountPool) -> None:
        self._console = console
        self._pool = pool

    async def check(self, account: Account) -> AccountRow:
        """Look at an account; one that cannot log in goes into quarantine, and comes out after.

        A quarantine for another reason stays: that the log-in works says nothing about it.

        Raises:
            ConsoleError: The console does not answer at all.
        """
        health = with_own_limits(await self._console.health(account), account)
        await self._pool.keep_health(account.name, health)
        before = self._pool.row(account)
        if not health.can_log_in:
            if before.quarantined_at is None or before.quarantined_by == BY_HEALTH:
                reason = health.problem or "the log-in is refused, without a reason"
                await self._pool.quarantine(account.name, reason, BY_HEALTH)
        elif before.quarantined_by == BY_HEALTH:
            await self._pool.release(account.name)
        return self._pool.row(account)


def with_own_limits(health: AccountHealth, account: Account) -> AccountHealth:
    """The console's quota, reduced by the limits of the settings."""
    quota = dict(health.quota)
    for kind, own in account.settings.quota.items():
        quota_of_kind = quota.get(kind, Quota(used=0, limit=None))
        limit = own if quota_of_kind.limit is None else min(own, quota_of_kind.limit)
        quota[kind] = Quota(used=quota_of_kind.used, limit=limit)
    return replace(health, quota=quota)


def no_room(health: AccountHealth, wanted: Mapping[str, int]) -> tuple[str, ...]:
    """A sentence on the kinds that exceed the quota; empty if all fit.

    Kinds without a limit always fit.
    """
    problems = []
    for kind, count in wanted.items():
        quota = health.quota.get(kind)
        if quota is not None and quota.limit is not None and quota.used + count > quota.limit:
            problems.append(f"{count} {kind} wanted, {quota.used} of {quota.limit} used")
    return tuple(problems)
