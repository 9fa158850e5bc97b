"""Runs jobs at the times that the settings and the store say."""

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.interval import IntervalTrigger

from appliance.config import ScheduleSettings, Settings
from appliance.core.clock import Clock, SystemClock
from appliance.core.errors import SetupError
from appliance.core.jsonable import json_object
from appliance.core.timetable import Timetable
from appliance.engine.engine import Engine
from appliance.engine.schedules.jobs import CATCH_UP, CLOCK, Lent, Order
from appliance.engine.schedules.runs import ScheduleRuns, Tell
from appliance.engine.schedules.state import (
    InForce,
    ScheduleState,
    UnknownSchedule,
    in_force,
    problem_of,
    schedules_of,
    when,
)
from appliance.store.paging import Paged, Paging
from appliance.store.schedules import ScheduleRun, StoredSchedule
from appliance.store.store import Store

_PULSE_S = 30
"""How late a run can be after the machine slept: timers do not count that time."""
_GRACE_S = 300
"""Seconds; a run that is not caught up is skipped when it would be later than this."""

_ALONE = Lent()

_PULSE = "/pulse"
"""Not the name of any schedule."""

_log = structlog.get_logger()


class Scheduler:
    """The scheduler, one per process. Synchronous methods read the store and so block."""

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        store: Store,
        clock: Clock | None = None,
        tell: Tell = lambda name, job, outcome: None,
        lent: Lent = _ALONE,
    ) -> None:
        self._engine = engine
        self._settings = settings
        self._store = store
        self._clock = clock or SystemClock()
        self._lent = lent
        self._runs = ScheduleRuns(store.schedules, tell)
        self._timer = AsyncIOScheduler(timezone=UTC)
        self._in_force: dict[str, InForce] = {}
        # Invariant: `_in_force` and the timer's jobs are what the store says.
        self._change = asyncio.Lock()

    async def start(self) -> None:
        """Start the timer; a run that was missed meanwhile is made up for once."""
        async with self._change:
            await asyncio.to_thread(self._store.schedules.settle)
            missed = await self._install(finds_missed=True)
        pulse = IntervalTrigger(seconds=_PULSE_S, timezone=UTC)
        self._timer.add_job(_pulse, pulse, id=_PULSE, misfire_grace_time=None, coalesce=True)
        self._timer.start()
        for name in missed:
            await self._runs.begin(self._order(name, CATCH_UP))

    async def stop(self) -> None:
        """Start no more runs and stop the active ones."""
        if self._timer.running:
            self._timer.shutdown(wait=False)
            await asyncio.sleep(0)  # it shuts down at the loop's next turn
        await self._runs.stop()

    def list(self) -> tuple[ScheduleState, ...]:
        """The states of all schedules, by name."""
        last_runs = self._store.schedules.last()
        return tuple(
            self._state(name, schedule, last_runs.get(name))
            for name, schedule in self._in_force.items()
        )

    def get(self, name: str) -> ScheduleState:
        """The state of one schedule; `UnknownSchedule` if there is none."""
        return self._state(name, self._find(name), self._store.schedules.last().get(name))

    def history(self, paging: Paging, *, name: str | None = None) -> Paged[ScheduleRun]:
        """Runs of one schedule or all, newest first; `UnknownSchedule` if there is none."""
        if name is not None:
            self._find(name)
        return self._store.schedules.history(paging, name=name)

    async def run_now(self, name: str, by: str) -> ScheduleRun:
        """Start a run now, whether or not the schedule is enabled, and return its row.

        Raises:
            UnknownSchedule: There is none.
            ScheduleUnderWay: Its last run is not over.
            SetupError: It cannot be.
        """
        schedule = self._find(name)
        if schedule.problem:
            raise SetupError(f"schedule `{name}` cannot be: {schedule.problem}")
        return await self._runs.begin(self._order(name, by))

    async def put(self, name: str, schedule: ScheduleSettings, by: str) -> ScheduleState:
        """Add or replace a schedule, even one of the settings, and store it.

        Raises:
            SetupError: It cannot be: a bad time, an unknown zone or console.
        """
        if problem := problem_of(name, schedule, self._settings):
            raise SetupError(problem)
        row = StoredSchedule(
            name=name,
            settings=json_object(schedule.model_dump(mode="json", exclude_unset=True)),
            changed_at=self._clock.now(),
            changed_by=by,
        )
        async with self._change:
            await asyncio.to_thread(self._store.schedules.keep, row)
            await self._install()
        _log.info("schedule.changed", schedule=name, by=by)
        return await asyncio.to_thread(self.get, name)

    async def remove(self, name: str, by: str) -> None:
        """Remove a stored schedule; one of the settings that it replaced is in force again.

        Raises:
            UnknownSchedule: There is none.
            SetupError: It stands in the settings.
        """
        self._find(name)
        async with self._change:
            if not await asyncio.to_thread(self._store.schedules.drop, name):
                raise SetupError(
                    f"schedule `{name}` stands in the settings: change it there, or switch it off"
                )
            await self._install()
        _log.info("schedule.removed", schedule=name, by=by)

    async def _install(self, *, finds_missed: bool = False) -> tuple[str, ...]:
        """Apply the stored schedules; return the names of those that missed their time."""
        now = self._clock.now()
        tables = self._store.schedules
        schedules = schedules_of(self._settings, await asyncio.to_thread(tables.stored))
        settings_json = {
            name: settings.model_dump(mode="json") for name, (settings, _) in schedules.items()
        }
        since = await asyncio.to_thread(tables.mark, settings_json, now)
        last_begun = await asyncio.to_thread(tables.last_begun)
        counted_from = {
            name: max(changed_at, last_begun.get(name, changed_at))
            for name, changed_at in since.items()
        }
        previous, self._in_force = self._in_force, in_force(self._settings, schedules, counted_from)
        missed = tuple(self._missed_names(counted_from, now)) if finds_missed else ()
        self._in_force |= in_force(
            self._settings, {name: schedules[name] for name in missed}, dict.fromkeys(missed, now)
        )
        for name in previous.keys() | self._in_force.keys():
            self._set_timer(name, previous.get(name), self._in_force.get(name))
        return missed

    def _set_timer(self, name: str, previous: InForce | None, current: InForce | None) -> None:
        """Set a schedule's timer unless it is unchanged: its time may be just now."""
        if previous and current and previous.settings == current.settings:
            return
        if self._timer.get_job(name):
            self._timer.remove_job(name)
        if current and current.timetable and current.settings.is_enabled:
            self._timer.add_job(
                self._fire,
                _Trigger(current.timetable),
                args=(name,),
                id=name,
                coalesce=True,
                misfire_grace_time=None if current.settings.catches_up else _GRACE_S,
            )

    def _missed_names(self, counted_from: dict[str, datetime], now: datetime) -> Iterable[str]:
        for name, schedule in self._in_force.items():
            catches_up = schedule.settings.is_enabled and schedule.settings.catches_up
            if catches_up and schedule.timetable:
                due = schedule.timetable.next(counted_from[name])
                if due <= now:
                    _log.info("schedule.missed", schedule=name, due=due.isoformat())
                    yield name

    async def _fire(self, name: str) -> None:
        """Start a run of a due schedule, unless its last run is still active."""
        order = self._order(name, CLOCK)
        if self._runs.is_busy(name):
            await self._runs.skip(order, "its last run is still under way")
        else:
            await self._runs.begin(order)

    def _order(self, name: str, by: str) -> Order:
        return Order(
            name=name,
            schedule=self._find(name).settings,
            by=by,
            engine=self._engine,
            settings=self._settings,
            store=self._store,
            clock=self._clock,
            lent=self._lent,
        )

    def _find(self, name: str) -> InForce:
        if name not in self._in_force:
            raise UnknownSchedule(name)
        return self._in_force[name]

    def _state(self, name: str, schedule: InForce, last_run: ScheduleRun | None) -> ScheduleState:
        settings, timetable = schedule.settings, schedule.timetable
        is_due = settings.is_enabled and self._timer.running
        return ScheduleState(
            name=name,
            job=settings.job,
            console=settings.console or self._settings.console,
            when=when(settings, self._settings),
            next_at=timetable.next(self._clock.now()) if timetable and is_due else None,
            last_at=last_run.started_at if last_run else None,
            last_outcome=last_run.outcome if last_run else None,
            last_why=last_run.why if last_run else "",
            last_took_s=last_run.took_s if last_run else None,
            origin=schedule.origin,
            is_enabled=settings.is_enabled,
            is_running=self._runs.is_busy(name),
            problem=schedule.problem,
            settings=settings,
        )


class _Trigger(BaseTrigger):  # type: ignore[misc]  # the library has no types
    """Adapts a timetable to the library's timer; times that were missed are one run."""

    def __init__(self, timetable: Timetable) -> None:
        self._timetable = timetable

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime:
        return self._timetable.next(max(previous, now) if previous else now)


async def _pulse() -> None:
    """Nothing: the timer looks at the clock then."""
