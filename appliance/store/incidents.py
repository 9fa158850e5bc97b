"""Findings as incidents: list, places, triage and its log."""

from datetime import datetime

from appliance.core.verdict import DivergenceKind, Severity
from appliance.store._session import Session
from appliance.store.incident import (
    Confirmation,
    Incident,
    IncidentState,
    Place,
    TriageAction,
    TriageEntry,
)
from appliance.store.paging import Paged, Paging


class IncidentTables:
    """The tables `incidents`, `incident_places` and `incident_log`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def page(
        self,
        paging: Paging,
        *,
        console: str | None = None,
        state: IncidentState | None = None,
        kind: DivergenceKind | None = None,
        severity: Severity | None = None,
        document: str | None = None,
        assignee: str | None = None,
        query: str | None = None,
    ) -> Paged[Incident]:
        """Those that need a person first, then the worst, then the latest."""
        raise NotImplementedError

    def get(self, incident: str) -> Incident | None:
        """The incident of that id."""
        raise NotImplementedError

    def places(self, incident: str) -> tuple[Place, ...]:
        """Where it was seen last, in the order of the documentation."""
        raise NotImplementedError

    def log(self, incident: str) -> tuple[TriageEntry, ...]:
        """What happened to it, oldest first."""
        raise NotImplementedError

    def triage(
        self,
        incident: str,
        action: TriageAction,
        *,
        by: str,
        at: datetime,
        comment: str = "",
        until: datetime | None = None,
        assignee: str | None = None,
    ) -> Incident:
        """What a person says of it; the incident as it is afterwards.

        Raises:
            SetupError: no such incident; `accept` without a date that is yet to come; `assign`
                without a name; `comment` without words; `confirm` of one that is closed.
        """
        raise NotImplementedError

    def expire(self, now: datetime) -> tuple[Incident, ...]:
        """Accepted ones whose date is over are open again; which they are."""
        raise NotImplementedError

    def confirmation(self, console: str | None = None) -> Confirmation:
        """How often people agree with what was found."""
        raise NotImplementedError
