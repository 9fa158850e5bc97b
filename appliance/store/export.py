"""Results as Parquet files, for whatever reads tables."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from appliance.core.errors import SetupError, StoreError
from appliance.store.backup import copy_open_store
from appliance.store.connection import CONFIG, blamed_on_store
from appliance.store.manifests import Backup
from appliance.store.session import Session

TABLES = (
    "runs",
    "documents",
    "procedures",
    "steps",
    "findings",
    "evidence",
    "incidents",
    "incident_places",
    "incident_log",
)
"""What is exported: results. Accounts, keys and the like stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """One table in one file."""

    table: str
    file: Path
    rows: int


def export(session: Session, folder: Path) -> tuple[Exported, ...]:
    """Write every table of results to `folder/TABLE.parquet`, all as of one moment.

    A copy of the store is read, by a connection of its own: that of the store itself reaches no
    other file. Names that are taken are written anew.

    Raises:
        StoreError: The folder cannot be written.
    """
    with _draft(folder) as draft:
        copy = draft / "store.duckdb"
        copy_open_store(session, copy)
        return _export(copy, draft, folder)


def export_backup(backup: Backup, folder: Path) -> tuple[Exported, ...]:
    """The same of a backup; see `export`."""
    if backup.is_encrypted:
        raise SetupError(
            f"the backup {backup.folder} is encrypted: restore it elsewhere, or stop the server,"
            " and export from the store."
        )
    with _draft(folder) as draft:
        return _export(backup.file, draft, folder)


@contextmanager
def _draft(folder: Path) -> Iterator[Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".export-", dir=folder) as draft:
            yield Path(draft)
    except OSError as error:
        raise StoreError(
            f"Results cannot be exported to {folder}: {error.strerror or error}. "
            "Name a folder that may be written and has room."
        ) from error


def _export(source: Path, draft: Path, folder: Path) -> tuple[Exported, ...]:
    exported = _write(source, draft)
    for one in exported:
        one.file.replace(folder / one.file.name)
    return tuple(
        Exported(table=one.table, file=folder / one.file.name, rows=one.rows) for one in exported
    )


def _write(copy: Path, folder: Path) -> list[Exported]:
    exported = []
    with blamed_on_store(copy, "exporting it"):
        connection = duckdb.connect(
            str(copy), read_only=True, config=CONFIG | {"enable_external_access": "true"}
        )
        with connection:
            there = {name for (name,) in connection.execute(_TABLES).fetchall()}
            for table in TABLES:
                if table not in there:
                    continue
                file = folder / f"{table}.parquet"
                row = connection.execute(
                    f"COPY {table} TO '{_quote(file)}' (FORMAT parquet, COMPRESSION zstd)"
                ).fetchone()
                exported.append(Exported(table=table, file=file, rows=int(row[0]) if row else 0))
    return exported


_TABLES = "SELECT table_name FROM duckdb_tables() WHERE NOT internal"


def _quote(file: Path) -> str:
    return str(file).replace("'", "''")
