"""Which build this is: written into every result, so that it can be told later what made it."""

import re
from functools import lru_cache
from pathlib import Path

UNKNOWN = "unknown"
"""What is said of a build that left no trace of its commit."""

_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_ROOT = Path(__file__).resolve().parents[2]
STAMP = _ROOT / "appliance" / "COMMIT"
"""Written into images and packages, where there is no repository."""


@lru_cache(maxsize=1)
def commit() -> str:
    """The commit of the running code, from the stamp file or the repository around it."""
    return commit_of(_ROOT, STAMP)


def commit_of(root: Path, stamp: Path) -> str:
    """The commit that a stamp file names, else that of the repository at `root`.

    The repository is read as files: `git` may be missing, or refuse a folder of another owner.
    """
    return _valid(_text(stamp)) or _valid(_head(root / ".git")) or UNKNOWN


def _head(git: Path) -> str:
    if git.is_file():  # a work tree of its own: `gitdir: PATH`
        git = (git.parent / _text(git).removeprefix("gitdir:").strip()).resolve()
    head = _text(git / "HEAD")
    if not head.startswith("ref:"):
        return head
    ref = head.removeprefix("ref:").strip()
    common = (git / (_text(git / "commondir") or ".")).resolve()
    return _text(common / ref) or _packed_ref(common / "packed-refs", ref)


def _packed_ref(file: Path, ref: str) -> str:
    lines = (line.split(" ", 1) for line in _text(file).splitlines() if " " in line)
    return next((commit for commit, name in lines if name == ref), "")


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _valid(text: str) -> str:
    return text if _COMMIT.fullmatch(text) else ""
