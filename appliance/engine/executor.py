"""Carries out a run: begins waiting items while there is room, and stops in an orderly way."""

import asyncio
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

import structlog

from appliance.core.blocking import in_thread, to_its_end
from appliance.core.causes import Cause, CauseKind
from appliance.core.clock import Clock
from appliance.core.errors import DocumentError, HinderedError, StoreError
from appliance.core.events import Events, ProcedureFinished, SweepProgressed
from appliance.core.procedure import Procedure, text_hash
from appliance.core.result import Cost, Goal, ProcedureResult
from appliance.core.verdict import Verdict
from appliance.engine.control import ControlSignal
from appliance.engine.memory import free_mib
from appliance.engine.night import deadline_after
from appliance.engine.pace import Pace
from appliance.engine.packing import Turns
from appliance.engine.pausing import Standstill, given_up
from appliance.engine.planner import Selection, lanes
from appliance.engine.queue import MAX_DEATHS, Queue
from appliance.engine.texts import CurrentText, Texts
from appliance.engine.variants import Variant
from appliance.environment.obstacles import Obstacles
from appliance.store.store import Store
from appliance.store.sweeps import OVER, ItemRow, ItemState, SweepRow, SweepState
from appliance.verification import RunContext, Verifier, begin_run

POLL_S = 0.5
"""Interval between checks of wishes, time and memory."""

_CROWD = 2
"""No more are under way than this many times the lanes, those that wait for accounts included."""

_CHANCES = 5
"""After so many outages of the console while it was under way, a procedure is blocked by them."""

_log = structlog.get_logger()


class Ending(NamedTuple):
    """How a run ended, or why it stopped."""

    state: SweepState
    why: str


