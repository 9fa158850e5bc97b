"""What a store must at least be when it is opened again, in a small file beside it.

DuckDB notices a damaged block when that block is read, which may be weeks later or never; of a file
or log that was cut short it says nothing at all. So this writes down, after every commit, which
checkpoint the file is at, how long it and its log are and how the log ends; and after the last
commit, when nothing changes any more, the checksum of the whole file.

A kill at any moment must never make a good store look bad. What is written down is true of the
store from before it is written until the next checkpoint; that changes the file's headers, and what
was said of other headers is not asked any more. Then, and where a checksum is not what it was, the
whole store is read, block by block, and DuckDB's own checksums decide.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import duckdb
import structlog

from appliance.store.damage import damage_error
from appliance.system.files import try_lock

RECORD_SUFFIX = ".integrity"
_HEADERS_BYTES = 3 * 4096
"""DuckDB's: that of the file, and two of which each checkpoint writes one."""
_MAGIC, _MAGIC_AT = b"DUCK", 8
_RECORD_BYTES = 512
"""One sector: it is there whole or not at all."""
_LOG_END_BYTES = 4096
_HASHED_AT_ONCE = 1 << 20
_SCHEMA_VERSION = 1

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Record:
    """What the store's files were like when we last wrote them."""

    inode: int
    """Of the file: a copy or a restored backup is another one."""
    headers: str
    """Digest of them: which checkpoint it is."""
    size: int
    """Of the file after that checkpoint; it may only grow until the next."""
    log: int
    """Length of the log after the last commit."""
    log_end: str
    """Digest of its last bytes."""
    sha256: str = ""
    """Of the whole file, once it was closed; empty: it is in use, or was when it was killed."""


