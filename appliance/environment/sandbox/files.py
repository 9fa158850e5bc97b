"""The working folder's files on their way into a sandbox and back: what comes back is not trusted.

The program inside works on a copy. What it hands back is checked name by name before it is written,
so that a link it made leads the appliance nowhere, and it fills no disk.
"""

import os
import secrets
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from appliance.core.errors import ProvisioningError
from appliance.system.files import write_whole

MOST_FILES = 5_000
LONGEST_PATH, LONGEST_NAME = 1000, 255  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file, a folder or a link of the working folder."""

    kind: Literal["file", "folder", "link"]
    path: str
    size: int = 0
    is_program: bool = False
    target: str = ""


def entries(folder: Path, limit: int) -> Sequence[Entry]:
    """What is in a folder, folders before what they hold.

    Raises:
        ProvisioningError: It holds more than may be written.
    """
    listed = list(_walk(folder))
    if (size := sum(entry.size for entry in listed)) > limit:
        raise ProvisioningError(
            f"{folder} holds {size >> 20} MiB, and environment.sandbox.disk_mib allows "
            f"{limit >> 20}: raise it, or make the folder smaller"
        )
    return listed


def _walk(top: Path) -> Iterator[Entry]:
    waiting = [top]
    while waiting:
        with suppress(OSError):  # nested deeper than a name can be long: not ours
            for path in sorted(waiting.pop().iterdir()):
                if (entry := _entry(top, path)) is not None:
                    yield entry
                    if entry.kind == "folder":
                        waiting.append(path)


def _entry(top: Path, path: Path) -> Entry | None:
    name, status = str(path.relative_to(top)), path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return Entry(kind="link", path=name, target=str(path.readlink()))
    if stat.S_ISDIR(status.st_mode):
        return Entry(kind="folder", path=name)
    if stat.S_ISREG(status.st_mode):
        is_program = bool(status.st_mode & stat.S_IXUSR)
        return Entry(kind="file", path=name, size=status.st_size, is_program=is_program)
    return None


class TooMuchError(Exception):
    """The program returned more data than may be written."""


class OutputFolder:
    """Puts what comes back into its place."""

    def __init__(self, folder: Path, read_only: Sequence[Path], limit: int) -> None:
        self._folder, self._limit = folder, limit
        self._read_only = read_only
        self._sizes = {entry.path: entry.size for entry in _walk(folder)}
        self._total = sum(self._sizes.values())
        self.refused: list[str] = []
        """Names that were not taken, for the log."""

    def put_file(self, name: str, data: bytes) -> None:
        """Write a file at once: a crash leaves the old one or the new one.

        None can be started: it could be another provider in the place of ours.
        """
        path = self._place(name, len(data))
        if path is None:
            return
        try:
            write_whole(path, data, mode=0o600)
        except OSError as exc:  # a folder is there, or the name is too long
            self._refuse(f"{name}: {exc.strerror}")

    def put_folder(self, name: str) -> None:
        """Make a folder."""
        path = self._place(name, 0)
        if path is not None and not path.is_dir():
            self._try(name, path.mkdir)

    def put_link(self, name: str, target: str) -> None:
        """Make a link, where it leads to what was let in for reading and nowhere else."""
        path = self._place(name, 0)
        if path is None:
            return
        if not leads_to(path, target, self._read_only):
            self._refuse(f"{name} is a link to {target}")
            return
        fresh = path.with_name(f".{secrets.token_hex(8)}.part")
        try:
            fresh.symlink_to(target)
            fresh.replace(path)
        except (OSError, ValueError) as exc:
            fresh.unlink(missing_ok=True)
            self._refuse(f"{name}: {exc}")

    def remove(self, name: str) -> None:
        """Remove what is no longer there."""
        path = self._place(name, 0)
        if path is None:
            return
        self._total -= self._sizes.pop(name, 0)
        with suppress(OSError):  # it is gone, or holds something that was refused
            if path.is_dir() and not path.is_symlink():
                path.rmdir()
            else:
                path.unlink()

    def _place(self, name: str, size: int) -> Path | None:
        """The path to write to; None: the file is refused."""
        parts = PurePosixPath(name).parts
        if not parts or ".." in parts or not _is_sound(name):
            self._refuse(name)
            return None
        total = self._total - self._sizes.get(name, 0) + size
        if total > self._limit or len(self._sizes) >= MOST_FILES:
            raise TooMuchError
        # Only we write into this folder, so what was looked at stays as it is.
        around = self._folder
        for part in parts[:-1]:
            around /= part
            if around.is_symlink() or (around.exists() and not around.is_dir()):
                self._refuse(name)
                return None
        self._sizes[name], self._total = size, total
        return around / parts[-1] if self._try(name, lambda: _make_folder(around)) else None

    def _try(self, name: str, does: Callable[[], object]) -> bool:
        try:
            does()
        except OSError as exc:
            self._refuse(f"{name}: {exc.strerror}")
            return False
        return True

    def _refuse(self, what: str) -> None:
        if len(self.refused) < 20:
            self.refused.append(what[:200])


def _is_sound(name: str) -> bool:
    try:
        encoded = os.fsencode(name)
    except UnicodeError:
        return False
    lengths = map(len, encoded.split(b"/"))
    is_short = len(encoded) <= LONGEST_PATH and max(lengths) <= LONGEST_NAME
    return is_short and not name.startswith("/") and "\0" not in name


def _make_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)


def leads_to(link: Path, target: str, places: Sequence[Path]) -> bool:
    """Whether a link at a place leads into one of some folders, whatever is linked on the way."""
    try:
        end = (link.parent / target).resolve()
    except (OSError, ValueError, RuntimeError):  # a circle
        return False
    return any(end.is_relative_to(place.resolve()) for place in places)


def drop_links(folder: Path, read_only: Sequence[Path]) -> Sequence[str]:
    """Remove the links of a folder that lead out of it, except to what may be read; their names."""
    allowed = (*read_only, folder)
    gone = []
    for entry in list(_walk(folder)):
        path = folder / entry.path
        if entry.kind == "link" and not leads_to(path, entry.target, allowed):
            path.unlink(missing_ok=True)
            gone.append(entry.path)
    return gone