_STOPPED = Ending(SweepState.WAITING, "stopped before its end")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The limits of a sweep."""

    lanes: int
    """Procedures under way at the same time."""
    min_free_mib: float
    closes: datetime | None
    """Time from which nothing is begun."""
    deadline: datetime | None
    """Nothing is begun that is thought to last until later, and what is left then is not reached:
    the run ends without it."""
    wish: Callable[[], ControlSignal | None]
    """Called in a thread."""
    is_waiting: Callable[[str], bool]
    """Whether one that is under way only waits for an account. Then one that needs another account
    may go meanwhile."""
    free_mib: Callable[[], float] = free_mib
    obstacles: Obstacles
    """What pauses it until it is out of the way."""
    waits: bool
    """Whether it stands still while something is in the way; else what is left is blocked."""
    max_pause_minutes: float
    """So long without a verdict for that, and it ends; 0: never."""
    clean_up: Callable[[], Awaitable[object]]
    """Removes what could not be removed meanwhile, before it goes on."""


class Executor:
    """Carries out one run in this process, from its row in the store until it is over or stops."""

    def __init__(
        self,
        verifier: Verifier,
        queue: Queue,
        texts: Texts,
        bounds: Bounds,
        events: Events,
        clock: Clock,
    ) -> None:
        self._verifier = verifier
        self._queue = queue
        self._texts = texts
        self._bounds = bounds
        self._events = events
        self._clock = clock
        self._turns, self._last_chances = self._lined_up([]), self._lined_up([])
        self._under_way: dict[asyncio.Task[None], ItemRow] = {}
        self._total = self._done = 0
        self._pace = Pace(bounds.lanes, clock.monotonic(), 0.0)
        self._reported: tuple[object, ...] = ()
        self._standstill: Standstill | None = None
        self._without_verdict_since: datetime | None = None
        self._unreleased: list[ItemRow] = []
        self._hindered = Counter[str]()
        self._hindered_by: Cause | None = None

    async def execute(self, complete: Callable[[], Awaitable[object]]) -> Ending:
        """Go on until nothing is left, or it is to stop. Cancelled, it leaves the rest waiting.

        Args:
            complete: Called when nothing will be added to the sweep's run any more.
        """
        ending = _STOPPED
        try:
            await to_its_end(self._open())
        except asyncio.CancelledError:
            await to_its_end(self._close(ending))
            raise
        try:
            async with asyncio.TaskGroup() as group:
                ending = await self._work(group)
            if ending.state is SweepState.DONE:
                # first: a crash in between leaves a sweep that has nothing to do
                await complete()
        finally:
            await to_its_end(self._close(ending))
        if ending.state is SweepState.CANCELLED:
            await complete()
        if self._hindered_by is not None:
            raise HinderedError(self._hindered_by)
        return ending

    async def _open(self) -> None:
        """Begin or continue with the waiting items of the store."""
        items = await asyncio.to_thread(self._queue.open)
        self._standstill = None
        waiting = [item for item in items if item.state is ItemState.WAITING]
        waiting.sort(key=lambda item: self._hindered[item.id])
        self._turns = self._lined_up([i for i in waiting if not _has_one_more_chance(i)])
        self._last_chances = self._lined_up([i for i in waiting if _has_one_more_chance(i)])
        self._total, self._done = len(items), len(items) - len(waiting)
        self._pace.left_s = sum(item.estimate_s for item in waiting)

    async def _close(self, ending: Ending) -> None:
        with suppress(StoreError):
            await self._release()
        if ending is _STOPPED and self._standstill is not None and self._standstill.is_told:
            cause = self._standstill.cause  # as in the store: whoever goes on looks again
            self._tell(SweepState.PAUSED, cause.text, cause.kind)
            return
        try:
            await asyncio.to_thread(self._queue.close, *ending)
        except StoreError as exc:
            if ending.state in OVER:
                raise
            _log.warning("sweep_not_closed", reason=str(exc))  # the next start puts it right
        by_hand = CauseKind.BY_HAND if ending.state is SweepState.PAUSED else None
        self._tell(ending.state, ending.why, by_hand)

    async def _work(self, group: asyncio.TaskGroup) -> Ending:
        while True:
            wish = await asyncio.to_thread(self._bounds.wish)
            if wish is ControlSignal.CANCEL:
                for task in self._under_way:
                    task.cancel()
                return Ending(SweepState.CANCELLED, "cancelled by hand")
            is_over = not self._is_left or self._left_s() <= 0
            if is_over and not self._under_way and self._standstill is None:
                return await self._end()
            stop = self._stop(wish)
            if stop and not self._under_way:
                return stop
            if not stop and self._standstill is None and (full := self._bounds.obstacles.disk()):
                self._stand_still(full)
            if self._standstill is not None:
                if ending := await self._wait_out(self._standstill):
                    return ending
                continue
            lack = "" if stop else self._begin(group)
            self._tell(SweepState.RUNNING, stop.why if stop else lack)
            await self._something()

    @property
    def _is_left(self) -> bool:
        """Whether an item still waits for which there may be time."""
        return bool(self._turns or self._last_chances)

    async def _end(self) -> Ending:
        """End the run; items without time left count as not reached."""
        has_deadline = self._bounds.deadline is not None
        return Ending(SweepState.DONE, await in_thread(self._queue.leave) if has_deadline else "")

    def _left_s(self) -> float:
        """Seconds until the deadline."""
        if self._bounds.deadline is None:
            return math.inf
        return (self._bounds.deadline - self._clock.now()).total_seconds()

    def _stand_still(self, cause: Cause) -> None:
        """Pause: begin nothing more until the obstacle is out of the way."""
        now = self._clock.now()
        since = self._without_verdict_since = self._without_verdict_since or now
        if self._standstill is None:
            self._standstill = Standstill(cause, since, self._clock.monotonic())
            _log.warning("sweep_hindered", cause=cause.kind.value, reason=cause.text)

    async def _wait_out(self, standstill: Standstill) -> Ending | None:
        """Check the obstacle once; return how the sweep ends if it has lasted too long."""
        cause, minutes = standstill.cause, self._bounds.max_pause_minutes
        if self._under_way:
            for task, item in self._under_way.items():
                if self._bounds.is_waiting(item.id):
                    task.cancel()  # for an account that may have to be cleaned first
            self._tell(SweepState.RUNNING, cause.text)
            await self._something()
            return None
        if not self._bounds.waits:
            return await to_its_end(self._block_rest(cause))
        if self._left_s() <= 0 and standstill.is_told:
            return await self._end()
        if minutes and self._clock.now() - standstill.since > timedelta(minutes=minutes):
            remaining = self._total - self._done
            return Ending(SweepState.CANCELLED, given_up(cause, minutes, remaining))
        if standstill.is_due(self._clock.monotonic()):
            if not await self._bounds.obstacles.still(cause):
                await self._go_on(standstill)
                return None
            await to_its_end(self._pause(standstill))
        self._tell(SweepState.PAUSED, cause.text, cause.kind)
        await self._something()
        return None

    async def _block_rest(self, cause: Cause) -> Ending:
        """Block all items without a verdict instead of waiting for the console."""
        if cause.kind is not CauseKind.CONSOLE_DOWN:  # a full disk: nothing can be kept
            self._hindered_by = cause
            return Ending(SweepState.WAITING, cause.text)
        await self._release()
        for item in await asyncio.to_thread(self._queue.waiting):
            reading, _ = await self._read(item)
            if reading is not None and await self._has_begun(item, reading):
                await self._verifier.hindered(reading.document, _cell(item, reading), cause)
                await self._turn(item, ItemState.DONE, cause.text)
        return Ending(SweepState.DONE, "")

    async def _pause(self, standstill: Standstill) -> None:
        if standstill.is_told:
            return
        try:
            await self._release()
            await asyncio.to_thread(self._queue.pause, standstill.cause, standstill.since)
            standstill.is_told = True
        except StoreError as exc:  # tried again: there may be room for that much
            _log.warning("pause_not_noted", reason=str(exc))

    async def _release(self) -> None:
        while self._unreleased:
            item = self._unreleased.pop()
            try:
                await self._turn(item, ItemState.WAITING)
            except BaseException:
                self._unreleased.append(item)
                raise

    async def _has_begun(self, item: ItemRow, reading: CurrentText) -> bool:
        return await in_thread(self._queue.begin, item, text_hash(reading.procedure))

    async def _turn(self, item: ItemRow, state: ItemState, note: str = "") -> None:
        await in_thread(self._queue.turn, item, state, note)

    async def _go_on(self, standstill: Standstill) -> None:
        """Do the postponed cleaning, and reload the queue from the store."""
        try:
            await self._bounds.clean_up()
            await self._release()
            await to_its_end(self._open())
        except (HinderedError, StoreError, OSError) as exc:
            if not (cause := await self._bounds.obstacles.behind(exc)):
                raise
            standstill.cause, standstill.is_told = cause, False
            return
        _log.info("sweep_goes_on", after=standstill.cause.kind.value)

    def _stop(self, wish: ControlSignal | None) -> Ending | None:
        """Why no further item is begun; None if the sweep goes on."""
        if wish is ControlSignal.PAUSE:
            return Ending(SweepState.PAUSED, "paused by hand")
        closes = self._bounds.closes
        if closes and self._clock.now() >= closes:
            return Ending(SweepState.WAITING, "its time was over")
        return None

    def _begin(self, group: asyncio.TaskGroup) -> str:
        """Begin items while possible; return the obstacle if some resource is short."""
        while self._has_room():
            free = self._bounds.free_mib()
            if free < self._bounds.min_free_mib:
                return f"waits for memory: {free:.0f} of {self._bounds.min_free_mib:.0f} MiB free"
            if (item := self._next()) is None:
                break
            task = group.create_task(self._carry_out(item))
            self._under_way[task] = item
            task.add_done_callback(self._under_way.pop)
        return ""

    def _has_room(self) -> bool:
        """Whether one more item may be begun; those waiting for an account take no lane."""
        idle = sum(self._bounds.is_waiting(item.id) for item in self._under_way.values())
        lanes, under_way = self._bounds.lanes, len(self._under_way)
        return self._is_left and under_way - idle < lanes and under_way < _CROWD * lanes

    def _next(self) -> ItemRow | None:
        """The next item to begin: in order, unless an account is scarce."""
        idle = (i for i in self._under_way.values() if self._bounds.is_waiting(i.id))
        scarce = {self._wish(item) for item in idle}
        left_s = self._left_s()
        item = self._turns.next(lambda wish: wish not in scarce, left_s)
        if item is None and not self._under_way:
            return self._last_chances.next(lambda _: True, left_s)
        return item

    def _lined_up(self, items: Sequence[ItemRow]) -> Turns[ItemRow, tuple[str, str]]:
        return Turns(items, self._wish, lambda item: item.estimate_s)

    def _wish(self, item: ItemRow) -> tuple[str, str]:
        """The account or role and the region that an item needs."""
        outline = self._texts.outline(item.procedure_id)
        return item.role or (outline.account if outline else ""), item.region

    async def _read(self, item: ItemRow) -> tuple[CurrentText | None, str]:
        """The item's current text, or None and the reason why there is none."""
        try:
            reading = await in_thread(self._texts.whole, item.procedure_id)
        except DocumentError as error:
            return None, f"its document cannot be read any more: {error}"
        return reading, "" if reading else "not in the documents any more"

    async def _something(self) -> None:
        """Wait until an item is over or the next check is due."""
        if self._under_way:
            first = asyncio.FIRST_COMPLETED
            await asyncio.wait(self._under_way, timeout=POLL_S, return_when=first)
        else:
            await asyncio.sleep(POLL_S)

    async def _carry_out(self, item: ItemRow) -> None:
        """Carry out one procedure; an obstacle pauses the sweep and requeues it."""
        try:
            await self._carry_out_whole(item)
        except (HinderedError, StoreError, OSError) as exc:
            if not (cause := await self._bounds.obstacles.behind(exc)):
                await in_thread(self._queue.die, item)
                raise
            self._hindered[item.id] += cause.kind is CauseKind.CONSOLE_DOWN
            self._unreleased.append(item)
            self._stand_still(cause)

    async def _carry_out_whole(self, item: ItemRow) -> None:
        reading, why = await self._read(item)
        if reading is None:
            await self._turn(item, ItemState.SKIPPED, why)
            self._finish(item, is_verdict=False)
            return
        note = ""
        try:
            if not await self._has_begun(item, reading):
                return  # not ours any more
            if item.deaths >= MAX_DEATHS:
                why = f"the process died {item.deaths} times while it was carried out"
                note = await self._give_up(item, reading, why)
            elif self._hindered[item.id] >= _CHANCES:
                why = f"the console went down {_CHANCES} times while it was carried out"
                note = await self._give_up(item, reading, why)
            else:
                await self._verifier.procedure(
                    reading.document, _cell(item, reading), item.locale, item.region
                )
        except asyncio.CancelledError:
            self._unreleased.append(item)
            with suppress(StoreError):  # a full disk: later, or the next start puts it right
                await self._release()
            raise
        except (HinderedError, StoreError, OSError):
            raise
        except BaseException:
            await in_thread(self._queue.die, item)
            raise
        self._finish(item, is_verdict=True)
        try:
            await self._turn(item, ItemState.DONE, note)
        except StoreError as exc:  # its verdict is in the store, where it is found again
            if not (cause := await self._bounds.obstacles.behind(exc)):
                raise
            self._stand_still(cause)

    async def _give_up(self, item: ItemRow, reading: CurrentText, cause: str) -> str:
        why = f"given up: {cause}"
        _log.warning("procedure_given_up", procedure=item.id, reason=cause)
        result = _blocked_result(item, reading, Cause(CauseKind.APPLIANCE, why))
        await self._events.record(ProcedureFinished(run_id=self._queue.sweep_id, result=result))
        return why

    def _finish(self, item: ItemRow, *, is_verdict: bool) -> None:
        self._done += 1
        self._without_verdict_since = None
        self._pace.finish(item.estimate_s, is_verdict=is_verdict)

    def _seconds_left(self, now_s: float) -> float:
        return max(0.0, min(self._pace.seconds_left(now_s), self._left_s()))

    def _tell(self, state: SweepState, why: str, paused_for: CauseKind | None = None) -> None:
        """Report the progress if it has changed."""
        progress = (state, why, paused_for, self._done, len(self._under_way))
        if progress == self._reported:
            return
        self._reported = progress
        now = self._clock.monotonic()
        goes_on = state is SweepState.RUNNING
        self._events.emit(
            SweepProgressed(
                sweep_id=self._queue.sweep_id,
                state=state.value,
                done=self._done,
                total=self._total,
                running=len(self._under_way),
                rate_per_minute=self._pace.rate_per_minute(now),
                seconds_left=self._seconds_left(now) if goes_on else None,
                why=why,
                paused_for=paused_for,
            )
        )


