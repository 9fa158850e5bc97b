"""What was made of documents before, so that none is read again that is as it was.

What was made is kept by its document's name and content, that of the checks beside it, and the code
that makes it; it is good while the other files that the document takes text from are as they were.
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
"""Bytes of what is kept in one file: many times what 50,000 documents like ours come to."""
_AT_ONCE = 500
"""So many are written in one transaction: it is short, for another process may want to write."""
_WAIT_S = 5.0
"""For that one."""
_ROOMS = ("core", "system", "language", "documents")
"""Of our package: whatever reads a document."""
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
    """Where what is made of documents is kept, and what it is."""

    name: str
    """Of a file in the data folder."""
    kind: TypeAdapter[T]
    rooms: tuple[str, ...] = ()
    """Of our package, with code that makes it: besides those that read documents."""


class Cache(Protocol[T]):
    """Keeps what was made of documents. From several threads."""

    def key(self, path: Path, checks_dirs: Sequence[Path] = (), root: Path | None = None) -> bytes:
        """What tells this state of a document from all others; empty: it cannot be read."""

    def get(self, key: bytes) -> T | None:
        """What is kept under a key, and still good."""

    def put(self, key: bytes, made: T, read_also: ReadAlso) -> None:
        """Keep it, for as long as those files are as they were."""


class NoCache(Generic[T]):
    """Keeps nothing."""

    def key(self, path: Path, checks_dirs: Sequence[Path] = (), root: Path | None = None) -> bytes:
        """See `Cache`."""
        return b""

    def get(self, key: bytes) -> T | None:
        """See `Cache`."""
        return None

    def put(self, key: bytes, made: T, read_also: ReadAlso) -> None:
        """See `Cache`."""


class _FileCache(Generic[T]):
    """In a file. What goes wrong with it costs time, and nothing else."""

    def __init__(self, database: sqlite3.Connection, kind: TypeAdapter[T], code: bytes) -> None:
        self._database, self._kind, self._code = database, kind, code
        # Invariant: one thread at a time asks the database.
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
            read_also, made = zlib.decompress(row[0]).split(b"\n", 1)
            if not all(self._hash(file) == before for file, before in json.loads(read_also)):
                return None
            found = self._kind.validate_json(made)
        except (zlib.error, ValueError, TypeError):  # a ValidationError is a ValueError
            return None
        self._used.append((self._run, key))
        return found

    def put(self, key: bytes, made: T, read_also: ReadAlso) -> None:
        """See `Cache`."""
        if not key:
            return
        entry = json.dumps(read_also).encode() + b"\n" + self._kind.dump_json(made)
        with self._lock:
            self._new.append((key, zlib.compress(entry, level=1), self._run))
            if len(self._new) >= _AT_ONCE:
                self._write()

    def finish(self, max_bytes: int) -> None:
        """Write it down, without what was not used for longest where that is too much."""
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
        """Of what another file holds now; many documents name the same."""
        if file not in self._hashes:
            path, data = Path(file), b""
            with suppress(OSError):
                data = path.read_bytes() if path.is_file() else b""
            self._hashes[file] = hashlib.sha256(data).hexdigest()
        return self._hashes[file]

    def _note(self, error: sqlite3.Error) -> None:
        """That another one is at it passes; a damaged file does not."""
        self.is_damaged |= not isinstance(error, sqlite3.OperationalError)


@contextmanager
def cache_of(
    data_dir: Path, of: CacheFile[T], *, max_bytes: int = MAX_KEPT, code: bytes | None = None
) -> Iterator[Cache[T]]:
    """The cache of a data folder; where there is no such folder, or it cannot be used, none.

    Args:
        data_dir: The folder.
        of: What is kept.
        max_bytes: Of what is kept.
        code: What tells the code that makes it from all other; None: its hash.
    """
    file = data_dir / of.name
    database = _open(file) if data_dir.is_dir() else None
    if database is None:
        yield NoCache()
        return
    cache = _FileCache(database, of.kind, code or _code((*_ROOMS, *of.rooms)))
    try:
        yield cache
    finally:
        cache.finish(max_bytes)
        database.close()
        if cache.is_damaged:
            with suppress(OSError):
                file.unlink()


def _open(file: Path) -> sqlite3.Connection | None:
    """None: it cannot be written."""
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
        database.execute("PRAGMA synchronous = OFF")  # what a power cut damages is made anew
        database.execute(_SCHEMA)
        database.execute(_LAST_USE)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _code(rooms: Sequence[str]) -> bytes:
    """A hash of all that decides what is made of a document."""
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
