"""Puts a backup in the place of the store, whole or not at all."""

import os
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from appliance import __version__
from appliance.core.errors import SetupError, StoreError
from appliance.store.backup import newest_schema
from appliance.store.connection import StoreInUseError, connect
from appliance.store.encryption import decrypt
from appliance.store.integrity import Integrity, read_all
from appliance.store.manifests import FOLDER, MANIFEST, Backup, backups_in, checksum, read_backup
from appliance.store.store import FILE_NAME
from appliance.system.files import make_durable


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What a restore did: from which backup, and where the old store lies."""

    backup: Backup
    store: Path
    kept: Path | None
    """Where the store is that was there before; None: there was none."""


def find_backup(data_dir: Path, wanted: str) -> Backup:
    """The backup of that id in the data folder, or at that path.

    Raises:
        StoreError: There is none, or it cannot be read.
    """
    backups = {backup.id: backup for backup in backups_in(data_dir / FOLDER)}
    if wanted in backups:
        return backups[wanted]
    inside = data_dir / FOLDER / wanted
    path = inside if (inside / MANIFEST).exists() else Path(wanted)
    if not path.exists():
        there = ", ".join(backups) or "none"
        raise StoreError(f"There is no backup {wanted}. In {data_dir / FOLDER}: {there}.")
    return read_backup(path if path.is_dir() else path.parent)


def restore(data_dir: Path, backup: Backup, at: datetime, identity: Path | None = None) -> Restored:
    """Put the backup in the place of the store; what was there is kept beside it.

    A kill at any moment leaves the old store or the new one in place, never none.

    Args:
        data_dir: The data folder.
        backup: What to put there.
        at: The time, for the name of what is kept.
        identity: File of the private key, for a backup that is encrypted.

    Raises:
        StoreError: The backup is damaged or newer than this program, or the store is in use.
        SetupError: The backup is encrypted, and the identity is not one that opens it.
    """
    _verify(backup, identity)
    store = data_dir / FILE_NAME
    with_log = _lay_still(store)
    draft = store.with_name(f"{FILE_NAME}.restoring")
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        if identity is not None and backup.is_encrypted:
            decrypt(backup.file, draft, identity)
        else:
            shutil.copyfile(backup.file, draft)
        if checksum(draft) != backup.sha256:
            raise StoreError(f"The copy of {backup.file} is not what was read: try again.")
        with connect(draft, read_only=True) as connection:
            _check_schema(connection, backup)
            read_all(connection, backup.file)
        make_durable(draft)
        replaced = _keep(store, at, with_log=with_log)
        draft.replace(store)
        make_durable(store)
    except OSError as error:
        raise StoreError(
            f"The backup {backup.folder} cannot be restored: {error.strerror or error}. "
            f"Make room in {data_dir}; the store is as it was."
        ) from error
    finally:
        draft.unlink(missing_ok=True)
    return Restored(backup=backup, store=store, kept=replaced)


def _verify(backup: Backup, identity: Path | None) -> None:
    if backup.is_encrypted and identity is None:
        raise SetupError(
            f"the backup {backup.folder} is encrypted: name the file of your age identity,"
            f" `appliance store restore {backup.id} --identity FILE`."
        )
    if backup.schema > newest_schema():
        raise StoreError(
            f"The backup {backup.folder} has schema {backup.schema}, made by appliance"
            f" {backup.appliance_version}; this is appliance {__version__}, which knows schema"
            f" {newest_schema()}. Restore it with the newer appliance."
        )
    try:
        is_sound = backup.is_sound
    except OSError as error:
        raise StoreError(f"{backup.file} cannot be read: {error.strerror or error}.") from error
    if not is_sound:
        raise StoreError(
            f"The backup {backup.file} is damaged: its checksum is not that of its manifest."
            " Take another one; `appliance store backups` lists them."
        )


def _check_schema(connection: duckdb.DuckDBPyConnection, backup: Backup) -> None:
    """The file itself says what it is: its manifest may be of another."""
    try:
        row = connection.execute("SELECT max(number) FROM migrations").fetchone()
    except duckdb.Error:
        row = None
    if row is None or row[0] != backup.schema:
        raise StoreError(
            f"{backup.file} is not what {MANIFEST} beside it says: it is no store of schema"
            f" {backup.schema}. Take another backup; `appliance store backups` lists them."
        )


def _lay_still(store: Path) -> bool:
    """See that nobody uses the store, and bring its log into it; whether a log is left.

    Raises:
        StoreError: Another process uses it.
    """
    log = store.with_name(f"{FILE_NAME}.wal")
    if not store.exists():
        return log.exists()
    integrity = Integrity(store)
    try:
        integrity.before_opening()
        connect(store).close()  # closing writes the log into the file
    except StoreError as error:
        if isinstance(error, StoreInUseError):
            raise
        # A damaged store is what backups are for: it is put aside as it is.
    finally:
        integrity.release()
    return log.exists()


def _keep(store: Path, at: datetime, *, with_log: bool) -> Path | None:
    """Give the store a second name, so that its own may be taken at one stroke.

    A log without its store goes aside as well: it would be taken for that of the new one.
    """
    backup_file = store.with_name(f"store.before-{at.astimezone(UTC):%Y%m%d-%H%M%S}.duckdb")
    log = store.with_name(f"{FILE_NAME}.wal")
    try:
        if has_store := store.exists():
            os.link(store, backup_file)
    except FileExistsError:
        raise StoreError(f"{backup_file} is there already: try again in a second.") from None
    except OSError:  # a file system without second names
        shutil.copyfile(store, backup_file)
    if with_log:
        log.replace(backup_file.with_name(f"{backup_file.name}.wal"))
    return backup_file if has_store else None
