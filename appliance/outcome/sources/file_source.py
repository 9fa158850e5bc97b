"""An audit log in files of JSON lines, whatever is written in them."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import RLock
from typing import Any

from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError
from appliance.outcome.sources.ledger import Finish, Ledger
from appliance.outcome.sources.line_files import Line, LineFiles, TimeOf

DISORDER = timedelta(seconds=30)
"""How far lines may be out of order: some bear the start of a request, and services buffer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The format of a kind of log."""

    name: str
    """For messages: `Kubernetes audit events`."""
    to_event: Callable[[Mapping[str, Any]], AuditEvent | None]  # Any: the cloud's own JSON
    """Converts a line to an event; None if it records no action."""
    time_of: TimeOf
    """The time of a line; None if it is not a line of this kind."""
    finish: Finish | None = None
    """See `Finish`; None if each line is a complete event."""


class FileSource:
    """Follows growing files; what is older than its ledger is read again on request."""

    def __init__(
        self, path: Path, dialect: Dialect, *, late_s: float = 0.0, skew_s: float = 0.0
    ) -> None:
        """A source.

        Args:
            path: File, folder or pattern.
            dialect: What is written there.
            late_s: How late an event may come.
            skew_s: How far the log's clock may be behind ours.
        """
        self.late_s = late_s
        self._path = path
        self._dialect = dialect
        self._clock_skew = timedelta(seconds=0.0 if late_s else skew_s)
        self._files = LineFiles(path, dialect.time_of)
        self._ledger = Ledger()
        self._read_since: datetime | None = None
        # Invariant: one reads on at a time; the ledger has what was read, in that order.
        self._lock = RLock()

    async def check(self) -> None:
        """Check that there are files, and that their lines are of this kind."""
        await asyncio.to_thread(self._check)

    async def mark(self) -> None:
        """Take everything in the files so far as earlier than the next attempt."""
        now = datetime.now(UTC)
        await asyncio.to_thread(self._mark, now)

    async def events(
        self, since: datetime, until: datetime | None = None, *, actor: str = ""
    ) -> tuple[AuditEvent, ...]:
        """See `AuditSource.events`."""
        return await asyncio.to_thread(self.read, since, until, actor)

    async def close(self) -> None:
        """Do nothing: no file stays open."""

    def read(
        self, since: datetime, until: datetime | None = None, actor: str = ""
    ) -> tuple[AuditEvent, ...]:
        """The same as `events`, blocking.

        Raises:
            OutcomeError: A file cannot be read, or too much was written.
        """
        needed = since - self._clock_skew - DISORDER
        with self._lock:
            self._read_on(needed)
            ledger = self._ledger
            if ledger.complete_from is not None and needed < ledger.complete_from:
                ledger = self._read_older(needed, until, actor)
            finish = self._dialect.finish or (lambda events: events)
            return ledger.of_attempt(
                since, until, clock_skew=self._clock_skew, margin=DISORDER, finish=finish
            )

    def _check(self) -> None:
        lines = self._files.last()
        if lines and not any(self._dialect.time_of(line.record) for line in lines):
            raise OutcomeError(
                f"none of the last {len(lines)} lines of {self._path} is one of"
                f" {self._dialect.name}; correct audit.kind, audit.path or audit.fields"
            )

    def _mark(self, now: datetime) -> None:
        with self._lock:
            self._read_on(now - self._clock_skew - DISORDER)
            self._ledger.mark(now)

    def _read_on(self, needed: datetime) -> None:
        if self._read_since is None:
            self._read_since = self._ledger.complete_from = needed
        self._add_events(self._ledger, self._files.read_on(self._read_since), self._read_since)

    def _read_older(self, needed: datetime, until: datetime | None, actor: str) -> Ledger:
        """Events from before the time since which this source has been reading."""
        latest = until + DISORDER if until else None
        ledger = Ledger()
        ledger.complete_from = needed
        only_actor = actor.casefold() if self._dialect.finish is None else ""
        self._add_events(ledger, self._files.read_again(needed, latest), needed, only_actor)
        if ledger.complete_from > needed:
            raise OutcomeError(
                f"the audit log {self._path} has too much since {needed:%Y-%m-%d %H:%M:%S} UTC to"
                " be taken in: let the cloud write less into it, or a file for each account"
            )
        return ledger

    def _add_events(
        self, ledger: Ledger, lines: Iterable[Line], oldest: datetime, only_actor: str = ""
    ) -> None:
        for line in lines:
            event = self._dialect.to_event(line.record)
            if event is None or event.time < oldest:
                continue
            if not only_actor or event.actor.casefold() == only_actor:
                ledger.add(event, line.size)
