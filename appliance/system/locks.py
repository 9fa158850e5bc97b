"""Locks on files that the kernel drops with the process that holds them, however it ends."""

import fcntl
from typing import Protocol


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
