"""Carries out runs of schedules: each is stored, one at a time per schedule, independently."""

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import replace

import structlog

from appliance.core.errors import ApplianceError, StoreError
from appliance.engine.schedules.jobs import JobEnd, Order, carry_out
from appliance.engine.schedules.state import ScheduleUnderWay
from appliance.store.schedules import ScheduleOutcome, ScheduleRun, ScheduleTables

_LONGEST_S = 6 * 3600.0
"""A run that takes longer hangs; sweeps go on by themselves once they are begun."""

Tell = Callable[[str, str, str], None]
"""Told of every run that is over: name, job, outcome."""

_log = structlog.get_logger()


class ScheduleRuns:
    """Runs under way."""

    def __init__(self, tables: ScheduleTables, tell: Tell) -> None:
        self._tables = tables
        self._tell = tell
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._busy: set[str] = set()
        # Invariant: a name is in `_busy` from before its row is written until after its end is.

    def is_busy(self, name: str) -> bool:
        """Whether a run of that schedule is under way."""
        return name in self._busy

    async def begin(self, order: Order) -> ScheduleRun:
        """Begin a run; `ScheduleUnderWay` where there is one."""
        if order.name in self._busy:
            raise ScheduleUnderWay(order.name)
        self._busy.add(order.name)
        run = _new_run(order)
        try:
            await self._keep(self._tables.begin, run)
            task = asyncio.create_task(self._carry_out(order, run), name=f"schedule {order.name}")
        except BaseException:
            self._busy.discard(order.name)
            raise
        self._tasks[run.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(run.id, None))
        return run

    async def skip(self, order: Order, why: str) -> None:
        """Store that a run was skipped."""
        run = replace(
            _new_run(order),
            ended_at=order.clock.now(),
            outcome=ScheduleOutcome.SKIPPED,
            why=why,
        )
        await self._keep(self._tables.begin, run)
        self._report(order, run.outcome, why, 0.0)

    async def stop(self) -> None:
        """Stop active runs, and wait until that is stored."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _carry_out(self, order: Order, run: ScheduleRun) -> None:
        began = order.clock.monotonic()
        end = JobEnd(ScheduleOutcome.STOPPED, "the server stopped meanwhile")
        try:
            end = await self._attempt(order)
        finally:
            took_s = order.clock.monotonic() - began
            at = order.clock.now()
            await self._keep(self._tables.end, run.id, end.outcome, end.why, at)
            self._busy.discard(order.name)
            self._report(order, end.outcome, end.why, took_s)

    async def _attempt(self, order: Order) -> JobEnd:
        try:
            async with asyncio.timeout(_LONGEST_S):
                return await carry_out(order)
        except ApplianceError as exc:
            return JobEnd(ScheduleOutcome.FAILED, str(exc))
        except TimeoutError:
            return JobEnd(ScheduleOutcome.FAILED, f"not done after {_LONGEST_S / 3600:g} hours")
        except Exception as exc:  # noqa: BLE001 - one job that fails stops neither clock nor others
            _log.exception("schedule.crashed", schedule=order.name, job=order.schedule.job)
            return JobEnd(ScheduleOutcome.FAILED, f"{type(exc).__name__}: {exc}")

    async def _keep(self, call: Callable[..., None], *values: object) -> None:
        """Store a run; a failure stops no job, since retention may be the cure."""
        try:
            await asyncio.to_thread(call, *values)
        except StoreError as exc:
            _log.error("schedule.not_kept", why=str(exc))

    def _report(self, order: Order, outcome: ScheduleOutcome, why: str, took_s: float) -> None:
        job = order.schedule.job
        log = _log.warning if outcome is ScheduleOutcome.FAILED else _log.info
        log(
            "schedule.ran",
            schedule=order.name,
            job=job,
            outcome=outcome.value,
            why=why,
            by=order.by,
            took_s=round(took_s, 3),
        )
        self._tell(order.name, job, outcome.value)


def _new_run(order: Order) -> ScheduleRun:
    return ScheduleRun(
        id=uuid.uuid4().hex[:12],
        name=order.name,
        job=order.schedule.job,
        requested_by=order.by,
        started_at=order.clock.now(),
    )
