"""Log-ins to the dashboard, so that they outlive a restart. No token is kept, only its hash."""

from dataclasses import dataclass
from datetime import datetime

from appliance.store.mapping import RowMap
from appliance.store.tables import Tables
from appliance.store.times import as_stored


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
