"""`/findings`: sentences that the console contradicts, one for each root cause; and triage."""

import asyncio
from typing import Annotated, TypeAlias

from litestar import Controller, Response
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, JSONBody, QueryParameter, SkipValidation
from litestar.serialization import encode_json, get_serializer
from pydantic import ConfigDict, Field

from appliance.core.verdict import DivergenceKind, Severity
from appliance.server.activity import about
from appliance.server.api._operations import acts, reads
from appliance.server.api._pages import page_of
from appliance.server.api._runs import OnConsole
from appliance.server.api.shapes.base import Moment, Page, RequestShape, ResponseShape, shape_of
from appliance.server.callers import TheCaller
from appliance.server.etags import check_match, etag_of
from appliance.server.paging import ThePaging
from appliance.server.parts import Service, TheService
from appliance.server.patches import make_patch
from appliance.server.permissions import Permission
from appliance.server.problems import AnyRequest, Problem
from appliance.server.sources import Sources
from appliance.store import incident
from appliance.store.incident import IncidentFilter, IncidentState, TriageAction, TriageDecision


@shape_of(incident.Incident)
class Incident(ResponseShape):
    """All findings of one root cause on one console. What it quotes is what was seen last."""

    id: str = Field(examples=["3f0c9a1b2d4e"])
    """The same as long as the root cause is."""


class IncidentPage(Page[Incident]):
    """Findings: those that need a person first, then the worst, then the latest."""


@shape_of(incident.Location)
class Place(ResponseShape):
    """Where the documentation says it."""


@shape_of(incident.TriageEntry)
class LogEntry(ResponseShape):
    """Something that happened to a finding."""

    action: str = Field(examples=["confirm"])
    """What was done; `opened`, `closed`, `reopened` and `expired` happen by themselves."""


class WholeIncident(Incident):
    """A finding with its places, and with what people said of it."""

    where: tuple[Place, ...]
    """Its places, in the order of the documentation."""
    log: tuple[LogEntry, ...]
    """What happened to it, oldest first."""


