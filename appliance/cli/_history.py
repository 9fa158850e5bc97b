"""What is kept of earlier runs, for commands: from the store, or from the server that owns it."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from pydantic import TypeAdapter, ValidationError

from appliance.cli._activity_log import record_activity, user_name
from appliance.cli._remote import NotThereError, RemoteServer, id_that_begins, read_as, server_of
from appliance.config import Settings
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.jsonable import json_object
from appliance.core.result import ArtifactRef, RunResult
from appliance.server.permissions import Permission
from appliance.store.artifacts import ArtifactStore
from appliance.store.incident import (
    Incident,
    IncidentFilter,
    IncidentState,
    TriageDecision,
    TriageEntry,
    incident_id,
)
from appliance.store.labels import ConsoleLabel
from appliance.store.paging import Paging
from appliance.store.queries import RunRow, StoredFinding
from appliance.store.store import FILE_NAME, Store

_INCIDENT = re.compile(r"[0-9a-f]{12}")
_LATEST = 50
"""Enough to find one that has begun."""
_ALL = 1_000_000
"""More runs and findings than any store has."""


class LocalRecords:
    """Records in a store that this process has open."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def runs(self, limit: int) -> tuple[RunRow, ...]:
        """The latest, newest first."""
        return _begun_rows(self._store.listings.runs(Paging(limit=limit)).items)

    def load_run(self, run_id: str) -> RunResult:
        """One of them with its verdicts."""
        return self._store.load_run(run_id)

    def artifact(self, ref: ArtifactRef) -> bytes:
        """A file that belongs to a verdict."""
        return self._store.artifacts.get(ref)

    def findings(self, run_id: str | None) -> tuple[StoredFinding, ...]:
        """Of one run, or of all, newest run first."""
        return self._store.findings(run_id=run_id, limit=_ALL)

    def incidents(self, state: IncidentState, console: str | None) -> tuple[Incident, ...]:
        """Those in that state, the worst first."""
        filters = IncidentFilter(console=console, state=state)
        return self._store.incidents.page(Paging(limit=_ALL), filters).items

    def incident(self, id: str) -> Incident | None:
        """The one of that id."""
        return self._store.incidents.get(id)

    def log(self, id: str) -> tuple[TriageEntry, ...]:
        """What happened to it, oldest first."""
        return self._store.incidents.log(id)

    def triage(self, id: str, decision: TriageDecision) -> Incident:
        """The incident as it is then. Said by whoever is logged in at this machine."""
        incident = self._store.incidents.triage(
            id, decision, by=user_name(), at=SystemClock().now()
        )
        record_activity(self._store, Permission.TRIAGE_FINDING, id, decision.action.value)
        return incident

    def labels(self, console: str, release: str | None) -> tuple[ConsoleLabel, ...]:
        """What attempts saw that a console calls things, in one release or in all."""
        return self._store.labels.page(Paging(limit=_ALL), console=console, release=release).items


class RemoteRecords:
    """Records that a server has."""

    def __init__(self, server: RemoteServer) -> None:
        self.server = server

    def runs(self, limit: int) -> tuple[RunRow, ...]:
        """See `LocalRecords`, as for all that follows."""
        return _begun_rows(read_as(RunRow, row) for row in self.server.items("/runs", limit))

    def load_run(self, run_id: str) -> RunResult:
        """One of them, under way or over."""
        return self.server.result(run_id)

    def artifact(self, ref: ArtifactRef) -> bytes:
        """A file that belongs to a verdict."""
        return self.server.get_bytes(f"{self.server.url}/artifacts/{ref.sha256}")

    def findings(self, run_id: str | None) -> tuple[StoredFinding, ...]:
        """Of one run, or of all that have any."""
        ids = [run_id] if run_id else [row.id for row in self.runs(_ALL) if row.summary.findings]
        return tuple(
            StoredFinding(
                run_id=run.id,
                procedure_id=result.id,
                console=run.console,
                started_at=run.started_at,
                finding=finding,
            )
            for run in map(self.load_run, ids)
            for result in run.procedures
            for finding in result.findings
        )

    def incidents(self, state: IncidentState, console: str | None) -> tuple[Incident, ...]:
        """Those in that state."""
        rows = self.server.items("/findings", _ALL, state=state.value, console=console)
        return tuple(read_as(Incident, row) for row in rows)

    def incident(self, id: str) -> Incident | None:
        """The one of that id."""
        try:
            return read_as(Incident, self.server.get(f"/findings/{id}"))
        except NotThereError:
            return None

    def log(self, id: str) -> tuple[TriageEntry, ...]:
        """What happened to it."""
        entries = self.server.get(f"/findings/{id}")["log"]
        return tuple(read_as(TriageEntry, entry) for entry in entries)

    def triage(self, id: str, decision: TriageDecision) -> Incident:
        """Said by whoever the server takes the caller for."""
        answer = self.server.post(f"/findings/{id}/triage", json_object(decision))
        return read_as(Incident, answer)

    def labels(self, console: str, release: str | None) -> tuple[ConsoleLabel, ...]:
        """What a console calls things."""
        rows = self.server.items("/labels", _ALL, console=console, release=release)
        return tuple(read_as(ConsoleLabel, row) for row in rows)


