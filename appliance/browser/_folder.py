"""Temporary folders locked by a living owner, and removal of those whose owner has died."""

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
                for owned_path in (path, *path.rglob("*")):
                    os.chown(owned_path, user, user)
        if user is not None:
            self.path.chmod(0o711)  # to go through, not to look around

    def remove(self) -> None:
        """Delete the folder with its content."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()


def temporary() -> Path:
    """The folder that holds the temporary folders."""
    return Path(tempfile.gettempdir())


def make_readable(paths: Sequence[str], folder: Path) -> list[str]:
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
        copy_folder = Path(
            tempfile.mkdtemp(prefix="lent-", dir=folder)
        )  # each its own: names recur
        copy = Path(shutil.copyfile(path, copy_folder / Path(path).name))
        for owned_path in (copy, copy_folder):  # from the last on it is the browser's
            os.chown(owned_path, user, user)
        copies.append(str(copy))
    return copies


def folder_barred_to_others(path: Path) -> Path | None:
    """The path, or a folder around it, that other users may not enter; None if there is none."""
    ancestors = (path.resolve(), *path.resolve().parents)
    return next(
        (ancestor for ancestor in ancestors if not ancestor.stat().st_mode & stat.S_IXOTH), None
    )


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
        status = path.lstat()
        return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
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
    """Kill the programs that were started with one of these profile folders."""
    profile_flags = {profile_flag(path) for path in folders}
    for process in psutil.process_iter(["cmdline"]):
        if profile_flags.intersection(process.info["cmdline"] or ()):
            try:
                process.kill()
            except psutil.Error:  # it ended by itself, or is not ours
                continue


def profile_flag(folder: Path) -> str:
    """The argument that marks a browser process as the folder's."""
    return f"--user-data-dir={folder / PROFILE}"
