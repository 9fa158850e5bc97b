"""Log files of CloudTrail: packed JSON with `Records`, in a folder or a bucket."""

import asyncio
import gzip
import io
import json
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import structlog

from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError
from appliance.outcome.sources.cloudtrail import to_event
from appliance.outcome.sources.ledger import in_order
from appliance.outcome.sources.reading import Json

LARGEST = 256 << 20
"""Bytes of an unpacked file; CloudTrail's own are a few MB at most."""
_KEPT_EVENTS = 20_000
_log = structlog.get_logger()


class TrailFile(NamedTuple):
    """A file that may hold events."""

    name: str
    key: tuple[str, ...]
    """The same for as long as it is not written again."""
    read: Callable[[], bytes]


class TrailFiles:
    """Files that were read, for when they are asked for again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, ...], tuple[AuditEvent, ...]] = OrderedDict()
        self._count = 0

    def events(self, files: Iterable[TrailFile]) -> list[AuditEvent]:
        """All writing operations in them; a file that is not whole yet is left for the next time.

        Raises:
            OutcomeError: One is larger than any log file.
        """
        collected: list[AuditEvent] = []
        for file in files:
            events = self._kept.get(file.key)
            if events is None:
                records = records_of(file.read(), file.name)
                if records is None:
                    continue
                events = tuple(filter(None, map(to_event, records)))
                self._keep(file.key, events)
            collected += events
        return collected

    def _keep(self, key: tuple[str, ...], events: tuple[AuditEvent, ...]) -> None:
        self._kept[key] = events
        self._count += len(events)
        while self._count > _KEPT_EVENTS and len(self._kept) > 1:
            _, gone = self._kept.popitem(last=False)
            self._count -= len(gone)


def records_of(data: bytes, name: str) -> list[Json] | None:
    """The records of a file; None where it is not whole, or no log file (a digest).

    Raises:
        OutcomeError: It is larger than any log file.
    """
    try:
        if data.startswith(b"\x1f\x8b"):
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise OutcomeError(
                f"{name} unpacks to more than {LARGEST >> 20} MiB; it is no log file"
            )
        document = json.loads(data)
    except (EOFError, OSError, zlib.error, ValueError, RecursionError) as exc:
        _log.warning("audit_file_not_whole", file=name, why=str(exc))
        return None
    records = document.get("Records") if isinstance(document, dict) else None
    return [one for one in records if isinstance(one, dict)] if isinstance(records, list) else None


class TrailFolder:
    """Such files, copied to a folder of this machine by whoever may read the bucket."""

    def __init__(self, folder: Path, late_s: float) -> None:
        self.late_s = late_s
        self._folder = folder
        self._files = TrailFiles()
        # Invariant: one at a time looks into the files that are kept.
        self._reading = asyncio.Lock()

    async def check(self) -> None:
        """See that the folder is there."""
        if not await asyncio.to_thread(self._folder.is_dir):
            raise OutcomeError(
                f"there is no folder {self._folder}; correct audit.path, or copy the trail's files"
                " there"
            )

    async def mark(self) -> None:
        """Nothing: what comes late tells nothing by when it comes."""

    async def events(
        self, since: datetime, until: datetime | None = None, *, actor: str = ""
    ) -> tuple[AuditEvent, ...]:
        """See `AuditSource.events`."""
        await self.check()
        async with self._reading:
            events = await asyncio.to_thread(self._read, since)
        return between(events, since.replace(microsecond=0), until)

    async def close(self) -> None:
        """Nothing stays open."""

    def _read(self, since: datetime) -> list[AuditEvent]:
        try:
            return self._files.events(self._newer(since))
        except OSError as exc:
            why = exc.strerror or exc
            raise OutcomeError(f"cannot read the audit log {self._folder}: {why}") from exc

    def _newer(self, since: datetime) -> Iterable[TrailFile]:
        """What was not written since then has nothing that happened since then."""
        for file in sorted(self._folder.rglob("*.json*")):
            if not file.name.endswith((".json", ".json.gz")) or not file.is_file():
                continue
            status = file.stat()
            if status.st_mtime >= int(since.timestamp()):
                key = (str(file), str(status.st_mtime_ns), str(status.st_size))
                yield TrailFile(str(file), key, file.read_bytes)


def between(
    events: Iterable[AuditEvent], earliest: datetime, until: datetime | None
) -> tuple[AuditEvent, ...]:
    """Those of that time, oldest first, each once."""
    return tuple(
        event
        for event in in_order(events)
        if event.time >= earliest and (until is None or event.time <= until)
    )
