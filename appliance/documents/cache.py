"""Caches results made from documents, so that unchanged documents are not read again.

An entry is keyed by the name and content of the document and its checks and by the code that makes
the result; it is valid while the other files that the document takes text from are unchanged.
"""

import hashlib
import json
import sqlite3
import sys
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Generic, Protocol, TypeAlias, TypeVar

from pydantic import TypeAdapter

from appliance.documents._limits import MAX_BYTES
from appliance.documents.checks import checks_files

MAX_KEPT = 256 * 1024**2
"""Bytes kept in one file: many times the need of 50,000 documents like ours."""
_AT_ONCE = 500
"""Entries per transaction: few, to keep it short, for another process may want to write."""
_WAIT_S = 5.0
"""Longest wait for another process that writes."""
_ROOMS = ("core", "system", "language", "documents")
"""Subpackages with code that reads documents."""
_PARSERS = ("docutils", "markdown-it-py", "mdit-py-plugins")
_SCHEMA = """
    CREATE TABLE IF NOT EXISTS kept (
        key BLOB PRIMARY KEY, made BLOB NOT NULL, used INTEGER NOT NULL
    )
"""
_LAST_USE = "SELECT coalesce(max(used), 0) FROM kept"
_TRIM = """
    DELETE FROM kept WHERE key IN (
        SELECT key FROM (
            SELECT key, sum(length(made)) OVER (ORDER BY used DESC, key) AS total FROM kept
        ) WHERE total > ?
    )
"""
"""Keep the newest, up to so many bytes."""

T = TypeVar("T")
ReadAlso: TypeAlias = tuple[tuple[str, str], ...]
"""As in `Document`."""


@dataclass(frozen=True, slots=True)
class CacheFile(Generic[T]):
    """The file that caches one kind of result."""

    name: str
    """File name in the data folder."""
    kind: TypeAdapter[T]
    rooms: tuple[str, ...] = ()
    """Further subpackages with code that makes the result."""


class Cache(Protocol[T]):
    """Caches results made from documents. Thread-safe."""

    def key(self, path: Path, checks_dirs: Sequence[Path] = (), root: Path | None = None) -> bytes:
        """The key of a document's present state; empty if it cannot be read."""

    def get(self, key: bytes) -> T | None:
        """The entry of a key, if there is one and it is still valid."""

    def put(self, key: bytes, value: T, read_also: ReadAlso) -> None:
        """Keep an entry; it is valid while the files of `read_also` are unchanged."""


class NoCache(Generic[T]):
    """A cache that keeps nothing."""

    def key(self, path: Path, checks_dirs: Sequence[Path] = (), root: Path | None = None) -> bytes:
        """See `Cache`."""
        return b""

    def get(self, key: bytes) -> T | None:
        """See `Cache`."""
        return None

    def put(self, key: bytes, value: T, read_also: ReadAlso) -> None:
        """See `Cache`."""


