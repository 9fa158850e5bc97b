"""What a sandbox is made of: the folders, and the programs that stand inside."""

import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import psutil

from appliance.core.errors import SetupError
from appliance.environment.sandbox.egress import hosts_file

Engine = Literal["docker", "podman"]
ENGINES: tuple[Engine, ...] = ("docker", "podman")
PREFIX = "cda-sandbox-"
"""Of the names of containers and temporary folders."""
PLACE = Path("/run/appliance")
"""Where the channel is inside."""
SCRATCH = "/tmp"  # noqa: S108 - inside the sandbox, where it is a file system of its own
SCRATCH_SHARE = 4
"""The part of the disk that may be written outside the working folder."""
SHARED_MEMORY = 1 << 20
NOBODY = 65534
_PROGRAMS = ("inside.py", "forward.py")
SYSTEM = ("bin", "lib", "lib32", "lib64", "sbin")
"""Of the root folder, links into /usr on most systems."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxLayout:
    """The folders, files and host names of one isolated run."""

    id: str
    place: Path
    """Folder outside with the channel, the way out and the programs that stand inside."""
    folder: Path
    """The working folder."""
    read_only: Mapping[Path, Path]
    """What may be read inside: its path there, and that of what is shown here."""
    names: tuple[tuple[str, str], ...]
    """Host names and the addresses that stand for them."""


class Isolation(Protocol):
    """One isolation method: bubblewrap, a container, or a plain process."""

    name: str
    is_copied: bool
    """Whether the working folder inside is a copy."""
    has_cgroup: bool
    """Whether the kernel holds memory and processes for the whole."""
    has_network: bool
    """Whether the machine's own network is there."""

    async def prepare(self, layout: SandboxLayout) -> Sequence[str]:
        """Make ready; what to start, so that `standing` runs inside."""

    async def clean_up(self, layout: SandboxLayout) -> None:
        """Leave nothing behind, whatever happened."""

    def environment(self) -> Mapping[str, str]:
        """Variables of what is started outside; the program inside sees none of them."""


def python_folders() -> tuple[Path, ...]:
    """Where this Python is, besides /usr."""
    folders = {Path(sys.prefix), Path(sys.base_prefix)}
    return tuple(sorted(path for path in folders if not path.is_relative_to("/usr")))


def own_python() -> str:
    """This Python's program, without a virtual environment around it."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return str(Path(sys.base_prefix, "bin", name))


def standing(place: Path, python: str) -> tuple[str, ...]:
    """The program that stands inside, as a command."""
    return (python, "-I", "-S", f"{place}/inside.py", f"{place}/door.sock")


def shown(paths: Sequence[Path], place: Path, name: str) -> Mapping[Path, Path]:
    """What to show for what may be read; what is not there is left out.

    As root, programs are locked up as another user, who cannot read what only root may: a file of
    that kind, such as one with a password, is shown as a copy.

    Raises:
        SetupError: A folder is only for root.
    """
    places = {}
    for number, path in enumerate(path for path in paths if path.exists()):
        places[path] = path
        needed = 0o005 if path.is_dir() else 0o004
        if os.getuid() != 0 or path.stat().st_mode & needed == needed:
            continue
        if path.is_dir():
            raise SetupError(
                f"the sandbox {name} runs programs as a user without rights, who may not read "
                f"{path}: chmod o+rx it, or do not run the appliance as root"
            )
        places[path] = place / f"copy-{number}"
        places[path].touch(mode=0o600)
        shutil.copyfile(path, places[path])
        os.chown(places[path], NOBODY, NOBODY)
    return places


@contextmanager
def temporary() -> Iterator[Path]:
    """A folder with the programs that stand inside; only we reach it from outside."""
    around = Path(tempfile.gettempdir(), f"{PREFIX}{os.getpid()}-{secrets.token_hex(6)}")
    around.mkdir(mode=0o700)
    try:
        place = around / "place"
        place.mkdir(mode=0o755)
        for name in _PROGRAMS:
            shutil.copyfile(Path(__file__).with_name(name), place / name)
            (place / name).chmod(0o644)
        place.chmod(0o755)
        yield place
    finally:
        shutil.rmtree(around, ignore_errors=True)


def remove_places() -> Sequence[str]:
    """Remove the temporary folders of an appliance that was killed; their names."""
    gone = []
    for path in sorted(Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*")):
        pid = path.name.removeprefix(PREFIX).partition("-")[0]
        is_ours = path.is_dir() and not path.is_symlink() and path.stat().st_uid == os.getuid()
        if is_ours and pid.isdecimal() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(path, ignore_errors=True)
            gone.append(path.name)
    return gone


def write_etc(layout: SandboxLayout) -> Mapping[str, Path]:
    """The few files of /etc that programs look for, by their path inside."""
    texts = {
        "hosts": hosts_file(layout.names),
        "passwd": f"nobody:x:{user()}:{user()}:nobody:/tmp:/bin/false\n",
        "group": f"nogroup:x:{user()}:\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
        "resolv.conf": "",
    }
    made = {}
    for name, text in texts.items():
        path = layout.place / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o644)
        made[f"/etc/{name}"] = path
    certificates = Path("/etc/ssl/certs")
    if certificates.is_dir():
        made[str(certificates)] = certificates
    return made


def user() -> int:
    """Who the program is inside: the appliance's own user, never root."""
    return os.getuid() or NOBODY
