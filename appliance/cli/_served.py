"""Runs and sweeps that a server carries out for the command line."""

import time
from collections.abc import Mapping
from typing import Any

from appliance.cli._options import Selection
from appliance.cli._output import talk
from appliance.cli._remote import RemoteServer
from appliance.core.causes import CauseKind
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json, to_jsonable
from appliance.core.result import RunResult
from appliance.core.result_json import load_result
from appliance.engine.status import RunStatus
from appliance.store.sweeps import OVER, SweepState

_LOOK_EVERY_S = 1.0


def _body(selection: Selection) -> dict[str, Json]:
    """What every request says."""
    return {
        "console": selection.console or "",
        "procedures": list(selection.patterns),
        "values": dict(selection.values),
        "policy": selection.policy,
        "try_patches": selection.tries_patches,
    }


def verify_at(server: RemoteServer, selection: Selection) -> RunResult:
    """Have documents verified now: by their paths where the server has them, else as texts.

    Raises:
        SetupError: The server refuses, or a document is no file and none of the server's.
    """
    docs, body = selection.docs, _body(selection)
    try:
        paths: Json = [{"path": str(path.resolve())} for path in docs]
        verification = server.post("/verifications", {**body, "documents": paths})
    except SetupError:
        if not all(path.is_file() for path in docs):
            raise
        texts: Json = [{"name": path.name, "text": path.read_text("utf-8")} for path in docs]
        verification = server.post("/verifications", {**body, "documents": texts})
    return _wait_for(server, str(verification["id"]), "/runs")


def sweep_with(server: RemoteServer, selection: Selection) -> RunResult:
    """Have a sweep carried out; the same again is the one that is not over yet."""
    paths = to_jsonable([str(path.resolve()) for path in selection.docs])
    sweep = server.post("/sweeps", {**_body(selection), "documents": paths})
    return _wait_for(server, str(sweep["id"]), "/sweeps")


def _wait_for(server: RemoteServer, run_id: str, where: str) -> RunResult:
    """The result of a run when it is over, or a person has paused it."""
    talk(f"Under way in the server, as {run_id}: {server.url}/runs/{run_id}")
    talk("It goes on there when this command is stopped.")
    shown_why = ""
    while not _is_at_rest(status := server.get(f"{where}/{run_id}")):
        if status["state"] == SweepState.PAUSED and status["why"] != shown_why:
            shown_why = status["why"]
            talk(f"Paused, and goes on by itself: {shown_why}")
        time.sleep(_LOOK_EVERY_S)
    return load_result(server.get(f"/runs/{run_id}"))


def _is_at_rest(status: Mapping[str, Json]) -> bool:
    is_held = status["state"] == SweepState.PAUSED and status["paused_for"] == CauseKind.BY_HAND
    return status["state"] in OVER or is_held


_ALL = 1_000_000


def sweeps_of(server: RemoteServer, limit: int) -> list[RunStatus]:
    """How it stands with the latest, newest first."""
    return [_status(server, row["id"]) for row in server.items("/sweeps", limit)]


def sweep_at(server: RemoteServer, wanted: str | None) -> RunStatus:
    """How it stands with the one that runs, else the latest, or the one that begins so.

    Raises:
        SetupError: There is none.
    """
    return _status(server, _id_of(server, wanted))


def have_done(server: RemoteServer, wanted: str | None, what: str) -> RunStatus:
    """Have it paused, resumed or cancelled; how it stands with it then."""
    status: RunStatus = server.post(f"/sweeps/{_id_of(server, wanted)}/{what}")
    return status


def _status(server: RemoteServer, id: str) -> RunStatus:
    status: RunStatus = server.get(f"/sweeps/{id}")
    return status


def _id_of(server: RemoteServer, wanted: str | None) -> str:
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
