"""Log-ins to the dashboard, so that they outlive a restart. No token is kept, only its hash."""

from dataclasses import dataclass
from datetime import datetime

from appliance.store.session import Session
from appliance.store.times import as_known, as_stored


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginRow:
    """Somebody's browser."""

    token_hash: str
    key_id: str
    began_at: datetime
    expires_at: datetime


class LoginTable:
    """The table `logins`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def begin(self, login: LoginRow) -> None:
        """Keep a log-in, and forget those that are over."""
        with self._session.transaction("logging in") as connection:
            connection.execute(
                "DELETE FROM logins WHERE expires_at <= ?", [as_stored(login.began_at)]
            )
            connection.execute(
                "INSERT INTO logins (token_hash, key_id, began_at, expires_at) VALUES (?, ?, ?, ?)",
                [
                    login.token_hash,
                    login.key_id,
                    as_stored(login.began_at),
                    as_stored(login.expires_at),
                ],
            )

    def get(self, token_hash: str) -> LoginRow | None:
        """The one of that token, over or not."""
        with self._session.reading("looking for a log-in") as connection:
            row = connection.execute(
                "SELECT token_hash, key_id, began_at, expires_at FROM logins WHERE token_hash = ?",
                [token_hash],
            ).fetchone()
        if row is None:
            return None
        return LoginRow(
            token_hash=row[0],
            key_id=row[1],
            began_at=as_known(row[2]),
            expires_at=as_known(row[3]),
        )

    def end(self, token_hash: str) -> None:
        """Log out."""
        with self._session.transaction("logging out") as connection:
            connection.execute("DELETE FROM logins WHERE token_hash = ?", [token_hash])
