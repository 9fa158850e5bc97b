"""Backups of the store: a copy that is whole, beside a paper that says what it is.

Only the DuckDB file is copied. Pictures and trajectories are files that never change, in the folder
`artifacts`: an ordinary copy of the data folder keeps them.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from appliance import __version__
from appliance.core.build import commit
from appliance.core.errors import StoreError
from appliance.store._connection import blamed_on_store, connect, first_sentence
from appliance.store._migrations import migrations
from appliance.store._session import Session
from appliance.system.child_environment import Child, child_environment

FOLDER = "backups"
"""In the data folder."""
FILE = "store.duckdb"
MANIFEST = "backup.json"
_SCHEMA_VERSION = 1
"""Of the manifest."""
_DRAFT = ".draft-"
_COPY = "import shutil, sys; shutil.copyfile(sys.argv[1], sys.argv[2])"
_COPY_TIMEOUT_S = 3600.0
_HASHED_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A copy of a store."""

    folder: Path
    """With `store.duckdb` and `backup.json` in it."""
    made_at: datetime
    schema: int
    """Number of its newest migration."""
    appliance_version: str
    commit: str
    runs: int
    """How many it holds."""
    size: int
    """Bytes of the file."""
    sha256: str
    """Of the file."""

    @property
    def id(self) -> str:
        """Name of its folder."""
        return self.folder.name

    @property
    def file(self) -> Path:
        """The copy."""
        return self.folder / FILE


class Backups:
    """Those of one store. Calls block."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._folder = session.path.parent / FOLDER

    def make(self, at: datetime) -> Backup:
        """A new one, while others go on reading and, but for a moment, writing.

        Raises:
            StoreError: The disk is full, or the copy is not sound; nothing of it is left then.
        """
        target = self._free_folder(f"{at.astimezone(UTC):%Y%m%d-%H%M%S}")
        draft = self._folder / f"{_DRAFT}{target.name}-{os.getpid()}"
        try:
            draft.mkdir(parents=True)
            copy_open_store(self._session, draft / FILE)
            schema, runs = _look_into(draft / FILE)
            backup = Backup(
                folder=target,
                made_at=at.astimezone(UTC).replace(microsecond=0),
                schema=schema,
                appliance_version=__version__,
                commit=commit(),
                runs=runs,
                size=(draft / FILE).stat().st_size,
                sha256=checksum(draft / FILE),
            )
            _write_manifest(draft / MANIFEST, backup)
            keep_on_disk(draft / FILE)
            draft.rename(target)
        except OSError as error:
            raise StoreError(
                f"The backup {target} cannot be made: {error.strerror or error}. "
                "Make room in the data folder; earlier backups are as they were."
            ) from error
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return backup

    def _free_folder(self, name: str) -> Path:
        number = 1
        while (folder := self._folder / (name if number == 1 else f"{name}-{number}")).exists():
            number += 1
        return folder

    def list(self) -> tuple[Backup, ...]:
        """All there are, newest first."""
        return backups_in(self._folder)

    def prune(self, keep: int) -> tuple[Backup, ...]:
        """Remove all but the newest; those that were removed."""
        removed = self.list()[keep:]
        for backup in removed:
            shutil.rmtree(backup.folder)
        return removed


def backups_in(folder: Path) -> tuple[Backup, ...]:
    """Backups in a folder, newest first; what is not whole is none."""
    found = (read_backup(path.parent) for path in folder.glob(f"[!.]*/{MANIFEST}"))
    whole = [backup for backup in found if backup.file.is_file()]
    return tuple(sorted(whole, key=lambda backup: (backup.made_at, backup.id), reverse=True))


def read_backup(folder: Path) -> Backup:
    """The backup in that folder.

    Raises:
        StoreError: It has no manifest, or one that cannot be read.
    """
    file = folder / MANIFEST
    try:
        told = json.loads(file.read_text("utf-8"))
        return Backup(
            folder=folder,
            made_at=datetime.fromisoformat(told["made_at"]),
            **{name: kind(told[name]) for name, kind in _MANIFEST.items()},
        )
    except FileNotFoundError:
        raise StoreError(
            f"{folder} is no backup: it has no {MANIFEST}. `appliance store backups` lists them."
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{file} cannot be read: {error}. Take another backup.") from error


_MANIFEST: Mapping[str, type] = {
    "schema": int,
    "appliance_version": str,
    "commit": str,
    "runs": int,
    "size": int,
    "sha256": str,
}


def checkpoint(session: Session) -> None:
    """Bring what was written last from the log (`.wal`) into the file itself."""
    with session.exclusive("writing a checkpoint") as connection:
        connection.execute("CHECKPOINT")


def copy_open_store(session: Session, target: Path) -> None:
    """Copy the file with its log, then bring the copy's log into it.

    Another process copies: the kernel drops DuckDB's lock on a file as soon as the process that
    holds it closes any handle of its own on that file, and a second server could then write to it.

    Raises:
        StoreError: It cannot be copied, or the copy is not sound.
    """
    log = _log_of(session.path)
    # Invariant of the block: nobody writes, so file and log belong together.
    with session.exclusive("copying it"):
        _copy_elsewhere(session.path, target)
        if log.exists():
            _copy_elsewhere(log, _log_of(target))
    connection = connect(target)  # a file of its own, with a lock of its own
    with blamed_on_store(target, "reading the copy"):
        connection.execute("CHECKPOINT")
        connection.close()


def _copy_elsewhere(source: Path, target: Path) -> None:
    try:
        subprocess.run(
            [sys.executable, "-I", "-S", "-c", _COPY, str(source), str(target)],
            check=True,
            capture_output=True,
            text=True,
            timeout=_COPY_TIMEOUT_S,
            env=child_environment(Child.PYTHON),
        )
    except (subprocess.SubprocessError, OSError) as error:
        said = str(getattr(error, "stderr", "") or error).strip().splitlines()
        raise StoreError(
            f"The store {source} cannot be copied to {target}: {first_sentence(said[-1])} "
            "Make room in the data folder."
        ) from error


def _look_into(file: Path) -> tuple[int, int]:
    """Number of the newest migration, and of runs: enough to see that it is a store."""
    connection = connect(file)
    with blamed_on_store(file, "reading the copy"):
        row = connection.execute(
            "SELECT (SELECT max(number) FROM migrations), (SELECT count(*) FROM runs)"
        ).fetchone()
        connection.close()
    schema, runs = row or (0, 0)
    return int(schema or 0), int(runs)


def checksum(file: Path) -> str:
    """SHA-256 of a file."""
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while piece := stream.read(_HASHED_AT_ONCE):
            digest.update(piece)
    return digest.hexdigest()


def keep_on_disk(file: Path) -> None:
    """See to it that a file and its name outlive a power cut."""
    for path in (file, file.parent):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def newest_schema() -> int:
    """Number of the newest migration that this program knows."""
    return max(migration.number for migration in migrations())


def _write_manifest(file: Path, backup: Backup) -> None:
    told = {name: getattr(backup, name) for name in _MANIFEST}
    told |= {"schema_version": _SCHEMA_VERSION, "made_at": backup.made_at.isoformat()}
    file.write_text(json.dumps(told, indent=2), "utf-8")


def _log_of(file: Path) -> Path:
    """DuckDB's log beside a file."""
    return file.with_name(f"{file.name}.wal")
