"""The configured documentation: read again when its files have changed."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Lock

import structlog

from appliance.config import DocumentationSettings
from appliance.core.errors import DocumentError, SetupError
from appliance.core.procedure import Document
from appliance.documents import Children, Reader, rendered

_FileStates = tuple[tuple[str, int, int], ...]
"""Every file with its time of change and size."""

_log = structlog.get_logger()


def log_problem(problem: str) -> None:
    """Log a problem with documents."""
    _log.warning("document", problem=problem)


class Documentation:
    """What `documentation.paths` names. For use from several threads."""

    def __init__(
        self, settings: DocumentationSettings, warn: Callable[[str], None], *, is_open: bool = False
    ) -> None:
        """Nothing is read yet.

        Args:
            settings: Where it is.
            warn: Told what is odd about documents, and which ones are left out.
            is_open: Whether other documents may be asked for as well: by whoever started us.
        """
        self.reader = Reader(settings.read_timeout_s)
        self.renderer = Children(settings.read_timeout_s, rendered)
        self.paths = () if is_open else settings.paths
        self.checks = () if is_open else settings.checks
        self.warn = warn
        self._is_open = is_open
        # Invariant: what is read belongs to what was seen.
        self._lock = Lock()
        self._known_files: _FileStates | None = None
        self._read: tuple[Document, ...] | DocumentError = ()

    def close(self) -> None:
        """End the processes that read."""
        self.reader.close()
        self.renderer.close()

    def documents(self) -> tuple[Document, ...]:
        """All documents as they stand.

        Raises:
            DocumentError: One cannot be read.
        """
        if not self.paths:
            return ()
        with self._lock:
            files = tuple(_files((*self.paths, *self.checks)))
            if files != self._known_files:
                self._read = self._load()
                self._known_files = files
            read = self._read
        if isinstance(read, DocumentError):
            raise read
        return read

    def _load(self) -> tuple[Document, ...] | DocumentError:
        """What is wrong is kept as well: it would be wrong again, and may have taken long."""
        try:
            return self.reader.load(self.paths, self.checks, left_out=self.warn)
        except DocumentError as error:
            return error

    def choose_paths(self, wanted: Sequence[Path]) -> tuple[Path, ...]:
        """Files and folders of the documentation, as they are named in its own documents' paths.

        Raises:
            SetupError: One is not inside the documentation.
        """
        return tuple(wanted) if self._is_open else tuple(self._one(path) for path in wanted)

    def _one(self, wanted: Path) -> Path:
        for root in self.paths:
            inside = root.resolve()
            folder = inside if inside.is_dir() else inside.parent
            for candidate in (wanted.resolve(), (folder / wanted).resolve()):
                if candidate == inside:
                    return root
                if candidate.is_relative_to(inside) and candidate.exists():
                    return root / candidate.relative_to(inside)
        known = ", ".join(str(path) for path in self.paths) or "nothing"
        raise SetupError(f"{wanted} is not in the documentation; documentation.paths has {known}")


def _files(paths: Sequence[Path]) -> Iterator[tuple[str, int, int]]:
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                stat = file.stat()
                yield str(file), stat.st_mtime_ns, stat.st_size
