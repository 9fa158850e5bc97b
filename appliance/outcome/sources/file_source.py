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
"""Lines are in rough order only: some tell when a request began, and services buffer a little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a kind of log is written."""

    name: str
    """For messages: `Kubernetes audit events`."""
    to_event: Callable[[Mapping[str, Any]], AuditEvent | None]  # Any: the cloud's own JSON
    """A line as an event; None: it tells of nothing that was done."""
    time_of: TimeOf
    """A line's time; None: it is no line of this kind."""
    finish: Finish | None = None
    """See `Finish`; None: each line tells all of its event."""


class FileSource:
    """Reads on in growing files; what is older than what it keeps is looked up again."""

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
        self._slow = timedelta(seconds=0.0 if late_s else skew_s)
        self._files = LineFiles(path, dialect.time_of)
        self._ledger = Ledger()
        self._began: datetime | None = None
        # Invariant: one reads on at a time; the ledger has what was read, in that order.
        self._lock = RLock()

    async def check(self) -> None:
        """See that there are files, and that their lines are of this kind."""
        await asyncio.to_thread(self._check)

    async def mark(self) -> None:
        """What is in the files now is of before."""
        now = datetime.now(UTC)
        await asyncio.to_thread(self._mark, now)

    async def events(
        self, since: datetime, until: datetime | None = None, *, actor: str = ""
    ) -> tuple[AuditEvent, ...]:
        """See `AuditSource.events`."""
        return await asyncio.to_thread(self.read, since, until, actor)

    async def close(self) -> None:
        """Nothing stays open."""

    def read(
        self, since: datetime, until: datetime | None = None, actor: str = ""
    ) -> tuple[AuditEvent, ...]:
        """The same, for whoever is in a thread of his own.

        Raises:
            OutcomeError: A file cannot be read, or too much was written.
        """
        needed = since - self._slow - DISORDER
        with self._lock:
            self._read_on(needed)
            ledger = self._ledger
            if ledger.complete_from is not None and needed < ledger.complete_from:
                ledger = self._looked_up(needed, until, actor)
            finish = self._dialect.finish or (lambda events: events)
            return ledger.of_attempt(since, until, slow=self._slow, around=DISORDER, finish=finish)

    def _check(self) -> None:
        lines = self._files.last()
        if lines and not any(self._dialect.time_of(line.record) for line in lines):
            raise OutcomeError(
                f"none of the last {len(lines)} lines of {self._path} is one of"
                f" {self._dialect.name}; correct audit.kind, audit.path or audit.fields"
            )

    def _mark(self, now: datetime) -> None:
        with self._lock:
            self._read_on(now - self._slow - DISORDER)
            self._ledger.mark(now)

    def _read_on(self, needed: datetime) -> None:
        if self._began is None:
            self._began = self._ledger.complete_from = needed
        self._take(self._ledger, self._files.read_on(self._began), self._began)

    def _looked_up(self, needed: datetime, until: datetime | None, actor: str) -> Ledger:
        """What was written longer ago than this source has read for."""
        latest = until + DISORDER if until else None
        ledger = Ledger()
        ledger.complete_from = needed
        whose = actor.casefold() if self._dialect.finish is None else ""
        self._take(ledger, self._files.read_again(needed, latest), needed, whose)
        if ledger.complete_from > needed:
            raise OutcomeError(
                f"the audit log {self._path} has too much since {needed:%Y-%m-%d %H:%M:%S} UTC to"
                " be taken in: let the cloud write less into it, or a file for each account"
            )
        return ledger

    def _take(
        self, ledger: Ledger, lines: Iterable[Line], oldest: datetime, whose: str = ""
    ) -> None:
        for line in lines:
            event = self._dialect.to_event(line.record)
            if event is None or event.time < oldest:
                continue
            if not whose or event.actor.casefold() == whose:
                ledger.add(event, line.size)
