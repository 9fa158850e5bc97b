"""Room on the disk, where results and temporary files are written."""

import errno
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from appliance.config import Settings
from appliance.core.causes import Cause, CauseKind

_MIB = 1 << 20
_NO_ROOM = frozenset((errno.ENOSPC, errno.EDQUOT))


def free_bytes(folder: Path) -> int:
    """What may still be written into a folder, or into the innermost one around it that exists."""
    absolute = folder.absolute()
    there = next(path for path in (absolute, *absolute.parents) if path.exists())
    return shutil.disk_usage(there).free


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskSpace:
    """A folder that things are written into."""

    name: str
    """`data` or `temp`."""
    folder: Path
    least_mib: int
    setting: str
    """The setting that says so."""
    free: int
    """Bytes."""

    @property
    def is_short(self) -> bool:
        """Whether there is less than the settings ask for."""
        return self.free < self.least_mib * _MIB


class Space:
    """The places of one process. It is looked at each time: a disk fills from elsewhere, too."""

    def __init__(self, settings: Settings, free: Callable[[Path], int] = free_bytes) -> None:
        self._settings = settings
        self._free = free

    def places(self) -> Iterator[DiskSpace]:
        """The free and the required space of each place."""
        of = self._settings.storage
        temp = Path(tempfile.gettempdir())
        for name, folder, least_mib, setting in (
            ("data", self._settings.data_dir, of.min_free_mib, "storage.min_free_mib"),
            ("temp", temp, of.min_free_temp_mib, "storage.min_free_temp_mib"),
        ):
            free = self._free(folder)
            yield DiskSpace(
                name=name, folder=folder, least_mib=least_mib, setting=setting, free=free
            )

    def lack(self) -> Cause | None:
        """What there is too little of; None: there is room."""
        for place in self.places():
            if place.is_short:
                return _full(
                    f"{place.folder} has {place.free // _MIB} MiB free, and {place.setting} asks"
                    f" for {place.least_mib}: make room"
                )
        return None

    def behind(self, exc: BaseException) -> Cause | None:
        """The lack of room that a failure is due to: the system's own word, or what is seen now.

        DuckDB, Chromium and Terraform pass no error number on.
        """
        for one in chain(exc):
            if isinstance(one, OSError) and one.errno in _NO_ROOM:
                return self.lack() or _full(f"{one.strerror or one}: make room")
        return self.lack()


def chain(exc: BaseException) -> Iterator[BaseException]:
    """An exception with its causes, contexts and members of groups, each once."""
    waiting, visited = [exc], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in visited:
            continue
        visited.add(id(one))
        yield one
        waiting += [led for led in (one.__cause__, one.__context__) if led is not None]
        if isinstance(one, BaseExceptionGroup):
            waiting += one.exceptions


def _full(text: str) -> Cause:
    return Cause(CauseKind.DISK_FULL, f"the disk is full: {text}")
