"""Documents that come with a question: kept in the data folder, as long as their run."""

import shutil
from collections.abc import Sequence
from pathlib import Path, PurePath

from appliance.core.errors import DocumentError
from appliance.documents import FORMATS
from appliance.engine.request import InlineDocument

_CHECKS = ".checks.yaml"
"""What a document is held against may come beside it."""
_INLINE = "inline"
"""Ids of procedures begin with the folder of their document: the same for every run, so that a
text that is handed in again is replayed by what was learnt of it."""


def keep_uploads(data_dir: Path, run_id: str, documents: Sequence[InlineDocument]) -> list[Path]:
    """Write them; the paths of those that are documents.

    Raises:
        DocumentError: A name is no file name of a document.
    """
    for document in documents:
        _check_name(document.name)
    names = [document.name for document in documents]
    if len(set(names)) < len(names):
        raise DocumentError("two documents have one name")
    folder = uploads_of(data_dir, run_id) / _INLINE
    folder.mkdir(parents=True)
    for document in documents:
        (folder / document.name).write_bytes(document.content)
    return [folder / name for name in names if not name.endswith(_CHECKS)]


def forget_uploads(data_dir: Path, run_id: str) -> None:
    """Remove a run's uploads."""
    shutil.rmtree(uploads_of(data_dir, run_id), ignore_errors=True)


def uploads_of(data_dir: Path, run_id: str) -> Path:
    """The folder of a run's uploads."""
    return data_dir / "uploads" / run_id


def _check_name(name: str) -> None:
    is_plain = PurePath(name).name == name and "\\" not in name and name.isprintable()
    is_known = name.endswith(_CHECKS) or PurePath(name).suffix.lower() in FORMATS
    if not is_plain or name.startswith(".") or not is_known or len(name.encode()) > 200:
        kinds = ", ".join(FORMATS)
        raise DocumentError(f"{name!r}: not a file name of a document; it ends in one of {kinds}")
