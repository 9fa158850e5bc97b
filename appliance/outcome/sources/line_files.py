"""Reads JSON-lines files that others write, rotate, truncate and compress: each line once."""

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple

import structlog

from appliance.core.errors import OutcomeError

TimeOf = Callable[[Mapping[str, Any]], datetime | None]  # Any: the cloud's own JSON


def offset_at(path: Path, when: datetime, time_of: TimeOf) -> int:
    """The start of the first line that is not older than `when`, in a file ordered by time.

    Halves the file, so that a long log costs no more than a short one. Lines without a time count
    as old. Where the order is only rough, ask for a somewhat earlier time.

    Raises:
        OutcomeError: The file cannot be read.
    """
    try:
        with path.open("rb") as file:
            low, high = 0, file.seek(0, 2)
            while low < high:
                middle = (low + high) // 2
                start, line = _line_behind(file, middle)
                if start >= high or not line.endswith(b"\n"):
                    high = middle  # nothing complete starts between the middle and the end
                elif (time := _time(line, time_of)) is not None and time >= when:
                    high = middle
                else:
                    low = start + len(line)
            return _line_start(file, low)
    except OSError as exc:
        raise _unreadable(path, exc) from exc


def parse_line(line: bytes) -> Mapping[str, Any] | None:  # Any: the cloud's own JSON
    """The JSON object of a line; None if it holds none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _time(line: bytes, time_of: TimeOf) -> datetime | None:
    record = parse_line(line)
    return None if record is None else time_of(record)


def _line_behind(file: BinaryIO, offset: int) -> tuple[int, bytes]:
    start = _line_start(file, offset)
    file.seek(start)
    return start, file.readline()


def _line_start(file: BinaryIO, offset: int) -> int:
    """The first start of a line at or behind `offset`."""
    if offset == 0:
        return 0
    file.seek(offset - 1)
    if file.read(1) == b"\n":
        return offset
    file.readline()
    return file.tell()


LONGEST_LINE = 4 << 20
"""Bytes; a longer line is passed over."""
_MAX_FILES = 1000
_HEAD_BYTES = 256
"""Bytes that identify a file, in case another one was given its inode."""
_TAIL_BYTES = 64 << 10
_GLOB = re.compile(r"[*?\[]")
_log = structlog.get_logger()


class Line(NamedTuple):
    """A complete line."""

    record: Mapping[str, Any]  # Any: the cloud's own JSON
    size: int


@dataclass(slots=True)
class _ReadPosition:
    """How far a file was read."""

    offset: int
    head: str


class LineFiles:
    """The files of a log: one file with its rotated ones, a folder, or those matching a pattern."""

    def __init__(self, path: Path, time_of: TimeOf) -> None:
        self._path = path
        self._time_of = time_of
        self._positions: dict[tuple[int, int], _ReadPosition] = {}
        """By device and inode, so that a renamed file is recognised."""

    def files(self, since: datetime | None = None) -> list[Path]:
        """Files modified since then, in the order of modification.

        Raises:
            OutcomeError: There is no file at all.
        """
        by_age = sorted(
            (_modification_time(file), file) for file in self._named_files() if file.is_file()
        )
        if not by_age:
            raise OutcomeError(
                f"cannot read the audit log {self._path}: No such file or directory; correct"
                " audit.path, or let the cloud write it"
            )
        oldest = since.timestamp() if since else 0.0
        return [file for written_at, file in by_age if written_at >= oldest][-_MAX_FILES:]

    def read_on(self, since: datetime) -> Iterator[Line]:
        """New lines; of files not read before, lines not older than `since`.

        Raises:
            OutcomeError: A file cannot be read.
        """
        for file in self.files(since):
            yield from self._new_lines(file, since)

    def read_again(self, since: datetime, until: datetime | None) -> Iterator[Line]:
        """All lines of that period, whatever was read before.

        Raises:
            OutcomeError: A file cannot be read.
        """
        for file in self.files(since):
            for line in _lines_since(file, since, self._time_of):
                time = self._time_of(line.record)
                if until is not None and time is not None and time > until:
                    break
                yield line

    def last(self, at_most: int = 200) -> list[Line]:
        """Some of the last lines, to see of which kind they are.

        Raises:
            OutcomeError: There is no file, or it cannot be read.
        """
        lines: list[Line] = []
        for file in reversed(self.files()):
            if file.suffix != ".gz" and len(lines) < at_most:
                lines += _last_lines(file)
        return lines[:at_most]

    def _named_files(self) -> Iterator[Path]:
        path = self._path
        if _GLOB.search(path.name):
            yield from path.parent.glob(path.name)
        elif path.is_dir():
            yield from (file for file in path.rglob("*") if not file.name.startswith("."))
        else:
            yield path
            yield from _rotated_files(path)

    def _new_lines(self, file: Path, since: datetime) -> Iterator[Line]:
        try:
            with file.open("rb") as stream:
                status = file.stat()
                key = (status.st_dev, status.st_ino)
                position = self._positions.get(key)
                if file.suffix == ".gz":
                    is_read = position is not None and position.offset == status.st_size
                    if not is_read and (yield from _compressed_lines(file)):
                        self._positions[key] = _ReadPosition(status.st_size, "")
                    return
                if position is None:
                    position = _ReadPosition(offset_at(file, since, self._time_of), "")
                elif position.offset > status.st_size or not _is_same(stream, position):
                    position = _ReadPosition(0, "")  # cut, or another file under its number
                stream.seek(position.offset)
                for line, end in _complete_lines(stream, file):
                    position.offset = end
                    if line is not None:
                        yield line
                position.head = _head_hash(stream, position.offset)
                self._positions[key] = position
        except OSError as exc:
            raise _unreadable(file, exc) from exc


def _rotated_files(path: Path) -> Iterator[Path]:
    """`audit.log.1`, `audit.log-20261122.gz`, `audit-2026-11-22T02-00-00.000.log`."""
    name, stem, suffix = path.name, path.stem, path.suffix
    shape = re.compile(
        rf"{re.escape(name)}[.-][\w.-]+|{re.escape(stem)}[.-]\d[\w.-]*{re.escape(suffix)}(\.gz)?"
    )
    for file in path.parent.glob("*") if path.parent.is_dir() else ():
        if file != path and shape.fullmatch(file.name):
            yield file


def _modification_time(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0  # gone between two looks


def _lines_since(file: Path, since: datetime, time_of: TimeOf) -> Iterator[Line]:
    if file.suffix == ".gz":
        yield from _compressed_lines(file)
        return
    try:
        with file.open("rb") as stream:
            stream.seek(offset_at(file, since, time_of))
            yield from (line for line, _ in _complete_lines(stream, file) if line is not None)
    except OSError as exc:
        raise _unreadable(file, exc) from exc


def _complete_lines(
    stream: IO[bytes] | gzip.GzipFile, file: Path
) -> Iterator[tuple[Line | None, int]]:
    """Lines from here on with the offset after each; None for one that is no JSON object.

    A last line without a line end counts only if it is a complete object.
    """
    unreadable = 0
    while text := stream.readline(LONGEST_LINE):
        is_complete = text.endswith(b"\n")
        if not is_complete and len(text) == LONGEST_LINE:
            while (chunk := stream.readline(LONGEST_LINE)) and not chunk.endswith(b"\n"):
                pass
            if not chunk:
                break  # it is still being written
            unreadable += 1
            yield None, stream.tell()
            continue
        record = parse_line(text)
        if record is None and not is_complete:
            break
        unreadable += record is None and bool(text.strip())
        yield (Line(record, len(text)) if record is not None else None), stream.tell()
    if unreadable:
        _log.warning("audit_lines_not_read", file=str(file), lines=unreadable)


def _compressed_lines(file: Path) -> Generator[Line, None, bool]:
    """All lines of a compressed file; returns whether it was complete."""
    try:
        with gzip.open(file, "rb") as stream:
            for line, _ in _complete_lines(stream, file):
                if line is not None:
                    yield line
    except (EOFError, gzip.BadGzipFile, zlib.error) as exc:
        _log.warning("audit_file_not_whole", file=str(file), why=str(exc))
        return False
    except OSError as exc:
        raise _unreadable(file, exc) from exc
    return True


def _last_lines(file: Path) -> list[Line]:
    try:
        with file.open("rb") as stream:
            stream.seek(max(stream.seek(0, 2) - _TAIL_BYTES, 0))
            if stream.tell():
                stream.readline()
            return [line for line, _ in _complete_lines(stream, file) if line is not None]
    except OSError as exc:
        raise _unreadable(file, exc) from exc


def _head_hash(stream: IO[bytes], max_bytes: int) -> str:
    stream.seek(0)
    return hashlib.sha256(stream.read(min(max_bytes, _HEAD_BYTES))).hexdigest()


def _is_same(stream: IO[bytes], position: _ReadPosition) -> bool:
    return not position.head or _head_hash(stream, position.offset) == position.head


def _unreadable(path: Path, exc: OSError) -> OutcomeError:
    return OutcomeError(f"cannot read the audit log {path}: {exc.strerror or exc}")
