"""Files that a reader finds whole, whenever it looks and however we end; and locks on files."""

import fcntl
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Protocol


def write_whole(
    path: Path, content: str | bytes, *, mode: int | None = None, is_durable: bool = False
) -> Path:
    """Write beside and rename: who opens the path finds the old content or the new one, whole.

    Args:
        path: The file; its folder is there.
        content: Text is written as UTF-8.
        mode: Its permissions, from the first byte on; None: what the umask leaves of 0o666.
        is_durable: Whether it outlives a power cut from now on.

    Raises:
        OSError: It cannot be written; the old file is as it was, and nothing lies beside it.
    """
    data = content.encode() if isinstance(content, str) else content
    draft = path.with_name(f".{secrets.token_hex(8)}.part")  # short: the name itself may be long
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        descriptor = os.open(draft, flags, 0o666 if mode is None else mode)
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(descriptor, mode)
            file.write(data)
            if is_durable:
                file.flush()
                os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    if is_durable:
        _sync(path.parent)
    return path


def make_durable(path: Path) -> None:
    """See to it that a file and its name outlive a power cut."""
    _sync(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class HasDescriptor(Protocol):
    """An open file."""

    def fileno(self) -> int:
        """Its descriptor."""


def try_lock(file: int | HasDescriptor, *, is_shared: bool = False) -> bool:
    """Lock an open file without waiting; False: another one has it.

    The lock lasts until every copy of the descriptor is closed, or `unlock`.
    """
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def unlock(file: int | HasDescriptor) -> None:
    """Give it back, also where a child that is starting just now holds a copy of the descriptor."""
    fcntl.flock(file, fcntl.LOCK_UN)
