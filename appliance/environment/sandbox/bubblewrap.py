"""Isolation by namespaces: bubblewrap. No control groups: see inside.py for what holds memory."""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from appliance.config import SandboxSettings
from appliance.core.errors import SetupError
from appliance.environment.sandbox.layout import (
    NOBODY,
    PLACE,
    SCRATCH,
    SCRATCH_SHARE,
    SHARED_MEMORY,
    SYSTEM,
    SandboxLayout,
    own_python,
    standing,
    write_etc,
)


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

    async def prepare(self, layout: SandboxLayout) -> Sequence[str]:
        """See `Isolation`."""
        namespaces = ("--unshare-user", "--disable-userns", "--unshare-all", "--as-pid-1")
        files = self._files(layout)
        program = standing(PLACE, own_python())
        last = ("--remount-ro", "/", "--chdir", "/", "--cap-drop", "ALL", "--", *program)
        common = ("--die-with-parent", "--hostname", "sandbox", "--clearenv")
        if os.getuid() != 0:
            return (self._program, *namespaces, *common, *files, *self._own(layout), *last)
        became = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        dropped = ("--no-new-privs", "--bounding-set=-all")
        outer = ("--die-with-parent", "--bind", "/proc", "/proc", "--dev", "/dev")
        whole = ("--ro-bind", "/", "/", "--tmpfs", str(layout.folder))
        return (
            *(self._program, *outer, *files, "--tmpfs", str(layout.folder), "--"),
            *(_find_program(became[0]), *became[1:], *dropped),
            *(self._program, *namespaces, *common, *whole, *self._own(layout), *last),
        )

    async def clean_up(self, layout: SandboxLayout) -> None:
        """Everything ended with its first process."""

    def environment(self) -> Mapping[str, str]:
        """See `Isolation`."""
        return {"PATH": os.environ.get("PATH", os.defpath)}

    def _files(self, layout: SandboxLayout) -> list[str]:
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
            for path in (*layout.read_only, layout.folder / "inside", PLACE, Path("/etc/hosts"))
        )
        # Made by bubblewrap itself they would be for root only.
        for parent in sorted({parent for parents in around for parent in parents} - {Path("/")}):
            if not parent.is_relative_to("/usr"):
                arguments += ["--perms", "0755", "--dir", str(parent)]
        for inside, outside in write_etc(layout).items():
            arguments += ["--ro-bind", str(outside), inside]
        for path in sorted(layout.read_only):  # what is within another comes after it
            arguments += ["--ro-bind", str(layout.read_only[path]), str(path)]
        return [*arguments, "--ro-bind", str(layout.place), str(PLACE), "--dir", SCRATCH]

    def _own(self, layout: SandboxLayout) -> list[str]:
        """What is the program's own: processes, devices, and what it may write."""
        disk = self._settings.disk_mib << 20
        hidden = []
        for path in sorted(layout.read_only):
            if path.is_relative_to(SCRATCH):
                hidden += ["--ro-bind", str(self._source(layout, path)), str(path)]
        return [
            *("--proc", "/proc", "--dev", "/dev"),
            *("--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"),  # noqa: S108
            *("--size", str(disk // SCRATCH_SHARE), "--tmpfs", SCRATCH, *hidden),
            *("--size", str(disk), "--tmpfs", str(layout.folder)),
        ]

    def _source(self, layout: SandboxLayout, path: Path) -> Path:
        """Where something to be shown is: as root, what is around us shows it already."""
        return path if os.getuid() == 0 else layout.read_only[path]


def _find_program(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise SetupError(f"{program} is not installed, and root needs it to give up its rights")
    return path
