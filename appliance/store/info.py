"""How large the store is, and what is in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from appliance.store.backup import Backups, newest_schema
from appliance.store.expiry import files_in
from appliance.store.session import Session
from appliance.store.times import as_known


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreInfo:
    """A store with its artifacts and backups."""

    path: Path
    """Where it is, on the server."""
    schema: int
    """Number of its newest migration."""
    bytes: int
    """Of its file and its log."""
    rows: Mapping[str, int]
    """How many each table has."""
    oldest_run_at: datetime | None
    """None: there is none."""
    artifacts: int
    """How many are kept."""
    artifacts_bytes: int
    """How large they are together."""
    backups: int
    """How many are kept."""
    last_backup_at: datetime | None
    """None: there is none."""


def info(session: Session) -> StoreInfo:
    """Look at the store that is open. Blocks: goes through all artifacts."""
    with session.reading("counting its rows") as connection:
        tables = connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY table_name"
        ).fetchall()
        rows = {}
        for (table,) in tables:
            counted = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - a table
            rows[table] = int(counted[0]) if counted else 0
        oldest = connection.execute("SELECT min(started_at) FROM runs").fetchone()
    files = (session.path, session.path.with_name(f"{session.path.name}.wal"))
    artifacts = [file.size for file in files_in(session.path.parent / "artifacts")]
    backups = Backups(session).list()
    return StoreInfo(
        path=session.path,
        schema=newest_schema(),
        bytes=sum(file.stat().st_size for file in files if file.exists()),
        rows=rows,
        oldest_run_at=as_known(oldest[0]) if oldest else None,
        artifacts=len(artifacts),
        artifacts_bytes=sum(artifacts),
        backups=len(backups),
        last_backup_at=backups[0].made_at if backups else None,
    )


def queue_lengths(session: Session) -> Mapping[tuple[str, str], int]:
    """How many there are of what waits for something, by what it is and its state."""
    with session.reading("counting what waits") as connection:
        rows = connection.execute(_QUEUES).fetchall()
    return {(what, state): count for what, state, count in rows}


_QUEUES = """
    SELECT 'runs', state, count(*) FROM sweeps
    WHERE state NOT IN ('done', 'cancelled') GROUP BY state
    UNION ALL SELECT 'findings', state, count(*) FROM incidents GROUP BY state
    UNION ALL SELECT 'webhooks', state, count(*) FROM webhook_deliveries
    WHERE state <> 'delivered' GROUP BY state
"""
