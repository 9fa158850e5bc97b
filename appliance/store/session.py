"""The open file of a store: one writer at a time, and as many readers as there are."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, RLock, get_ident
from typing import Self

import duckdb

from appliance.core.errors import StoreError
from appliance.store.connection import blamed_on_store, connect
from appliance.store.integrity import Integrity
from appliance.store.migrations import migrate

USED = "appliance.store"
"""The audit event (`sys.addaudithook`) of every use of a store, with what is done. A use may block:
tests see by it that none is made on an event loop."""

_LAST_READS_S = 10.0
"""How long closing waits for reads under way: they take milliseconds."""


class Session:
    """An open file, at most one transaction that writes at a time, and reads beside it.

    A read sees what was committed when it began, however much is written meanwhile.
    """

    def __init__(
        self, path: Path, connection: duckdb.DuckDBPyConnection, integrity: Integrity
    ) -> None:
        self.path = path
        self._integrity = integrity
        self._open: duckdb.DuckDBPyConnection | None = connection
        # Invariant: at most one transaction that writes. DuckDB lets two go on and fails the one
        # that commits last; behind this lock there is nothing that it could be in conflict with.
        self._lock = RLock()
        self._is_unusable = False  # DuckDB said so; what was committed is in the file
        self._writer: int | None = None
        self._readers = 0
        # Invariant: `_readers` is how many cursors are open.
        self._change = Condition()

    @classmethod
    def open(cls, path: Path) -> Self:
        """The file, made or brought up to date; `StoreError` says why not.

        A damaged one is left as it is.
        """
        integrity = Integrity(path)
        try:
            integrity.before_opening()
            connection = connect(path)
            try:
                _check_integrity(connection, path, integrity)
                migrate(connection, path)
            except StoreError:
                connection.close()
                raise
        except StoreError:
            integrity.release()
            raise
        integrity.as_opened()
        return cls(path, connection, integrity)

    def close(self) -> None:
        """Write what is buffered and release the file, after the reads that are under way."""
        with self._lock, blamed_on_store(self.path, "closing"):
            connection, self._open = self._open, None
            with self._change:
                self._change.wait_for(lambda: self._readers == 0, _LAST_READS_S)
            if connection is not None:
                try:
                    self._integrity.before_closing(connection)
                    connection.close()
                finally:
                    self._integrity.release()

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The writer's, for use inside `exclusive` or `transaction`."""
        if self._open is None:
            raise StoreError(f"The store {self.path} was closed. Open it again.")
        return self._open

    @contextmanager
    def reading(self, doing: str) -> Iterator[duckdb.DuckDBPyConnection]:
        """The store as it is now, for all queries of the block; nobody waits for it.

        Inside a transaction of the same thread it shows what that has changed.
        """
        sys.audit(USED, doing)
        with blamed_on_store(self.path, doing), self._watch_for_fatal():
            if self._writer == get_ident():
                yield self.connection
            else:
                if self._is_unusable:
                    with self._lock:
                        self._open_again()
                with self._cursor() as cursor:
                    yield cursor

    @contextmanager
    def exclusive(self, doing: str) -> Iterator[duckdb.DuckDBPyConnection]:
        """Nobody writes meanwhile; what DuckDB says becomes a `StoreError`."""
        sys.audit(USED, doing)
        with self._lock, blamed_on_store(self.path, doing), self._watch_for_fatal():
            self._open_again()
            outer, self._writer = self._writer, get_ident()
            if outer is None:
                self._integrity.before_writing()
            try:
                yield self.connection
            finally:
                self._writer = outer
            if outer is None:
                self._integrity.after_writing()

    @contextmanager
    def transaction(self, doing: str) -> Iterator[duckdb.DuckDBPyConnection]:
        """All or nothing."""
        with self.exclusive(doing) as connection:
            connection.begin()
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    @contextmanager
    def _watch_for_fatal(self) -> Iterator[None]:
        """After a fatal error, such as a checkpoint on a full disk, DuckDB answers no more."""
        try:
            yield
        except duckdb.FatalException:
            self._is_unusable = True
            raise

    def _open_again(self) -> None:
        """Where DuckDB wants that. For whoever holds the lock, outside of any transaction."""
        if not self._is_unusable or self._open is None or self._writer is not None:
            return
        with self._change:
            self._change.wait_for(lambda: self._readers == 0, _LAST_READS_S)
        self._integrity.before_writing()
        self._open.close()
        self._open = connect(self.path)
        self._integrity.as_opened()
        self._is_unusable = False

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with self._change:
            cursor = self.connection.cursor()
            self._readers += 1
        try:
            cursor.begin()
            yield cursor
            cursor.commit()
        finally:
            cursor.close()  # what an error left open is rolled back
            with self._change:
                self._readers -= 1
                self._change.notify_all()


def _check_integrity(
    connection: duckdb.DuckDBPyConnection, path: Path, integrity: Integrity
) -> None:
    """Until it is known to be sound, nothing is written to it, not even when it is closed."""
    with blamed_on_store(path, "looking whether it is sound"):
        connection.execute("PRAGMA disable_checkpoint_on_shutdown")
        integrity.after_opening(connection)
        connection.execute("PRAGMA enable_checkpoint_on_shutdown")
