"""Walls of namespaces: bubblewrap. No control groups: see inside.py for what holds memory."""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from appliance.config import SandboxSettings
from appliance.core.errors import SetupError
from appliance.environment.sandbox.room import (
    NOBODY,
    PLACE,
    SCRATCH,
    SYSTEM,
    Room,
    own_python,
    standing,
    write_etc,
)

_SHARED_MEMORY = 1 << 20
_SCRATCH_SHARE = 4
"""The part of the disk that may be written outside the working folder."""


class Bubblewrap:
    """Namespaces of their own for everything, a read-only root, a user without rights.

    As root, another bubblewrap around it lays out the files, for the user without rights could not
    reach them.
    """

    name = "bubblewrap"
    is_copied = True
    has_cgroup = False
    has_network = False

    def __init__(self, settings: SandboxSettings) -> None:
        self._settings = settings
        program = shutil.which("bwrap")
        if program is None:
            raise SetupError("bubblewrap (the program bwrap) is not installed")
        self._program = program

    async def put_up(self, room: Room) -> Sequence[str]:
        """See `Walls`."""
        namespaces = ("--unshare-user", "--disable-userns", "--unshare-all", "--as-pid-1")
        files = self._files(room)
        program = standing(PLACE, own_python())
        last = ("--remount-ro", "/", "--chdir", "/", "--cap-drop", "ALL", "--", *program)
        common = ("--die-with-parent", "--hostname", "sandbox", "--clearenv")
        if os.getuid() != 0:
            return (self._program, *namespaces, *common, *files, *self._own(room), *last)
        became = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        dropped = ("--no-new-privs", "--bounding-set=-all")
        outer = ("--die-with-parent", "--bind", "/proc", "/proc", "--dev", "/dev")
        whole = ("--ro-bind", "/", "/", "--tmpfs", str(room.folder))
        return (
            *(self._program, *outer, *files, "--tmpfs", str(room.folder), "--"),
            *(_find_program(became[0]), *became[1:], *dropped),
            *(self._program, *namespaces, *common, *whole, *self._own(room), *last),
        )

    async def take_down(self, room: Room) -> None:
        """Everything ended with its first process."""

    def environment(self) -> Mapping[str, str]:
        """See `Walls`."""
        return {"PATH": os.environ.get("PATH", os.defpath)}

    def _files(self, room: Room) -> list[str]:
        """What may be read."""
        arguments = ["--ro-bind", "/usr", "/usr"]
        for name in SYSTEM:
            path = Path("/", name)
            if path.is_symlink():
                arguments += ["--symlink", str(path.readlink()), str(path)]
            elif path.is_dir():
                arguments += ["--ro-bind", str(path), str(path)]
        around = (
            path.parents
            for path in (*room.read_only, room.folder / "inside", PLACE, Path("/etc/hosts"))
        )
        # Made by bubblewrap itself they would be for root only.
        for parent in sorted({parent for parents in around for parent in parents} - {Path("/")}):
            if not parent.is_relative_to("/usr"):
                arguments += ["--perms", "0755", "--dir", str(parent)]
        for inside, outside in write_etc(room).items():
            arguments += ["--ro-bind", str(outside), inside]
        for path in sorted(room.read_only):  # what is within another comes after it
            arguments += ["--ro-bind", str(room.read_only[path]), str(path)]
        return [*arguments, "--ro-bind", str(room.place), str(PLACE), "--dir", SCRATCH]

    def _own(self, room: Room) -> list[str]:
        """What is the program's own: processes, devices, and what it may write."""
        disk = self._settings.disk_mib << 20
        hidden = []
        for path in sorted(room.read_only):
            if path.is_relative_to(SCRATCH):
                hidden += ["--ro-bind", str(self._source(room, path)), str(path)]
        return [
            *("--proc", "/proc", "--dev", "/dev"),
            *("--size", str(_SHARED_MEMORY), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"),  # noqa: S108
            *("--size", str(disk // _SCRATCH_SHARE), "--tmpfs", SCRATCH, *hidden),
            *("--size", str(disk), "--tmpfs", str(room.folder)),
        ]

    def _source(self, room: Room, path: Path) -> Path:
        """Where something to be shown is: as root, what is around us shows it already."""
        return path if os.getuid() == 0 else room.read_only[path]


def _find_program(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise SetupError(f"{program} is not installed, and root needs it to give up its rights")
    return path
