"""Uploaded documents, kept in the data folder as long as their run."""

import shutil
from collections.abc import Sequence
from pathlib import Path, PurePath

from appliance.core.errors import DocumentError
from appliance.documents import CHECKS_SUFFIX, FORMATS
from appliance.engine.request import InlineDocument

_UPLOADS = "uploads"
_INLINE = "inline"
"""Ids of procedures begin with the folder of their document: the same for every run, so that a
text that is handed in again is replayed by what was learnt of it."""


_READ_ALSO = (".ent", ".mod", ".dtd")
"""Files of entity declarations, which XML documents name."""
_COMPONENT = "antora.yml"
_LONGEST_PART, _DEEPEST = 200, 16


def keep_uploads(data_dir: Path, run_id: str, documents: Sequence[InlineDocument]) -> list[Path]:
    """Write uploads and return the documents' paths, or the folder if they came in folders.

    Raises:
        DocumentError: A name is no file name of a document.
    """
    for document in documents:
        _check_name(document.name)
    names = [document.name for document in documents]
    if len(set(names)) < len(names):
        raise DocumentError("two documents have one name")
    folder = uploads_of(data_dir, run_id) / _INLINE
    for document in documents:
        file = folder / document.name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(document.content)
    if any("/" in name for name in names):
        return [folder]  # below which documents may name files of entities
    return [folder / name for name in names if PurePath(name).suffix.lower() in FORMATS]


def given_name(path: str, data_dir: Path) -> str:
    """The name under which a document was uploaded; the path itself if it was not."""
    uploads = (data_dir / _UPLOADS).resolve()
    full = Path(path).resolve()
    if not full.is_relative_to(uploads):
        return path
    return PurePath(*full.relative_to(uploads).parts[2:]).as_posix()  # after run and `inline`


def forget_uploads(data_dir: Path, run_id: str) -> None:
    """Remove a run's uploads."""
    shutil.rmtree(uploads_of(data_dir, run_id), ignore_errors=True)


def uploads_of(data_dir: Path, run_id: str) -> Path:
    """The folder of a run's uploads."""
    return data_dir / _UPLOADS / run_id


def _check_name(name: str) -> None:
    parts = name.split("/")
    is_plain = "\\" not in name and name.isprintable() and len(parts) <= _DEEPEST
    is_plain &= all(
        part and not part.startswith(".") and len(part.encode()) <= _LONGEST_PART for part in parts
    )
    if not is_plain or not _is_known(parts[-1]):
        kinds = ", ".join(FORMATS)
        raise DocumentError(
            f"{name!r}: not a file name of a document; it ends in one of {kinds}, lies at most"
            f" {_DEEPEST - 1} folders deep, and no part of it begins with a dot or has more than"
            f" {_LONGEST_PART} bytes"
        )


def _is_known(file: str) -> bool:
    suffix = PurePath(file).suffix.lower()
    return (
        file.endswith(CHECKS_SUFFIX)
        or file == _COMPONENT
        or suffix in FORMATS
        or suffix in _READ_ALSO
    )
