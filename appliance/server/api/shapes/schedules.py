"""What is done by the clock."""

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field

from appliance.engine.schedules.state import ScheduleState
from appliance.server.api.shapes.base import Given, Items, Page, Shown, shape_of
from appliance.store import schedules

Job: TypeAlias = Literal[
    "sweep",
    "prepare",
    "account_health",
    "janitor",
    "retention",
    "checkpoint",
    "backup",
    "settle",
    "training",
    "digest",
]


class ScheduleShown(Shown):
    """A schedule as it was set."""

    job: Job
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


class ScheduleAsked(Given):
    """A schedule to be set."""

    job: Job
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
class Schedule(Shown):
    """A schedule, when it is due, and what became of its last run."""

    name: str = Field(examples=["nightly"])
    """Its name."""
    job: Job
    """What is done."""
    when: str = Field(examples=["0 22 * * * (Europe/Berlin)"])
    """For people."""
    settings: ScheduleShown
    """As it was set."""


class Schedules(Items[Schedule]):
    """What is done by the clock, by name."""


@shape_of(schedules.ScheduleRun)
class ScheduleRun(Shown):
    """One run of a schedule."""

    took_s: float | None
    """Seconds."""


class ScheduleRunPage(Page[ScheduleRun]):
    """Runs of schedules, newest first."""
