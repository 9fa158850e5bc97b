"""Log files of CloudTrail: compressed JSON with `Records`, in a folder or a bucket."""

import asyncio
import gzip
import io
import json
import re
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import structlog

from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError
from appliance.outcome.sources.cloudtrail import to_event
from appliance.outcome.sources.ledger import in_order
from appliance.outcome.sources.reading import Json

LARGEST = 256 << 20
"""Bytes of an unpacked file; CloudTrail's own are a few MB at most."""
_MAX_CACHED_EVENTS = 20_000
_log = structlog.get_logger()


class TrailFile(NamedTuple):
    """A file that may hold events."""

    name: str
    key: tuple[str, ...]
    """The same for as long as it is not written again."""
    read: Callable[[], bytes]


class TrailFiles:
    """Caches the events of files that were read, for later requests."""

    def __init__(self) -> None:
        self._cache: OrderedDict[tuple[str, ...], tuple[AuditEvent, ...]] = OrderedDict()
        self._count = 0

    def events(self, files: Iterable[TrailFile]) -> list[AuditEvent]:
        """All write operations in the files; an incomplete file is left for the next time.

        Raises:
            OutcomeError: One is larger than any log file.
        """
        collected: list[AuditEvent] = []
        for file in files:
            events = self._cache.get(file.key)
            if events is None:
                records = records_of(file.read(), file.name)
                if records is None:
                    continue
                events = tuple(filter(None, map(to_event, records)))
                self._remember(file.key, events)
            collected += events
        return collected

    def _remember(self, key: tuple[str, ...], events: tuple[AuditEvent, ...]) -> None:
        self._cache[key] = events
        self._count += len(events)
        while self._count > _MAX_CACHED_EVENTS and len(self._cache) > 1:
            _, evicted = self._cache.popitem(last=False)
            self._count -= len(evicted)


def records_of(data: bytes, name: str) -> list[Json] | None:
    """The records of a file; None if it is incomplete, or no log file (a digest).

    Raises:
        OutcomeError: It is larger than any log file.
    """
    try:
        if data.startswith(b"\x1f\x8b"):
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacked:
                data = unpacked.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise OutcomeError(
                f"{name} unpacks to more than {LARGEST >> 20} MiB; it is no log file"
            )
        document = json.loads(data)
    except (EOFError, OSError, zlib.error, ValueError, RecursionError) as exc:
        _log.warning("audit_file_not_whole", file=name, why=str(exc))
        return None
    records = document.get("Records") if isinstance(document, dict) else None
    return (
        [record for record in records if isinstance(record, dict)]
        if isinstance(records, list)
        else None
    )


class TrailFolder:
    """Trail files in a local folder, copied there by whoever may read the bucket."""

    def __init__(self, folder: Path, late_s: float) -> None:
        self.late_s = late_s
        self._folder = folder
        self._files = TrailFiles()
        # Invariant: one at a time looks into the files that are kept.
        self._reading = asyncio.Lock()

    async def check(self) -> None:
        """Check that the folder exists."""
        if not await asyncio.to_thread(self._folder.is_dir):
            raise OutcomeError(
                f"there is no folder {self._folder}; correct audit.path, or copy the trail's files"
                " there"
            )

    async def mark(self) -> None:
        """Do nothing: the log is late, so arrival times say nothing."""

    async def events(
        self, since: datetime, until: datetime | None = None, *, actor: str = ""
    ) -> tuple[AuditEvent, ...]:
        """See `AuditSource.events`."""
        await self.check()
        async with self._reading:
            events = await asyncio.to_thread(self._read, since)
        return between(events, since.replace(microsecond=0), until)

    async def close(self) -> None:
        """Do nothing: no file stays open."""

    def _read(self, since: datetime) -> list[AuditEvent]:
        try:
            return self._files.events(self._files_since(since))
        except OSError as exc:
            why = exc.strerror or exc
            raise OutcomeError(f"cannot read the audit log {self._folder}: {why}") from exc

    def _files_since(self, since: datetime) -> Iterable[TrailFile]:
        """Files written since then; older ones cannot hold later events."""
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
    """The events of that period, oldest first, without duplicates."""
    return tuple(
        event
        for event in in_order(events)
        if event.time >= earliest and (until is None or event.time <= until)
    )


Client = Any  # botocore is optional and has no types

_REGION = re.compile(r"(?:^|/)CloudTrail/([a-z0-9-]+)/$")
_OTHER_FOLDERS = ("CloudTrail-Digest/", "CloudTrail-Insight/", "CloudTrail-Aggregated/")
_MAX_FOLDERS = 500
_MAX_FILES = 5000


def trail_files(
    client: Client, bucket: str, region: str, since: datetime, until: datetime
) -> Iterator[TrailFile]:
    """The log files that were delivered in this period.

    Raises:
        OutcomeError: There are more than can be read.
    """
    name, _, prefix = bucket.partition("/")
    prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
    count = 0
    for folder in _regions(client, name, prefix, region):
        for day in _days(since, until):
            for entry in _entries(client, name, f"{folder}{day:%Y/%m/%d}/"):
                if entry["LastModified"] < since.replace(microsecond=0):
                    continue
                count += 1
                if count > _MAX_FILES:
                    raise OutcomeError(
                        f"{bucket} has more than {_MAX_FILES} log files since"
                        f" {since:%Y-%m-%d %H:%M} UTC; name audit.region, or a longer prefix"
                    )
                yield _file(client, name, entry)


def _regions(client: Client, bucket: str, prefix: str, region: str) -> Iterator[str]:
    """The folders of regions below a prefix; a region's own folder yields only itself."""
    pending, folder_count = [prefix], 0
    while pending:
        folder = pending.pop()
        if region_match := _REGION.search(folder):
            if region in ("", region_match[1]):
                yield folder
            continue
        folder_count += 1
        if folder_count > _MAX_FOLDERS:
            raise OutcomeError(
                f"{bucket}/{prefix} has more than {_MAX_FOLDERS} folders; make the prefix in"
                " audit.bucket longer: up to AWSLogs, or to an account"
            )
        pages = client.get_paginator("list_objects_v2").paginate(
            Bucket=bucket, Prefix=folder, Delimiter="/"
        )
        subfolders = [entry["Prefix"] for page in pages for entry in page.get("CommonPrefixes", ())]
        pending += [entry for entry in subfolders if not entry.endswith(_OTHER_FOLDERS)]


def _days(since: datetime, until: datetime) -> Iterator[datetime]:
    day = since.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    while day <= until:
        yield day
        day += timedelta(days=1)


def _entries(client: Client, bucket: str, prefix: str) -> Iterator[Any]:  # Any: botocore's
    for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix):
        yield from page.get("Contents", ())


def _file(client: Client, bucket: str, entry: Any) -> TrailFile:  # Any: botocore's
    key: str = entry["Key"]

    def read() -> bytes:
        response = client.get_object(Bucket=bucket, Key=key)
        with response["Body"] as body:
            data: bytes = body.read(LARGEST)
        return data

    return TrailFile(f"s3://{bucket}/{key}", (key, str(entry.get("ETag"))), read)
