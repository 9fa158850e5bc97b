"""Runs: the list, starting one, and telling one to pause, go on or end."""

import asyncio
from dataclasses import dataclass

from litestar import get, post
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Redirect, Template

from appliance.core.errors import ApplianceError
from appliance.engine.request import RunKind, RunRequest
from appliance.server.activity import about
from appliance.server.callers import TheCaller
from appliance.server.dashboard.frame import (
    PageRequest,
    act_and_redirect,
    member_named,
    page,
    redirect_with_notice,
    redirect_with_problem,
)
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs
from appliance.store.paging import Paged
from appliance.store.queries import RunRow
from appliance.store.sweeps import SweepState

KINDS = ("sweep", "verification")


@dataclass(frozen=True, slots=True)
class StartSweepForm:
    """The fields of the button that starts a sweep."""

    console: str = ""


@get("/runs")
async def runs(request: PageRequest, service: TheService, paging: ThePaging) -> Template:
    """The page of all runs, newest first."""
    parameters = request.query_params
    requested = parameters.get("console")
    console = requested if requested in service.settings.consoles else None
    kind = parameters.get("kind") if parameters.get("kind") in KINDS else None
    state = member_named(SweepState, parameters.get("state", ""))
    listing: Paged[RunRow] = await asyncio.to_thread(
        service.store.listings.runs, paging, console=console, kind=kind, state=state
    )
    return page(
        request,
        service,
        "runs",
        listing=listing,
        paging=paging,
        kind=kind or "",
        state=state or "",
        kinds=KINDS,
        states=tuple(SweepState),
        is_filtered=bool(kind or state or console),
    )


@post("/runs", opt=needs(Permission.START_RUN))
async def start(
    service: TheService, caller: TheCaller, data: URLEncodedBody[StartSweepForm]
) -> Redirect:
    """Start a sweep over what is due, and show it."""
    run_request = RunRequest(kind=RunKind.SWEEP, console=data.console, requested_by=caller.name)
    try:
        row = await service.engine.start(run_request)
    except ApplianceError as problem:
        return redirect_with_problem("/runs", problem)
    about(row.id, "sweep")
    return redirect_with_notice(f"/runs/{row.id}", "runs.started")


@post("/runs/{run_id:str}/pause", opt=needs(Permission.PAUSE_RUN))
async def pause(service: TheService, caller: TheCaller, run_id: FromPath[str]) -> Redirect:
    """Pause a sweep: finish what is under way, then stop."""
    work = service.engine.pause(run_id, by=caller.name)
    return await act_and_redirect(f"/runs/{run_id}", work, "runs.pause.done")


@post("/runs/{run_id:str}/resume", opt=needs(Permission.RESUME_RUN))
async def resume(service: TheService, caller: TheCaller, run_id: FromPath[str]) -> Redirect:
    """Resume a paused sweep."""
    work = service.engine.resume(run_id, by=caller.name)
    return await act_and_redirect(f"/runs/{run_id}", work, "runs.resume.done")


@post("/runs/{run_id:str}/cancel", opt=needs(Permission.CANCEL_RUN))
async def cancel(service: TheService, caller: TheCaller, run_id: FromPath[str]) -> Redirect:
    """Cancel a run at once, for good."""
    work = service.engine.cancel(run_id, by=caller.name)
    return await act_and_redirect(f"/runs/{run_id}", work, "runs.cancel.done")


HANDLERS = (runs, start, pause, resume, cancel)
