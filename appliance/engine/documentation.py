"""The configured documentation: read again when its files have changed."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from threading import Lock

import structlog

from appliance.config import Settings
from appliance.core.errors import DocumentError, SetupError
from appliance.core.procedure import Document
from appliance.documents import (
    OUTLINES,
    Children,
    DocumentOutline,
    Making,
    Reader,
    RenderedBlock,
    cache_of,
    checks_files,
    documents_in,
    outline_of,
    rendered,
    within_limits,
)

_LONG_S, _REST = 0.02, 50
"""Where looking for changed files takes that long, they are not looked for again for so many times
that: 11,000 take a tenth of a second, and every page of the dashboard asks."""
_KEPT_WHOLE = 4
"""Documents kept whole: one of 100 procedures takes some 5 MB."""
_FileStates = tuple[tuple[str, int, int], ...]
"""Every file with its time of change and size."""

_log = structlog.get_logger()


def log_problem(problem: str) -> None:
    """Log a problem with documents."""
    _log.warning("document", problem=problem)


class Documentation:
    """What `documentation.paths` names. For use from several threads."""

    def __init__(
        self, settings: Settings, warn: Callable[[str], None], *, is_open: bool = False
    ) -> None:
        """Nothing is read yet.

        Args:
            settings: Where it is, and the data folder, where what is known of it is kept.
            warn: Told what is odd about documents, and which ones are left out.
            is_open: Whether other documents may be asked for as well: by whoever started us.
        """
        section = settings.documentation
        self.paths = () if is_open else section.paths
        self.checks = () if is_open else section.checks
        self.warn = warn
        self._data_dir = settings.data_dir
        self._reader = Reader(section.read_timeout_s)
        self._outliner = Children(section.read_timeout_s, outline_of, self._reader)
        self._renderer = Children(section.read_timeout_s, rendered, self._reader)
        self._whole_by_state = lru_cache(maxsize=_KEPT_WHOLE)(self._read_whole)
        self._rendered_by_state = lru_cache(maxsize=_KEPT_WHOLE)(self._render)
        self._is_open = is_open
        # Invariant: what is read belongs to what was seen.
        self._lock = Lock()
        self._known_files: _FileStates | None = None
        self._looks_again_at = 0.0
        self._read: tuple[DocumentOutline, ...] | DocumentError = ()

    def outlines(
        self, paths: Sequence[Path], checks: Sequence[Path]
    ) -> tuple[DocumentOutline, ...]:
        """What is known of the documents of files and folders; none is read that was before.

        Raises:
            DocumentError: One cannot be read.
        """
        files = documents_in(paths, checks)
        with (
            cache_of(self._data_dir, OUTLINES) as cache,
            closing(Making(self._outliner, cache, checks).each(files)) as each,
        ):
            return within_limits(each, paths, self.warn)

    def documents(self) -> tuple[DocumentOutline, ...]:
        """All documents as they stand.

        Raises:
            DocumentError: One cannot be read.
        """
        if not self.paths:
            return ()
        with self._lock:
            if time.monotonic() >= self._looks_again_at:
                began = time.thread_time()
                files = tuple(_files((*self.paths, *self.checks)))
                took = time.thread_time() - began
                if files != self._known_files:
                    self._read = self._load()
                    self._known_files = files
                self._looks_again_at = time.monotonic() + (_REST * took if took > _LONG_S else 0)
            read = self._read
        if isinstance(read, DocumentError):
            raise read
        return read

    def whole(self, path: Path, checks: Sequence[Path] = (), root: Path | None = None) -> Document:
        """One document; `DocumentError`. See `documents.Reader`.

        The last few are kept while their files and checks stand as they were: pages ask for one
        again and again, and so do the procedures of a run.
        """
        files = tuple(_files((path, *checks_files(path, checks))))
        return self._whole_by_state(path, tuple(checks), root, files)

    def _read_whole(
        self, path: Path, checks: Sequence[Path], root: Path | None, _files: _FileStates
    ) -> Document:
        return self._reader.read(path, checks, root)

    def rendered(self, path: Path) -> tuple[RenderedBlock, ...]:
        """One as its reader sees it; kept as in `whole`; `DocumentError`."""
        return self._rendered_by_state(path, tuple(_files((path,))))

    def _render(self, path: Path, _files: _FileStates) -> tuple[RenderedBlock, ...]:
        return self._renderer.read(path)

    def one(self, path: Path) -> Document:
        """One of the configured documents, or another one, whole; `DocumentError`."""
        inside = [root for root in self.paths if root.is_dir() and path.is_relative_to(root)]
        checks = self.checks if inside or path in self.paths else ()
        return self.whole(path, checks, inside[0] if inside else None)

    def close(self) -> None:
        """End the processes that read."""
        self._reader.close()  # they are shared

    def _load(self) -> tuple[DocumentOutline, ...] | DocumentError:
        """What is wrong is kept as well: it would be wrong again, and may have taken long."""
        try:
            return self.outlines(self.paths, self.checks)
        except DocumentError as error:
            return error

    def choose_paths(self, wanted: Sequence[Path]) -> tuple[Path, ...]:
        """Files and folders of the documentation, as they are named in its own documents' paths.

        Raises:
            SetupError: One is not inside the documentation.
        """
        return (
            tuple(wanted) if self._is_open else tuple(self._resolve_path(path) for path in wanted)
        )

    def _resolve_path(self, named: Path) -> Path:
        for root in self.paths:
            inside = root.resolve()
            folder = inside if inside.is_dir() else inside.parent
            for candidate in (named.resolve(), (folder / named).resolve()):
                if candidate == inside:
                    return root
                if candidate.is_relative_to(inside) and candidate.exists():
                    return root / candidate.relative_to(inside)
        known_paths = ", ".join(str(path) for path in self.paths) or "nothing"
        raise SetupError(
            f"{named} is not in the documentation; documentation.paths has {known_paths}"
        )


def _files(paths: Sequence[Path]) -> Iterator[tuple[str, int, int]]:
    for path in paths:
        if path.is_dir():
            yield from sorted(_below(path))
        elif path.is_file():
            stat = path.stat()
            yield str(path), stat.st_mtime_ns, stat.st_size


def _below(folder: Path) -> Iterator[tuple[str, int, int]]:
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _below(Path(entry.path))
        elif entry.is_file():
            stat = entry.stat()
            yield entry.path, stat.st_mtime_ns, stat.st_size
