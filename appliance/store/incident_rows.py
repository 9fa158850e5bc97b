"""Incidents and their log as rows, and back."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from appliance.core.errors import SetupError
from appliance.store.incident import (
    Incident,
    IncidentState,
    Location,
    TriageAction,
    TriageEntry,
)
from appliance.store.mapping import RowMap
from appliance.store.queries import Connection
from appliance.store.rows import Row, Rows, as_row
from appliance.store.times import as_known

INCIDENTS = RowMap(Incident, "incidents")
PLACES = RowMap(Location, "incident_places")
LOG = RowMap(TriageEntry, "incident_log")
_TRIAGED = ("state", "assignee", "accepted_until", "closed_at")
"""What people change of an incident."""
_SHOWN = (IncidentState.OPEN, IncidentState.CONFIRMED, IncidentState.ACCEPTED)
_NEVER_CHANGE = ("id", "console", "fingerprint", "first_seen_at")


def load(connection: Connection, ids: Iterable[str]) -> dict[str, Incident]:
    """The incidents of these ids, as far as they exist."""
    stored = INCIDENTS.select(connection, "WHERE id IN (SELECT unnest(?::VARCHAR[]))", [list(ids)])
    return {incident.id: incident for incident in stored}


def add(connection: Connection, types: Mapping[str, str], new: Iterable[Incident]) -> None:
    """Insert incidents that are new."""
    rows = Rows(types)
    for incident in new:
        rows.add("incidents", as_row(incident))
    rows.write(connection)


def change(connection: Connection, types: Mapping[str, str], changed: Iterable[Incident]) -> None:
    """Keep those that there were, as they are now."""
    rows = Rows(types)
    for incident in changed:
        rows.add("incidents", as_row(incident))
    sets = ", ".join(f"{name} = n.{name}" for name in INCIDENTS.names if name not in _NEVER_CHANGE)
    rows.write(connection, f"UPDATE incidents SET {sets} FROM ({{}}) n WHERE incidents.id = n.id")  # noqa: S608


def log_row(incident: Incident, at: datetime, action: str, by: str = "", comment: str = "") -> Row:
    """The row of one entry of an incident's log."""
    entry = TriageEntry(at=at, by=by, action=action, comment=comment)
    return as_row(entry) | {"incident_id": incident.id, "console": incident.console, "was": None}


def went_from(before: Incident) -> Row:
    """The columns of a log entry that say what `undone` goes back to."""
    row = as_row(before)
    return {"was": {name: row[name] for name in _TRIAGED}}


def undone(connection: Connection, now: Incident, at: datetime) -> tuple[Incident, str]:
    """The incident as it was before the last thing that somebody said of it, and what that was.

    Raises:
        SetupError: Nobody said anything of it, or something happened to it since.
    """
    found = connection.execute(
        "SELECT rowid, action, was FROM incident_log WHERE incident_id = ? AND NOT is_undone"
        " AND action <> ? ORDER BY rowid DESC LIMIT 1",
        [now.id, TriageAction.UNDO.value],
    ).fetchone()
    if found is None or found[2] is None:
        raise SetupError(
            f"Nothing that was said of the incident {now.id} can be undone: what happened to it "
            "last, nobody said."
        )
    row, action, was = found[0], found[1], json.loads(found[2])
    until, closed_at = (_moment(was[name]) for name in ("accepted_until", "closed_at"))
    if until is not None and until <= at:
        raise SetupError(
            f"The incident {now.id} was accepted until {until:%Y-%m-%d %H:%M} UTC, which is over."
        )
    connection.execute("UPDATE incident_log SET is_undone = true WHERE rowid = ?", [row])
    state = IncidentState(was["state"])
    if not now.places and state in _SHOWN:  # a run since then did not show it
        state, until, closed_at = IncidentState.CLOSED, None, at
    assignee = was["assignee"]
    before = replace(now, state=state, assignee=assignee, accepted_until=until, closed_at=closed_at)
    return before, action


def _moment(text: str | None) -> datetime | None:
    return None if text is None else as_known(datetime.fromisoformat(text))
