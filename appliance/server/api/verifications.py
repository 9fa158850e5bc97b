"""`/verifications`: documents that are verified now, because somebody asks."""

from litestar import Controller, Response
from litestar.params import FromPath, JSONBody, MultipartBody
from litestar.response import Stream

from appliance.server.api._operations import LOCATION, acts, reads
from appliance.server.api._requests import upload_of, verification_of
from appliance.server.api._runs import (
    InState,
    OnConsole,
    accept,
    follow_run,
    list_runs,
    result_of,
    status_of,
    zip_run,
)
from appliance.server.api.shapes.requests import Upload, VerificationAsked
from appliance.server.api.shapes.runs import RunPage, Status, Verification
from appliance.server.callers import TheCaller
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs
from appliance.server.problems import AnyRequest

KIND = "verification"


class Verifications(Controller):
    """Ask for a verification, watch it, take its result."""

    path = "/verifications"
    tags = ("Verifications",)

    @acts(
        "",
        "startVerification",
        "Verify documents now",
        Permission.START_RUN,
        fails=(409, 413, 415, 422),
        answers="It is kept and will be carried out.",
        status_code=202,
        response_headers=[LOCATION],
    )
    async def start(
        self, service: TheService, caller: TheCaller, data: JSONBody[VerificationAsked]
    ) -> Response[Status]:
        """Documents by text, by path inside the configured documentation, or by address.

        It is kept before the answer is sent: it is carried out even where the server is restarted.
        `Location` says where its result will be.
        """
        return await accept(service, await verification_of(service, data, caller.name))

    @acts(
        "/uploads",
        "uploadVerification",
        "Verify files now",
        Permission.START_RUN,
        fails=(409, 413, 415, 422),
        answers="It is kept and will be carried out.",
        status_code=202,
        response_headers=[LOCATION],
    )
    async def upload(
        self, service: TheService, caller: TheCaller, data: MultipartBody[Upload]
    ) -> Response[Status]:
        """The same with a form of files: `curl -F files=@disks.md …`."""
        return await accept(service, await upload_of(data, caller.name))

    @reads("", "listVerifications", "List verifications")
    async def list(
        self,
        request: AnyRequest,
        service: TheService,
        paging: ThePaging,
        console: OnConsole = None,
        in_state: InState = None,
    ) -> RunPage:
        """Newest first."""
        return await list_runs(service, request, paging, KIND, console, in_state)

    @reads("/{run_id:str}", "getVerification", "Get a verification", fails=(404,))
    async def show(self, service: TheService, run_id: FromPath[str]) -> Verification:
        """Its result so far, in the shape of `result.json`, with its state."""
        return await result_of(service, run_id, KIND)

    @reads(
        "/{run_id:str}/events",
        "followVerification",
        "Follow a verification",
        fails=(404,),
        media_type="text/event-stream",
        response_description="Events until it is over; `end` is the last.",
    )
    async def events(
        self, request: AnyRequest, service: TheService, run_id: FromPath[str]
    ) -> Stream:
        """Server-sent events: a `snapshot` first, then what happens."""
        return await follow_run(service, request, run_id, KIND)

    @acts(
        "/{run_id:str}/cancel",
        "cancelVerification",
        "Cancel a verification",
        Permission.CANCEL_RUN,
        fails=(404, 409, 422),
        answers="It stops; what it made is removed.",
        status_code=202,
    )
    async def cancel(self, service: TheService, caller: TheCaller, run_id: FromPath[str]) -> Status:
        """At once and for ever. What has a verdict keeps it."""
        await status_of(service, run_id, KIND)
        await service.engine.cancel(run_id, caller.name)
        return await status_of(service, run_id, KIND)

    @reads(
        "/{run_id:str}/evidence",
        "getVerificationEvidence",
        "Download the evidence",
        fails=(404,),
        opt=needs(Permission.EXPORT_RESULTS),
        media_type="application/zip",
        response_description="A zip with `result.json`, `report.html` and all artifacts.",
    )
    async def evidence(self, service: TheService, run_id: FromPath[str]) -> Stream:
        """Everything that its verdicts rest on."""
        return await zip_run(service, run_id, KIND)