class Integrity:
    """Looks at one store when it is opened, and writes down what it is while it is open."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._wal = path.with_name(f"{path.name}.wal")
        self._record: _Record | None = None
        self._raw_headers = b""
        # Invariant: closed after DuckDB's own. The kernel drops DuckDB's lock on the file when this
        # process closes any handle on it.
        self._file: int | None = None
        self._is_read_whole = False
        self._book = _in_charge(path.with_name(f"{path.name}{RECORD_SUFFIX}"))

    def before_opening(self) -> None:
        """Look at the file before DuckDB does, which cuts off what it does not understand.

        Raises:
            StoreError: It was cut short, or is of another program.
        """
        if self._book is None or not self._path.exists() or not self._path.stat().st_size:
            return
        self._file = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        self._raw_headers = os.pread(self._file, _HEADERS_BYTES, 0)
        size = os.fstat(self._file).st_size
        if self._raw_headers[_MAGIC_AT : _MAGIC_AT + len(_MAGIC)] != _MAGIC:
            raise damage_error(self._path, "it does not begin as a store does.")
        was = _read(self._book)
        if was is None or was.inode != os.fstat(self._file).st_ino:
            return
        if was.headers != _digest(self._raw_headers):
            return
        if size < was.size:
            raise damage_error(self._path, f"it is {size:,} bytes long and was {was.size:,}.")
        log = self._log_size()
        if log < was.log:
            raise damage_error(
                self._path, f"its log {self._wal.name} is {log:,} bytes long and was {was.log:,}."
            )
        if self._log_end(was.log) != was.log_end:
            raise damage_error(self._path, f"its log {self._wal.name} is not what was written.")
        self._record = was
        if was.sha256 and not log:
            self._is_read_whole = self._checksum() == was.sha256
            if not self._is_read_whole:
                _log.warning("store_changed_while_closed", file=str(self._path))

    def after_opening(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Read everything, unless the file is to the byte what it was when it was closed.

        Raises:
            StoreError: Something cannot be read.
        """
        if self._book is None:
            return
        if self._file is not None and not self._is_read_whole:
            if not self._log_size():
                self._check_length(connection)
            read_all(connection, self._path)
            read_indexes(connection, self._path)
        if self._file is None:
            self._file = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)

    def before_writing(self) -> None:
        """From now on the file may be killed while it changes."""
        if self._record is not None and self._record.sha256:
            self._write(replace(self._record, sha256=""))

    def as_opened(self) -> None:
        """Write down where the file is. Of its log, what was written down still holds, no more.

        DuckDB leaves the end of a commit that was torn until it next writes, and cuts it off then.
        """
        self._write_down(is_log_whole=False)

    def after_writing(self) -> None:
        """Write down where file and log are now. After a failure they may have a torn end."""
        self._write_down(is_log_whole=True)

    def _write_down(self, *, is_log_whole: bool) -> None:
        if self._book is None or self._file is None:
            return
        with suppress(OSError):  # the disk's fault, which writing the store itself will tell
            headers = os.pread(self._file, _HEADERS_BYTES, 0)
            at = os.fstat(self._file)
            if not is_log_whole and self._record is not None and headers == self._raw_headers:
                return
            log = self._log_size() if is_log_whole else 0
            if self._record is None or headers != self._raw_headers:
                self._raw_headers = headers
                size = at.st_size
            else:
                size = self._record.size
            now = _Record(
                inode=at.st_ino,
                headers=_digest(headers),
                size=size,
                log=log,
                log_end=self._log_end(log),
            )
            if self._record is None or now != replace(self._record, sha256=""):
                self._write(now)

    def before_closing(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Bring the log into the file, and write down the checksum of that."""
        if self._book is None or (self._record is not None and self._record.sha256):
            return
        with suppress(duckdb.Error, OSError):  # then it is as after a kill
            if self._log_size():
                connection.execute("CHECKPOINT")
            self.after_writing()
            if self._record is not None and not self._log_size():
                self._write(replace(self._record, sha256=self._checksum()))

    def release(self) -> None:
        """Let others write down what they do to the store; DuckDB has closed it."""
        handles, self._file, self._book = (self._file, self._book), None, None
        self._record = None
        for handle in handles:
            if handle is not None:
                os.close(handle)

    def _check_length(self, connection: duckdb.DuckDBPyConnection) -> None:
        """As many blocks as it says that it uses must at least be there."""
        assert self._file is not None  # noqa: S101 - for the type checker: asked by the caller
        row = connection.execute(
            "SELECT block_size, used_blocks FROM pragma_database_size()"
        ).fetchone()
        size = os.fstat(self._file).st_size
        needed = _HEADERS_BYTES + int(row[0]) * int(row[1]) if row else 0
        if size < needed:
            raise damage_error(self._path, f"it is {size:,} bytes long, and {needed:,} are in use.")

    def _write(self, record: _Record) -> None:
        assert self._book is not None  # noqa: S101 - for the type checker: asked by the callers
        text = json.dumps({"schema_version": _SCHEMA_VERSION} | asdict(record))
        os.pwrite(self._book, text.encode().ljust(_RECORD_BYTES - 1) + b"\n", 0)
        self._record = record

    def _checksum(self) -> str:
        assert self._file is not None  # noqa: S101 - for the type checker: asked by the callers
        digest, place = hashlib.sha256(), 0
        while piece := os.pread(self._file, _HASHED_AT_ONCE, place):
            digest.update(piece)
            place += len(piece)
        return digest.hexdigest()

    def _log_size(self) -> int:
        try:
            return self._wal.stat().st_size
        except FileNotFoundError:
            return 0

    def _log_end(self, size: int) -> str:
        """Digest of the last bytes of its first `size`."""
        if not size:
            return ""
        with self._wal.open("rb") as log:
            log.seek(max(0, size - _LOG_END_BYTES))
            return _digest(log.read(min(size, _LOG_END_BYTES)))


def read_all(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Read every value of every table: DuckDB compares each block with its checksum.

    Raises:
        StoreError: One is not what was written.
    """
    with _damage_of(path):
        for (table,) in connection.execute(_TABLES).fetchall():
            connection.execute(
                f'SELECT bit_xor(hash(COLUMNS(*))) FROM "{table}"'  # noqa: S608 - a table's name
            ).fetchall()


def read_indexes(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Look every row up by its keys, as DuckDB does before it adds one; none is added.

    Raises:
        StoreError: An index is not what was written.
    """
    with _damage_of(path):
        for (table,) in connection.execute(_INDEXED).fetchall():
            connection.begin()
            try:
                connection.execute(
                    f'INSERT OR IGNORE INTO "{table}" SELECT * FROM "{table}"'  # noqa: S608 - as above
                )
            finally:
                connection.rollback()


_TABLES = "SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY table_name"
_INDEXED = """
    SELECT table_name FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE')
    UNION SELECT table_name FROM duckdb_indexes() WHERE is_unique ORDER BY table_name
"""


@contextmanager
def _damage_of(path: Path) -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        raise damage_error(path, f"{str(error).strip().splitlines()[0].rstrip('.')}.") from error


def _in_charge(book: Path) -> int | None:
    """The record's file, held alone; None: whoever has the store open writes it."""
    try:
        book.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(book, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:  # opening the store says why
        return None
    with suppress(OSError):
        if try_lock(handle):
            return handle
    os.close(handle)
    return None


def _read(book: int) -> _Record | None:
    """None: there is none, or one of another version."""
    try:
        record = json.loads(os.pread(book, _RECORD_BYTES, 0))
        if record.pop("schema_version") != _SCHEMA_VERSION:
            return None
        return _Record(**record)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
