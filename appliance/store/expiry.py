"""What of the store is past its time, and its end."""

import os
import secrets
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import duckdb

from appliance.core.resources import Phase
from appliance.store.session import Session
from appliance.store.sweeps import OVER
from appliance.store.times import as_stored

_AT_ONCE = 20
"""Runs that are removed in one transaction: others write in between."""
_OVER_PHASES = ", ".join(f"'{phase.value}'" for phase in (Phase.DONE, Phase.LOST))
_OVER_STATES = ", ".join(f"'{state.value}'" for state in OVER)
_SETTLED = "('closed', 'rejected')"
_DUE = f"""
    SELECT r.id FROM runs r
    WHERE coalesce(r.ended_at, r.started_at) < ? AND NOT list_contains(?::VARCHAR[], r.id)
      AND r.id NOT IN (SELECT run_id FROM procedure_states)
      AND r.id NOT IN (SELECT run_id FROM incident_places)
      AND r.id NOT IN (SELECT run_id FROM incidents WHERE state NOT IN {_SETTLED})
      AND r.id NOT IN (SELECT id FROM sweeps WHERE state NOT IN ({_OVER_STATES}))
      AND r.id NOT IN (SELECT run_id FROM attempts WHERE phase NOT IN ({_OVER_PHASES}))
    ORDER BY r.started_at
"""  # noqa: S608 - constants


_AMONG = "IN (SELECT unnest(?::VARCHAR[]))"
_TABLES = {
    "attempts": "run_id",
    "deeds": "run_id",
    "demonstrations": "run_id",
    "evidence": "run_id",
    "findings": "run_id",
    "steps": "run_id",
    "procedures": "run_id",
    "questions": "run_id",
    "documents": "run_id",
    "sweep_items": "sweep_id",
    "sweeps": "id",
    "runs": "id",
}
"""What belongs to a run, and the column that names it."""


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file of the artifacts, with when it was last put there."""

    path: Path
    size: int
    put_at: float
    """Seconds since 1970."""


class Expiry:
    """Removes runs. Calls block."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def due(self, before: datetime, busy: Collection[str]) -> tuple[str, ...]:
        """Runs that ended before that time and that nothing points to, oldest first.

        What points to a run: the last verdict on a procedure, an incident that is not settled, a
        sweep that is not over, something in a cloud that is not cleaned up.

        Args:
            before: The time.
            busy: Runs that are under way.
        """
        with self._session.reading("looking for old runs") as connection:
            return _due(connection, before, busy)

    def forget(self, before: datetime, busy: Collection[str]) -> Iterator[str]:
        """Remove those that are due, some at a time, and name each when it is gone."""
        while True:
            with self._session.transaction("removing old runs") as connection:
                gone = _due(connection, before, busy)[:_AT_ONCE]
                _forget(connection, gone)
            if not gone:
                return
            yield from gone

    def open_evidence(self) -> frozenset[str]:
        """Names of the artifacts that show what incidents say that are not settled."""
        with self._session.reading("reading the evidence of incidents") as connection:
            rows = connection.execute(
                f"""
                SELECT DISTINCT e.artifact.sha256 FROM evidence e
                JOIN findings f ON f.run_id = e.run_id AND f.procedure_id = e.procedure_id
                    AND f.position = e.finding
                JOIN incidents i ON i.run_id = f.run_id AND i.procedure_id = f.procedure_id
                    AND i.finding_id = f.id
                WHERE e.artifact IS NOT NULL AND i.state NOT IN {_SETTLED}
                """  # noqa: S608 - constants
            ).fetchall()
        return frozenset(sha256 for (sha256,) in rows)

    def known_runs(self) -> frozenset[str]:
        """Ids of all runs, and of sweeps that have none yet."""
        with self._session.reading("listing runs") as connection:
            rows = connection.execute("SELECT id FROM runs UNION SELECT id FROM sweeps").fetchall()
        return frozenset(run_id for (run_id,) in rows)


def _due(
    connection: duckdb.DuckDBPyConnection, before: datetime, busy: Collection[str]
) -> tuple[str, ...]:
    rows = connection.execute(_DUE, [as_stored(before), sorted(busy)]).fetchall()
    return tuple(run_id for (run_id,) in rows)


def _forget(connection: duckdb.DuckDBPyConnection, run_ids: Sequence[str]) -> None:
    connection.execute(
        f"DELETE FROM receipts WHERE attempt_id IN (SELECT id FROM attempts WHERE run_id {_AMONG})",  # noqa: S608 - constants
        [run_ids],
    )
    for table, column in _TABLES.items():
        connection.execute(f"DELETE FROM {table} WHERE {column} {_AMONG}", [run_ids])  # noqa: S608 - constants


def files_in(folder: Path) -> Iterator[KeptFile]:
    """All files of a folder of artifacts, drafts as well."""
    if not folder.is_dir():
        return
    for part in os.scandir(folder):
        if not part.is_dir(follow_symlinks=False):
            continue
        for entry in os.scandir(part):
            with suppress(FileNotFoundError):
                stat = entry.stat(follow_symlinks=False)
                yield KeptFile(Path(entry.path), stat.st_size, stat.st_mtime)


def remove_file(file: KeptFile) -> bool:
    """Remove a file unless it was put there again meanwhile; whether it is gone.

    Who puts it again either finds it and gives it a new time, which is seen here, or does not find
    it any more and writes it anew.
    """
    bin = file.path.with_name(f".{file.path.name}.{secrets.token_hex(4)}.gone")
    try:
        file.path.rename(bin)
    except FileNotFoundError:
        return False
    if bin.stat().st_mtime > file.put_at:
        bin.rename(file.path)
        return False
    bin.unlink()
    return True