class Triage(RequestShape):
    """What a person says of a finding."""

    action: TriageAction
    """`confirm`: the documentation is wrong. `reject`: the appliance is wrong. `accept`: known, and
    left alone `until` a date. `assign`: to the `assignee`. `comment`. `reopen`. `undo`: takes back
    the last of these."""
    comment: Annotated[str, Field(max_length=10_000)] = ""
    """Why."""
    until: Moment | None = None
    """With `accept`: a time to come."""
    assignee: Annotated[str, Field(max_length=200)] | None = None
    """With `assign`: a name; empty: nobody."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"action": "confirm", "comment": "Renamed in release 4.2."},
                {"action": "accept", "until": "2027-01-31T00:00:00Z"},
                {"action": "assign", "assignee": "mei"},
            ]
        }
    )


@shape_of(incident.Confirmation)
class Confirmation(ResponseShape):
    """How often people agree with what was found."""

    rate: float | None
    """Share of those that were right; null before anybody said anything."""


_DIFF = "text/x-diff"
_STANDING = (IncidentState.OPEN, IncidentState.CONFIRMED)

InState: TypeAlias = Annotated[
    IncidentState | None, QueryParameter(name="state", description="Only in that state.")
]
InDocument: TypeAlias = Annotated[
    str | None, QueryParameter(max_length=1000, description="Only in that document (its path).")
]


TheFilter: TypeAlias = NamedDependency[SkipValidation[IncidentFilter]]


def provide_filter(
    console: OnConsole = None,
    in_state: InState = None,
    kind: Annotated[DivergenceKind | None, QueryParameter(description="Only of that kind.")] = None,
    severity: Annotated[
        Severity | None, QueryParameter(description="Only of that severity.")
    ] = None,
    document: InDocument = None,
    assignee: Annotated[
        str | None, QueryParameter(max_length=200, description="Only those of that person.")
    ] = None,
    words: Annotated[
        str | None,
        QueryParameter(name="query", max_length=500, description="Only with these words."),
    ] = None,
) -> IncidentFilter:
    """What the address asks for."""
    return IncidentFilter(
        console=console,
        state=in_state,
        kind=kind,
        severity=severity,
        document=document,
        assignee=assignee,
        query=words,
    )


class Findings(Controller):
    """Look at findings, say what is right, take the patch."""

    path = "/findings"
    tags = ("Findings",)

    @reads(
        "",
        "listFindings",
        "List findings",
        dependencies={"wanted": Provide(provide_filter, sync_to_thread=False)},
    )
    async def list(
        self, request: AnyRequest, service: TheService, paging: ThePaging, wanted: TheFilter
    ) -> IncidentPage:
        """Those that need a person first, then the worst, then the latest."""
        incidents = await asyncio.to_thread(service.store.incidents.page, paging, wanted)
        return page_of(IncidentPage, incidents, paging, request)

    @reads("/confirmation", "getConfirmation", "Get the confirmation rate")
    async def confirmation(self, service: TheService, console: OnConsole = None) -> Confirmation:
        """How often people agreed with what was found."""
        rate = await asyncio.to_thread(service.store.incidents.confirmation, console)
        return Confirmation.model_validate(rate)

    @reads(
        "/patch",
        "getPatch",
        "Download the patch of all findings",
        media_type=_DIFF,
        response_description="A unified diff for `git apply`; empty where nothing is suggested.",
    )
    async def patch(
        self,
        service: TheService,
        console: OnConsole = None,
        in_state: InState = None,
        document: InDocument = None,
    ) -> Response[str]:
        """Of open and confirmed ones, or of those in one state."""
        states = (in_state,) if in_state else _STANDING

        def make() -> str:
            findings = service.store.incidents.findings(
                console=console, states=states, document=document
            )
            return make_patch(findings, Sources(service), "from the findings that stand").text

        return _diff(await asyncio.to_thread(make), "suggestions")

    @reads("/{finding_id:str}", "getFinding", "Get a finding", fails=(404,))
    async def show(self, service: TheService, finding_id: FromPath[str]) -> WholeIncident:
        """With its places, and with what people said of it."""
        return await _whole(service, finding_id)

    @reads(
        "/{finding_id:str}/patch",
        "getFindingPatch",
        "Download a finding's patch",
        fails=(404,),
        media_type=_DIFF,
        response_description="A unified diff for `git apply`; empty where nothing is suggested.",
    )
    async def patch_of_one(self, service: TheService, finding_id: FromPath[str]) -> Response[str]:
        """What should stand in all its places."""
        await _whole(service, finding_id)

        def make() -> str:
            findings = service.store.incidents.findings([finding_id])
            return make_patch(findings, Sources(service), f"from finding {finding_id}").text

        return _diff(await asyncio.to_thread(make), f"finding-{finding_id}")

    @acts(
        "/{finding_id:str}/triage",
        "triageFinding",
        "Say what is right",
        Permission.TRIAGE_FINDING,
        fails=(404, 409, 412, 413, 422),
        answers="The finding as it is afterwards.",
    )
    async def triage(
        self,
        request: AnyRequest,
        service: TheService,
        caller: TheCaller,
        finding_id: FromPath[str],
        data: JSONBody[Triage],
    ) -> WholeIncident:
        """Confirm, reject, accept until a date, assign, comment, reopen; or undo the last of these.

        With `If-Match`, only where nobody else has said something meanwhile.
        """
        about(finding_id, data.action.value)
        check_match(request, _tag(request, await _whole(service, finding_id)))
        decision = TriageDecision(
            action=data.action, comment=data.comment, until=data.until, assignee=data.assignee
        )
        await asyncio.to_thread(
            service.store.incidents.triage,
            finding_id,
            decision,
            by=caller.name,
            at=service.engine.clock.now(),
        )
        return await _whole(service, finding_id)


async def _whole(service: Service, finding_id: str) -> WholeIncident:
    incident = await asyncio.to_thread(_read, service, finding_id)
    if incident is None:
        raise Problem(404, f"There is no finding {finding_id!r}.", title="Unknown finding")
    return incident


def _read(service: Service, finding_id: str) -> WholeIncident | None:
    incidents = service.store.incidents
    incident = incidents.get(finding_id)
    if incident is None:
        return None
    where, log = incidents.places(finding_id), incidents.log(finding_id)
    return WholeIncident.of(incident, where=where, log=log)


def _tag(request: AnyRequest, incident: WholeIncident) -> str:
    """The `ETag` that the finding is sent with."""
    encoders = request.route_handler.resolve_type_encoders()
    return etag_of(encode_json(incident, get_serializer(encoders)))


def _diff(text: str, name: str) -> Response[str]:
    return Response(
        text,
        media_type=_DIFF,
        headers={"Content-Disposition": f'attachment; filename="{name}.patch"'},
    )
