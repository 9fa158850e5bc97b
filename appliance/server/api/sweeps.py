"""`/sweeps`: all of the documentation, or what of it is due."""

import asyncio
from typing import Annotated, Literal

from litestar import Controller, Response
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from appliance.engine import plan
from appliance.server.api._operations import LOCATION, acts, reads
from appliance.server.api._pages import page_of
from appliance.server.api._requests import sweep_of
from appliance.server.api._runs import InState, OnConsole, accept, follow_run, list_runs, status_of
from appliance.server.api.shapes.base import Page, ResponseShape, shape_of
from appliance.server.api.shapes.requests import SweepAsked
from appliance.server.api.shapes.runs import RunPage, Status
from appliance.server.callers import TheCaller
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission
from appliance.server.problems import AnyRequest
from appliance.store.sweeps import ItemRow, ItemState


@shape_of(ItemRow, without=("text_hash", "state", "attempts", "deaths", "note", "run_id"))
class PlanItem(ResponseShape):
    """A procedure that a sweep would carry out."""

    reason: Literal["never", "changed", "failed", "stale", "asked"]
    """Why it is due."""


@shape_of(plan.Plan)
class Plan(ResponseShape):
    """What a sweep would do now."""


@shape_of(ItemRow, without=("text_hash", "run_id"))
class Item(PlanItem):
    """A procedure of a sweep, and how it stands with it."""


class ItemPage(Page[Item]):
    """A sweep's procedures, in the order in which they are begun."""


KIND = "sweep"


class Sweeps(Controller):
    """Plan a sweep, start it, watch it, stop it."""

    path = "/sweeps"
    tags = ("Sweeps",)

    @acts(
        "/plan",
        "planSweep",
        "Plan a sweep",
        Permission.PLAN_SWEEP,
        fails=(413, 422),
        answers="What a sweep would do now.",
    )
    async def plan(self, service: TheService, data: JSONBody[SweepAsked]) -> Plan:
        """Which procedures are due, why, and how long they would take. Nothing is started."""
        return Plan.model_validate(await service.engine.plan(sweep_of(data)))

    @acts(
        "",
        "startSweep",
        "Start a sweep",
        Permission.START_RUN,
        fails=(409, 413, 422),
        answers="It is kept and will be carried out.",
        status_code=202,
        response_headers=[LOCATION],
    )
    async def start(
        self, service: TheService, caller: TheCaller, data: JSONBody[SweepAsked]
    ) -> Response[Status]:
        """Carried out one after the other, within the hours and the budget of the settings.

        The same request again is the same sweep until it is over.
        """
        return await accept(service, sweep_of(data, caller.name))

    @reads("", "listSweeps", "List sweeps")
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

    @reads("/{run_id:str}", "getSweep", "Get a sweep", fails=(404,))
    async def show(self, service: TheService, run_id: FromPath[str]) -> Status:
        """How far it is. Its verdicts are those of the run of the same id."""
        return await status_of(service, run_id, KIND)

    @reads("/{run_id:str}/items", "listSweepItems", "List a sweep's procedures", fails=(404,))
    async def items(
        self,
        request: AnyRequest,
        service: TheService,
        paging: ThePaging,
        run_id: FromPath[str],
        in_state: Annotated[
            ItemState | None, QueryParameter(name="state", description="Only in that state.")
        ] = None,
    ) -> ItemPage:
        """In the order in which they are begun, with the reason why they are due."""
        await status_of(service, run_id, KIND)
        listings = service.store.listings
        items = await asyncio.to_thread(listings.items, run_id, paging, state=in_state)
        return page_of(ItemPage, items, paging, request)

    @reads(
        "/{run_id:str}/events",
        "followSweep",
        "Follow a sweep",
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
        "/{run_id:str}/pause",
        "pauseSweep",
        "Pause a sweep",
        Permission.PAUSE_RUN,
        fails=(404, 409, 422),
        answers="It finishes what is under way, and stops.",
        status_code=202,
    )
    async def pause(self, service: TheService, caller: TheCaller, run_id: FromPath[str]) -> Status:
        """It finishes what is under way, and stops until it is resumed."""
        await status_of(service, run_id, KIND)
        await service.engine.pause(run_id, caller.name)
        return await status_of(service, run_id, KIND)

    @acts(
        "/{run_id:str}/resume",
        "resumeSweep",
        "Resume a sweep",
        Permission.RESUME_RUN,
        fails=(404, 409, 422),
        answers="It goes on.",
        status_code=202,
    )
    async def resume(self, service: TheService, caller: TheCaller, run_id: FromPath[str]) -> Status:
        """It goes on where it was paused."""
        await status_of(service, run_id, KIND)
        await service.engine.resume(run_id, caller.name)
        return await status_of(service, run_id, KIND)

    @acts(
        "/{run_id:str}/cancel",
        "cancelSweep",
        "Cancel a sweep",
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
