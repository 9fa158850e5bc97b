"""Carries out what the store has waiting: verifications at once, one sweep in its time."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

import structlog

from appliance.core.blocking import in_thread, to_its_end
from appliance.core.causes import Cause, CauseKind
from appliance.core.errors import ConsoleError, SetupError, StoreError
from appliance.core.events import Event, SweepProgressed
from appliance.engine.consoles import Consoles
from appliance.engine.context import EngineContext
from appliance.engine.control import Control, ControlSignal
from appliance.engine.executor import Ending, cancel_unbegun, execute
from appliance.engine.live import Live
from appliance.engine.night import window_of
from appliance.engine.pausing import given_up
from appliance.engine.status import StatusKeeper, SweepStatus, end_of, status_of
from appliance.environment.lifecycle import OpenConsole
from appliance.store.sweeps import OVER, ItemState, SweepRow

LOOK_S = 5.0
"""How often it looks at the time by itself."""
_FAULTS = 3
"""A run that fails so often, by a fault of the program, is given up."""
_AGAIN_S = 20.0
"""Before the first of these is tried again; longer each time."""
_LAST_S = 2.0
"""For what does not end although it was told to twice."""

_log = structlog.get_logger()

_Show = Callable[[SweepStatus], None]


@dataclass(slots=True)
class _ActiveRun:
    """A run that is carried out now."""

    row: SweepRow
    task: asyncio.Task[None] | None = None
    wish: ControlSignal | None = None
    status: StatusKeeper | None = None


class _RunTurn(NamedTuple):
    """A run whose turn it is."""

    row: SweepRow
    opened: OpenConsole
    closes: datetime | None


class Runner:
    """The queue's one reader. For the event loop's own thread."""

    def __init__(self, context: EngineContext, consoles: Consoles, live: Live) -> None:
        self._context = context
        self._settings = context.settings
        self._store = context.store
        self._clock = context.clock
        self._space = context.space
        self._consoles = consoles
        self._live = live
        self._control = Control.of(context.settings.data_dir)
        self._window = window_of(context.settings)
        self._under_way: dict[str, _ActiveRun] = {}
        self._closes: dict[str, datetime] = {}  # as asked for, whatever the window says
        self._closed: set[str] = set()  # such a time was over: they wait to be started again
        self._why: dict[str, str] = {}  # what those wait for that could go on
        self._faults: dict[str, int] = {}
        self._not_before: dict[str, float] = {}
        self._changed = asyncio.Event()
        self._ending = asyncio.Lock()
        self.is_stopping = False

    def __call__(self, event: Event) -> None:
        """A subscriber: keeps the status of what is under way."""
        for one in self._under_way.values():
            if one.status is not None:
                one.status(event)
        match event:
            case SweepProgressed(paused_for=CauseKind.CONSOLE_DOWN, sweep_id=run_id, why=why):
                if run := self._under_way.get(run_id):
                    self._consoles.doubt(run.row.console, why)

    async def run(self) -> None:
        """Take runs in their turn until told to stop."""
        while not self.is_stopping:
            self._changed.clear()
            try:
                rows = await asyncio.to_thread(self._store.sweeps.unfinished)
            except StoreError as exc:  # a full disk may pass
                _log.error("queue_not_read", reason=str(exc))
                rows = ()
            async for turn in self._turns(rows):
                self._begin(turn)
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._changed.wait()

    @property
    def is_working(self) -> bool:
        """Whether any run is under way."""
        return bool(self._under_way)

    def works_in(self, console: str) -> bool:
        """Whether a run is under way in a console."""
        return any(one.row.console == console for one in self._under_way.values())

    def carries_out(self, run_id: str) -> bool:
        """Whether that run is under way."""
        return run_id in self._under_way

    def look(self) -> None:
        """Something has changed that may let a run begin."""
        self._changed.set()

    def start(self, run_id: str, closes: datetime | None) -> None:
        """A sweep may begin: now and until then, or in its window."""
        self._closed.discard(run_id)
        self._closes.pop(run_id, None)
        if closes is not None:
            self._closes[run_id] = closes
        self._not_before.pop(run_id, None)
        self.look()

    def wish(self, run_id: str, wish: ControlSignal | None) -> bool:
        """Wish something of a run that is under way, or take it back; whether it is."""
        one = self._under_way.get(run_id)
        if one is None:
            return False
        one.wish = wish
        return True

    def status(self, run_id: str) -> StatusKeeper | None:
        """The status of a run that is under way."""
        one = self._under_way.get(run_id)
        return one.status if one else None

    def why_waiting(self, row: SweepRow) -> str:
        """What a run waits for that could go on; empty: its turn."""
        return self._why.get(row.id, "")

    async def end_late(self) -> None:
        """End the sweeps that nobody carries out and whose deadline is over."""
        for row in await asyncio.to_thread(self._store.sweeps.unfinished):
            if row.id not in self._under_way and not row.is_held:
                await self._has_ended_late(row)

    async def end(self, row: SweepRow, why: str) -> None:
        """End a run for ever that nobody carries out, and tell of it as of any that ends."""
        now = self._clock.now()
        await self._end(row, lambda: cancel_unbegun(self._store, row, why, now))

    async def drain(self, timeout_s: float) -> None:
        """Begin nothing more, and stop what is under way; after the time, without cleaning up."""
        self.is_stopping = True
        self.look()
        tasks = [one.task for one in self._under_way.values() if one.task]
        for limit_s in (timeout_s, _LAST_S):
            for task in tasks:
                task.cancel()
            if tasks:
                _, left = await asyncio.wait(tasks, timeout=limit_s)
                tasks = list(left)
        if tasks:
            _log.warning("stopped_without_clean_up", runs=list(self._under_way))

    async def _turns(self, rows: tuple[SweepRow, ...]) -> AsyncIterator[_RunTurn]:
        """Whose turn it is, the oldest first; verifications do not wait for sweeps."""
        kinds = [one.row.kind for one in self._under_way.values()]
        room = {
            "verification": self._settings.server.parallel_verifications
            - kinds.count("verification"),
            "sweep": 1 - kinds.count("sweep"),
        }
        self._why = {}
        for row in sorted(rows, key=lambda row: (row.kind != "verification", row.planned_at)):
            if row.id in self._under_way or row.is_held:
                continue
            if await self._has_ended_late(row):
                continue
            turn = await self._turn(row)
            if turn is not None and room[row.kind] > 0 and not self.is_stopping:
                room[row.kind] -= 1
                yield turn

    async def _has_ended_late(self, row: SweepRow) -> bool:
        """Whether the deadline of a sweep is over that nobody carries out: then it is ended."""
        planner = self._context.planner
        if not planner.is_late(row):
            return False
        await self._end(row, lambda: planner.end_late(row))
        return True

    async def _end(self, row: SweepRow, end: Callable[[], object]) -> None:
        """End it, where that was not done meanwhile, and tell of it: both, or nothing."""

        async def work() -> None:
            async with self._ending:
                known = await asyncio.to_thread(self._store.sweeps.get, row.id)
                if known is None or known.state in OVER:
                    return
                await asyncio.to_thread(end)
                told = await asyncio.to_thread(end_of, self._store, row.id)
            if told is not None:
                self._context.events.emit(told)

        await to_its_end(work())

    async def _turn(self, row: SweepRow) -> _RunTurn | None:
        if self._clock.monotonic() < self._not_before.get(row.id, 0.0):
            return None
        closes = None
        if row.kind == "sweep":
            now = self._clock.now()
            closes = self._closes.get(row.id)
            if closes is not None and closes <= now:
                del self._closes[row.id]
                self._closed.add(row.id)
                closes = None
            if closes is None and self._window is not None:
                closes = self._window.closing(now)
                if closes is None:
                    self._why[row.id] = f"waits for its time, {self._settings.sweep.window}"
                    return None
            elif row.id in self._closed:
                self._why[row.id] = "its time was over"
                return None
        if full := self._space.lack():
            self._why[row.id] = full.text
            return None
        opened = self._consoles.ready(row.console)
        if opened is None:
            if await self._has_waited_too_long(row):
                return None
            why = self._consoles.why_not(row.console) or "there is none of that name"
            self._why[row.id] = f"waits for console {row.console}: {why}"
            return None
        return _RunTurn(row, opened, closes)

    async def _has_waited_too_long(self, row: SweepRow) -> bool:
        """Whether its console has been down since before a restart, for longer than may be."""
        minutes = self._settings.sweep.max_pause_minutes
        if not minutes or row.paused_at is None or row.paused_for is not CauseKind.CONSOLE_DOWN:
            return False
        if self._clock.now() - row.paused_at <= timedelta(minutes=minutes):
            return False
        items = await asyncio.to_thread(self._store.sweeps.items, row.id)
        left = sum(item.state is ItemState.WAITING for item in items)
        cause = Cause(CauseKind.CONSOLE_DOWN, row.why)
        await self._give_up(row, given_up(cause, minutes, left))
        return True

    def _begin(self, turn: _RunTurn) -> None:
        one = _ActiveRun(turn.row)
        self._under_way[turn.row.id] = one
        # not of a group: a run that fails must not take the others with it
        one.task = asyncio.create_task(self._take(turn), name=f"run {turn.row.id}")

    async def _take(self, turn: _RunTurn) -> None:
        """Carry out a run of the queue, whatever comes of it."""
        row = turn.row
        try:
            with structlog.contextvars.bound_contextvars(run_id=row.id):
                await self.carry_out(row, turn.opened, turn.closes)
            self._faults.pop(row.id, None)
        except SetupError as exc:
            await self._give_up(row, str(exc))
        except ConsoleError as exc:
            self._consoles.doubt(row.console, str(exc))
        except Exception as exc:  # noqa: BLE001 - whatever it is, the others go on
            await self._note_fault(row, exc)
        finally:
            self._under_way.pop(row.id, None)
            self.look()

    async def carry_out(
        self,
        row: SweepRow,
        opened: OpenConsole,
        closes: datetime | None = None,
        *,
        waits: bool = True,
    ) -> Ending:
        """Carry out a run now, until it is over or stops; cancelled, it leaves the rest waiting.

        Args:
            row: The run.
            opened: Its console, open.
            closes: When it has to stop.
            waits: Whether it stands still while something is in the way; else the rest is blocked.

        Raises:
            SetupError: Its documents or its console are not there any more.
            ConsoleError: The console does not answer at all.
            HinderedError: The disk is full, and it does not wait.
        """
        one = self._under_way.setdefault(row.id, _ActiveRun(row))
        try:
            return await self._carry_out(one, _RunTurn(row, opened, closes), waits=waits)
        finally:
            self._under_way.pop(row.id, None)
            self._live.leave(row.id)

    async def _carry_out(self, one: _ActiveRun, turn: _RunTurn, *, waits: bool) -> Ending:
        row = turn.row
        selection = await asyncio.to_thread(self._context.planner.selection_of, row)
        settings = await self._context.serve_promoted(selection.settings)
        selection = replace(selection, settings=settings)
        before = await asyncio.to_thread(status_of, self._store, row)
        context = await asyncio.to_thread(self._context.for_run, selection, row, turn.opened)
        async with self._show_to_commands(row) as (show, wished):
            one.status = StatusKeeper(before, show)
            self._live.enter(row, one.status)
            return await execute(
                selection,
                row,
                context,
                closes=turn.closes,
                wish=lambda: one.wish or wished(),
                waits=waits,
            )

    @asynccontextmanager
    async def _show_to_commands(
        self, row: SweepRow
    ) -> AsyncIterator[tuple[_Show, Callable[[], ControlSignal | None]]]:
        """A sweep can be seen and stopped by its files, as one of the command line can."""
        if row.kind != "sweep":
            yield lambda status: None, lambda: None
            return
        files = ExitStack()
        try:
            await in_thread(files.enter_context, self._control.hold(row.id))
            writer = files.enter_context(ThreadPoolExecutor(1, "status"))  # the latest comes last

            def show(status: SweepStatus) -> None:
                writer.submit(self._control.show, status)

            yield show, lambda: self._control.wish(row.id)
        finally:
            await in_thread(files.close)

    async def _give_up(self, row: SweepRow, why: str) -> None:
        _log.warning("run_given_up", run_id=row.id, reason=why)
        await self.end(row, why)

    async def _note_fault(self, row: SweepRow, exc: Exception) -> None:
        """A fault of the program: it is tried again, but not for ever, as with a full disk."""
        _log.error("run_failed", run_id=row.id, exc_info=exc)
        if self._space.behind(exc):
            self._not_before[row.id] = self._clock.monotonic() + _AGAIN_S
            return
        count = self._faults[row.id] = self._faults.get(row.id, 0) + 1
        self._not_before[row.id] = self._clock.monotonic() + count * _AGAIN_S
        if count >= _FAULTS:
            why = f"given up after {count} faults of the program: {_first_line(exc)}"
            with suppress(Exception):  # the disk may be full: the next start tries again
                await self._give_up(row, why)


def _first_line(exc: BaseException) -> str:
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    return f"{type(exc).__name__}: {exc}".splitlines()[0]
