"""Audit logs of OpenStack: files of notifications and CADF events, joined by request."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from threading import Lock

from appliance.core.checks import AuditEvent
from appliance.outcome.sources.file_source import Dialect, FileSource
from appliance.outcome.sources.notifications import flat
from appliance.outcome.sources.openstack import join, known_names, to_event
from appliance.outcome.sources.reading import Json, parse_time


def time_of(record: Json) -> datetime | None:
    """When it happened; None: it is no line of such a log."""
    fields = flat(record)
    return parse_time(fields.get("time")) if fields.get("event") else None


def event_of(record: Json) -> AuditEvent | None:
    """A line of any shape as an event, not joined with others yet."""
    return to_event(flat(record))


class CadfSource(FileSource):
    """Such files; remembers the names that it has met, since deletions tell an id only."""

    def __init__(self, path: Path, *, late_s: float = 0.0, skew_s: float = 0.0) -> None:
        self._names: dict[str, str] = {}
        # Invariant: names are read while nobody adds some.
        self._naming = Lock()
        dialect = Dialect(
            name="OpenStack's notifications or CADF events",
            to_event=event_of,
            time_of=time_of,
            finish=self._join,
        )
        super().__init__(path, dialect, late_s=late_s, skew_s=skew_s)

    def learn(self, names: Mapping[str, str]) -> None:
        """Take in names of resources by id, known from elsewhere."""
        with self._naming:
            self._names.update(names)

    def _join(self, events: Sequence[AuditEvent]) -> Sequence[AuditEvent]:
        self.learn(known_names(events))
        with self._naming:
            names = dict(self._names)
        return [event for event in join(events, names) if not _is_read(event)]


def _is_read(event: AuditEvent) -> bool:
    return str(event.raw.get("action") or "").startswith("read")
