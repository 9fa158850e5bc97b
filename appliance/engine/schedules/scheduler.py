"""Does by the clock what the settings and the store say."""

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
"""One that is not caught up is left out when it would be later than this."""

_ALONE = Lent()

_PULSE = "/pulse"
"""Not the name of any schedule."""

_log = structlog.get_logger()


class Scheduler:
    """One per process. Methods that are no coroutines read the store, and so block."""

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
        """From now on; what was missed meanwhile is done once."""
        async with self._change:
            await asyncio.to_thread(self._store.schedules.settle)
            missed = await self._install(finds_missed=True)
        pulse = IntervalTrigger(seconds=_PULSE_S, timezone=UTC)
        self._timer.add_job(_pulse, pulse, id=_PULSE, misfire_grace_time=None, coalesce=True)
        self._timer.start()
        for name in missed:
            await self._runs.begin(self._order(name, CATCH_UP))

    async def stop(self) -> None:
        """Nothing is begun any more, and what is under way is stopped."""
        if self._timer.running:
            self._timer.shutdown(wait=False)
            await asyncio.sleep(0)  # it shuts down at the loop's next turn
        await self._runs.stop()

    def list(self) -> tuple[ScheduleState, ...]:
        """All, by name."""
        last = self._store.schedules.last()
        return tuple(
            self._state(name, schedule, last.get(name)) for name, schedule in self._in_force.items()
        )

    def get(self, name: str) -> ScheduleState:
        """One of them; `UnknownSchedule` where there is none."""
        return self._state(name, self._find(name), self._store.schedules.last().get(name))

    def history(self, paging: Paging, *, name: str | None = None) -> Paged[ScheduleRun]:
        """Runs of one, or of all, newest first; `UnknownSchedule` where there is no such one."""
        if name is not None:
            self._find(name)
        return self._store.schedules.history(paging, name=name)

    async def run_now(self, name: str, by: str) -> ScheduleRun:
        """Begin it now, whether it is enabled or not; the row of the run that began.

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
        """Add one, or put it in place of one of the same name, in the settings too; it is kept.

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
        """Remove one that was added; of one that replaced ours, ours is in force again.

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
        """Take over what the store says; the names of those whose time passed unseen."""
        now = self._clock.now()
        tables = self._store.schedules
        schedules = schedules_of(self._settings, await asyncio.to_thread(tables.stored))
        plain = {name: s.model_dump(mode="json") for name, (s, _) in schedules.items()}
        since = await asyncio.to_thread(tables.mark, plain, now)
        begun = await asyncio.to_thread(tables.last_begun)
        counted_from = {name: max(at, begun.get(name, at)) for name, at in since.items()}
        before, self._in_force = self._in_force, in_force(self._settings, schedules, counted_from)
        missed = tuple(self._missed_names(counted_from, now)) if finds_missed else ()
        self._in_force |= in_force(
            self._settings, {name: schedules[name] for name in missed}, dict.fromkeys(missed, now)
        )
        for name in before.keys() | self._in_force.keys():
            self._set_timer(name, before.get(name), self._in_force.get(name))
        return missed

    def _set_timer(self, name: str, before: InForce | None, now: InForce | None) -> None:
        """What did not change is left alone: its time may be just now."""
        if before and now and before.settings == now.settings:
            return
        if self._timer.get_job(name):
            self._timer.remove_job(name)
        if now and now.timetable and now.settings.is_enabled:
            self._timer.add_job(
                self._fire,
                _Trigger(now.timetable),
                args=(name,),
                id=name,
                coalesce=True,
                misfire_grace_time=None if now.settings.catches_up else _GRACE_S,
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
        """Begin a run of a schedule that is due, unless its last one is still under way."""
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

    def _state(self, name: str, schedule: InForce, last: ScheduleRun | None) -> ScheduleState:
        settings, timetable = schedule.settings, schedule.timetable
        is_due = settings.is_enabled and self._timer.running
        return ScheduleState(
            name=name,
            job=settings.job,
            console=settings.console or self._settings.console,
            when=when(settings, self._settings),
            next_at=timetable.next(self._clock.now()) if timetable and is_due else None,
            last_at=last.started_at if last else None,
            last_outcome=last.outcome if last else None,
            last_why=last.why if last else "",
            last_took_s=last.took_s if last else None,
            origin=schedule.origin,
            is_enabled=settings.is_enabled,
            is_running=self._runs.is_busy(name),
            problem=schedule.problem,
            settings=settings,
        )


class _Trigger(BaseTrigger):  # type: ignore[misc]  # the library has no types
    """Our times for the library's timer. What passed meanwhile is one run."""

    def __init__(self, timetable: Timetable) -> None:
        self._timetable = timetable

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime:
        return self._timetable.next(max(previous, now) if previous else now)


async def _pulse() -> None:
    """Nothing: the timer looks at the clock then."""
