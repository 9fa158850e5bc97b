"""Lines that are JSON objects, and the place in an ordered file where a time begins."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

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


def _unreadable(path: Path, exc: OSError) -> OutcomeError:
    return OutcomeError(f"cannot read the audit log {path}: {exc.strerror or exc}")
