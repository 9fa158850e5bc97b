"""JSON-lines files that somebody else is writing to: read on from a place, or from a time."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from appliance.core.errors import OutcomeError

TimeOf = Callable[[Mapping[str, Any]], datetime | None]  # Any: the cloud's own JSON


@dataclass(frozen=True, slots=True)
class Chunk:
    """What a read gave."""

    records: tuple[Mapping[str, Any], ...]  # Any: the cloud's own JSON
    offset: int
    """Bytes read so far: the place to read on from. A half-written last line lies behind it."""
    unreadable: int = 0
    """Complete lines that are no JSON object."""


def read_from(path: Path, offset: int = 0) -> Chunk:
    """Read the complete lines behind `offset`.

    A file shorter than `offset` was replaced: it is read from its start.

    Raises:
        OutcomeError: The file cannot be read.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(offset if offset <= size else 0)
            return _chunk(file)
    except OSError as exc:
        raise _unreadable(path, exc) from exc


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


def _chunk(file: BinaryIO) -> Chunk:
    records: list[Mapping[str, Any]] = []  # Any: the cloud's own JSON
    offset, unreadable = file.tell(), 0
    for line in file:
        if not line.endswith(b"\n"):
            break
        offset += len(line)
        record = _parse(line)
        if record is not None:
            records.append(record)
        elif line.strip():
            unreadable += 1
    return Chunk(tuple(records), offset, unreadable)


def _parse(line: bytes) -> Mapping[str, Any] | None:  # Any: the cloud's own JSON
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def _time(line: bytes, time_of: TimeOf) -> datetime | None:
    record = _parse(line)
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


def _unreadable(path: Path, exc: OSError) -> OutcomeError:
    return OutcomeError(f"cannot read the audit log {path}: {exc.strerror or exc}")
