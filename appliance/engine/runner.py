"""Carries out the runs that wait in the store: verifications at once, one sweep in its window."""

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

POLL_S = 5.0
"""Seconds between looks at the queue when nothing wakes it."""
_MAX_FAULTS = 3
"""A run that fails this often by a fault of the program is given up."""
_RETRY_S = 20.0
"""Seconds before the first retry after a fault; longer each time."""
_FINAL_WAIT_S = 2.0
"""Seconds to wait for tasks that did not end when cancelled."""

_log = structlog.get_logger()

_Show = Callable[[SweepStatus], None]


@dataclass(slots=True)
class _ActiveRun:
    """A run that is being carried out."""

    row: SweepRow
    task: asyncio.Task[None] | None = None
    wish: ControlSignal | None = None
    status: StatusKeeper | None = None


class _RunTurn(NamedTuple):
    """A run that may start now."""

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
        self._close_at: dict[str, datetime] = {}  # as asked for, whatever the window says
        self._ended_windows: set[str] = set()  # such a time was over: they wait to be started again
        self._waiting_reasons: dict[str, str] = {}  # what those wait for that could go on
        self._faults: dict[str, int] = {}
        self._not_before: dict[str, float] = {}
        self._changed = asyncio.Event()
        self._ending = asyncio.Lock()
        self.is_stopping = False

    def __call__(self, event: Event) -> None:
        """Update the status of active runs; an event subscriber."""
        for active_run in self._under_way.values():
            if active_run.status is not None:
                active_run.status(event)
        match event:
            case SweepProgressed(paused_for=CauseKind.CONSOLE_DOWN, sweep_id=run_id, why=why):
                if run := self._under_way.get(run_id):
                    self._consoles.doubt(run.row.console, why)

    async def run(self) -> None:
        """Start runs in their turn until told to stop."""
        while not self.is_stopping:
            self._changed.clear()
            try:
                rows = await asyncio.to_thread(self._store.sweeps.unfinished)
            except StoreError as exc:  # a full disk may pass
                _log.error("queue_not_read", reason=str(exc))
                rows = ()
            async for turn in self._turns(rows):
                self._start_task(turn)
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await self._changed.wait()

    @property
    def is_working(self) -> bool:
        """Whether any run is active."""
        return bool(self._under_way)

    def works_in(self, console: str) -> bool:
        """Whether a run is active in a console."""
        return any(active_run.row.console == console for active_run in self._under_way.values())

    def carries_out(self, run_id: str) -> bool:
        """Whether that run is active."""
        return run_id in self._under_way

    def look(self) -> None:
        """Look at the queue now: something has changed that may let a run start."""
        self._changed.set()

    def start(self, run_id: str, closes: datetime | None) -> None:
        """Let a sweep start: now until `closes`, or in its window if that is None."""
        self._ended_windows.discard(run_id)
        self._close_at.pop(run_id, None)
        if closes is not None:
            self._close_at[run_id] = closes
        self._not_before.pop(run_id, None)
        self.look()

    def wish(self, run_id: str, wish: ControlSignal | None) -> bool:
        """Signal an active run, or withdraw the signal; False if the run is not active."""
        active_run = self._under_way.get(run_id)
        if active_run is None:
            return False
        active_run.wish = wish
        return True

    def status(self, run_id: str) -> StatusKeeper | None:
        """The status of an active run; None if it is not active."""
        active_run = self._under_way.get(run_id)
        return active_run.status if active_run else None

    def why_waiting(self, row: SweepRow) -> str:
        """What a run waits for; empty if only for its turn."""
        return self._waiting_reasons.get(row.id, "")

    async def end_late(self) -> None:
        """End inactive sweeps whose deadline has passed."""
        for row in await asyncio.to_thread(self._store.sweeps.unfinished):
            if row.id not in self._under_way and not row.is_held:
                await self._has_ended_late(row)

    async def end(self, row: SweepRow, why: str) -> None:
        """End an inactive run for good and announce it like any other end."""
        now = self._clock.now()
        await self._end(row, lambda: cancel_unbegun(self._store, row, why, now))

    async def drain(self, timeout_s: float) -> None:
        """Start nothing more and stop active runs; after the timeout, without cleaning up."""
        self.is_stopping = True
        self.look()
        tasks = [active_run.task for active_run in self._under_way.values() if active_run.task]
        for limit_s in (timeout_s, _FINAL_WAIT_S):
            for task in tasks:
                task.cancel()
            if tasks:
                _, pending = await asyncio.wait(tasks, timeout=limit_s)
                tasks = list(pending)
        if tasks:
            _log.warning("stopped_without_clean_up", runs=list(self._under_way))

    async def _turns(self, rows: tuple[SweepRow, ...]) -> AsyncIterator[_RunTurn]:
        """Runs that may start now, oldest first; verifications do not wait for sweeps."""
        kinds = [active_run.row.kind for active_run in self._under_way.values()]
        room = {
            "verification": self._settings.server.parallel_verifications
            - kinds.count("verification"),
            "sweep": 1 - kinds.count("sweep"),
        }
        self._waiting_reasons = {}
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
        """End an inactive sweep whose deadline has passed; whether it was ended."""
        planner = self._context.planner
        if not planner.is_late(row):
            return False
        await self._end(row, lambda: planner.end_late(row))
        return True

    async def _end(self, row: SweepRow, end: Callable[[], object]) -> None:
        """End a run unless that happened meanwhile, and announce it: both or neither."""

        async def work() -> None:
            async with self._ending:
                stored = await asyncio.to_thread(self._store.sweeps.get, row.id)
                if stored is None or stored.state in OVER:
                    return
                await asyncio.to_thread(end)
                ended = await asyncio.to_thread(end_of, self._store, row.id)
            if ended is not None:
                self._context.events.emit(ended)

        await to_its_end(work())

    async def _turn(self, row: SweepRow) -> _RunTurn | None:
        if self._clock.monotonic() < self._not_before.get(row.id, 0.0):
            return None
        closes = None
        if row.kind == "sweep":
            now = self._clock.now()
            closes = self._close_at.get(row.id)
            if closes is not None and closes <= now:
                del self._close_at[row.id]
                self._ended_windows.add(row.id)
                closes = None
            if closes is None and self._window is not None:
                closes = self._window.closing(now)
                if closes is None:
                    self._waiting_reasons[row.id] = (
                        f"waits for its time, {self._settings.sweep.window}"
                    )
                    return None
            elif row.id in self._ended_windows:
                self._waiting_reasons[row.id] = "its time was over"
                return None
        if lack := self._space.lack():
            self._waiting_reasons[row.id] = lack.text
            return None
        opened = self._consoles.ready(row.console)
        if opened is None:
            if await self._has_waited_too_long(row):
                return None
            why = self._consoles.why_not(row.console) or "there is none of that name"
            self._waiting_reasons[row.id] = f"waits for console {row.console}: {why}"
            return None
        return _RunTurn(row, opened, closes)

    async def _has_waited_too_long(self, row: SweepRow) -> bool:
        """Give up a run whose console was down too long, since before a restart; whether it did."""
        minutes = self._settings.sweep.max_pause_minutes
        if not minutes or row.paused_at is None or row.paused_for is not CauseKind.CONSOLE_DOWN:
            return False
        if self._clock.now() - row.paused_at <= timedelta(minutes=minutes):
            return False
        items = await asyncio.to_thread(self._store.sweeps.items, row.id)
        waiting_count = sum(item.state is ItemState.WAITING for item in items)
        cause = Cause(CauseKind.CONSOLE_DOWN, row.why)
        await self._give_up(row, given_up(cause, minutes, waiting_count))
        return True

    def _start_task(self, turn: _RunTurn) -> None:
        active_run = _ActiveRun(turn.row)
        self._under_way[turn.row.id] = active_run
        # not of a group: a run that fails must not take the others with it
        active_run.task = asyncio.create_task(
            self._carry_out_guarded(turn), name=f"run {turn.row.id}"
        )

    async def _carry_out_guarded(self, turn: _RunTurn) -> None:
        """Carry out a queued run and handle every kind of failure."""
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
        active_run = self._under_way.setdefault(row.id, _ActiveRun(row))
        try:
            return await self._carry_out(active_run, _RunTurn(row, opened, closes), waits=waits)
        finally:
            self._under_way.pop(row.id, None)
            self._live.leave(row.id)

    async def _carry_out(self, active_run: _ActiveRun, turn: _RunTurn, *, waits: bool) -> Ending:
        row = turn.row
        selection = await asyncio.to_thread(self._context.planner.selection_of, row)
        settings = await self._context.serve_promoted(selection.settings)
        selection = replace(selection, settings=settings)
        initial = await asyncio.to_thread(status_of, self._store, row)
        context = await asyncio.to_thread(self._context.for_run, selection, row, turn.opened)
        async with self._show_to_commands(row) as (show, wish_from_file):
            active_run.status = StatusKeeper(initial, show)
            self._live.enter(row, active_run.status)
            return await execute(
                selection,
                row,
                context,
                closes=turn.closes,
                wish=lambda: active_run.wish or wish_from_file(),
                waits=waits,
            )

    @asynccontextmanager
    async def _show_to_commands(
        self, row: SweepRow
    ) -> AsyncIterator[tuple[_Show, Callable[[], ControlSignal | None]]]:
        """Let commands see and stop a sweep through its control files."""
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
            self._not_before[row.id] = self._clock.monotonic() + _RETRY_S
            return
        count = self._faults[row.id] = self._faults.get(row.id, 0) + 1
        self._not_before[row.id] = self._clock.monotonic() + count * _RETRY_S
        if count >= _MAX_FAULTS:
            why = f"given up after {count} faults of the program: {_first_line(exc)}"
            with suppress(Exception):  # the disk may be full: the next start tries again
                await self._give_up(row, why)


def _first_line(exc: BaseException) -> str:
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    return f"{type(exc).__name__}: {exc}".splitlines()[0]
