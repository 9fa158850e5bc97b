"""The data folder is its owner's alone."""

import stat
from collections.abc import Iterator
from pathlib import Path

import structlog

_OTHERS = 0o077
_OURS = (
    "store.*",
    "artifacts",
    "backups",
    "bench",
    "benchmarks",
    "first-key",
    "logs",
    "modules",
    "practice",
    "reports",
    "retention.jsonl",
    "server.json*",
    "sessions",
    "sweep",
    "terraform",
    "uploads",
)
"""What the appliance makes in it: somebody may have put other things beside that."""

_log = structlog.get_logger()


def keep_private(data_dir: Path) -> None:
    """Take group's and others' rights from the folder, and from what an earlier release made in it.

    Where the folder itself was tight already, so is what is in it.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    data_dir = data_dir.resolve()  # a link has no rights of its own
    if not _is_loose(data_dir):
        return
    tightened = sum(map(_tighten, _inside(data_dir)))
    if _tighten(data_dir):  # last: after a kill on the way, the next start goes on
        _log.warning("data_folder_tightened", folder=str(data_dir), also=tightened)


def loose(data_dir: Path) -> tuple[Path, ...]:
    """The folder, and what the appliance made in it, as far as others have rights there."""
    data_dir = data_dir.resolve()
    if not data_dir.is_dir() or not _is_loose(data_dir):
        return ()
    return (data_dir, *(path for path in _inside(data_dir) if _is_loose(path)))


def _inside(data_dir: Path) -> Iterator[Path]:
    for pattern in _OURS:
        for top in data_dir.glob(pattern):
            yield top
            if top.is_dir() and not top.is_symlink():
                yield from top.rglob("*")


def _is_loose(path: Path) -> bool:
    mode = path.lstat().st_mode
    return not stat.S_ISLNK(mode) and bool(mode & _OTHERS)


def _tighten(path: Path) -> bool:
    try:
        if not _is_loose(path):
            return False
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~_OTHERS)
    except (PermissionError, FileNotFoundError):  # another's: `doctor` says so
        return False
    return True
