"""The folder of a policy server: whose it is now, and what a dead owner left running."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import psutil

from appliance.core.errors import SetupError
from appliance.system.files import try_lock, unlock
from appliance.system.processes import kill_group

_OWNER = "owner.json"


class OwnedFolder:
    """Logs and links of one policy server, which is the only one in it."""

    def __init__(self, path: Path, lock: IO[str]) -> None:
        self.path = path
        self._lock = lock
        self._count = 0

    def note(self, pid: int) -> None:
        """Write down who leads the group that runs: should the guard be killed too."""
        with suppress(psutil.Error):
            self._write({"pid": pid, "since": psutil.Process(pid).create_time()})

    def link(self, name: str, folder: Path) -> Path:
        """A path to an adapter that was never used before.

        vLLM keeps what it has computed with an adapter under its name and path: new weights at an
        old path would go on with what the old ones have computed.
        """
        self._count += 1
        link = self.path / "adapters" / f"{self._count}" / name
        link.parent.mkdir(parents=True)
        link.symlink_to(folder.absolute(), target_is_directory=True)
        return link

    def forget_links(self) -> None:
        """Remove the links to adapters: a new process has loaded none."""
        shutil.rmtree(self.path / "adapters", ignore_errors=True)

    def _write(self, owner: dict[str, float]) -> None:
        self._lock.seek(0)
        self._lock.truncate()
        json.dump(owner, self._lock)
        self._lock.flush()


@contextmanager
def owned(path: Path) -> Iterator[OwnedFolder]:
    """The folder, locked; what a dead owner left running is ended first.

    Raises:
        SetupError: Another program runs a policy server from it, or it cannot be written.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = (path / _OWNER).open("a+", encoding="utf-8")
    except OSError as exc:
        raise SetupError(f"the policy server's folder cannot be written: {exc}") from exc
    with lock:
        if not try_lock(lock):
            raise SetupError(
                f"another program runs a policy server from {path}; ask that one, or end it"
            )
        lock.seek(0)
        _end_orphan(lock.read())
        folder = OwnedFolder(path, lock)
        try:
            yield folder
        finally:
            folder.forget_links()
            lock.truncate(0)
            # Closing is not enough: a program that a thread starts just now holds the file too.
            unlock(lock)


def _end_orphan(text: str) -> None:
    """Kill the group of a process that a dead owner noted, if it is still that process."""
    try:
        owner = json.loads(text)
        process = psutil.Process(int(owner["pid"]))
        if process.create_time() == owner["since"] and os.getpgid(process.pid) == process.pid:
            kill_group(process.pid)
            process.wait(10)
    except (ValueError, KeyError, TypeError, OSError, psutil.Error):  # nothing left of it
        return
