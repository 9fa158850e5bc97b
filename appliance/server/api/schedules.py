"""`/schedules`: what is done by the clock."""

import asyncio

from litestar import Controller, delete, put
from litestar.params import FromPath, JSONBody

from appliance.config import ScheduleSettings
from appliance.server.activity import about
from appliance.server.api._operations import acts, problems, reads
from appliance.server.api._pages import page_of
from appliance.server.api.shapes.schedules import (
    Schedule,
    ScheduleAsked,
    ScheduleRun,
    ScheduleRunPage,
    Schedules,
)
from appliance.server.callers import TheCaller
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs
from appliance.server.problems import AnyRequest


class SchedulesInForce(Controller):
    """Look at schedules, set them, have one done now."""

    path = "/schedules"
    tags = ("Schedules",)

    @reads("", "listSchedules", "List schedules")
    async def list(self, service: TheService) -> Schedules:
        """By name, with the next time and what became of the last."""
        states = await asyncio.to_thread(service.scheduler.list)
        return Schedules.model_validate({"items": states})

    @reads("/{name:str}", "getSchedule", "Get a schedule", fails=(404,))
    async def show(self, service: TheService, name: FromPath[str]) -> Schedule:
        """With the next time, and what became of the last."""
        return Schedule.model_validate(await asyncio.to_thread(service.scheduler.get, name))

    @put(
        "/{name:str}",
        operation_id="putSchedule",
        summary="Set a schedule",
        opt=needs(Permission.SET_SCHEDULE),
        response_description="The schedule as it stands now.",
        responses=problems(403, 413, 422),
    )
    async def put(
        self,
        service: TheService,
        caller: TheCaller,
        name: FromPath[str],
        data: JSONBody[ScheduleAsked],
    ) -> Schedule:
        """A new one, or in place of one of that name, of the settings too. It is kept."""
        settings = ScheduleSettings.model_validate(data.model_dump())
        about(name, _in_words(settings))
        state = await service.scheduler.put(name, settings, caller.name)
        return Schedule.model_validate(state)

    @delete(
        "/{name:str}",
        operation_id="deleteSchedule",
        summary="Remove a schedule",
        opt=needs(Permission.REMOVE_SCHEDULE),
        response_description="It is gone; one of that name in the settings is in force.",
        responses=problems(403, 404, 422),
    )
    async def delete(self, service: TheService, caller: TheCaller, name: FromPath[str]) -> None:
        """Only what this API has set; what the settings say can be replaced, not removed."""
        await service.scheduler.remove(name, caller.name)

    @acts(
        "/{name:str}/runs",
        "runSchedule",
        "Do it now",
        Permission.RUN_SCHEDULE,
        fails=(404, 409, 422),
        answers="It has begun.",
        status_code=202,
    )
    async def run(self, service: TheService, caller: TheCaller, name: FromPath[str]) -> ScheduleRun:
        """Whether it is switched on or not."""
        return ScheduleRun.model_validate(await service.scheduler.run_now(name, caller.name))

    @reads("/{name:str}/runs", "listScheduleRuns", "List a schedule's runs", fails=(404,))
    async def runs(
        self, request: AnyRequest, service: TheService, paging: ThePaging, name: FromPath[str]
    ) -> ScheduleRunPage:
        """Newest first."""
        await asyncio.to_thread(service.scheduler.get, name)
        history = await asyncio.to_thread(service.scheduler.history, paging, name=name)
        return page_of(ScheduleRunPage, history, paging, request)


def _in_words(settings: ScheduleSettings) -> str:
    """Such as `job=sweep, cron=0 22 * * *`: what differs from the defaults."""
    changed = settings.model_dump(exclude_defaults=True)
    return ", ".join(f"{name}={value}" for name, value in changed.items())
