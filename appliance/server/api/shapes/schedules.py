"""What is done by the clock."""

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field

from appliance.engine.schedules.state import ScheduleOrigin
from appliance.server.api.shapes.base import Given, Moment, Page, Shown
from appliance.store.schedules import ScheduleOutcome

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


class Schedule(Shown):
    """A schedule, when it is due, and what became of its last run."""

    name: str = Field(examples=["nightly"])
    """Its name."""
    job: Job
    """What is done."""
    console: str
    """For which console."""
    when: str = Field(examples=["0 22 * * * (Europe/Berlin)"])
    """For people."""
    next_at: Moment | None
    """Null: it is switched off."""
    last_at: Moment | None
    """When it was last begun."""
    last_outcome: ScheduleOutcome | None
    """What became of that."""
    last_why: str
    """In a sentence."""
    last_took_s: float | None
    """Seconds."""
    origin: ScheduleOrigin
    """`config`: the settings; `store`: set by this API."""
    is_enabled: bool
    """Whether it is done."""
    is_running: bool
    """Whether it is being done now."""
    problem: str
    """Why it cannot be done; empty: it can."""
    settings: ScheduleShown
    """As it was set."""


class Schedules(Shown):
    """What is done by the clock."""

    items: tuple[Schedule, ...]
    """By name."""


class ScheduleRun(Shown):
    """One run of a schedule."""

    id: str
    """Of this run."""
    name: str
    """Of the schedule."""
    job: str
    """What was done."""
    requested_by: str
    """`clock`, `catch-up`, or who asked."""
    started_at: Moment
    """When it began."""
    ended_at: Moment | None
    """Null: it is under way, or nobody knows."""
    outcome: ScheduleOutcome
    """What became of it."""
    why: str
    """What it did, or why not."""
    took_s: float | None
    """Seconds."""


class ScheduleRunPage(Page[ScheduleRun]):
    """Runs of schedules, newest first."""
