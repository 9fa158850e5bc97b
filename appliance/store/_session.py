"""The one connection of a store, shared by all that write into it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Self

import duckdb

from appliance.core.errors import StoreError
from appliance.store._connection import blamed_on_store, connect
from appliance.store._migrations import migrate


class Session:
    """An open file, and at most one transaction at a time on it."""

    def __init__(self, path: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self.path = path
        self._open: duckdb.DuckDBPyConnection | None = connection
        # Invariant: at most one transaction at a time on the one connection.
        self._lock = RLock()

    @classmethod
    def open(cls, path: Path) -> Self:
        """The file, made or brought up to date; `StoreError` says why not."""
        connection = connect(path)
        try:
            migrate(connection, path)
        except StoreError:
            connection.close()
            raise
        return cls(path, connection)

    def close(self) -> None:
        """Write what is buffered and release the file."""
        with self._lock, blamed_on_store(self.path, "closing"):
            connection, self._open = self._open, None
            if connection is not None:
                connection.close()

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """For use inside `reading` or `transaction`."""
        if self._open is None:
            raise StoreError(f"The store {self.path} was closed. Open it again.")
        return self._open

    @contextmanager
    def reading(self, doing: str) -> Iterator[duckdb.DuckDBPyConnection]:
        """Nobody else writes meanwhile; what DuckDB says becomes a `StoreError`."""
        with self._lock, blamed_on_store(self.path, doing):
            yield self.connection

    @contextmanager
    def transaction(self, doing: str) -> Iterator[duckdb.DuckDBPyConnection]:
        """All or nothing."""
        with self.reading(doing) as connection:
            connection.begin()
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()
