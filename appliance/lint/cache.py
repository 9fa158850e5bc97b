"""What was made of documents before, so that none is read again that is as it was.

A page is kept by its document's name and content, that of the checks beside it, and the code that
reads. What is known of the console is no part of it: labels are looked up anew each time.
"""

import hashlib
import sqlite3
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from appliance.documents import checks_files
from appliance.lint.pages import LintedPage

FILE_NAME = "lint-cache.sqlite"
"""In the data folder."""
MAX_BYTES = 256 * 1024**2
"""Of pages that are kept: some 50,000 documents like ours."""
_WAIT_S = 0.5
"""For another one that writes it: not longer than what it saves."""
_ROOMS = ("core", "system", "language", "documents", "policy", "lint")
"""Of our package: whatever reads a document."""
_PARSERS = ("docutils", "markdown-it-py", "mdit-py-plugins")
_PAGE = TypeAdapter(LintedPage)
_SCHEMA = """
    CREATE TABLE IF NOT EXISTS pages (
        key BLOB PRIMARY KEY, page BLOB NOT NULL, used INTEGER NOT NULL
    )
"""
_LAST_USE = "SELECT coalesce(max(used), 0) FROM pages"
_TRIM = """
    DELETE FROM pages WHERE key IN (
        SELECT key FROM (
            SELECT key, sum(length(page)) OVER (ORDER BY used DESC, key) AS total FROM pages
        ) WHERE total > ?
    )
"""
"""Keep the newest, up to so many bytes."""


class Cache(Protocol):
    """Keeps pages. From several threads."""

    def key(self, path: Path) -> bytes:
        """What tells this state of a document from all others; empty: it cannot be read."""

    def get(self, key: bytes) -> LintedPage | None:
        """What is kept under a key."""

    def put(self, key: bytes, page: LintedPage) -> None:
        """Keep it."""


class _NoCache:
    """Keeps nothing."""

    def key(self, path: Path) -> bytes:
        return b""

    def get(self, key: bytes) -> LintedPage | None:
        return None

    def put(self, key: bytes, page: LintedPage) -> None:
        pass


NO_CACHE: Cache = _NoCache()


class PageCache:
    """Pages in a file. What goes wrong with it costs time, and nothing else."""

    def __init__(self, database: sqlite3.Connection, code: bytes, max_bytes: int) -> None:
        self._database, self._code, self._max_bytes = database, code, max_bytes
        # Invariant: one thread at a time asks the database.
        self._lock = threading.Lock()
        self._run = database.execute(_LAST_USE).fetchone()[0] + 1
        self._used: list[bytes] = []

    def key(self, path: Path) -> bytes:
        """See `Cache`."""
        digest = hashlib.sha256(self._code)
        try:
            for file in (path, *checks_files(path)):
                content = file.read_bytes()
                digest.update(f"\0{file}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
                digest.update(content)
        except OSError:
            return b""
        return digest.digest()

    def get(self, key: bytes) -> LintedPage | None:
        """See `Cache`."""
        row = None
        with self._lock, suppress(sqlite3.Error):
            row = self._database.execute("SELECT page FROM pages WHERE key = ?", [key]).fetchone()
        if row is None:
            return None
        try:
            page = _PAGE.validate_json(zlib.decompress(row[0]))
        except (zlib.error, ValidationError):
            return None
        self._used.append(key)
        return page

    def put(self, key: bytes, page: LintedPage) -> None:
        """See `Cache`."""
        if not key:
            return
        data = zlib.compress(_PAGE.dump_json(page), level=1)
        with self._lock, suppress(sqlite3.Error):
            self._database.execute(
                "INSERT OR REPLACE INTO pages VALUES (?, ?, ?)", [key, data, self._run]
            )

    def finish(self) -> None:
        """Write it down, without the pages that were not used for longest if they are too many."""
        with suppress(sqlite3.Error):
            self._database.executemany(
                "UPDATE pages SET used = ? WHERE key = ?", [(self._run, key) for key in self._used]
            )
            self._database.execute(_TRIM, [self._max_bytes])
            self._database.commit()


@contextmanager
def page_cache(
    data_dir: Path, *, max_bytes: int = MAX_BYTES, code: bytes | None = None
) -> Iterator[Cache]:
    """The cache of a data folder; where there is no such folder, or it cannot be used, none.

    Args:
        data_dir: The folder.
        max_bytes: Of pages that are kept.
        code: What tells the code that reads from all other; None: its hash.
    """
    database = _open(data_dir / FILE_NAME) if data_dir.is_dir() else None
    if database is None:
        yield NO_CACHE
        return
    cache = PageCache(database, code or _code(), max_bytes)
    try:
        yield cache
    finally:
        cache.finish()
        database.close()


def _open(file: Path) -> sqlite3.Connection | None:
    """None: another one writes it at this moment, or it cannot be written."""
    with suppress(sqlite3.Error, OSError):
        try:
            return _begin(file)
        except sqlite3.OperationalError:
            return None
        except sqlite3.DatabaseError:  # it is none: nothing is lost with it
            file.unlink()
            return _begin(file)
    return None


def _begin(file: Path) -> sqlite3.Connection:
    database = sqlite3.connect(file, timeout=_WAIT_S, check_same_thread=False)
    try:
        database.execute("BEGIN IMMEDIATE")
        database.execute(_SCHEMA)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _code() -> bytes:
    """A hash of all that decides what is made of a document."""
    digest = hashlib.sha256(sys.version.encode())
    for name in _PARSERS:
        with suppress(PackageNotFoundError):
            digest.update(version(name).encode())
    root = Path(__file__).resolve().parents[1]
    for file in sorted(file for room in _ROOMS for file in (root / room).rglob("*")):
        if file.suffix == ".py":
            digest.update(f"\0{file.relative_to(root)}\0".encode())
            digest.update(file.read_bytes())
    return digest.digest()
