"""The results store: one DuckDB file, one writing process, every verdict kept at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Self

import duckdb

from appliance.core.errors import StoreError
from appliance.core.result import ProcedureResult, RunResult
from appliance.store import _queries as queries
from appliance.store._connection import blamed_on_store, connect
from appliance.store._migrations import migrate
from appliance.store._queries import RunRow, StoredFinding
from appliance.store._rows import Rows, add_documents, add_procedure, row_types, run_row
from appliance.store.artifacts import ArtifactStore

FILE_NAME = "store.duckdb"


class Store:
    """Runs, verdicts, findings. Calls block: an asyncio program makes them `to_thread`."""

    def __init__(self, path: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self.path = path
        self.artifacts = ArtifactStore(path.parent / "artifacts")
        self._open: duckdb.DuckDBPyConnection | None = connection
        with blamed_on_store(path, "reading its tables"):
            self._row_types = row_types(connection)
        # Invariant: at most one transaction at a time on the one connection.
        self._lock = RLock()

    @classmethod
    def open(cls, data_dir: Path) -> Self:
        """The store of that data folder, made or brought up to date; `StoreError` says why not."""
        path = data_dir / FILE_NAME
        connection = connect(path)
        try:
            migrate(connection, path)
        except StoreError:
            connection.close()
            raise
        return cls(path, connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what is buffered and release the file."""
        with self._lock, blamed_on_store(self.path, "closing"):
            connection, self._open = self._open, None
            if connection is not None:
                connection.close()

    @property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        if self._open is None:
            raise StoreError(f"The store {self.path} was closed. Open it again.")
        return self._open

    def start_run(self, run: RunResult, planned: int) -> None:
        """Keep what is known of a run at its start: it counts as unfinished until `save_run`."""
        with self._transaction("starting a run"):
            self._forget_run(run.id)
            self._write_header(run, planned, is_finished=False)

    def save_procedure(self, run_id: str, result: ProcedureResult) -> None:
        """Keep one verdict, in place of an earlier one on the same procedure in the same run."""
        with self._transaction("saving a procedure"):
            position = queries.forget_procedure(self._connection, run_id, result.id)
            rows = Rows(self._row_types)
            add_procedure(rows, run_id, position, result, datetime.now(UTC))
            rows.write(self._connection)

    def save_run(self, run: RunResult) -> None:
        """Keep a finished run, in place of what was kept under way."""
        with self._transaction("saving a run"):
            planned = queries.planned(self._connection, run.id)
            self._forget_run(run.id)
            self._write_header(run, max(planned, len(run.procedures)), is_finished=True)
            rows = Rows(self._row_types)
            for position, result in enumerate(run.procedures):
                add_procedure(rows, run.id, position, result, run.ended_at)
            rows.write(self._connection)

    def load_run(self, run_id: str) -> RunResult:
        """A run with all that is kept of it; an unfinished one ends with its last verdict."""
        with self._reading("reading a run"):
            run = queries.load_run(self._connection, run_id)
        if run is None:
            raise StoreError(f"The store {self.path} has no run {run_id!r}.")
        return run

    def runs(self, limit: int = 50) -> tuple[RunRow, ...]:
        """The latest runs, newest first."""
        with self._reading("listing runs"):
            return queries.runs(self._connection, limit)

    def findings(
        self,
        *,
        run_id: str | None = None,
        document: str | None = None,
        fingerprint: str | None = None,
        limit: int = 1000,
    ) -> tuple[StoredFinding, ...]:
        """Findings, newest run first, then in the order of the documentation."""
        wanted = {"run_id": run_id, "document": document, "fingerprint": fingerprint}
        with self._reading("listing findings"):
            return queries.findings(self._connection, wanted, limit)

    def known_fingerprints(self, console: str, *, besides: str | None = None) -> frozenset[str]:
        """Fingerprints of all findings on a console, those of the run `besides` left out."""
        with self._reading("reading fingerprints"):
            return queries.known_fingerprints(self._connection, console, besides)

    def _write_header(self, run: RunResult, planned: int, *, is_finished: bool) -> None:
        rows = Rows(self._row_types)
        rows.add("runs", run_row(run, planned, is_finished=is_finished))
        add_documents(rows, run)
        rows.write(self._connection)

    def _forget_run(self, run_id: str) -> None:
        queries.forget_run(self._connection, run_id)

    @contextmanager
    def _reading(self, doing: str) -> Iterator[None]:
        with self._lock, blamed_on_store(self.path, doing):
            yield

    @contextmanager
    def _transaction(self, doing: str) -> Iterator[None]:
        """All or nothing."""
        with self._reading(doing):
            self._connection.begin()
            try:
                yield
            except BaseException:
                self._connection.rollback()
                raise
            self._connection.commit()
