"""API keys and log-ins: who may ask the server, in which role. Only hashes of them are kept."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from appliance.core.errors import SetupError
from appliance.store.mapping import RowMap
from appliance.store.tables import Tables
from appliance.store.times import as_stored


class UnknownKey(SetupError):
    """There is no key of that name or id."""

    def __init__(self, key: str) -> None:
        super().__init__(f"there is no key {key!r}; `appliance key list` shows all")


class Role(StrEnum):
    """What a caller may do. Each may do what the one before may."""

    VIEWER = "viewer"
    """Look."""
    OPERATOR = "operator"
    """Start, stop, triage."""
    ADMIN = "admin"
    """Keys, schedules and what else outlives a run."""

    def includes(self, needed: "Role") -> bool:
        """Whether this role may do what `needed` may."""
        order = tuple(Role)
        return order.index(self) >= order.index(needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRow:
    """What is known of a key."""

    id: str
    """Its public part."""
    name: str
    """Who or what it is for."""
    role: Role
    """What it may do."""
    hash: str = field(repr=False)
    created_at: datetime
    """When it was made."""
    created_by: str
    """Who made it."""
    last_used_at: datetime | None = None
    """To the minute; None: never."""
    revoked_at: datetime | None = None
    """None: it is good."""
    revoked_by: str = ""
    """Who revoked it."""


_KEYS = RowMap(KeyRow, "api_keys")


class KeyTable(Tables):
    """The table `api_keys`."""

    about = "keys"

    def add(self, key: KeyRow) -> None:
        """Keep a new one."""
        self._insert(_KEYS, key)

    def get(self, id: str) -> KeyRow | None:
        """The one of that id, revoked or not."""
        return self._find(_KEYS, "WHERE id = ?", [id])

    def all(self) -> tuple[KeyRow, ...]:
        """All keys, revoked ones too, oldest first."""
        return self._select(_KEYS, "ORDER BY created_at, id")

    def mark_used(self, id: str, at: datetime) -> None:
        """Keep the time of a key's last use."""
        self._write("UPDATE api_keys SET last_used_at = ? WHERE id = ?", [at, id])

    def revoke(self, id: str, by: str, at: datetime) -> KeyRow | None:
        """It is good no more; revoked before, it stays as it is. None: there is none."""
        with self._session.transaction("revoking a key") as connection:
            connection.execute(
                "UPDATE api_keys SET revoked_at = ?, revoked_by = ?"
                " WHERE id = ? AND revoked_at IS NULL",
                [as_stored(at), by, id],
            )
            connection.execute("DELETE FROM logins WHERE key_id = ?", [id])
        return self.get(id)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginRow:
    """A browser session that is logged in."""

    token_hash: str
    key_id: str
    began_at: datetime
    expires_at: datetime


_LOGINS = RowMap(LoginRow, "logins")


class LoginTable(Tables):
    """The table `logins`."""

    about = "log-ins"

    def begin(self, login: LoginRow) -> None:
        """Keep a log-in, and forget those that are over."""
        with self._session.transaction("logging in") as connection:
            connection.execute(
                "DELETE FROM logins WHERE expires_at <= ?", [as_stored(login.began_at)]
            )
            _LOGINS.insert(connection, login)

    def get(self, token_hash: str) -> LoginRow | None:
        """The session of that token, whether it has ended or not."""
        return self._find(_LOGINS, "WHERE token_hash = ?", [token_hash])

    def end(self, token_hash: str) -> None:
        """Log out."""
        self._write("DELETE FROM logins WHERE token_hash = ?", [token_hash])
