"""Schedules: what is done by the clock, what became of it, and doing it now."""

import asyncio
from dataclasses import dataclass

from litestar import get, post
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Redirect, Template

from appliance.server.activity import about
from appliance.server.callers import TheCaller
from appliance.server.dashboard.frame import PageRequest, act_and_redirect, page
from appliance.server.paging import ThePaging
from appliance.server.parts import Service, TheService
from appliance.server.permissions import Permission, needs


@dataclass(frozen=True, slots=True)
class ScheduleForm:
    """The fields of a schedule's buttons."""

    is_enabled: bool


@get("/schedules")
async def schedules(request: PageRequest, service: TheService, paging: ThePaging) -> Template:
    """The page of all schedules and their last runs."""
    wanted = request.query_params.get("name") or None
    in_force = await asyncio.to_thread(service.scheduler.list)
    history = await asyncio.to_thread(service.scheduler.history, paging, name=wanted)
    return page(
        request,
        service,
        "schedules",
        schedules=in_force,
        history=history,
        paging=paging,
        wanted=wanted or "",
        zone=service.settings.sweep.time_zone,
        configured=tuple(service.settings.schedules),
    )


@post("/schedules/{name:str}/run", opt=needs(Permission.RUN_SCHEDULE))
async def run_now(service: TheService, caller: TheCaller, name: FromPath[str]) -> Redirect:
    """Start a schedule's job now."""
    work = service.scheduler.run_now(name, by=caller.name)
    return await act_and_redirect("/schedules", work, "schedules.run.done", name=name)


@post("/schedules/{name:str}/enabled", opt=needs(Permission.SET_SCHEDULE))
async def switch(
    service: TheService, caller: TheCaller, name: FromPath[str], data: URLEncodedBody[ScheduleForm]
) -> Redirect:
    """Do it by the clock from now on, or not any more."""
    about(name, "on" if data.is_enabled else "off")
    done = "schedules.on.done" if data.is_enabled else "schedules.off.done"
    work = _switch(service, name, data.is_enabled, caller.name)
    return await act_and_redirect("/schedules", work, done, name=name)


async def _switch(service: Service, name: str, is_enabled: bool, by: str) -> None:
    schedule = await asyncio.to_thread(service.scheduler.get, name)
    changed = schedule.settings.model_copy(update={"is_enabled": is_enabled})
    await service.scheduler.put(name, changed, by=by)


HANDLERS = (schedules, run_now, switch)
