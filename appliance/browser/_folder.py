"""Temporary folders whose owner is known to live, and what the dead ones left."""

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import psutil

from appliance.system.files import try_lock

PREFIX = "appliance-browser-"
LOCK = "owner"
OWN = "own"
PROFILE = "profile"
UNLOCKED_FOR_S = 600.0  # a folder without a lock is being made, or its maker died at that moment


class OwnedFolder:
    """A temporary folder that is locked for as long as this process lives."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=temporary()))
        self.own = self.path / OWN
        """The browser's: its home, and what it writes beside the profile."""
        unnamed = self.path / f"{LOCK}.new"
        self._lock: IO[bytes] = unnamed.open("wb")
        try_lock(self._lock)
        unnamed.rename(self.path / LOCK)  # whoever sees the lock sees it taken

    def hand_over(self, user: int | None) -> None:
        """Make what the browser itself needs, for whoever it runs as; None: for us."""
        for path in (self.own, self.path / PROFILE):
            path.mkdir(mode=0o700, exist_ok=True)
            if user is not None:
                for each in (path, *path.rglob("*")):
                    os.chown(each, user, user)
        if user is not None:
            self.path.chmod(0o711)  # to go through, not to look around

    def remove(self) -> None:
        """Take it away with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()


def temporary() -> Path:
    """Where the folders are."""
    return Path(tempfile.gettempdir())


def lend(paths: Sequence[str], folder: Path) -> list[str]:
    """Files as a browser can read them: where it runs as another user, copies within `folder`.

    That is in an `OwnedFolder`, and ours: in one that the browser may write to, it could lead us
    elsewhere by a link.
    """
    is_owned = folder.parent.name.startswith(PREFIX)
    user = (folder.parent / OWN).stat().st_uid if is_owned else os.geteuid()
    if user == os.geteuid():
        return list(paths)
    folder.chmod(0o711)
    copies = []
    for path in paths:
        place = Path(tempfile.mkdtemp(prefix="lent-", dir=folder))  # each its own: names recur
        copy = Path(shutil.copyfile(path, place / Path(path).name))
        for each in (copy, place):  # from the last on it is the browser's
            os.chown(each, user, user)
        copies.append(str(copy))
    return copies


def folder_barred_to_others(path: Path) -> Path | None:
    """What keeps other users from a file or folder: itself, or one around it; None: nothing."""
    way = (path.resolve(), *path.resolve().parents)
    return next((each for each in way if not each.stat().st_mode & stat.S_IXOTH), None)


def reap() -> list[Path]:
    """End the browsers and remove the folders of owners that died; returns those folders."""
    dead = [path for path in temporary().glob(f"{PREFIX}*") if _is_ours(path) and _is_dead(path)]
    if dead:
        _end_browsers(dead)
    for path in dead:
        shutil.rmtree(path, ignore_errors=True)
    return dead


def _is_ours(path: Path) -> bool:
    """Whether it is a folder of this user; a link could lead anywhere."""
    try:
        at = path.lstat()
        return stat.S_ISDIR(at.st_mode) and at.st_uid == os.geteuid()
    except OSError:  # it went away
        return False


def _is_dead(path: Path) -> bool:
    try:
        with (path / LOCK).open("rb") as lock:
            return try_lock(lock)
    except FileNotFoundError:
        return _age_s(path) > UNLOCKED_FOR_S
    except OSError:
        return False


def _age_s(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0


def _end_browsers(folders: list[Path]) -> None:
    """Kill the programs that were started on one of these folders, whatever their pid."""
    wanted = {profile_flag(path) for path in folders}
    for process in psutil.process_iter(["cmdline"]):
        if wanted.intersection(process.info["cmdline"] or ()):
            try:
                process.kill()
            except psutil.Error:  # it ended by itself, or is not ours
                continue


def profile_flag(folder: Path) -> str:
    """The argument by which a browser is known as that folder's."""
    return f"--user-data-dir={folder / PROFILE}"
