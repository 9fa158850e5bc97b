"""Runs: the list, starting one, and telling one to pause, go on or end."""

import asyncio
from dataclasses import dataclass

from litestar import get, post
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Redirect, Template

from appliance.core.errors import ApplianceError
from appliance.server.callers import Role, TheCaller, guard
from appliance.server.dashboard.frame import Asked, acted, page, refused, told
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.problems import Problem
from appliance.serving import SweepAsk
from appliance.store import RunRow
from appliance.store.paging import Paged
from appliance.store.sweeps import SweepState

KINDS = ("sweep", "verification")


@dataclass(frozen=True, slots=True)
class StartSweep:
    """What the button sends."""

    console: str = ""


@get("/runs", include_in_schema=False)
async def runs(request: Asked, service: TheService, paging: ThePaging) -> Template:
    """All, newest first."""
    asked = request.query_params
    console = asked.get("console") if asked.get("console") in service.settings.consoles else None
    kind = asked.get("kind") if asked.get("kind") in KINDS else None
    state = asked.get("state") if asked.get("state") in tuple(SweepState) else None
    found: Paged[RunRow] = await asyncio.to_thread(
        service.store.listings.runs, paging, console=console, kind=kind, state=state
    )
    return page(
        request,
        service,
        "runs.jinja",
        at="runs",
        title="runs.title",
        found=found,
        paging=paging,
        kind=kind or "",
        state=state or "",
        kinds=KINDS,
        states=tuple(SweepState),
        is_filtered=bool(kind or state or console),
    )


@post("/runs", include_in_schema=False, guards=[guard(Role.OPERATOR)])
async def start(
    service: TheService, caller: TheCaller, data: URLEncodedBody[StartSweep]
) -> Redirect:
    """Start a sweep over what is due, and show it."""
    try:
        row = await service.engine.start_sweep(SweepAsk(console=data.console), by=caller.name)
    except ApplianceError as problem:
        return refused("/runs", problem)
    return told(f"/runs/{row.id}", "runs.started")


@post("/runs/{run_id:str}/{action:str}", include_in_schema=False, guards=[guard(Role.OPERATOR)])
async def act(
    service: TheService, caller: TheCaller, run_id: FromPath[str], action: FromPath[str]
) -> Redirect:
    """Pause, resume or cancel it."""
    engine = service.engine
    match action:
        case "pause":
            work = engine.pause(run_id, by=caller.name)
        case "resume":
            work = engine.resume(run_id, by=caller.name)
        case "cancel":
            work = engine.cancel(run_id, by=caller.name)
        case _:
            raise Problem(404, f"A run cannot be told to {action}.")
    return await acted(f"/runs/{run_id}", work, f"runs.{action}.done")


HANDLERS = (runs, start, act)
