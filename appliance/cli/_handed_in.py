"""What is handed in at a server: documents with their checks and what they read, by name.

A name is a path in the repository, so that a procedure has the same id there as here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.core.errors import SetupError
from appliance.core.procedure import Document
from appliance.documents import CHECKS_SUFFIX, checks_files
from appliance.reports import repository_path

_COMPONENT = "antora.yml"
_ENTITIES = ("*.ent", "*.mod", "*.dtd")


@dataclass(frozen=True, slots=True)
class HandedIn:
    """Files under the names that the server knows them by."""

    files: Mapping[str, Path]
    documents: Mapping[str, str]
    """By name: the document's path as it was named here."""


def collect_hand_in(
    documents: Iterable[Document], user_paths: Sequence[Path], checks: Sequence[Path]
) -> HandedIn:
    """What the server needs of these documents.

    Args:
        documents: As they were read here.
        user_paths: Files and folders that the user named.
        checks: Folders of checks files.

    Raises:
        SetupError: Two files would have one name, or a document has two checks files.
    """
    files: dict[str, Path] = {}
    paths: dict[str, str] = {}
    for document in documents:
        path = Path(document.path)
        name = _name(path, user_paths)
        paths[name] = document.path
        for server_name, file in (
            (name, path),
            *_checks(path, name, checks),
            *_read_also(document, path, name, user_paths),
        ):
            if files.setdefault(server_name, file).resolve() != file.resolve():
                raise SetupError(
                    f"{files[server_name]} and {file} would both be {server_name} at the server:"
                    " verify them one after the other"
                )
    return HandedIn(files, paths)


def _name(path: Path, user_paths: Sequence[Path]) -> str:
    """Return a document's name at the server, with at least one folder: ids begin with it."""
    full = path.resolve()
    name = repository_path(str(path))
    if name.startswith("/"):
        root = _root(full, user_paths)
        name = full.relative_to(root.parent).as_posix()
    return name if "/" in name else f"{full.parent.name}/{name}"


def _root(full: Path, user_paths: Sequence[Path]) -> Path:
    """Return the folder named by the user that holds the document, else its own folder."""
    folders = (folder.resolve() for folder in user_paths if folder.is_dir())
    return next((folder for folder in folders if full.is_relative_to(folder)), full.parent)


def _checks(path: Path, name: str, checks: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    files = checks_files(path, checks)
    if len(files) > 1:
        raise SetupError(
            f"{path} has checks in {' and in '.join(map(str, files))}: a server takes one file of"
            " them for a document"
        )
    stem = str(Path(name).with_suffix(""))
    yield from ((f"{stem}{CHECKS_SUFFIX}", file) for file in files)


def _read_also(
    document: Document, path: Path, name: str, user_paths: Sequence[Path]
) -> Iterator[tuple[str, Path]]:
    """Files whose text the reader takes into a document's."""
    full, folder = path.resolve(), Path(name).parent
    if document.format == "asciidoc":
        for server_folder, local_folder in zip(
            (folder, *folder.parents), full.parents, strict=False
        ):
            if server_folder.name and (local_folder / _COMPONENT).is_file():
                yield str(server_folder / _COMPONENT), local_folder / _COMPONENT
    if document.format == "xml":
        root = _root(full, user_paths)
        levels = len(full.parent.relative_to(root).parts)
        top = folder.parents[levels - 1] if levels else folder
        for pattern in _ENTITIES:
            yield from ((str(top / f.relative_to(root)), f) for f in root.rglob(pattern))
