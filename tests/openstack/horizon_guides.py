"""Fetches Horizon's user and administrator guides from its source distribution."""

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path, PurePosixPath

GUIDES = (
    "user/configure-access-and-security-for-instances",
    "user/create-networks",
    "user/launch-instances",
    "user/log-in",
    "user/manage-containers",
    "user/manage-images",
    "user/manage-volumes",
    "admin/admin-manage-roles",
    "admin/manage-flavors",
    "admin/manage-host-aggregates",
    "admin/manage-images",
    "admin/manage-instances",
    "admin/manage-projects-and-users",
    "admin/manage-services",
    "admin/manage-volumes",
    "admin/set-quotas",
)
"""The files with something to do in the console. The others are about the server's own files."""
_FOLDERS = ("user", "admin")


class GuidesError(Exception):
    """The guides could not be had."""


def fetch_guides(release: str, cache: Path) -> Path:
    """The folder with `user/` and `admin/` of that release, fetched once.

    pip does the fetching, so that its own settings say from where.
    """
    folder = cache / f"horizon-{release}"
    if (folder / "user").is_dir():
        return folder
    with tempfile.TemporaryDirectory() as scratch:
        archive = _download(release, Path(scratch))
        unpack_guides(archive, folder)
    return folder


def unpack_guides(archive: Path, folder: Path) -> None:
    """Take `doc/source/user/*.rst` and `doc/source/admin/*.rst` out of a source distribution."""
    found: dict[Path, bytes] = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            parts = PurePosixPath(member.name).parts[1:]
            is_guide = len(parts) == 4 and parts[:2] == ("doc", "source") and parts[2] in _FOLDERS
            if is_guide and parts[3].endswith(".rst") and (file := tar.extractfile(member)):
                found[folder / parts[2] / parts[3]] = file.read()
    if not found:
        raise GuidesError(f"{archive.name} holds no doc/source/user/*.rst")
    for path, content in found.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def guide_files(folder: Path, every: bool = False) -> list[Path]:
    """The sixteen guides, or every file."""
    if every:
        return sorted(path for name in _FOLDERS for path in (folder / name).glob("*.rst"))
    return [folder / f"{name}.rst" for name in GUIDES]


def _download(release: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--no-binary", "horizon", "--dest", str(folder), f"horizon=={release}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    archives = sorted(folder.glob("*.tar.gz"))
    if not archives:  # pip may fail after the download, at the package's metadata
        last = (done.stderr.strip().splitlines() or ["no output"])[-1]
        raise GuidesError(f"pip could not fetch the source of horizon {release}: {last}")
    return archives[0]