async def execute(
    selection: Selection,
    row: SweepRow,
    context: RunContext,
    *,
    closes: datetime | None,
    wish: Callable[[], ControlSignal | None],
    waits: bool,
) -> Ending:
    """Go on with a run until it is over or has to stop. Cancelled, it leaves the rest waiting.

    Args:
        selection: What it is about.
        row: The run.
        context: What it works with.
        closes: See `Bounds`, as for the others. The deadline is the settings'.
        wish: What somebody wants of it now.
        waits: Whether it waits for what is in its way.

    Raises:
        ConsoleError: The console does not answer at all.
        HinderedError: The disk is full, and the run does not wait. Its verdicts are kept.
    """
    store, environment = context.store, context.environment
    sweep = context.settings.sweep
    bounds = Bounds(
        lanes=lanes(context.settings),
        min_free_mib=sweep.min_free_mib,
        closes=closes,
        deadline=deadline_after(context.settings, row.planned_at) if row.kind == "sweep" else None,
        wish=wish,
        waits=waits,
        is_waiting=lambda id: environment.pool.is_waiting(f"{row.id}/{id}"),
        obstacles=environment.obstacles,
        max_pause_minutes=sweep.max_pause_minutes,
        clean_up=environment.clean_up_later,
    )
    planned = len(await asyncio.to_thread(store.sweeps.items, row.id))
    began = await asyncio.to_thread(store.began, row.id)
    run = await begin_run(context, selection.documents, planned, began)
    executor = Executor(
        run.verifier,
        Queue(store.sweeps, row.id, context.clock),
        selection.texts,
        bounds,
        context.events,
        context.clock,
    )

    return await executor.execute(lambda: to_its_end(run.finish()))


