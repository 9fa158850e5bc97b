"""Reads an OpenStack audit file: the events since a time, joined."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from appliance.core.checks import AuditEvent
from appliance.outcome.sources.json_lines import offset_at, read_from
from appliance.outcome.sources.openstack import join, known_names, to_event
from appliance.outcome.sources.times import parse_time

# Lines are in rough order only: CADF tells when a request began, and services buffer a little.
_DISORDER = timedelta(seconds=30)


class OpenStackAuditLog:
    """An audit file; remembers the names it has met, since deletions tell an id only."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names: dict[str, str] = {}

    def learn(self, names: Mapping[str, str]) -> None:
        """Take in names of resources by id, known from elsewhere."""
        self._names.update(names)

    def events(self, since: datetime) -> tuple[AuditEvent, ...]:
        """All events since then, oldest first, with users and names joined.

        Raises:
            OutcomeError: The file cannot be read.
        """
        begin = offset_at(
            self._path, since - _DISORDER, lambda record: parse_time(record.get("time"))
        )
        records = read_from(self._path, begin).records
        found = [event for event in map(to_event, records) if event is not None]
        self._names.update(known_names(found))
        joined = join(sorted(found, key=lambda event: event.time), self._names)
        return tuple(event for event in joined if event.time >= since)
