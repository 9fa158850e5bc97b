"""Runs and sweeps that a server carries out for the command line."""

import asyncio
import json
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from appliance.cli._handed_in import HandedIn
from appliance.cli._options import Selection
from appliance.cli._output import talk
from appliance.cli._remote import NotThereError, RemoteServer, SilentError, id_that_begins, read_as
from appliance.core.causes import CauseKind
from appliance.core.errors import SetupError, StoreError
from appliance.core.events import (
    AttemptStarted,
    ProcedureFinished,
    ProcedureStarted,
    ResourceProgressed,
    RunStarted,
    StepFinished,
    Subscriber,
    SweepProgressed,
)
from appliance.core.jsonable import Json, to_jsonable
from appliance.core.result import ArtifactRef, RunResult, with_documents_named
from appliance.engine.status import RunStatus
from appliance.reports import ReadArtifact
from appliance.store.sweeps import OVER, SweepState

_LOOK_EVERY_S = 1.0
_PATIENCE_S = 120.0
"""With a server that is started anew."""


def _body(selection: Selection) -> dict[str, Json]:
    """The fields that every request has in common."""
    return {
        "console": selection.console or "",
        "procedures": list(selection.patterns),
        "values": dict(selection.values),
        "policy": selection.policy,
        "try_patches": selection.tries_patches,
    }


def begin_by_path(server: RemoteServer, selection: Selection) -> str:
    """Start the verification of documents that the server has; return the run's id.

    Raises:
        SetupError: The server does not have them, or refuses.
    """
    docs = [path if server.is_elsewhere else path.resolve() for path in selection.docs]
    paths: Json = [{"path": str(path)} for path in docs]
    run = server.post("/verifications", {**_body(selection), "documents": paths})
    return str(run["id"])


def begin_at(server: RemoteServer, selection: Selection, documents: HandedIn) -> str:
    """Start a verification, uploading the documents where the server does not have them.

    Raises:
        SetupError: The server refuses.
    """
    body = _body(selection)
    if not (server.is_elsewhere or selection.checks):
        with suppress(SetupError):
            return begin_by_path(server, selection)
    form = {
        "console": body["console"],
        "procedures": body["procedures"],
        "values": json.dumps(body["values"]),
        "policy": body["policy"],
    }
    if selection.tries_patches is not None:
        form["try_patches"] = str(selection.tries_patches).lower()
    files = {name: file.read_bytes() for name, file in documents.files.items()}
    return str(server.upload("/verifications/uploads", form, files)["id"])


def end_of(
    server: RemoteServer,
    run_id: str,
    handed_in: HandedIn | None = None,
    tell: Subscriber = lambda event: None,
) -> RunResult:
    """The result of a verification when it is over, with documents as they are named here.

    Ctrl-C and SIGTERM cancel it.

    Args:
        server: That carries it out.
        run_id: Of it.
        handed_in: What was handed in; None: nothing was.
        tell: Told what happens.

    Raises:
        SetupError: The server does not answer any more, or it was cancelled there.
    """
    follower = _Follower(server, run_id, handed_in.documents if handed_in else {}, tell)
    with _cancelled_with_us(server, run_id):
        talk(f"Under way in the server, as {run_id}: {server.url}/runs/{run_id}")
        while not _is_at_rest(status := _status_of(server, run_id)):
            try:
                follower.follow(status["total"])
            except SetupError:  # it broke off
                time.sleep(_LOOK_EVERY_S)
    run = follower.tell_verdicts()
    if status["state"] != SweepState.DONE:
        raise SetupError(f"run {run_id} was stopped before its end: {status['why']}")
    return run


