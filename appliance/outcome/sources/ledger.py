"""What was read of a log, in the order in which it was there; and what of it is of an attempt."""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from appliance.core.checks import AuditEvent

Finish = Callable[[Sequence[AuditEvent]], Sequence[AuditEvent]]
"""What is done to events, oldest first, that tell more together than each alone."""

_MOST_BYTES = 32 << 20
"""Of lines whose events are kept; in memory they take some five times as much."""
_MOST_MARKS = 256


def identity(event: AuditEvent) -> str:
    """What makes an event the same when it comes again: the log's id, else all that it says."""
    if event.id:
        return event.id
    text = json.dumps(event.raw, sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def in_order(events: Iterable[AuditEvent]) -> list[AuditEvent]:
    """Oldest first, each once, whatever the order in which they came and however often."""
    kept: dict[str, AuditEvent] = {}
    for event in sorted(events, key=_by_time):
        kept.setdefault(identity(event), event)
    return list(kept.values())


def _by_time(event: AuditEvent) -> tuple[datetime, str, str]:
    return event.time, identity(event), event.name


class _NumberedEvent(NamedTuple):
    number: int
    event: AuditEvent
    size: int


class Ledger:
    """The newest events of a log, numbered as they were met; the oldest give way to new ones."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._entries: dict[str, _NumberedEvent] = {}
        self._bytes = 0
        self._next = 0
        self._marks: list[tuple[datetime, int]] = []
        self.complete_from: datetime | None = None
        """All events from then on are here; None: nothing was read yet."""

    def add(self, event: AuditEvent, size: int) -> None:
        """Take one in, of a line of that many bytes."""
        key = identity(event)
        if key in self._entries:
            return
        self._entries[key] = _NumberedEvent(self._next, event, size)
        self._next += 1
        self._bytes += size
        while self._bytes > self._most_bytes and len(self._entries) > 1:
            oldest = self._entries.pop(next(iter(self._entries)))
            self._bytes -= oldest.size
            beyond = oldest.event.time + timedelta(microseconds=1)
            self.complete_from = max(self.complete_from or beyond, beyond)

    def mark(self, at: datetime) -> None:
        """All that is here is of before that time, by our clock."""
        self._marks = [*self._marks, (at, self._next)][-_MOST_MARKS:]

    def of_attempt(
        self,
        since: datetime,
        until: datetime | None,
        *,
        slow: timedelta,
        around: timedelta = timedelta(0),
        finish: Finish = lambda events: events,
    ) -> tuple[AuditEvent, ...]:
        """What is of an attempt between these times.

        Args:
            since: When it began, by our clock.
            until: When it ended.
            slow: How far the log's clock may be behind ours; counts behind a mark only.
            around: How much more to hand to `finish`.
            finish: See `Finish`.
        """
        met = self._met_before(since)
        earliest = since - slow if met is not None else since
        near = [entry for entry in self._entries.values() if entry.event.time >= since - around]
        old = [entry for entry in near if met is not None and entry.number < met]
        gone = {identity(entry.event) for entry in old}
        earlier_requests = {entry.event.request_id for entry in old} - {""}
        return tuple(
            event
            for event in finish(in_order(entry.event for entry in near))
            if earliest <= event.time
            and (until is None or event.time <= until)
            and identity(event) not in gone
            and (event.time >= since or event.request_id not in earlier_requests)
        )

    def _met_before(self, since: datetime) -> int | None:
        """How many events were there at the last mark before; None: nobody marked."""
        place = bisect_right(self._marks, since, key=lambda mark: mark[0])
        return self._marks[place - 1][1] if place else None
