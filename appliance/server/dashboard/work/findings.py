"""Findings as incidents: the list, and the page of each."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlencode

from litestar import get
from litestar.params import FromPath
from litestar.response import Template

from appliance.core.verdict import DivergenceKind, Severity
from appliance.server.dashboard.frame import PageRequest, console_of, member_named, page
from appliance.server.dashboard.work.incident_view import IncidentView, incident_view
from appliance.server.paging import ThePaging
from appliance.server.parts import Service, TheService
from appliance.server.problems import Problem
from appliance.server.sources import Sources, full_path
from appliance.store.incident import Confirmation, Incident, IncidentFilter, IncidentState
from appliance.store.paging import Paged, Paging
from appliance.store.store import Store

ALL = "all"
_NAMES = ("console", "state", "kind", "severity", "document", "assignee", "query")
_NEIGHBOURS = Paging(0, 500)
"""How far `next` and `previous` reach in a list."""
_ACCEPT_DAYS = 30
"""Until when a finding is accepted where nobody says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a list is narrowed to, as the address says it."""

    console: str
    state: str
    """A state, or `all`."""
    kind: str
    severity: str
    document: str
    assignee: str
    query: str

    def query_string(self, **other: str) -> str:
        """As the end of an address, with other values for some; what is empty is left out."""
        query = {name: getattr(self, name) for name in _NAMES} | other
        return urlencode({name: value for name, value in query.items() if value})

    @property
    def wanted(self) -> IncidentFilter:
        """For the store. A word that nobody knows narrows nothing."""
        return IncidentFilter(
            console=self.console,
            state=member_named(IncidentState, self.state),
            kind=member_named(DivergenceKind, self.kind),
            severity=member_named(Severity, self.severity),
            document=self.document or None,
            assignee=self.assignee or None,
            query=self.query or None,
        )

    @property
    def are_set(self) -> bool:
        """Whether anything but the state is narrowed."""
        return any((self.kind, self.severity, self.document, self.assignee, self.query))


@dataclass(frozen=True, slots=True)
class FindingsList:
    """The list of incidents, with the figures beside it."""

    listing: Paged[Incident]
    counts: Mapping[str, int]
    """How many there are in each state, with the other filters as they are."""
    confirmation: Confirmation
    documents: tuple[str, ...]
    """As people call them: what the list can be narrowed to."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Where an incident stands in the list that it was opened from."""

    previous: str
    next: str
    """Ids; empty: there is none."""
    number: int
    """From 1; 0: it is not in the list (any more)."""
    of: int


@get("/findings")
async def findings(request: PageRequest, service: TheService, paging: ThePaging) -> Template:
    """The page of incidents of a console."""
    filters = filters_of(request, service)
    listed = await asyncio.to_thread(_read_list, service, filters, paging)
    return page(
        request,
        service,
        "findings",
        listed=listed,
        listing=listed.listing,
        paging=paging,
        filters=filters,
        states=tuple(IncidentState),
        kinds=tuple(DivergenceKind),
        severities=tuple(Severity),
        until=accept_until(service),
    )


@get("/findings/{incident_id:str}")
async def finding(
    request: PageRequest, service: TheService, incident_id: FromPath[str]
) -> Template:
    """One incident, with everything a person needs to decide."""
    filters = filters_of(request, service)

    def look() -> tuple[IncidentView, Neighbours, Confirmation] | None:
        incident = service.store.incidents.get(incident_id)
        if incident is None:
            return None
        return (
            incident_view(service.store, Sources(service), incident),
            _neighbours(service.store, filters, incident_id),
            service.store.incidents.confirmation(incident.console),
        )

    details = await asyncio.to_thread(look)
    if details is None:
        raise Problem(404, f"There is no finding {incident_id!r}.", title="Unknown finding")
    view, neighbours, confirmation = details
    return page(
        request,
        service,
        "finding",
        at="findings",
        title=f"kind.{view.incident.kind.value}",
        view=view,
        neighbours=neighbours,
        confirmation=confirmation,
        filters=filters,
        until=accept_until(service),
    )


def filters_of(request: PageRequest, service: Service) -> Filters:
    """What the address asks for; without a state, what waits for a person."""
    parameters = {name: request.query_params.get(name, "").strip() for name in _NAMES}
    parameters["state"] = parameters["state"] or IncidentState.OPEN.value
    parameters["document"] = full_path(parameters["document"], service.settings.documentation.paths)
    return Filters(**parameters | {"console": console_of(request, service)})


def accept_until(service: Service) -> str:
    """The date that is proposed, as a date field takes it."""
    return f"{service.engine.clock.now() + timedelta(days=_ACCEPT_DAYS):%Y-%m-%d}"


def _read_list(service: Service, filters: Filters, paging: Paging) -> FindingsList:
    store, sources, wanted = service.store, Sources(service), filters.wanted
    counts_by_state = store.incidents.counts(wanted)
    counts = {state.value: counts_by_state.get(state, 0) for state in IncidentState}
    return FindingsList(
        store.incidents.page(paging, wanted),
        counts | {ALL: sum(counts.values())},
        store.incidents.confirmation(filters.console),
        tuple(map(sources.short, sources.documents)),
    )


def _neighbours(store: Store, filters: Filters, incident_id: str) -> Neighbours:
    listed = store.incidents.ids(_NEIGHBOURS, filters.wanted)
    ids = listed.items
    if incident_id not in ids:
        return Neighbours("", ids[0] if ids else "", 0, listed.total)
    at = ids.index(incident_id)
    before = ids[at - 1] if at else ""
    after = ids[at + 1] if at + 1 < len(ids) else ""
    return Neighbours(before, after, at + 1, listed.total)


HANDLERS = (findings, finding)
