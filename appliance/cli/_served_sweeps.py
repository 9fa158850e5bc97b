"""Sweeps of a server, for `appliance sweep`."""

from collections.abc import Mapping
from typing import Any

from appliance.cli._remote import Server
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json

_ALL = 1_000_000


def sweeps_of(server: Server, limit: int) -> list[dict[str, Json]]:
    """How it stands with the latest, newest first."""
    return [_status(server, row["id"]) for row in server.items("/sweeps", limit)]


def sweep_at(server: Server, wanted: str | None) -> dict[str, Json]:
    """How it stands with the one that runs, else the latest, or the one that begins so.

    Raises:
        SetupError: There is none.
    """
    return _status(server, _id_of(server, wanted))


def have_done(server: Server, wanted: str | None, what: str) -> dict[str, Json]:
    """Have it paused, resumed or cancelled; how it stands with it then."""
    told: dict[str, Json] = server.post(f"/sweeps/{_id_of(server, wanted)}/{what}")
    return told


def _status(server: Server, id: str) -> dict[str, Json]:
    told: dict[str, Json] = server.get(f"/sweeps/{id}")
    return told


def _id_of(server: Server, wanted: str | None) -> str:
    rows: list[Mapping[str, Any]] = server.items("/sweeps", _ALL if wanted else 1)  # Any: JSON
    if not wanted:
        rows = server.items("/sweeps", 1, state="running") or rows
    ids = [str(row["id"]) for row in rows if str(row["id"]).startswith(wanted or "")]
    if not ids:
        which = f"no sweep {wanted}" if wanted else "no sweep yet"
        raise SetupError(f"there is {which}: `appliance sweep list` shows which are.")
    if len(ids) > 1 and wanted not in ids:
        raise SetupError(f"{wanted} begins {len(ids)} sweeps: {', '.join(ids[:5])}.")
    return wanted if wanted in ids else ids[0]
