"""Backups of the store: a copy that is whole, beside a paper that says what it is.

Only the DuckDB file is copied. Pictures and trajectories are files that never change, in the folder
`artifacts`: an ordinary copy of the data folder keeps them.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from appliance import __version__
from appliance.core.build import commit
from appliance.core.errors import StoreError
from appliance.store.connection import blamed_on_store, connect, first_sentence
from appliance.store.encryption import encrypt
from appliance.store.integrity import read_all, read_indexes
from appliance.store.manifests import (
    ENCRYPTED_FILE,
    FILE,
    FOLDER,
    MANIFEST,
    Backup,
    backups_in,
    checksum,
    write_manifest,
)
from appliance.store.migrations import migrations
from appliance.store.session import Session
from appliance.system.child_environment import Child, child_environment
from appliance.system.files import make_durable

_DRAFT = ".draft-"
_COPY = "import shutil, sys; shutil.copyfile(sys.argv[1], sys.argv[2])"
_COPY_TIMEOUT_S = 3600.0


class Backups:
    """Those of one store. Calls block."""

    def __init__(self, session: Session, recipients: Sequence[str] = ()) -> None:
        """Backups.

        Args:
            session: The store.
            recipients: Public keys that new ones are encrypted to; none: they are not.
        """
        self._session = session
        self._recipients = recipients
        self._folder = session.path.parent / FOLDER

    def make(self, at: datetime) -> Backup:
        """A new one, while others go on reading and, but for a moment, writing.

        Raises:
            StoreError: The disk is full, or the copy is not sound; nothing of it is left then.
            SetupError: A recipient is no public key.
        """
        target = self._free_folder(f"{at.astimezone(UTC):%Y%m%d-%H%M%S}")
        draft = self._folder / f"{_DRAFT}{target.name}-{os.getpid()}"
        try:
            draft.mkdir(parents=True)
            copy_open_store(self._session, draft / FILE)
            schema, runs = _read_copy(draft / FILE, self._session.path)
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
            if self._recipients:
                encrypt(draft / FILE, draft / ENCRYPTED_FILE, self._recipients)
                (draft / FILE).unlink()
                sealed = checksum(draft / ENCRYPTED_FILE)
                backup = replace(backup, encrypted_sha256=sealed)
            write_manifest(draft / MANIFEST, backup)
            for name in (backup.file.name, MANIFEST):
                make_durable(draft / name)
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
        read_indexes(connection, session.path)
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
        lines = str(getattr(error, "stderr", "") or error).strip().splitlines()
        raise StoreError(
            f"The store {source} cannot be copied to {target}: {first_sentence(lines[-1])} "
            "Make room in the data folder."
        ) from error


def _read_copy(file: Path, store: Path) -> tuple[int, int]:
    """Number of the newest migration, and of runs, once all that is in it was read.

    Raises:
        StoreError: It cannot be, and so the store cannot either.
    """
    with connect(file, read_only=True) as connection, blamed_on_store(file, "reading the copy"):
        read_all(connection, store)
        row = connection.execute(
            "SELECT (SELECT max(number) FROM migrations), (SELECT count(*) FROM runs)"
        ).fetchone()
    schema, runs = row or (0, 0)
    return int(schema or 0), int(runs)


def newest_schema() -> int:
    """Number of the newest migration that this program knows."""
    return max(migration.number for migration in migrations())


def _log_of(file: Path) -> Path:
    """DuckDB's log beside a file."""
    return file.with_name(f"{file.name}.wal")
