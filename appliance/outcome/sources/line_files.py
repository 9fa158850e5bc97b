"""JSON-lines files that somebody else writes, rotates, cuts and packs: each line is read once."""

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
    """The JSON object of a line; None: it holds none."""
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
_MOST_FILES = 1000
_HEAD = 256
"""Bytes by which a file is known again, where another one got its number."""
_ENDING = 64 << 10
_MAGIC = re.compile(r"[*?\[]")
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
    """The files of a log: one with what it was rotated to, a folder, or what a pattern names."""

    def __init__(self, path: Path, time_of: TimeOf) -> None:
        self._path = path
        self._time_of = time_of
        self._places: dict[tuple[int, int], _ReadPosition] = {}
        """By device and inode: a file that was renamed is the same."""

    def files(self, since: datetime | None = None) -> list[Path]:
        """Those that were written to since then, the one written to last at the end.

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
        return [file for written_at, file in by_age if written_at >= oldest][-_MOST_FILES:]

    def read_on(self, since: datetime) -> Iterator[Line]:
        """What is new; of files that were not read yet, what is not older than `since`.

        Raises:
            OutcomeError: A file cannot be read.
        """
        for file in self.files(since):
            yield from self._rest(file, since)

    def read_again(self, since: datetime, until: datetime | None) -> Iterator[Line]:
        """All that is not older, up to some time, whatever was read before.

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
        """Some of the last lines, to see what they are.

        Raises:
            OutcomeError: There is no file, or it cannot be read.
        """
        lines: list[Line] = []
        for file in reversed(self.files()):
            if file.suffix != ".gz" and len(lines) < at_most:
                lines += _ending(file)
        return lines[:at_most]

    def _named_files(self) -> Iterator[Path]:
        path = self._path
        if _MAGIC.search(path.name):
            yield from path.parent.glob(path.name)
        elif path.is_dir():
            yield from (file for file in path.rglob("*") if not file.name.startswith("."))
        else:
            yield path
            yield from _rotated_files(path)

    def _rest(self, file: Path, since: datetime) -> Iterator[Line]:
        try:
            with file.open("rb") as stream:
                status = file.stat()
                key = (status.st_dev, status.st_ino)
                place = self._places.get(key)
                if file.suffix == ".gz":
                    is_known = place is not None and place.offset == status.st_size
                    if not is_known and (yield from _packed_lines(file)):
                        self._places[key] = _ReadPosition(status.st_size, "")
                    return
                if place is None:
                    place = _ReadPosition(offset_at(file, since, self._time_of), "")
                elif place.offset > status.st_size or not _is_same(stream, place):
                    place = _ReadPosition(0, "")  # cut, or another file under its number
                stream.seek(place.offset)
                for line, end in _complete(stream, file):
                    place.offset = end
                    if line is not None:
                        yield line
                place.head = _head(stream, place.offset)
                self._places[key] = place
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
        yield from _packed_lines(file)
        return
    try:
        with file.open("rb") as stream:
            stream.seek(offset_at(file, since, time_of))
            yield from (line for line, _ in _complete(stream, file) if line is not None)
    except OSError as exc:
        raise _unreadable(file, exc) from exc


def _complete(stream: IO[bytes] | gzip.GzipFile, file: Path) -> Iterator[tuple[Line | None, int]]:
    """Lines from here on with the place behind each; None for one that is no JSON object.

    A last line without its end is complete only where it is an object already.
    """
    unreadable = 0
    while text := stream.readline(LONGEST_LINE):
        is_whole = text.endswith(b"\n")
        if not is_whole and len(text) == LONGEST_LINE:
            while (more := stream.readline(LONGEST_LINE)) and not more.endswith(b"\n"):
                pass
            if not more:
                break  # it is still being written
            unreadable += 1
            yield None, stream.tell()
            continue
        record = parse_line(text)
        if record is None and not is_whole:
            break
        unreadable += record is None and bool(text.strip())
        yield (Line(record, len(text)) if record is not None else None), stream.tell()
    if unreadable:
        _log.warning("audit_lines_not_read", file=str(file), lines=unreadable)


def _packed_lines(file: Path) -> Generator[Line, None, bool]:
    """All lines of a packed file, and whether it was whole."""
    try:
        with gzip.open(file, "rb") as stream:
            for line, _ in _complete(stream, file):
                if line is not None:
                    yield line
    except (EOFError, gzip.BadGzipFile, zlib.error) as exc:
        _log.warning("audit_file_not_whole", file=str(file), why=str(exc))
        return False
    except OSError as exc:
        raise _unreadable(file, exc) from exc
    return True


def _ending(file: Path) -> list[Line]:
    try:
        with file.open("rb") as stream:
            stream.seek(max(stream.seek(0, 2) - _ENDING, 0))
            if stream.tell():
                stream.readline()
            return [line for line, _ in _complete(stream, file) if line is not None]
    except OSError as exc:
        raise _unreadable(file, exc) from exc


def _head(stream: IO[bytes], most: int) -> str:
    stream.seek(0)
    return hashlib.sha256(stream.read(min(most, _HEAD))).hexdigest()


def _is_same(stream: IO[bytes], place: _ReadPosition) -> bool:
    return not place.head or _head(stream, place.offset) == place.head


def _unreadable(path: Path, exc: OSError) -> OutcomeError:
    return OutcomeError(f"cannot read the audit log {path}: {exc.strerror or exc}")
