"""Runs: the list, and one of them while it runs."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from litestar import get, post
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Redirect, Stream, Template

from appliance.core.errors import ApplianceError
from appliance.core.jsonable import Json
from appliance.server.callers import Role, TheCaller, guard
from appliance.server.dashboard.frame import Asked, acted, page, refused, told, words_of
from appliance.server.paging import ThePaging
from appliance.server.parts import Service, TheService
from appliance.server.problems import Problem
from appliance.server.streams import event_stream, last_event_id
from appliance.serving import LiveRun, SweepAsk
from appliance.store import RunRow
from appliance.store.paging import Paged, Paging
from appliance.store.sweeps import ItemRow, ItemState, SweepState

KINDS = ("sweep", "verification")


@dataclass(frozen=True, slots=True)
class StartSweep:
    """What the button sends."""

    console: str = ""


@dataclass(frozen=True, slots=True)
class ARun:
    """A run as it stands."""

    id: str
    status: Mapping[str, Json]
    live: LiveRun | None
    """What its browsers do; None: nothing is under way."""
    items: Paged[ItemRow]


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


@get("/runs/{run_id:str}", include_in_schema=False)
async def run(
    request: Asked, service: TheService, paging: ThePaging, run_id: FromPath[str]
) -> Template:
    """How far it is, and what each browser looks at."""
    asked = request.query_params.get("state", "")
    state = ItemState(asked) if asked in tuple(ItemState) else None
    seen = await asyncio.to_thread(_read, service, run_id, paging, state)
    kind = "verification" if seen.status.get("kind") == "verification" else "sweep"
    return page(
        request,
        service,
        "run.jinja",
        at="runs",
        title=words_of(request)(f"run.title.{kind}", console=seen.status["console"]),
        run=seen,
        paging=paging,
        states=tuple(ItemState),
        item_state=state or "",
        is_over=seen.status["state"] in ("done", "cancelled"),
    )


@get("/runs/{run_id:str}/events", include_in_schema=False)
async def events(request: Asked, service: TheService, run_id: FromPath[str]) -> Stream:
    """What happens in it, as it happens: the page reads itself again then."""
    followed = service.engine.live.follow(run_id, last_event_id(request))
    return event_stream(request, service, followed)


@get("/events", include_in_schema=False)
async def all_events(request: Asked, service: TheService) -> Stream:
    """What happens in all."""
    return event_stream(request, service, service.engine.live.follow(None, last_event_id(request)))


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


def _read(service: Service, run_id: str, paging: Paging, state: ItemState | None) -> ARun:
    status = service.engine.status(run_id)
    live = next((one for one in service.engine.live.now().runs if one.id == run_id), None)
    return ARun(run_id, status, live, service.store.listings.items(run_id, paging, state=state))


HANDLERS = (runs, start, run, events, all_events, act)
