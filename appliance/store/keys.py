"""API keys and log-ins: who may ask the server, in which role. Only hashes of them are kept."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from appliance.core.errors import SetupError
from appliance.store.mapping import RowMap
from appliance.store.tables import Tables
from appliance.store.times import as_stored


class UnknownKey(SetupError):
    """There is no key of that name or id."""

    def __init__(self, key: str) -> None:
        super().__init__(f"there is no key {key!r}; `appliance key list` shows all")


ENDS_SOON = timedelta(days=14)
"""Before a key expires, whoever looks is told."""


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
    expires_at: datetime | None = None
    """When it ends by itself; None: when it is revoked."""
    replaced_by: str = ""
    """Id of the key that it was rotated to; empty: none."""

    def has_expired(self, now: datetime) -> bool:
        """Whether it ended by itself."""
        return self.expires_at is not None and self.expires_at <= now

    def is_good(self, now: datetime) -> bool:
        """Whether requests may come with it."""
        return self.revoked_at is None and not self.has_expired(now)

    def ends_soon(self, now: datetime) -> bool:
        """Whether it is good, and somebody should see to its successor."""
        is_soon = self.expires_at is not None and self.expires_at - now < ENDS_SOON
        return is_soon and not self.replaced_by and self.is_good(now)


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

    def replace(self, key: KeyRow, new: KeyRow, until: datetime) -> None:
        """Keep a new one, which an old one gives way to at that time."""
        with self._session.transaction("rotating a key") as connection:
            _KEYS.insert(connection, new)
            connection.execute(
                "UPDATE api_keys SET expires_at = ?, replaced_by = ? WHERE id = ?",
                [as_stored(until), new.id, key.id],
            )

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
    """Public part of the key; or `oidc:` and the subject at the identity provider."""
    began_at: datetime
    expires_at: datetime
    name: str = ""
    """Of a person; empty: the key's."""
    role: Role | None = None
    """Of a person; None: the key's."""


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
