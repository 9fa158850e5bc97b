"""Keeps what the engine tells, as it tells it."""

from datetime import UTC, datetime
from typing import TypedDict

from appliance import __version__
from appliance.core.events import (
    Event,
    FindingClosed,
    FindingOpened,
    ProcedureFinished,
    RunFinished,
    RunStarted,
)
from appliance.core.result import Finding, RunResult
from appliance.store.incident import Incident, IncidentChanges
from appliance.store.store import Store


class StoreWriter:
    """The writer of `core.events`: after a kill, every verdict that was told is in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __call__(self, event: Event) -> tuple[Event, ...]:
        """Keep what belongs in the store; findings that a verdict has opened and closed."""
        match event:
            case RunStarted(goes_on=True):
                pass  # what it has is there
            case RunStarted():
                self._store.start_run(event.run or _unknown(event.run_id), event.procedures)
            case ProcedureFinished():
                return self._findings(self._store.save_procedure(event.run_id, event.result))
            case RunFinished():
                self._store.end_run(event.run_id, event.ended_at)
        return ()

    def _findings(self, changes: IncidentChanges) -> tuple[Event, ...]:
        return (
            *(FindingOpened(**_incident_fields(self._store, opened)) for opened in changes.opened),
            *(FindingClosed(**_incident_fields(self._store, closed)) for closed in changes.closed),
        )


class _IncidentFields(TypedDict):
    console: str
    incident_id: str
    finding: Finding


def _incident_fields(store: Store, incident: Incident) -> _IncidentFields:
    return {
        "console": incident.console,
        "incident_id": incident.id,
        "finding": store.changes.finding(incident),
    }


def _unknown(run_id: str) -> RunResult:
    now = datetime.now(UTC)
    return RunResult(
        id=run_id,
        appliance_version=__version__,
        commit="",
        console="",
        policy="",
        started_at=now,
        ended_at=now,
        procedures=(),
    )
