"""Files that are for their owner alone, and those that people asked for by name."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_PRIVATE = 0o077
"""Nothing for the group, nothing for others."""


class _User:
    umask: int | None = None
    """What the program was started with; None: it keeps that."""


def keep_files_private() -> None:
    """From now on, whatever this process and its children make is for the owner alone."""
    _User.umask = os.umask(_PRIVATE)


@contextmanager
def as_the_user_wants() -> Iterator[None]:
    """Files of the block are made for the user, in a place that was named: the shell's umask."""
    if _User.umask is None:
        yield
        return
    before = os.umask(_User.umask)
    try:
        yield
    finally:
        os.umask(before)