Records: TypeAlias = LocalRecords | RemoteRecords
"""Where earlier runs are looked up, and what people said of findings is kept."""


def _begun_rows(rows: Iterable[RunRow]) -> tuple[RunRow, ...]:
    """Those that have begun: what still waits has nothing to show."""
    return tuple(row for row in rows if row.appliance_version)


@contextmanager
def records(settings: Settings) -> Iterator[Records]:
    """What is kept: asked of the server while one runs, else read from the store."""
    if server := server_of(settings):
        yield RemoteRecords(server)
        return
    with history(settings) as store:
        yield LocalRecords(store)


@contextmanager
def records_if_any(settings: Settings, server: RemoteServer | None) -> Iterator[Records | None]:
    """The same of a server that is known; None where there is neither that nor a store."""
    if server is not None:
        yield RemoteRecords(server)
        return
    with store_if_any(settings) as store:
        yield LocalRecords(store) if store else None


@contextmanager
def history(settings: Settings) -> Iterator[Store]:
    """The store, where there is one already."""
    with store_if_any(settings) as store:
        if store is None:
            raise SetupError(
                f"there are no runs in {settings.data_dir} yet: `appliance verify DOC` makes one;"
                " data_dir names another data folder."
            )
        yield store


@contextmanager
def store_if_any(settings: Settings) -> Iterator[Store | None]:
    """The store; None where there is none yet: looking makes no files."""
    if not (settings.data_dir / FILE_NAME).exists():
        yield None
        return
    with Store.open(settings.data_dir) as store:
        yield store


def artifact_path(settings: Settings, artifact: ArtifactRef) -> str:
    """Return the path of an artifact's file."""
    return str(ArtifactStore(settings.data_dir / "artifacts").path(artifact))


def run_id_of(history: Records, prefix: str | None) -> str:
    """The run's full id from its beginning; the latest without one."""
    ids = [row.id for row in history.runs(_ALL if prefix else _LATEST)]
    if not prefix and not ids:
        raise SetupError("there are no runs yet: `appliance verify DOC` makes one.")
    return id_that_begins(prefix, ids, "run", "run list") if prefix else ids[0]


def finding_of(history: Records, prefix: str) -> StoredFinding:
    """The latest finding whose id begins so, or that of its root cause."""
    matching = [
        stored
        for stored in history.findings(None)
        if stored.finding.id.startswith(prefix) or root_of(stored).startswith(prefix)
    ]
    if not matching:
        raise SetupError(f"there is no finding {prefix}: `appliance finding list` shows which are.")
    exact = [stored for stored in matching if prefix in (stored.finding.id, root_of(stored))]
    roots = list(dict.fromkeys(root_of(stored) for stored in exact or matching))
    if len(roots) > 1:
        ids = list(dict.fromkeys(stored.finding.id for stored in matching))
        raise SetupError(f"{prefix} begins {len(ids)} finding ids: {', '.join(ids[:5])}.")
    return (exact or matching)[0]


def root_of(stored: StoredFinding) -> str:
    """Id of the incident that a finding belongs to: its root cause on that console."""
    return incident_id(stored.console, stored.finding.fingerprint)


def incident_of(history: Records, id_prefix: str) -> Incident:
    """The incident whose id that is, or of the finding whose id begins so."""
    incident = history.incident(id_prefix) if _INCIDENT.fullmatch(id_prefix) else None
    incident = incident or history.incident(root_of(finding_of(history, id_prefix)))
    if incident is None:
        raise SetupError(
            f"there is no finding {id_prefix}: `appliance finding list` shows which are."
        )
    return incident


def labels_of(
    settings: Settings, console: str, release: str | None = None
) -> tuple[ConsoleLabel, ...]:
    """Those that attempts saw; none where there is no store yet."""
    with records_if_any(settings, server_of(settings)) as history:
        return history.labels(console, release) if history else ()


def labels_in(file: Path) -> tuple[ConsoleLabel, ...]:
    """Those that `appliance label list --json` printed.

    Raises:
        SetupError: It is no such file.
    """
    try:
        return TypeAdapter(tuple[ConsoleLabel, ...]).validate_python(json.loads(file.read_text()))
    except OSError as error:
        raise SetupError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, ValidationError) as error:
        raise SetupError(
            f"{file}: is not what `appliance label list --json` prints: make it anew"
        ) from error
