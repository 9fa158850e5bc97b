"""Incidents and their log as rows, and back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from appliance.core.jsonable import Json, json_object
from appliance.core.verdict import DivergenceKind, Severity
from appliance.store.incident import Incident, IncidentState
from appliance.store.queries import Connection
from appliance.store.rows import Rows, utc_text
from appliance.store.times import as_known

INCIDENT = tuple(field.name for field in fields(Incident))
COLUMNS = ", ".join(INCIDENT)
_TIMES = ("first_seen_at", "last_seen_at", "closed_at", "accepted_until")
_NEVER_CHANGE = ("id", "console", "fingerprint", "first_seen_at")


def incident(row: Sequence[Any]) -> Incident:  # Any: as DuckDB gives it
    """A row of `COLUMNS`."""
    known = dict(zip(INCIDENT, row, strict=True))
    known |= {name: as_known(known[name]) for name in _TIMES}
    known |= {
        "kind": DivergenceKind(known["kind"]),
        "severity": Severity(known["severity"]),
        "state": IncidentState(known["state"]),
    }
    return Incident(**known)


def load(connection: Connection, ids: Iterable[str]) -> dict[str, Incident]:
    """Those of the ids that there are."""
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM incidents WHERE id IN (SELECT unnest(?::VARCHAR[]))",  # noqa: S608
        [list(ids)],
    ).fetchall()
    return {row[0]: incident(row) for row in rows}


def add(connection: Connection, types: Mapping[str, str], new: Iterable[Incident]) -> None:
    """Keep those that there were not."""
    rows = Rows(types)
    for one in new:
        rows.add("incidents", _row(one))
    rows.write(connection)


def change(connection: Connection, types: Mapping[str, str], changed: Iterable[Incident]) -> None:
    """Keep those that there were, as they are now."""
    rows = Rows(types)
    for one in changed:
        rows.add("incidents", _row(one))
    sets = ", ".join(f"{name} = n.{name}" for name in INCIDENT if name not in _NEVER_CHANGE)
    rows.write(connection, f"UPDATE incidents SET {sets} FROM ({{}}) n WHERE incidents.id = n.id")  # noqa: S608


def log_row(
    one: Incident, at: datetime, action: str, by: str = "", comment: str = ""
) -> dict[str, Json]:
    """A line of its log."""
    said: dict[str, Json] = {"by": by, "action": action, "comment": comment}
    return said | {"incident_id": one.id, "console": one.console, "at": utc_text(at)}


def _row(one: Incident) -> dict[str, Json]:
    times = {name: getattr(one, name) for name in _TIMES}
    return json_object(one) | {
        name: None if moment is None else utc_text(moment) for name, moment in times.items()
    }
