"""Load documents from files and folders."""

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias, TypeVar

from appliance.core.errors import DocumentError, LimitError
from appliance.core.near import meant
from appliance.core.procedure import Document
from appliance.documents._blocks import Parsed
from appliance.documents._limits import MAX_BYTES, TooMuch
from appliance.documents._source import Source
from appliance.documents.asciidoc import parse_asciidoc
from appliance.documents.checks import attach_checks
from appliance.documents.html import parse_html
from appliance.documents.markdown import parse_markdown
from appliance.documents.procedures import find_procedures
from appliance.documents.rst import parse_rst
from appliance.documents.xml import parse_xml

FORMATS = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".rst": "rst",
    ".html": "html",
    ".htm": "html",
    ".xml": "xml",
    ".dbk": "xml",
    ".docbook": "xml",
    ".dita": "xml",
    ".adoc": "asciidoc",
    ".asciidoc": "asciidoc",
}
_PARSERS: dict[str, Callable[[Source], Parsed]] = {
    "markdown": parse_markdown,
    "rst": parse_rst,
    "html": parse_html,
    "xml": parse_xml,
    "asciidoc": parse_asciidoc,
}

T = TypeVar("T")
ReadFile: TypeAlias = Callable[[Path, Sequence[Path], Path], Document]


def parse_document(text: str, path: str, format: str) -> Document:
    """Parse a text; `path` names it in ids and places and is not opened."""
    return _parse(text, path, format, (), text.encode("utf-8", "surrogatepass"))


def parse_unchecked(text: str, path: str, format: str) -> Document:
    """As `parse_document`, without the checks next to the file."""
    return _parse(text, path, format, None, text.encode("utf-8", "surrogatepass"))


def load_documents(
    paths: Sequence[Path],
    checks_dirs: Sequence[Path] = (),
    *,
    read: ReadFile | None = None,
    left_out: Callable[[str], None] = lambda why: None,
) -> tuple[Document, ...]:
    """Read files and folders, with the checks beside them or in `checks_dirs`.

    Args:
        paths: Files and folders.
        checks_dirs: Folders with checks files.
        read: Reads one document instead of `read_file`; see `apart.py`.
        left_out: Called with a message for each file of a folder that is beyond a limit.

    Raises:
        DocumentError: a path is missing or no document, or a document or checks file is unreadable.
        LimitError: a document that was named itself, or every one, is beyond a limit.
    """
    files = documents_in(paths, checks_dirs)

    def each() -> Iterator[tuple[Path, Document | DocumentError]]:
        for path, root in files.items():
            try:
                yield path, (read or read_file)(path, checks_dirs, root)
            except DocumentError as error:
                yield path, error

    return within_limits(each(), paths, left_out)


def documents_in(paths: Sequence[Path], checks_dirs: Sequence[Path] = ()) -> Mapping[Path, Path]:
    """The documents of files and folders, each with the folder of the documentation.

    Raises:
        DocumentError: A path is missing or no document, or there is no such folder of checks.
    """
    for folder in checks_dirs:
        if not folder.is_dir():
            raise DocumentError(f"{folder}: there is no such folder of checks")
    listed = [(path, _files(path)) for path in paths]
    roots = {file: path for path, files in reversed(listed) if path.is_dir() for file in files}
    return {file: roots.get(file, file.parent) for _, files in listed for file in files}


def within_limits(
    outcomes: Iterable[tuple[Path, T | DocumentError]],
    named: Collection[Path],
    left_out: Callable[[str], None],
) -> tuple[T, ...]:
    """The results of reading documents, without those of a folder that are beyond a limit.

    Raises:
        DocumentError: One could not be read.
        LimitError: One that was named itself, or every one, is beyond a limit.
    """
    results: list[T] = []
    last_error: LimitError | None = None
    for path, result in outcomes:
        if isinstance(result, LimitError) and path not in named:
            left_out(f"left out: {result}")
            last_error = result
        elif isinstance(result, DocumentError):
            raise result
        else:
            results.append(result)
    if last_error is not None and not results:
        raise last_error
    return tuple(results)


