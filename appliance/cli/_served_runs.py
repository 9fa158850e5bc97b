"""Runs that a server carries out for the command line."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from appliance.cli._output import talk
from appliance.cli._remote import Server
from appliance.core.causes import CauseKind
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json, to_jsonable
from appliance.core.result import RunResult
from appliance.core.result_json import load_result
from appliance.store.sweeps import OVER, SweepState

_LOOK_EVERY_S = 1.0


def about(
    console: str | None, patterns: Sequence[str], values: Mapping[str, str], policy: str = "auto"
) -> dict[str, Json]:
    """What every request says."""
    return {
        "console": console or "",
        "procedures": list(patterns),
        "values": dict(values),
        "policy": policy,
    }


def verify_at(server: Server, docs: Sequence[Path], asked: Mapping[str, Json]) -> RunResult:
    """Have documents verified now: by their paths where the server has them, else as texts.

    Raises:
        SetupError: The server refuses, or a document is no file and none of the server's.
    """
    try:
        paths: Json = [{"path": str(path.resolve())} for path in docs]
        told = server.post("/verifications", {**asked, "documents": paths})
    except SetupError:
        if not all(path.is_file() for path in docs):
            raise
        texts: Json = [{"name": path.name, "text": path.read_text("utf-8")} for path in docs]
        told = server.post("/verifications", {**asked, "documents": texts})
    return _wait_for(server, str(told["id"]), "/runs")


def sweep_with(server: Server, docs: Sequence[Path], asked: Mapping[str, Json]) -> RunResult:
    """Have a sweep carried out; the same again is the one that is not over yet."""
    paths = to_jsonable([str(path.resolve()) for path in docs])
    told = server.post("/sweeps", {**asked, "documents": paths})
    return _wait_for(server, str(told["id"]), "/sweeps")


def _wait_for(server: Server, run_id: str, where: str) -> RunResult:
    """The result of a run when it is over, or a person has paused it."""
    talk(f"Under way in the server, as {run_id}: {server.url}/runs/{run_id}")
    talk("It goes on there when this command is stopped.")
    said = ""
    while not _is_at_rest(told := server.get(f"{where}/{run_id}")):
        if told["state"] == SweepState.PAUSED and told["why"] != said:
            said = told["why"]
            talk(f"Paused, and goes on by itself: {said}")
        time.sleep(_LOOK_EVERY_S)
    return load_result(server.get(f"/runs/{run_id}"))


def _is_at_rest(told: Mapping[str, Json]) -> bool:
    is_held = told["state"] == SweepState.PAUSED and told["paused_for"] == CauseKind.BY_HAND
    return told["state"] in OVER or is_held
