"""Keeps what the engine tells, as it tells it."""

from collections.abc import Callable
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


class StoreSubscriber:
    """A subscriber of `core.events`: after a kill, every verdict that was known is in the store."""

    def __init__(self, store: Store, tell: Callable[[Event], None] | None = None) -> None:
        """`tell` is given `FindingOpened` and `FindingClosed` as verdicts bring them about."""
        self._store = store
        self._tell = tell

    def __call__(self, event: Event) -> None:
        """Keep what belongs in the store; the rest is not for it."""
        match event:
            case RunStarted(goes_on=True):
                pass  # what it has is there
            case RunStarted():
                self._store.start_run(event.run or _unknown(event.run_id), event.procedures)
            case ProcedureFinished():
                self._pass_on(self._store.save_procedure(event.run_id, event.result))
            case RunFinished():
                self._pass_on(self._store.save_run(event.result))

    def _pass_on(self, changes: IncidentChanges) -> None:
        if self._tell is None:
            return
        for opened in changes.opened:
            self._tell(FindingOpened(**_told(self._store, opened)))
        for closed in changes.closed:
            self._tell(FindingClosed(**_told(self._store, closed)))


class _Told(TypedDict):
    console: str
    incident_id: str
    finding: Finding


def _told(store: Store, incident: Incident) -> _Told:
    result = store.listings.result(incident.run_id, incident.procedure_id)
    kept = (f for f in (result.findings if result else ()) if f.id == incident.finding_id)
    return {
        "console": incident.console,
        "incident_id": incident.id,
        "finding": next(kept, None) or incident.as_finding(),
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