def document_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The named files and the documents in named folders, each once.

    Raises:
        DocumentError: One is missing or no document, or a folder has none.
    """
    return tuple(dict.fromkeys(file for path in paths for file in _files(path)))


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        files = sorted(_walk(path))
        if not files:
            kinds = ", ".join(f"*{s}" for s in FORMATS)
            raise DocumentError(f"{path}: no documents in this folder (looked for {kinds})")
        return files
    if not path.exists():
        raise DocumentError(f"{path}: no such file or folder{_suggest_name(path)}")
    if path.suffix.lower() not in FORMATS:
        kinds = ", ".join(FORMATS)
        raise DocumentError(f"{path}: not a document this program reads; it reads {kinds}")
    return [path]


def _walk(folder: Path) -> list[Path]:
    files = []
    for root, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if not f.startswith(".")]
        files += [
            Path(root, name)
            for name in names
            if f".{name.rpartition('.')[2]}".lower() in FORMATS and not name.startswith(".")
        ]
    return files


def _suggest_name(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f" (nor is there a folder {folder})"
    suggestion = meant(path.name, (p.name for p in folder.iterdir()))
    return f"; did you mean {folder / suggestion}?" if suggestion else ""


def read_file(path: Path, checks_dirs: Sequence[Path] = (), root: Path | None = None) -> Document:
    """Read one document; see `load_documents`. `root` is the folder of the documentation."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise DocumentError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise LimitError(f"{path}: is longer than {MAX_BYTES:,} bytes: divide it")
    format = FORMATS[path.suffix.lower()]
    return _parse(_decode(data, path), str(path), format, checks_dirs, data, root or path.parent)


def parse_again(document: Document) -> tuple[Parsed, Source]:
    """The blocks of a document read before, and the source of their offsets.

    Raises:
        LimitError: It is beyond a limit.
    """
    source = Source(document.path, "\n".join(document.lines))
    return _blocks(source, document.format), source


def _blocks(source: Source, format: str) -> Parsed:
    with _within_limits(source):
        return _PARSERS[format](source)


@contextmanager
def _within_limits(source: Source) -> Iterator[None]:
    try:
        yield
    except RecursionError as error:
        raise LimitError(f"{source.path}: is nested too deeply to be read") from error
    except TooMuch as error:
        raise LimitError(f"{source.path}:{source.line_of(error.offset)}: {error.says}") from error


def _decode(data: bytes, path: Path) -> str:
    if b"\0" in data:
        raise DocumentError(f"{path}: is a binary file, not a text document")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        raise DocumentError(
            f"{path}:{line}: is not UTF-8: byte 0x{byte:02x} at offset {error.start};"
            " save it as UTF-8"
        ) from error


def _parse(
    text: str,
    path: str,
    format: str,
    checks_dirs: Sequence[Path] | None,
    data: bytes,
    root: Path | None = None,
) -> Document:
    if format not in _PARSERS:
        known = ", ".join(_PARSERS)
        raise DocumentError(f"{path}: unknown format {format!r}; one of {known}")
    if len(data) > MAX_BYTES:
        raise LimitError(f"{path}: is longer than {MAX_BYTES:,} bytes: divide it")
    source = Source(path, text, root)
    parsed = _blocks(source, format)
    with _within_limits(source):
        outline = find_procedures(parsed, source)
    procedures = (*outline.procedures, *outline.candidates)
    if checks_dirs is not None:
        procedures = attach_checks(
            procedures, source, parsed.comments, checks_dirs, outline.left_out
        )
    return Document(
        path=path,
        format=format,
        revision=hashlib.sha256(b"".join((data, *source.read_also.values()))).hexdigest(),
        title=outline.title,
        procedures=tuple(p for p in procedures if not p.needs_model),
        lines=source.lines,
        problems=parsed.problems,
        left_out=outline.left_out,
        candidates=tuple(p for p in procedures if p.needs_model),
        read_also=tuple(
            (str(file), hashlib.sha256(read).hexdigest()) for file, read in source.read_also.items()
        ),
    )
