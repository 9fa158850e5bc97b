"""Obstacles to every attempt, whatever its text says: a full disk, a console that is down.

Neither is the fault of a procedure or an account. What fails of it counts as not made.
"""

import errno
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from appliance.config import Settings
from appliance.consoles import Console
from appliance.core.causes import Cause, CauseKind
from appliance.core.errors import (
    AttemptError,
    ConsoleError,
    HinderedError,
    ModelError,
    PersonError,
    PolicyError,
)

_MIB = 1 << 20
_NO_ROOM = frozenset((errno.ENOSPC, errno.EDQUOT))


def free_bytes(folder: Path) -> int:
    """Free bytes for a folder, or for its innermost existing parent."""
    absolute = folder.absolute()
    there = next(path for path in (absolute, *absolute.parents) if path.exists())
    return shutil.disk_usage(there).free


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskSpace:
    """Free and required space of a folder."""

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
    """The folders of one process, checked anew each time as others may fill the disk."""

    def __init__(self, settings: Settings, free: Callable[[Path], int] = free_bytes) -> None:
        self._settings = settings
        self._free = free

    def places(self) -> Iterator[DiskSpace]:
        """The free and the required space of each place."""
        storage = self._settings.storage
        temp = Path(tempfile.gettempdir())
        for name, folder, least_mib, setting in (
            ("data", self._settings.data_dir, storage.min_free_mib, "storage.min_free_mib"),
            ("temp", temp, storage.min_free_temp_mib, "storage.min_free_temp_mib"),
        ):
            free = self._free(folder)
            yield DiskSpace(
                name=name, folder=folder, least_mib=least_mib, setting=setting, free=free
            )

    def lack(self) -> Cause | None:
        """The lack of space; None if there is room."""
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
        for error in chain(exc):
            if isinstance(error, OSError) and error.errno in _NO_ROOM:
                return self.lack() or _full(f"{error.strerror or error}: make room")
        return self.lack()


def chain(exc: BaseException) -> Iterator[BaseException]:
    """An exception with its causes, contexts and members of groups, each once."""
    waiting, visited = [exc], set[int]()
    while waiting:
        error = waiting.pop()
        if id(error) in visited:
            continue
        visited.add(id(error))
        yield error
        waiting += [led for led in (error.__cause__, error.__context__) if led is not None]
        if isinstance(error, BaseExceptionGroup):
            waiting += error.exceptions


def _full(text: str) -> Cause:
    return Cause(CauseKind.DISK_FULL, f"the disk is full: {text}")


_OTHERS = (ModelError, PersonError, PolicyError)
"""Failures of somebody else than the console."""


class Obstacles:
    """The obstacles to every attempt in one console: a full disk, or the console being down."""

    def __init__(self, console: Console, space: Space) -> None:
        self._console = console
        self._space = space

    def disk(self) -> Cause | None:
        """The lack of disk space; None if there is room."""
        return self._space.lack()

    async def console(self) -> Cause | None:
        """Whether the console does not answer: one question, no log-in."""
        try:
            await self._console.check()
        except ConsoleError as exc:
            return _down(exc)
        return None

    async def now(self) -> Cause | None:
        """The cause that hinders attempts now; None: there is none."""
        return self.disk() or await self.console()

    async def still(self, cause: Cause) -> bool:
        """Whether a cause is still an obstacle."""
        if cause.kind is CauseKind.CONSOLE_DOWN:
            return await self.console() is not None
        if cause.kind is CauseKind.WORKERS_AWAY:
            return False  # whoever takes a seat waits for one
        return self.disk() is not None

    async def behind(self, exc: BaseException) -> Cause | None:
        """What a failure is due to; None: to something else.

        A console that did not answer was down, though it should answer again by now.
        """
        for error in chain(exc):
            if isinstance(error, HinderedError):
                return error.cause
        if cause := self._space.behind(exc):
            return cause
        if isinstance(exc, AttemptError) and _was_cut(exc):
            return _down(exc)
        return await self.console()

    async def raise_if_hindered(self, exc: BaseException) -> None:
        """Raise the cause of a failure, where it hinders every attempt.

        Raises:
            HinderedError: With the cause.
        """
        if cause := await self.behind(exc):
            raise HinderedError(cause) from exc

    async def require_clear(self) -> None:
        """Raise where something hinders every attempt now; `HinderedError`: with the cause."""
        if cause := await self.now():
            raise HinderedError(cause)


def _was_cut(exc: AttemptError) -> bool:
    """Whether a call to the console was cut off without an answer."""
    links = list(chain(exc))
    is_others = any(isinstance(error, _OTHERS) for error in links)
    return not is_others and any(isinstance(error, httpx.TransportError) for error in links)


def _down(exc: BaseException) -> Cause:
    return Cause(CauseKind.CONSOLE_DOWN, f"the console does not answer: {exc}")
