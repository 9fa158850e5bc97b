"""The events read from a log, in the order of reading, and which of them belong to an attempt."""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from appliance.core.checks import AuditEvent

Finish = Callable[[Sequence[AuditEvent]], Sequence[AuditEvent]]
"""What is done to events, oldest first, that tell more together than each alone."""

_MAX_BYTES = 32 << 20
"""Of lines whose events are kept; in memory they take some five times as much."""
_MAX_MARKS = 256


def identity(event: AuditEvent) -> str:
    """The key by which a repeated event is recognised: the log's id, else its content."""
    if event.id:
        return event.id
    text = json.dumps(event.raw, sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def in_order(events: Iterable[AuditEvent]) -> list[AuditEvent]:
    """The events oldest first, without duplicates."""
    events_by_identity: dict[str, AuditEvent] = {}
    for event in sorted(events, key=_time_key):
        events_by_identity.setdefault(identity(event), event)
    return list(events_by_identity.values())


def _time_key(event: AuditEvent) -> tuple[datetime, str, str]:
    return event.time, identity(event), event.name


class _NumberedEvent(NamedTuple):
    number: int
    event: AuditEvent
    size: int


class Ledger:
    """The newest events of a log, numbered as they were read; old ones are evicted."""

    def __init__(self, most_bytes: int = _MAX_BYTES) -> None:
        self._most_bytes = most_bytes
        self._entries: dict[str, _NumberedEvent] = {}
        self._bytes = 0
        self._next = 0
        self._marks: list[tuple[datetime, int]] = []
        self.complete_from: datetime | None = None
        """All events from then on are included; None if nothing was read yet."""

    def add(self, event: AuditEvent, size: int) -> None:
        """Add an event from a line of that many bytes."""
        key = identity(event)
        if key in self._entries:
            return
        self._entries[key] = _NumberedEvent(self._next, event, size)
        self._next += 1
        self._bytes += size
        while self._bytes > self._most_bytes and len(self._entries) > 1:
            oldest = self._entries.pop(next(iter(self._entries)))
            self._bytes -= oldest.size
            complete_from = oldest.event.time + timedelta(microseconds=1)
            self.complete_from = max(self.complete_from or complete_from, complete_from)

    def mark(self, at: datetime) -> None:
        """Take everything read so far as earlier than that time, by our clock."""
        self._marks = [*self._marks, (at, self._next)][-_MAX_MARKS:]

    def of_attempt(
        self,
        since: datetime,
        until: datetime | None,
        *,
        clock_skew: timedelta,
        margin: timedelta = timedelta(0),
        finish: Finish = lambda events: events,
    ) -> tuple[AuditEvent, ...]:
        """The events of an attempt in this period.

        Args:
            since: When it began, by our clock.
            until: When it ended.
            clock_skew: How far the log's clock may be behind ours; counts behind a mark only.
            margin: How much more to hand to `finish`.
            finish: See `Finish`.
        """
        marked_count = self._count_at_mark(since)
        earliest = since - clock_skew if marked_count is not None else since
        candidates = [
            entry for entry in self._entries.values() if entry.event.time >= since - margin
        ]
        earlier = [
            entry
            for entry in candidates
            if marked_count is not None and entry.number < marked_count
        ]
        earlier_identities = {identity(entry.event) for entry in earlier}
        earlier_requests = {entry.event.request_id for entry in earlier} - {""}
        return tuple(
            event
            for event in finish(in_order(entry.event for entry in candidates))
            if earliest <= event.time
            and (until is None or event.time <= until)
            and identity(event) not in earlier_identities
            and (event.time >= since or event.request_id not in earlier_requests)
        )

    def _count_at_mark(self, since: datetime) -> int | None:
        """The number of events at the last mark before; None if there was no mark."""
        index = bisect_right(self._marks, since, key=lambda mark: mark[0])
        return self._marks[index - 1][1] if index else None
