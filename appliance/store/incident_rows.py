"""Incidents and their log as rows, and back."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from appliance.store.incident import Incident, Location, TriageEntry
from appliance.store.mapping import RowMap
from appliance.store.queries import Connection
from appliance.store.rows import Row, Rows, as_row

INCIDENTS = RowMap(Incident, "incidents")
PLACES = RowMap(Location, "incident_places")
LOG = RowMap(TriageEntry, "incident_log")
_NEVER_CHANGE = ("id", "console", "fingerprint", "first_seen_at")


def load(connection: Connection, ids: Iterable[str]) -> dict[str, Incident]:
    """The incidents of these ids, as far as they exist."""
    known = INCIDENTS.select(connection, "WHERE id IN (SELECT unnest(?::VARCHAR[]))", [list(ids)])
    return {incident.id: incident for incident in known}


def add(connection: Connection, types: Mapping[str, str], new: Iterable[Incident]) -> None:
    """Insert incidents that are new."""
    rows = Rows(types)
    for one in new:
        rows.add("incidents", as_row(one))
    rows.write(connection)


def change(connection: Connection, types: Mapping[str, str], changed: Iterable[Incident]) -> None:
    """Keep those that there were, as they are now."""
    rows = Rows(types)
    for one in changed:
        rows.add("incidents", as_row(one))
    sets = ", ".join(f"{name} = n.{name}" for name in INCIDENTS.names if name not in _NEVER_CHANGE)
    rows.write(connection, f"UPDATE incidents SET {sets} FROM ({{}}) n WHERE incidents.id = n.id")  # noqa: S608


def log_row(one: Incident, at: datetime, action: str, by: str = "", comment: str = "") -> Row:
    """The row of one entry of an incident's log."""
    entry = TriageEntry(at=at, by=by, action=action, comment=comment)
    return as_row(entry) | {"incident_id": one.id, "console": one.console}