class _FileCache(Generic[T]):
    """A cache in an SQLite file. Its errors cost time and nothing else."""

    def __init__(self, database: sqlite3.Connection, kind: TypeAdapter[T], code: bytes) -> None:
        self._database, self._kind, self._code = database, kind, code
        # Invariant: one thread at a time uses the database.
        self._lock = threading.Lock()
        self._run = database.execute(_LAST_USE).fetchone()[0] + 1
        self._used: list[tuple[int, bytes]] = []
        self._new: list[tuple[bytes, bytes, int]] = []
        self._hashes: dict[str, str] = {}
        self.is_damaged = False

    def key(self, path: Path, checks_dirs: Sequence[Path] = (), root: Path | None = None) -> bytes:
        """See `Cache`."""
        digest = hashlib.sha256(self._code)
        digest.update(str(root).encode("utf-8", "surrogateescape"))
        try:
            for file in (path, *checks_files(path, checks_dirs)):
                with file.open("rb") as opened:
                    content = opened.read(MAX_BYTES + 1)
                if len(content) > MAX_BYTES:  # nobody reads it
                    return b""
                digest.update(f"\0{file}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
                digest.update(content)
        except OSError:
            return b""
        return digest.digest()

    def get(self, key: bytes) -> T | None:
        """See `Cache`."""
        row = None
        with self._lock:
            try:
                row = self._database.execute(
                    "SELECT made FROM kept WHERE key = ?", [key]
                ).fetchone()
            except sqlite3.Error as error:
                self._note(error)
        if row is None:
            return None
        try:
            read_also, value_json = zlib.decompress(row[0]).split(b"\n", 1)
            if not all(self._hash(file) == digest for file, digest in json.loads(read_also)):
                return None
            value = self._kind.validate_json(value_json)
        except (zlib.error, ValueError, TypeError):  # a ValidationError is a ValueError
            return None
        self._used.append((self._run, key))
        return value

    def put(self, key: bytes, value: T, read_also: ReadAlso) -> None:
        """See `Cache`."""
        if not key:
            return
        entry = json.dumps(read_also).encode() + b"\n" + self._kind.dump_json(value)
        with self._lock:
            self._new.append((key, zlib.compress(entry, level=1), self._run))
            if len(self._new) >= _AT_ONCE:
                self._write()

    def finish(self, max_bytes: int) -> None:
        """Write pending entries, and drop the least recently used beyond `max_bytes`."""
        with self._lock:
            self._write()
            try:
                with self._database:
                    self._database.executemany("UPDATE kept SET used = ? WHERE key = ?", self._used)
                    self._database.execute(_TRIM, [max_bytes])
            except sqlite3.Error as error:
                self._note(error)

    def _write(self) -> None:
        try:
            with self._database:
                self._database.executemany(
                    "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", self._new
                )
        except sqlite3.Error as error:
            self._note(error)
        self._new.clear()

    def _hash(self, file: str) -> str:
        """Hash of another file's content; remembered, as many documents refer to the same."""
        if file not in self._hashes:
            path, data = Path(file), b""
            with suppress(OSError):
                data = path.read_bytes() if path.is_file() else b""
            self._hashes[file] = hashlib.sha256(data).hexdigest()
        return self._hashes[file]

    def _note(self, error: sqlite3.Error) -> None:
        """Remember whether the file is damaged; a lock held by another process is not damage."""
        self.is_damaged |= not isinstance(error, sqlite3.OperationalError)


@contextmanager
def cache_of(
    data_dir: Path,
    cache_file: CacheFile[T],
    *,
    max_bytes: int = MAX_KEPT,
    code: bytes | None = None,
) -> Iterator[Cache[T]]:
    """The cache in a data folder; `NoCache` if there is no such folder or it cannot be used.

    Args:
        data_dir: The folder.
        cache_file: The kind of result.
        max_bytes: Most bytes to keep.
        code: Identifies the code that makes the result; None for its hash.
    """
    file = data_dir / cache_file.name
    database = _open(file) if data_dir.is_dir() else None
    if database is None:
        yield NoCache()
        return
    cache = _FileCache(database, cache_file.kind, code or _code((*_ROOMS, *cache_file.rooms)))
    try:
        yield cache
    finally:
        cache.finish(max_bytes)
        database.close()
        if cache.is_damaged:
            with suppress(OSError):
                file.unlink()


def _open(file: Path) -> sqlite3.Connection | None:
    """Open the database; None if it cannot be written."""
    with suppress(sqlite3.Error, OSError):
        try:
            return _begin(file)
        except sqlite3.OperationalError:
            return None
        except sqlite3.DatabaseError:  # not a database: nothing is lost with it
            file.unlink()
            return _begin(file)
    return None


def _begin(file: Path) -> sqlite3.Connection:
    database = sqlite3.connect(file, timeout=_WAIT_S, check_same_thread=False)
    try:
        database.execute("PRAGMA synchronous = OFF")  # a file damaged by a power cut is replaced
        database.execute(_SCHEMA)
        database.execute(_LAST_USE)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _code(rooms: Sequence[str]) -> bytes:
    """A hash of all code and parser versions that determine the result."""
    digest = hashlib.sha256(sys.version.encode())
    for name in _PARSERS:
        with suppress(PackageNotFoundError):
            digest.update(version(name).encode())
    root = Path(__file__).resolve().parents[1]
    for file in sorted(file for room in rooms for file in (root / room).rglob("*")):
        if file.suffix == ".py":
            digest.update(f"\0{file.relative_to(root)}\0".encode())
            digest.update(file.read_bytes())
    return digest.digest()
