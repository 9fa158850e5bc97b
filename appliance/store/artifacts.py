"""Screenshots, DOM excerpts and trajectories: files named by the hash of what is in them."""

import errno
import hashlib
import os
import re
from pathlib import Path
from shutil import disk_usage

from appliance.core.errors import StoreError
from appliance.core.result import ArtifactRef
from appliance.system.files import write_whole

_SHA256 = re.compile(r"[0-9a-f]{64}")


class ArtifactStore:
    """A content-addressed folder: the same bytes are kept once, and damage is noticed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._spared = 0.0

    def leave_free(self, mib: float) -> None:
        """From now on so much of the disk is left to verdicts, which matter more than pictures."""
        self._spared = mib * (1 << 20)

    def put(self, data: bytes, media_type: str) -> ArtifactRef:
        """Keep the bytes; whoever reads finds all of them or nothing."""
        ref = ArtifactRef(hashlib.sha256(data).hexdigest(), media_type, len(data))
        path = self.path(ref)
        try:
            if not _is_kept(path, len(data)):
                self._check_space(len(data))
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, data)
        except OSError as error:
            raise StoreError(
                f"The artifact {path} cannot be written: {error.strerror or error}. "
                "Check the free space and the rights of the data folder."
            ) from error
        return ref

    def get(self, ref: ArtifactRef) -> bytes:
        """The bytes; `StoreError` when they are gone or are not what was put there."""
        path = self.path(ref)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise StoreError(
                f"The artifact {path} cannot be read: {error.strerror or error}. "
                "The data folder was moved or cleaned; run the verification again."
            ) from error
        if hashlib.sha256(data).hexdigest() != ref.sha256:
            raise StoreError(
                f"The artifact {path} is damaged: its content does not match its name. "
                "Restore it from a backup, or run the verification again."
            )
        return data

    def keeps(self, ref: ArtifactRef) -> bool:
        """Whether it is there already, and need not be sent again."""
        return _is_kept(self.path(ref), ref.size)

    def _check_space(self, size: int) -> None:
        """Raise what the system raises on a full disk, somewhat earlier."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._spared and disk_usage(self._folder).free - size < self._spared:
            raise OSError(errno.ENOSPC, "too little room is left on the disk")

    def path(self, ref: ArtifactRef) -> Path:
        """Where the bytes are, or would be."""
        if not _SHA256.fullmatch(ref.sha256):
            raise StoreError(f"{ref.sha256!r} is not the name of an artifact (a SHA-256).")
        return self._folder / ref.sha256[:2] / ref.sha256


def _is_kept(path: Path, size: int) -> bool:
    """Whether it is there; its age begins anew, since whoever tidies up goes by age."""
    try:
        os.utime(path)
        return path.stat().st_size == size
    except FileNotFoundError:
        return False
