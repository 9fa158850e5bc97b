"""Leases, quarantine and health of accounts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import duckdb

from appliance.core.jsonable import json_object
from appliance.core.resources import AccountHealth, Quota
from appliance.core.secrets import masked, without_secrets
from appliance.store.mapping import RowMap, json_text
from appliance.store.tables import Tables
from appliance.store.times import as_stored


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseRow:
    """An account in use, or left in use by a process that died."""

    id: str
    """Of the lease."""
    console: str
    account: str
    holder: str
    """What it is for: `RUN/PROCEDURE`."""
    taken_at: datetime
    """When it began."""
    heartbeat_at: datetime
    """Its last sign of life."""
    expires_at: datetime
    """When it ends without another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountState:
    """What is known of an account besides its settings."""

    account: str
    quarantined_at: datetime | None = None
    """None: it may be leased."""
    quarantine_reason: str = ""
    quarantined_by: str = ""
    """`clean-up`, `health`, or who did it by hand."""
    checked_at: datetime | None = None
    health: AccountHealth | None = None
    """What the last look at it said."""
    last_leased_at: datetime | None = None
    """When it was last taken or given back."""


def _health(kept: dict[str, Any]) -> AccountHealth:  # Any: JSON of our own making
    quota = {kind: Quota(**numbers) for kind, numbers in kept["quota"].items()}
    return AccountHealth(**kept | {"quota": quota})


_LEASES = RowMap(LeaseRow, "leases")
_STATES = RowMap(AccountState, "account_states", json={"health": _health})


class AccountTables(Tables):
    """The tables `account_states` and `leases`. Each change is one transaction."""

    about = "accounts and leases"

    def take(self, lease: LeaseRow) -> None:
        """Keep a lease before its holder gets to know of it."""
        with self._session.transaction("leasing an account") as connection:
            _LEASES.insert(connection, lease)
            _set(connection, lease.console, lease.account, last_leased_at=as_stored(lease.taken_at))

    def extend(self, lease_id: str, heartbeat_at: datetime, expires_at: datetime) -> bool:
        """A sign of life; whether the lease was still there."""
        extended = self._write(
            "UPDATE leases SET heartbeat_at = ?, expires_at = ? WHERE id = ? RETURNING id",
            [heartbeat_at, expires_at, lease_id],
        )
        return bool(extended)

    def end(self, lease_id: str, at: datetime) -> bool:
        """The account is free again; whether the lease was still there."""
        with self._session.transaction("ending a lease") as connection:
            ended = connection.execute(
                "DELETE FROM leases WHERE id = ? RETURNING console, account", [lease_id]
            ).fetchall()
            for console, account in ended:
                _set(connection, console, account, last_leased_at=as_stored(at))
        return bool(ended)

    def leases(self, console: str | None = None) -> tuple[LeaseRow, ...]:
        """All of a console, or all there are, oldest first."""
        return self._select(
            _LEASES, "WHERE ? IS NULL OR console = ? ORDER BY taken_at", [console, console]
        )

    def quarantine(self, console: str, account: str, reason: str, by: str, at: datetime) -> None:
        """Nobody leases it until it is released; a later reason takes the place of an earlier."""
        with self._session.transaction("putting an account into quarantine") as connection:
            _set(
                connection,
                console,
                account,
                quarantined_at=as_stored(at),
                quarantine_reason=without_secrets(reason),
                quarantined_by=by,
            )

    def release(self, console: str, account: str) -> bool:
        """It may be leased again; whether it was in quarantine."""
        released = self._write(
            "UPDATE account_states SET quarantined_at = NULL, quarantine_reason = '',"
            " quarantined_by = '' WHERE console = ? AND account = ?"
            " AND quarantined_at IS NOT NULL RETURNING account",
            [console, account],
        )
        return bool(released)

    def keep_health(self, console: str, account: str, health: AccountHealth, at: datetime) -> None:
        """Keep the result of a health check."""
        with self._session.transaction("saving the health of an account") as connection:
            kept = json_text(masked(json_object(health)))
            _set(connection, console, account, health=kept, checked_at=as_stored(at))

    def states(self, console: str) -> tuple[AccountState, ...]:
        """Of all its accounts that anything is known of, by name."""
        return self._select(_STATES, "WHERE console = ? ORDER BY account", [console])

    def forget(self, console: str) -> None:
        """Nothing is known of its accounts any more: the cloud behind it is another one."""
        with self._session.transaction("forgetting accounts") as connection:
            connection.execute("DELETE FROM leases WHERE console = ?", [console])
            connection.execute("DELETE FROM account_states WHERE console = ?", [console])


def _set(
    connection: duckdb.DuckDBPyConnection, console: str, account: str, **values: object
) -> None:
    """Change columns of an account's row, which is made where there is none. Names are ours."""
    connection.execute(
        "INSERT INTO account_states (console, account, quarantine_reason, quarantined_by)"
        " SELECT ?, ?, '', '' WHERE NOT EXISTS"
        " (SELECT 1 FROM account_states WHERE console = ? AND account = ?)",
        [console, account, console, account],
    )
    changes = ", ".join(f"{name} = ?" for name in values)
    connection.execute(
        f"UPDATE account_states SET {changes} WHERE console = ? AND account = ?",  # noqa: S608 - our names
        [*values.values(), console, account],
    )
