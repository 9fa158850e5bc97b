"""Schedules in force, and what is shown of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import structlog
from pydantic import ValidationError

from appliance.config import DIGEST, ScheduleSettings, Settings, schedule_problems
from appliance.core.errors import SetupError
from appliance.core.timetable import Cron, Every, Timetable
from appliance.core.window import clock_time, zone_of
from appliance.store.schedules import ScheduleOutcome, StoredSchedule

_log = structlog.get_logger()


class UnknownSchedule(SetupError):
    """There is no schedule of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no schedule `{name}`")


class ScheduleUnderWay(SetupError):
    """Its last run is not over, and there are never two."""

    def __init__(self, name: str) -> None:
        super().__init__(f"schedule `{name}` is under way already")


class ScheduleOrigin(StrEnum):
    """Where the schedule that is in force comes from."""

    CONFIG = "config"  # the settings, or our defaults
    STORE = "store"  # added or changed while it ran


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleState:
    """A schedule, when it is due, and what became of its last run."""

    name: str
    job: str
    """What is done."""
    console: str
    """For which console."""
    when: str
    """`0 22 * * * (Europe/Berlin)`, `every 30 minutes`."""
    next_at: datetime | None
    """None: it is switched off, cannot be, or everything is stopped."""
    last_at: datetime | None
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
    """Why it cannot be; empty: it can."""
    settings: ScheduleSettings
    """As it was set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InForce:
    """A schedule as it is carried out."""

    settings: ScheduleSettings
    origin: ScheduleOrigin
    timetable: Timetable | None
    """None: it cannot be."""
    problem: str = ""


def problem_of(name: str, schedule: ScheduleSettings, settings: Settings) -> str:
    """What is wrong with it, in sentences; empty: nothing."""
    return " ".join(
        f"`{key or name}`{what}" for key, what in schedule_problems(name, schedule, settings)
    )


def schedules_of(
    settings: Settings, stored: tuple[StoredSchedule, ...]
) -> dict[str, tuple[ScheduleSettings, ScheduleOrigin]]:
    """Those of the settings, with those of the store in place of others of the same name."""
    schedules = {
        name: (schedule, ScheduleOrigin.CONFIG)
        for name, schedule in (digest_schedules(settings) | settings.schedules).items()
    }
    for row in stored:
        try:
            schedule = ScheduleSettings.model_validate(dict(row.settings))
        except ValidationError as exc:  # another version of the program wrote it
            _log.warning("schedule.unreadable", schedule=row.name, why=str(exc))
        else:
            schedules[row.name] = (schedule, ScheduleOrigin.STORE)
    return dict(sorted(schedules.items()))


def digest_schedules(settings: Settings) -> dict[str, ScheduleSettings]:
    """One a day for each notification that is to have one."""
    return {
        f"{DIGEST}{name}": ScheduleSettings(
            job="digest", notification=name, cron=f"{at.minute} {at.hour} * * *"
        )
        for name, notification in settings.notifications.items()
        if notification.digest and (at := clock_time(notification.digest))
    }


def in_force(
    settings: Settings,
    schedules: Mapping[str, tuple[ScheduleSettings, ScheduleOrigin]],
    counted_from: Mapping[str, datetime],
) -> dict[str, InForce]:
    """With their times; `counted_from` is what those are counted from that come every so often."""
    timed = {}
    for name, (schedule, origin) in schedules.items():
        problem = problem_of(name, schedule, settings)
        timed[name] = InForce(
            settings=schedule,
            origin=origin,
            problem=problem,
            timetable=None if problem else _timetable(schedule, settings, counted_from[name]),
        )
    return timed


def when(schedule: ScheduleSettings, settings: Settings) -> str:
    """Its times in words."""
    if schedule.every_minutes is not None:
        minutes = schedule.every_minutes
        return "every minute" if minutes == 1 else f"every {minutes:g} minutes"
    return f"{schedule.cron} ({schedule.time_zone or settings.sweep.time_zone})"


def _timetable(schedule: ScheduleSettings, settings: Settings, since: datetime) -> Timetable:
    if schedule.every_minutes is not None:
        return Every(schedule.every_minutes, since)
    return Cron.parse(schedule.cron, zone_of(schedule.time_zone or settings.sweep.time_zone))