def cancel_unbegun(store: Store, row: SweepRow, why: str, now: datetime) -> None:
    """Cancel a run that no process carries out now. Its verdicts are kept."""
    store.sweeps.settle(row.id, now)
    store.sweeps.cancel(row.id, why, now)
    if store.began(row.id):
        store.end_run(row.id)


def _has_one_more_chance(item: ItemRow) -> bool:
    """Whether it may be tried once more, last and alone: others may have caused its crash."""
    return item.deaths >= MAX_DEATHS - 1


def _cell(item: ItemRow, reading: CurrentText) -> Procedure:
    """The procedure in the language, role and region of the item."""
    variant = Variant(item.locale, item.role, item.region, _words(item))
    return variant.of(reading.procedure)


def _words(item: ItemRow) -> tuple[str, ...]:
    """What the planner put behind the procedure's id."""
    _, _, words = item.id[len(item.procedure_id) :].partition("@")
    return tuple(words.split(",")) if words else ()


def _blocked_result(item: ItemRow, reading: CurrentText, cause: Cause) -> ProcedureResult:
    procedure = reading.procedure
    return ProcedureResult(
        id=item.id,
        title=item.title,
        title_path=(*procedure.title_path[:-1], item.title),
        document=reading.document.path,
        line=procedure.span.line,
        end_line=procedure.span.end_line,
        verdict=Verdict.BLOCKED,
        goal=Goal(reached=None),
        path="",
        decided_by="",
        attempts=0,
        cost=Cost(),
        steps=(),
        blocked_by=str(cause),
        cause=cause.kind,
    )
