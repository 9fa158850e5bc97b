"""The file that states are kept in: SQLite, one row an account, written when that one changes."""

import sqlite3
from pathlib import Path

from appliance.core.errors import SetupError

FILE = "state.sqlite"
_OLD_FILE = "state.json"
_APPLICATION = 0x50524143
"""Marks our files; written into the head of each."""
_VERSION = 2
_SCHEMA = f"""
CREATE TABLE accounts (name TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE snapshots (
  account TEXT, id TEXT, taken TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (account, id)
) WITHOUT ROWID;
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_VERSION};
"""


class StateFile:
    """The states and snapshots of all accounts; in memory when no folder is given."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = folder / FILE if folder else None
        if folder is not None and (folder / _OLD_FILE).exists():
            raise SetupError(
                f"{folder / _OLD_FILE} was written by an older version; use another data folder"
            )
        # Requests are answered in one thread, but it need not be the one that made the cloud.
        self._base = sqlite3.connect(
            self._file or ":memory:", isolation_level=None, check_same_thread=False, timeout=1.0
        )
        try:
            self._open()
        except sqlite3.OperationalError as exc:
            self.close()
            raise SetupError(f"cannot use {self._file}: {exc}; is another cloud using it?") from exc
        except sqlite3.DatabaseError as exc:
            self.close()
            raise SetupError(f"{self._file} is not a state file of the practice cloud") from exc
        except SetupError:
            self.close()
            raise

    @property
    def is_lasting(self) -> bool:
        """Whether what is written outlives the process."""
        return self._file is not None

    def states(self) -> dict[str, str]:
        """What every account has, as text."""
        return dict(self._base.execute("SELECT name, state FROM accounts"))

    def write(self, account: str, state: str) -> None:
        """Keep an account's state. When this returns, a kill of the process does not lose it."""
        self._base.execute(
            "INSERT INTO accounts VALUES (?, ?) ON CONFLICT DO UPDATE SET state = excluded.state",
            (account, state),
        )

    def keep_snapshot(self, account: str, taken: str, state: str) -> str:
        """Keep a snapshot; its id."""
        count = "SELECT count(*) FROM snapshots WHERE account = ?"
        number = self._base.execute(count, (account,)).fetchone()[0] + 1
        row = (account, f"snapshot-{number}", taken, state)
        self._base.execute("INSERT INTO snapshots VALUES (?, ?, ?, ?)", row)
        return str(row[1])

    def snapshot(self, account: str, id_: str) -> tuple[str, str] | None:
        """When a snapshot was taken, and its state."""
        row = self._base.execute(
            "SELECT taken, state FROM snapshots WHERE account = ? AND id = ?", (account, id_)
        ).fetchone()
        return (str(row[0]), str(row[1])) if row else None

    def close(self) -> None:
        """Release the file."""
        self._base.close()

    def _open(self) -> None:
        if self._file is not None:
            # Exclusive: a second cloud on the same file would overwrite what the first one writes.
            self._base.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = NORMAL")
        version = self._pragma("user_version")
        tables = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not tables:
            self._base.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
        elif self._pragma("application_id") != _APPLICATION:
            raise SetupError(f"{self._file} is not a state file of the practice cloud")
        elif version != _VERSION:
            raise SetupError(f"{self._file} was written by another version; use another folder")
        else:
            self._base.execute("BEGIN IMMEDIATE")  # takes the lock now, not at the first change
            self._base.execute("COMMIT")

    def _pragma(self, name: str) -> int:
        return int(self._base.execute(f"PRAGMA {name}").fetchone()[0])
