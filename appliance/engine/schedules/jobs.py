"""The jobs of schedules. Each reports its outcome in a sentence."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from appliance.config import ScheduleSettings, Settings
from appliance.core.clock import Clock
from appliance.engine.engine import Engine
from appliance.engine.night import window_of
from appliance.engine.problems import NothingToDo
from appliance.engine.request import RunKind, RunRequest
from appliance.engine.schedules.retention import retain
from appliance.environment.obstacles import Space
from appliance.store.backup import Backups, checkpoint
from appliance.store.schedules import ScheduleOutcome
from appliance.store.store import Store
from appliance.store.sweeps import SweepState

CLOCK = "clock"
"""Who asks for a run whose time has come."""
CATCH_UP = "catch-up"
"""Who asks for a run whose time passed while the machine was off."""

_LISTED = 10
"""Verdicts in a sentence."""
_KEPT = timedelta(days=90)
"""How long runs of schedules and messages to receivers are kept."""


class JobEnd(NamedTuple):
    """The outcome of a job."""

    outcome: ScheduleOutcome
    why: str


Train = Callable[[datetime], Awaitable[JobEnd]]
"""Continues the postponed trainings until a time."""


Digest = Callable[[str], Awaitable[JobEnd]]
"""Sends a digest to the notification of a name."""


async def no_training(_: datetime) -> JobEnd:
    """The `Train` job if no trainer is provided."""
    return _skip_end("trainings are carried on by `appliance serve`")


async def no_digest(_: str) -> JobEnd:
    """The `Digest` job if no notifier is provided."""
    return _skip_end("people are told by `appliance serve`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lent:
    """Jobs provided by layers above the engine."""

    train: Train = no_training
    digest: Digest = no_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A due or requested schedule, and what its job works with."""

    name: str
    schedule: ScheduleSettings
    by: str
    engine: Engine
    settings: Settings
    store: Store
    clock: Clock
    lent: Lent

    @property
    def console(self) -> str:
        """The console that the job is for."""
        return self.schedule.console or self.settings.console


async def carry_out(order: Order) -> JobEnd:
    """Carry the job out; an exception is reported as a failure."""
    return await _JOBS[order.schedule.job](order)


async def _sweep(order: Order) -> JobEnd:
    now, closes = order.clock.now(), None
    section = order.settings.sweep
    if window := window_of(order.settings):
        closes = window.closing(now)
        if closes is None and order.by in (CLOCK, CATCH_UP):
            return _skip_end(
                f"sweeps run from {section.window} ({section.time_zone}), and it is not then"
            )
    try:
        sweep = await order.engine.start(
            RunRequest(
                kind=RunKind.SWEEP,
                console=order.console,
                requested_by=f"schedule {order.name}",
                closes=closes,
            )
        )
    except NothingToDo as exc:
        return _skip_end(str(exc))
    if sweep.state is SweepState.PAUSED:
        return _skip_end(f"sweep {sweep.id} is paused, and goes on by itself: {sweep.why}")
    if sweep.state is SweepState.RUNNING:
        return _skip_end(f"sweep {sweep.id} is under way")
    return _done(f"{'began' if sweep.planned_at >= now else 'goes on with'} sweep {sweep.id}")


async def _prepare(order: Order) -> JobEnd:
    count = await order.engine.clouds.prepare(order.console)
    return _done(f"{_many(count, 'shared resource')} ready for the coming sweep")


async def _account_health(order: Order) -> JobEnd:
    rows = await asyncio.to_thread(order.engine.clouds.accounts, order.console)
    if not rows:
        return _skip_end(f"{order.console} has no accounts in the settings")
    looked = [await order.engine.clouds.check_account(order.console, row.name) for row in rows]
    bad = [row for row in looked if row.health is None or not row.health.can_log_in]
    text = f"{len(looked) - len(bad)} of {_many(len(looked), 'account')} can log in"
    reasons = [f"{row.name}: {row.health.problem if row.health else 'no answer'}" for row in bad]
    return _done("; ".join([text, *reasons]))


async def _janitor(order: Order) -> JobEnd:
    reaped = await order.engine.clouds.reap(order.console)
    problems = [
        f"{account_result.account}: {account_result.problem}"
        for account_result in reaped
        if account_result.problem
    ]
    if problems:
        return JobEnd(ScheduleOutcome.FAILED, f"not all could be removed; {'; '.join(problems)}")
    return _done(f"{_many(len(reaped), 'leftover')} removed" if reaped else "nothing was left over")


async def _retention(order: Order) -> JobEnd:
    store, now = order.store, order.clock.now()

    def work() -> str:
        busy = {sweep.id for sweep in store.sweeps.unfinished()}
        retained = retain(store, order.settings.retention, now, busy=busy)
        store.schedules.trim(now - _KEPT)
        store.outbox.trim(now - _KEPT)
        return str(retained)

    return _done(await asyncio.to_thread(work))


async def _checkpoint(order: Order) -> JobEnd:
    if full := Space(order.settings).lack():
        return _skip_end(full.text)  # one that finds no room makes the store unusable for a moment
    await asyncio.to_thread(checkpoint, order.store.session)
    return _done("the store's file has all that was written")


async def _backup(order: Order) -> JobEnd:
    if full := Space(order.settings).lack():
        return JobEnd(ScheduleOutcome.FAILED, full.text)
    backups = Backups(order.store.session, order.settings.storage.backup_recipients)
    backup = await asyncio.to_thread(backups.make, order.clock.now())
    gone = await asyncio.to_thread(backups.prune, order.settings.retention.backups)
    text = f"backup {backup.id}, {backup.size / 2**20:.1f} MiB"
    return _done(f"{text}; {_many(len(gone), 'older one')} removed" if gone else text)


async def _settle(order: Order) -> JobEnd:
    settled = await order.engine.settle()
    if not settled:
        return _skip_end("no audit log has anything new on a verdict that waits")
    verdicts = [
        f"{settlement.procedure_id} {settlement.verdict}" for settlement in settled[:_LISTED]
    ]
    more = [f"{len(settled) - _LISTED} more"] if len(settled) > _LISTED else []
    return _done(f"{_many(len(settled), 'verdict')} settled: {', '.join([*verdicts, *more])}")


async def _training(order: Order) -> JobEnd:
    return await order.lent.train(order.clock.now() + timedelta(minutes=order.schedule.for_minutes))


async def _digest(order: Order) -> JobEnd:
    return await order.lent.digest(order.schedule.notification)


def _done(why: str) -> JobEnd:
    return JobEnd(ScheduleOutcome.DONE, why)


def _skip_end(why: str) -> JobEnd:
    return JobEnd(ScheduleOutcome.SKIPPED, why)


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


_JOBS: Mapping[str, Callable[[Order], Awaitable[JobEnd]]] = {
    "sweep": _sweep,
    "prepare": _prepare,
    "account_health": _account_health,
    "janitor": _janitor,
    "retention": _retention,
    "checkpoint": _checkpoint,
    "backup": _backup,
    "settle": _settle,
    "training": _training,
    "digest": _digest,
}
"""By their names in the settings."""
