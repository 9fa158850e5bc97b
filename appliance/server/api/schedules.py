"""`/schedules`: what is done by the clock."""

import asyncio
from typing import Annotated

from litestar import Controller, delete, put
from litestar.params import FromPath, JSONBody
from pydantic import ConfigDict, Field

from appliance.config import ScheduleJob, ScheduleSettings
from appliance.engine.schedules.state import ScheduleState
from appliance.server.activity import about
from appliance.server.api._operations import acts, problems, reads
from appliance.server.api._pages import page_of
from appliance.server.api.shapes.base import Items, Page, RequestShape, ResponseShape, shape_of
from appliance.server.callers import TheCaller
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs
from appliance.server.problems import AnyRequest
from appliance.store import schedules


class ScheduleShown(ResponseShape):
    """A schedule as it was set."""

    job: ScheduleJob
    """What is done."""
    cron: str
    """When, as five fields; empty: see `every_minutes`."""
    every_minutes: float | None
    """Or how often."""
    time_zone: str
    """Time zone of `cron`; empty: that of sweeps."""
    console: str
    """For which console; empty: the default one."""
    notification: str
    """Whom a `digest` is for."""
    for_minutes: float
    """How long a `training` may take at a time."""
    is_enabled: bool
    """Whether it is done."""
    catches_up: bool
    """Whether it is done at the start where its time passed while the machine was off."""


class ScheduleAsked(RequestShape):
    """A schedule to be set."""

    job: ScheduleJob
    """What is done."""
    cron: Annotated[str, Field(max_length=200, examples=["30 2 * * mon-fri"])] = ""
    """When, as five fields: minute, hour, day, month, day of the week."""
    every_minutes: Annotated[float, Field(gt=0, le=1e6)] | None = None
    """Or how often."""
    time_zone: Annotated[str, Field(max_length=100, examples=["Europe/Berlin"])] = ""
    """Time zone of `cron`; empty: that of sweeps."""
    console: Annotated[str, Field(max_length=200)] = ""
    """For which console; empty: the default one."""
    notification: Annotated[str, Field(max_length=200)] = ""
    """Whom a `digest` is for: a name under `notifications` in the settings."""
    for_minutes: Annotated[float, Field(gt=0, le=350)] = 240
    """How long a `training` may take at a time; it goes on the next time."""
    is_enabled: bool = True
    """Whether it is done."""
    catches_up: bool = True
    """Whether it is done at the start where its time passed while the machine was off."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"job": "sweep", "cron": "30 2 * * mon-fri", "time_zone": "Asia/Shanghai"},
                {"job": "janitor", "every_minutes": 30},
            ]
        }
    )


@shape_of(ScheduleState)
class Schedule(ResponseShape):
    """A schedule, when it is due, and what became of its last run."""

    name: str = Field(examples=["nightly"])
    """Its name."""
    job: ScheduleJob
    """What is done."""
    when: str = Field(examples=["0 22 * * * (Europe/Berlin)"])
    """For people."""
    settings: ScheduleShown
    """As it was set."""


class Schedules(Items[Schedule]):
    """What is done by the clock, by name."""


@shape_of(schedules.ScheduleRun)
class ScheduleRun(ResponseShape):
    """One run of a schedule."""

    took_s: float | None
    """Seconds."""


class ScheduleRunPage(Page[ScheduleRun]):
    """Runs of schedules, newest first."""


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