def _status_of(server: RemoteServer, run_id: str) -> Mapping[str, Any]:  # Any: JSON
    """Return a run's status; waits for a server that restarts, which resumes the run."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            status: Mapping[str, Any] = server.get(f"/runs/{run_id}")["status"]
        except SilentError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_LOOK_EVERY_S)
        else:
            return status


@contextmanager
def _cancelled_with_us(server: RemoteServer, run_id: str) -> Iterator[None]:
    def stop(number: int, frame: object) -> None:
        raise asyncio.CancelledError

    previous_handler = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except (KeyboardInterrupt, asyncio.CancelledError):
        with suppress(SetupError):  # it is over
            server.post(f"/verifications/{run_id}/cancel")
            talk("Cancelled in the server: what it made is removed there.")
        raise
    finally:
        signal.signal(signal.SIGTERM, previous_handler)


@dataclass(slots=True)
class _Follower:
    """Relays the events of a remote run, as subscribers of local runs get them."""

    server: RemoteServer
    run_id: str
    names: Mapping[str, str]
    """Of documents, by those that the server knows."""
    tell: Subscriber
    _has_begun: bool = False
    _reported: set[str] = field(default_factory=set)

    def follow(self, procedures: int) -> None:
        """Relay events until the run is over or the connection breaks off."""
        if not self._has_begun:
            self._has_begun = True
            self.tell(RunStarted(run_id=self.run_id, procedures=procedures))
        with self.server.lines(f"/verifications/{self.run_id}/events") as lines:
            name = ""
            for line in lines:
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    self._take(name, json.loads(line.removeprefix("data: ")))
                if name == "end":
                    return

    def tell_verdicts(self) -> RunResult:
        """Return the result so far, and report the verdicts that are new."""
        names = self.names
        run = with_documents_named(
            self.server.result(self.run_id), lambda name: names.get(name, name)
        )
        for result in run.procedures:
            if result.id not in self._reported:
                self._reported.add(result.id)
                self.tell(ProcedureFinished(run_id=self.run_id, result=result))
        return run

    def _take(self, name: str, data: dict[str, Any]) -> None:  # Any: JSON
        match name:
            case "snapshot" | "procedure_finished":
                self.tell_verdicts()
            case "procedure_started":
                self.tell(read_as(ProcedureStarted, data | {"run_id": self.run_id}))
            case "attempt_started":
                self.tell(read_as(AttemptStarted, data))
            case "step_finished":
                self.tell(read_as(StepFinished, data))
            case "resource_progressed":
                self.tell(read_as(ResourceProgressed, data))
            case "sweep_progressed":
                self.tell(read_as(SweepProgressed, data | {"sweep_id": self.run_id}))


def artifacts_of(server: RemoteServer) -> ReadArtifact:
    """Return a reader of the evidence that a server stores."""

    def read(ref: ArtifactRef) -> bytes:
        try:
            return server.get_bytes(f"{server.url}/artifacts/{ref.sha256}")
        except NotThereError as error:
            raise StoreError(str(error)) from error

    return read


def sweep_with(server: RemoteServer, selection: Selection) -> RunResult:
    """Have a sweep carried out; an unfinished sweep of the same request is resumed."""
    paths = to_jsonable([str(path.resolve()) for path in selection.docs])
    sweep = server.post("/sweeps", {**_body(selection), "documents": paths})
    return _wait_for(server, str(sweep["id"]))


def _wait_for(server: RemoteServer, run_id: str) -> RunResult:
    """The result of a sweep when it is over, or a person has paused it."""
    talk(f"Under way in the server, as {run_id}: {server.url}/runs/{run_id}")
    talk("It goes on there when this command is stopped.")
    shown_why = ""
    while not _is_at_rest(status := server.get(f"/sweeps/{run_id}")):
        if status["state"] == SweepState.PAUSED and status["why"] != shown_why:
            shown_why = status["why"]
            talk(f"Paused, and goes on by itself: {shown_why}")
        time.sleep(_LOOK_EVERY_S)
    return server.result(run_id)


def _is_at_rest(status: Mapping[str, Json]) -> bool:
    is_held = status["state"] == SweepState.PAUSED and status["paused_for"] == CauseKind.BY_HAND
    return status["state"] in OVER or is_held


_ALL = 1_000_000


def sweeps_of(server: RemoteServer, limit: int) -> list[RunStatus]:
    """Return the status of the latest sweeps, newest first."""
    return [_status(server, row["id"]) for row in server.items("/sweeps", limit)]


def sweep_at(server: RemoteServer, prefix: str | None) -> RunStatus:
    """Return the status of the running sweep, else the latest, or of the one with this id prefix.

    Raises:
        SetupError: There is none.
    """
    return _status(server, _id_of(server, prefix))


def control_sweep(server: RemoteServer, prefix: str | None, action: str) -> RunStatus:
    """Pause, resume or cancel a sweep, and return its status afterwards."""
    status: RunStatus = server.post(f"/sweeps/{_id_of(server, prefix)}/{action}")
    return status


def _status(server: RemoteServer, id: str) -> RunStatus:
    status: RunStatus = server.get(f"/sweeps/{id}")
    return status


def _id_of(server: RemoteServer, prefix: str | None) -> str:
    rows: list[Mapping[str, Any]] = server.items("/sweeps", _ALL if prefix else 1)  # Any: JSON
    if not prefix:
        rows = server.items("/sweeps", 1, state="running") or rows
    ids = [str(row["id"]) for row in rows]
    if not prefix and not ids:
        raise SetupError("there is no sweep yet: `appliance sweep list` shows which are.")
    return id_that_begins(prefix, ids, "sweep", "sweep list") if prefix else ids[0]
