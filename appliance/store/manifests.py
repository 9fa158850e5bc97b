"""What a backup says of itself: the paper beside its file."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from appliance.core.errors import StoreError

FOLDER = "backups"
"""In the data folder."""
FILE = "store.duckdb"
ENCRYPTED_FILE = "store.duckdb.age"
MANIFEST = "backup.json"
_SCHEMA_VERSION = 1
"""Of the manifest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A copy of a store."""

    folder: Path
    """Where it is, on the server."""
    made_at: datetime
    """When it was made."""
    schema: int
    """Number of its newest migration."""
    appliance_version: str
    """What made it."""
    commit: str
    """Of that appliance."""
    runs: int
    """How many it holds."""
    size: int
    """Bytes of the store in it."""
    sha256: str
    """Of the store in it."""
    encrypted_sha256: str = ""
    """Of `store.duckdb.age`, which then takes the place of `store.duckdb`; empty: it is not
    encrypted."""

    @property
    def id(self) -> str:
        """Name of its folder."""
        return self.folder.name

    @property
    def is_encrypted(self) -> bool:
        """Whether it takes an age identity to read it."""
        return bool(self.encrypted_sha256)

    @property
    def file(self) -> Path:
        """The copy, or what it was encrypted to."""
        return self.folder / (ENCRYPTED_FILE if self.is_encrypted else FILE)

    @property
    def is_sound(self) -> bool:
        """Whether its file has the checksum that was written down when it was made.

        Raises:
            OSError: It cannot be read.
        """
        return checksum(self.file) == (self.encrypted_sha256 or self.sha256)


class BackupListing(NamedTuple):
    """What is in a folder of backups."""

    backups: tuple[Backup, ...]
    """Newest first; what is not whole is none."""
    unreadable: Mapping[str, str]
    """Why the manifests of others cannot be read, by their ids."""


def look_into(folder: Path) -> BackupListing:
    """All that is there: one that cannot be read is in the way of no other."""
    whole, unreadable = list[Backup](), dict[str, str]()
    for path in sorted(folder.glob(f"[!.]*/{MANIFEST}")):
        try:
            backup = read_backup(path.parent)
        except StoreError as error:
            unreadable[path.parent.name] = str(error)
        else:
            whole += [backup] if backup.file.is_file() else []
    whole.sort(key=lambda backup: (backup.made_at, backup.id), reverse=True)
    return BackupListing(tuple(whole), unreadable)


def backups_in(folder: Path) -> tuple[Backup, ...]:
    """Those that can be read, newest first."""
    return look_into(folder).backups


def read_backup(folder: Path) -> Backup:
    """The backup in that folder.

    Raises:
        StoreError: It has no manifest, or one that cannot be read.
    """
    file = folder / MANIFEST
    try:
        manifest = json.loads(file.read_text("utf-8"))
        return Backup(
            folder=folder,
            made_at=datetime.fromisoformat(manifest["made_at"]).astimezone(UTC),
            encrypted_sha256=str(manifest.get("encrypted_sha256", "")),
            **{name: kind(manifest[name]) for name, kind in _REQUIRED.items()},
        )
    except FileNotFoundError:
        raise StoreError(
            f"{folder} is no backup: it has no {MANIFEST}. `appliance store backups` lists them."
        ) from None
    except (OSError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise StoreError(f"{file} cannot be read: {error}. Take another backup.") from error


def write_manifest(file: Path, backup: Backup) -> None:
    """Write down what the backup is."""
    manifest = {name: getattr(backup, name) for name in _REQUIRED}
    manifest |= {"schema_version": _SCHEMA_VERSION, "made_at": backup.made_at.isoformat()}
    if backup.is_encrypted:
        manifest["encrypted_sha256"] = backup.encrypted_sha256
    file.write_text(json.dumps(manifest, indent=2), "utf-8")


_REQUIRED: Mapping[str, type] = {
    "schema": int,
    "appliance_version": str,
    "commit": str,
    "runs": int,
    "size": int,
    "sha256": str,
}


def checksum(file: Path) -> str:
    """SHA-256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
