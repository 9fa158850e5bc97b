"""Schedules: what is done by the clock, doing it now, and the form of one: new or changed."""

import asyncio
from dataclasses import dataclass
from typing import Any, cast, get_args
from zoneinfo import available_timezones

from litestar import Response, get, post
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Redirect, Template

from appliance.config import ScheduleJob, ScheduleSettings
from appliance.core.errors import SetupError
from appliance.engine.schedules.state import UnknownSchedule
from appliance.server.activity import about, note_failure
from appliance.server.callers import TheCaller
from appliance.server.dashboard.frame import (
    PageRequest,
    act_and_redirect,
    field,
    page,
    redirect_with_notice,
)
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
    schedule_name = request.query_params.get("name") or None
    in_force = await asyncio.to_thread(service.scheduler.list)
    history = await asyncio.to_thread(service.scheduler.history, paging, name=schedule_name)
    return page(
        request,
        service,
        "schedules",
        schedules=in_force,
        history=history,
        paging=paging,
        wanted=schedule_name or "",
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
    notice_key = "schedules.on.done" if data.is_enabled else "schedules.off.done"
    work = _switch(service, name, data.is_enabled, caller.name)
    return await act_and_redirect("/schedules", work, notice_key, name=name)


async def _switch(service: Service, name: str, is_enabled: bool, by: str) -> None:
    schedule = await asyncio.to_thread(service.scheduler.get, name)
    changed = schedule.settings.model_copy(update={"is_enabled": is_enabled})
    await service.scheduler.put(name, changed, by=by)


JOBS: tuple[str, ...] = get_args(ScheduleJob)
_TEXTS = ("name", "was", "job", "cron", "every_minutes", "time_zone", "console")
_TICKS = ("is_enabled", "catches_up")


@get("/schedules/edit")
async def edit(request: PageRequest, service: TheService) -> Template:
    """The form; `?name=` fills it in with that schedule, without it it is empty."""
    name = request.query_params.get("name", "")
    if not name:
        return _show_form(request, service, {"is_enabled": "1", "catches_up": "1"})
    settings = (await asyncio.to_thread(service.scheduler.get, name)).settings
    every = "" if settings.every_minutes is None else f"{settings.every_minutes:g}"
    draft = {key: str(getattr(settings, key)) for key in ("job", "cron", "time_zone", "console")}
    ticks = {key: "1" for key in _TICKS if getattr(settings, key)}
    return _show_form(
        request, service, draft | ticks | {"name": name, "was": name, "every_minutes": every}
    )


@post("/schedules", opt=needs(Permission.SET_SCHEDULE))
async def save(request: PageRequest, service: TheService, caller: TheCaller) -> Response[Any]:
    """Keep it and go to the list; else the form again, with what is wrong."""
    form = await request.form()
    draft = {key: field(form, key) for key in (*_TEXTS, *_TICKS)}
    name = draft["was"] or draft["name"]
    about(name, " ".join(f"{key}={draft[key]}" for key in ("job", "cron", "every_minutes")))
    try:
        settings = await asyncio.to_thread(_settings_from, service, draft)
        await service.scheduler.put(name, settings, by=caller.name)
    except SetupError as problem:
        note_failure(str(problem))
        return _show_form(request, service, draft, str(problem))
    return redirect_with_notice("/schedules", "schedules.saved", name=name)


@post("/schedules/{name:str}/remove", opt=needs(Permission.REMOVE_SCHEDULE))
async def remove(service: TheService, caller: TheCaller, name: FromPath[str]) -> Redirect:
    """Forget what was set here: what the settings say of it, if anything, is in force again."""
    work = service.scheduler.remove(name, by=caller.name)
    return await act_and_redirect("/schedules", work, "schedules.removed", name=name)


def _show_form(
    request: PageRequest, service: Service, draft: dict[str, str], problem: str = ""
) -> Template:
    return page(
        request,
        service,
        "schedule_form",
        at="schedules",
        title="schedules.change" if draft.get("was") else "schedules.new",
        status=422 if problem else 200,
        draft={key: draft.get(key, "") for key in (*_TEXTS, *_TICKS)},
        problem=problem,
        jobs=JOBS,
        zones=sorted(available_timezones()),
        zone=service.settings.sweep.time_zone,
    )


def _settings_from(service: Service, draft: dict[str, str]) -> ScheduleSettings:
    """What the form says; what it does not ask for stays as it is. Blocks."""
    if draft["job"] not in JOBS:
        raise SetupError(f"{draft['job']!r} is nothing that can be done by the clock.")
    try:
        every = float(draft["every_minutes"]) if draft["every_minutes"] else None
    except ValueError as error:
        raise SetupError(f"{draft['every_minutes']!r} is not a number of minutes.") from error
    current = _find_schedule(service, draft["was"] or draft["name"])
    if current and not draft["was"]:
        raise SetupError(f"There is a schedule {draft['name']!r} already: change that one.")
    return ScheduleSettings(
        job=cast("Any", draft["job"]),  # just looked
        cron=draft["cron"],
        every_minutes=every,
        time_zone=draft["time_zone"],
        console=draft["console"],
        for_minutes=current.for_minutes if current else _for_minutes(),
        is_enabled=bool(draft["is_enabled"]),
        catches_up=bool(draft["catches_up"]),
    )


def _for_minutes() -> float:
    return cast("float", ScheduleSettings.model_fields["for_minutes"].default)


def _find_schedule(service: Service, name: str) -> ScheduleSettings | None:
    try:
        return service.scheduler.get(name).settings
    except UnknownSchedule:
        return None


HANDLERS = (schedules, run_now, switch, edit, save, remove)
