"""Audit events that a console's backend has posted, until nobody can ask for them any more."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from appliance.core.checks import AuditEvent, EventOutcome
from appliance.core.errors import StoreError
from appliance.core.jsonable import Json, json_object
from appliance.core.secrets import masked
from appliance.store.tables import Tables
from appliance.store.times import as_known, as_stored

_MOST = 100_000
"""Events of one question."""


class Posted(NamedTuple):
    """An audit event with the time at which it was received."""

    event: AuditEvent
    received_at: datetime


class AuditEventTable(Tables):
    """The table `audit_events`."""

    about = "audit events"

    def add(
        self, console: str, events: Mapping[str, AuditEvent], at: datetime, oldest: datetime
    ) -> int:
        """Keep those that are not there yet, all or none, and forget old ones; how many are new.

        Args:
            console: Whose they are.
            events: By their ids.
            at: Now.
            oldest: What came before is forgotten.
        """
        with self._session.transaction("keeping audit events") as connection:
            connection.execute(
                "DELETE FROM audit_events WHERE console = ? AND received_at < ?",
                [console, as_stored(oldest)],
            )
            known = connection.execute(
                "SELECT id FROM audit_events WHERE console = ?"
                " AND id IN (SELECT unnest(?::VARCHAR[]))",
                [console, list(events)],
            ).fetchall()
            new = events.keys() - {id for (id,) in known}
            chosen = sorted(new)
            connection.execute(
                "INSERT INTO audit_events (console, id, event_at, received_at, event)"
                " SELECT ?, unnest(?::VARCHAR[]), unnest(?::TIMESTAMP[]), ?, unnest(?::JSON[])",
                [
                    console,
                    chosen,
                    [as_stored(events[id].time) for id in chosen],
                    as_stored(at),
                    [json.dumps(_unspoken(events[id])) for id in chosen],
                ],
            )
        return len(new)

    def since(self, console: str, earliest: datetime, latest: datetime) -> tuple[Posted, ...]:
        """Those that happened between these times, oldest first.

        Raises:
            StoreError: They are more than can be taken in.
        """
        rows = self._read(
            "SELECT event, received_at FROM audit_events"
            " WHERE console = ? AND event_at >= ? AND event_at <= ?"
            " ORDER BY event_at, id LIMIT ?",
            [console, earliest, latest, _MOST + 1],
        )
        if len(rows) > _MOST:
            raise StoreError(
                f"{console} has posted more than {_MOST} audit events since {earliest}: let it"
                " post writing operations only"
            )
        return tuple(Posted(_event(text), as_known(at)) for text, at in rows)


def _event(text: str) -> AuditEvent:
    kept = json.loads(text)
    return AuditEvent(
        **kept
        | {
            "time": datetime.fromisoformat(kept["time"]),
            "outcome": EventOutcome(kept["outcome"]),
        }
    )


def _unspoken(event: AuditEvent) -> dict[str, Json]:
    """Without secrets in the cloud's own words; rules decide by the rest, which stays as it is."""
    plain = json_object(event)
    return plain | {"raw": masked(plain["raw"])}
