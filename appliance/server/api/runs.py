"""`/runs`: what sweeps and verifications found, in one list; also what the command line made."""

from typing import Annotated, Literal

from litestar import Controller, Response
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from appliance.server.api._operations import reads
from appliance.server.api._reports import InFormat, InLanguage, report_of
from appliance.server.api._runs import InState, OnConsole, list_runs, result_of, zip_run
from appliance.server.api.shapes.runs import RunPage, Verification
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs
from appliance.server.problems import AnyRequest
from appliance.server.streams import follow


class Runs(Controller):
    """Look at runs."""

    path = "/runs"
    tags = ("Runs",)

    @reads("", "listRuns", "List runs")
    async def list(
        self,
        request: AnyRequest,
        service: TheService,
        paging: ThePaging,
        console: OnConsole = None,
        kind: Annotated[
            Literal["sweep", "verification"] | None, QueryParameter(description="Only these.")
        ] = None,
        in_state: InState = None,
    ) -> RunPage:
        """Sweeps and verifications, newest first."""
        return await list_runs(service, request, paging, kind, console, in_state)

    @reads("/{run_id:str}", "getRun", "Get a run", fails=(404,))
    async def show(self, service: TheService, run_id: FromPath[str]) -> Verification:
        """Its result so far, in the shape of `result.json`, with its state."""
        return await result_of(service, run_id)

    @reads(
        "/{run_id:str}/evidence",
        "getRunEvidence",
        "Download a run's evidence",
        fails=(404,),
        opt=needs(Permission.EXPORT_RESULTS),
        media_type="application/zip",
        response_description="A zip with `result.json`, `report.html` and all artifacts.",
    )
    async def evidence(self, service: TheService, run_id: FromPath[str]) -> Stream:
        """Everything that its verdicts rest on."""
        return await zip_run(service, run_id)

    @reads(
        "/{run_id:str}/report",
        "getRunReport",
        "Get a run's report",
        fails=(404,),
        media_type="*/*",
        response_description="What `appliance verify --format …` writes.",
    )
    async def report(
        self,
        service: TheService,
        run_id: FromPath[str],
        in_format: InFormat,
        language: InLanguage = None,
    ) -> Response[bytes]:
        """For people and build servers, of what the run has so far.

        Documents that were handed in have the names that they came with.
        """
        return await report_of(service, run_id, in_format, language)


class AllEvents(Controller):
    """Follow everything."""

    path = "/events"
    tags = ("Runs",)

    @reads(
        "",
        "followAll",
        "Follow everything",
        media_type="text/event-stream",
        response_description="Events of all runs, without an end.",
    )
    async def events(self, request: AnyRequest, service: TheService) -> Stream:
        """Server-sent events of all runs, findings and accounts: a `snapshot` first."""
        return follow(request, service, None)
