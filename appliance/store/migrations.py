"""Numbered SQL files, applied once each and remembered by checksum."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import duckdb

from appliance import __version__
from appliance.core.errors import StoreError
from appliance.store.connection import blamed_on_store


@dataclass(frozen=True, slots=True)
class Migration:
    """One SQL file: `0001_results.sql`."""

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the text."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def migrations() -> tuple[Migration, ...]:
    """All that this version of the program knows, in order."""
    folder = files("appliance.store") / "schema"
    found_migrations = [
        Migration(int(file.name.split("_")[0]), file.name, file.read_text("utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".sql")
    ]
    return tuple(sorted(found_migrations, key=lambda migration: migration.number))


def migrate(
    connection: duckdb.DuckDBPyConnection, path: Path, known: Sequence[Migration] | None = None
) -> None:
    """Bring the store up to date; `StoreError` when it is newer or was made otherwise."""
    known = migrations() if known is None else known
    with blamed_on_store(path, "reading its schema version"):
        connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name VARCHAR,"
            " checksum VARCHAR, applied_at TIMESTAMP, appliance_version VARCHAR)"
        )
        rows = connection.execute("SELECT number, checksum, appliance_version FROM migrations")
        applied = {number: (checksum, by) for number, checksum, by in rows.fetchall()}
    _check(path, known, applied)
    for migration in known:
        if migration.number not in applied:
            _apply(connection, path, migration)


def _check(
    path: Path, available: Sequence[Migration], applied: Mapping[int, tuple[str, str]]
) -> None:
    newest = max((migration.number for migration in available), default=0)
    for number, (_, by) in applied.items():
        if number > newest:
            raise StoreError(
                f"The store {path} has schema {number}, made by appliance {by}; this is appliance "
                f"{__version__}, which knows schema {newest}. Use the newer appliance, or set "
                "another `data_dir`."
            )
    for migration in available:
        checksum, by = applied.get(migration.number, (migration.checksum, ""))
        if checksum != migration.checksum:
            raise StoreError(
                f"The store {path} was made by another build of the appliance ({by}): its "
                f"{migration.name} differs from this one's. Use that build, or set another "
                "`data_dir`."
            )


def _apply(connection: duckdb.DuckDBPyConnection, path: Path, migration: Migration) -> None:
    with blamed_on_store(path, f"applying {migration.name}"):
        connection.begin()
        try:
            connection.execute(migration.sql)
            connection.execute(
                "INSERT INTO migrations VALUES (?, ?, ?, ?, ?)",
                [
                    migration.number,
                    migration.name,
                    migration.checksum,
                    datetime.now(UTC).replace(tzinfo=None),
                    __version__,
                ],
            )
            connection.commit()
        except duckdb.Error:
            connection.rollback()
            raise
