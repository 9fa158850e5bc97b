"""One process that verifies: what can be asked of it, whoever asks."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import structlog

from appliance.browser import BrowserPool
from appliance.config import ConsoleSettings, Settings
from appliance.consoles import configured_console
from appliance.core.blocking import in_thread
from appliance.core.causes import Cause, CauseKind
from appliance.core.clock import Clock, SystemClock
from appliance.core.errors import DocumentError, StoreError
from appliance.core.events import Event, Events, ProcedureFinished, Subscriber
from appliance.core.people import People
from appliance.core.procedure import Document
from appliance.core.result import ProcedureResult, RunResult
from appliance.documents import DocumentOutline, RenderedBlock
from appliance.engine.clouds import Clouds
from appliance.engine.cluster import open_seats
from appliance.engine.console_editing import ConsoleEditor
from appliance.engine.consoles import Consoles
from appliance.engine.context import EngineContext
from appliance.engine.control import ControlSignal
from appliance.engine.documentation import Documentation, log_problem
from appliance.engine.executor import cancel_unbegun
from appliance.engine.live import Live
from appliance.engine.models import Model, open_model
from appliance.engine.plan import Plan
from appliance.engine.planner import Planner
from appliance.engine.problems import NothingToDo, NotReady, StoppingError, UnknownRun
from appliance.engine.promoted import serve_promoted, with_promoted
from appliance.engine.question_desk import QuestionDesk
from appliance.engine.request import RunKind, RunRequest
from appliance.engine.runner import Runner
from appliance.engine.settling import Settled, settle
from appliance.engine.status import RunStatus, status_of
from appliance.environment.janitor import Reaped
from appliance.environment.obstacles import Space
from appliance.environment.opening import preflight
from appliance.inference.client import ModelClient
from appliance.policy.base import Policy, Task
from appliance.store.store import Store
from appliance.store.sweeps import OVER, SweepRow, SweepState
from appliance.store.writer import StoreWriter
from appliance.verification import Seats

_EXPIRE_S = 3600.0
"""How often it is looked for findings whose time of being accepted is over."""

_log = structlog.get_logger()


def _log_reaped(reaped: Reaped) -> None:
    _log.info("cleaned_up", account=reaped.account, problem=reaped.problem)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """What whoever starts an engine lends it."""

    subscribers: Sequence[Subscriber] = ()
    """Told of everything, after the store."""
    people: People | None = None
    """Whom attempts ask; None: whoever looks at the dashboard."""
    warn: Callable[[str], None] = log_problem
    """Told what is odd about documents."""
    on_reaped: Callable[[Reaped], None] = _log_reaped
    clock: Clock = field(default_factory=SystemClock)
    started: frozenset[str] = frozenset()
    """Consoles that were started for this process: nothing of them stays."""
    is_open: bool = False
    """Whether documents outside the configured documentation may be asked for."""
    baseline: Callable[[Task, ConsoleSettings], Policy] | None = None
    """What a benchmark compares with, in place of the policies that a request names."""


class Engine:
    """The process. Methods that are no coroutines read the store or files, and may block."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        pool: BrowserPool,
        model: Model | None = None,
        options: EngineOptions | None = None,
        elsewhere: Seats | None = None,
    ) -> None:
        options = options or EngineOptions()
        self.settings = settings
        self.store = store
        self.model = model or Model(settings.model)
        self.clock = options.clock
        self.space = Space(settings)
        self._writer = StoreWriter(store)
        self.events = Events(writer=self._writer)
        self.live = Live(self.clock, self.status)
        self.people = QuestionDesk(store, self.events.emit, self.clock)
        self._documentation = Documentation(settings, options.warn, is_open=options.is_open)
        self._planner = Planner(
            settings=settings, store=store, documentation=self._documentation, clock=self.clock
        )
        model_settings = self.model.settings
        self._elsewhere = elsewhere
        traces = settings.training.keep_tokens
        self._client = (
            ModelClient(model_settings, traces=traces, network=settings.outward)
            if model_settings.endpoint
            else None
        )
        context = EngineContext(
            settings=settings,
            store=store,
            events=self.events,
            clock=self.clock,
            pool=pool,
            elsewhere=elsewhere,
            people=options.people or self.people,
            planner=self._planner,
            space=self.space,
            model=self._client,
            wait_for_model=self.model.answers,
            serve_promoted=partial(serve_promoted, self.model),
            on_reaped=options.on_reaped,
            started=options.started,
            baseline=options.baseline,
        )
        self._consoles = Consoles(context, self._look)
        self.clouds = Clouds(context, self._consoles)
        self._runner = Runner(context, self._consoles, self.live)
        self.consoles = ConsoleEditor(context, self._consoles, self._runner.works_in)
        listeners: list[Subscriber] = [self._runner, self.live, *options.subscribers]
        for subscriber in listeners:
            self.events.subscribe(_guard(subscriber))
        # Invariant: of equal sweeps one only is not over.
        self._planning = asyncio.Lock()

    def put_right(self) -> None:
        """Withdraw what a process that died was about to ask, and end what it verified by itself.

        Nobody waits for a verification that a command was stopped in the middle of. What else was
        under way waits again: nobody is to take it for one that still runs.
        """
        why, now = "its process died", self.clock.now()
        self.people.withdraw_left()
        for row in self.store.sweeps.unfinished():
            if row.kind == RunKind.VERIFICATION and not row.requested_by:
                cancel_unbegun(self.store, row, why, now)
            elif row.state is SweepState.RUNNING:
                self.store.sweeps.enter(row.id, SweepState.WAITING, why, now)

    async def work(self) -> None:
        """Carry out what the store has waiting, until drained or cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._consoles.keep(), name="consoles")
            group.create_task(self._runner.run(), name="runner")
            group.create_task(self._expire(), name="accepted findings")
            group.create_task(self._read(), name="documentation")

    async def plan(self, request: RunRequest) -> Plan:
        """What a sweep would do.

        Raises:
            SetupError: The request is wrong: no such console, document or procedure.
        """
        return await asyncio.to_thread(self._planner.plan, request)

    async def start(self, request: RunRequest) -> SweepRow:
        """Keep a run and carry it out, or go on with the equal sweep that is not over.

        A verification begins as soon as there is room, a sweep in its time.

        Raises:
            NothingToDo: Nothing is due, or the equal sweep is paused.
            SetupError: The request is wrong, or the program is stopping.
        """
        self._require_open()
        row = await self.keep(request)
        if row.is_held:
            raise NothingToDo(f"sweep {row.id} of these documents is paused: resume or cancel it.")
        if request.kind is RunKind.SWEEP:
            self._runner.start(row.id, request.closes)
        else:
            self._runner.look()
        return row

    async def keep(self, request: RunRequest) -> SweepRow:
        """Keep a run for `run`; see `start`, which also carries it out."""
        async with self._planning:
            if request.kind is RunKind.SWEEP:
                await self._runner.end_late()
            keep, is_under_way = self._planner.keep, self._runner.carries_out
            return (await asyncio.to_thread(keep, request, is_under_way)).row

    async def run(
        self, row: SweepRow, closes: datetime | None = None, *, waits: bool = True
    ) -> RunResult:
        """Carry out a run now, whatever else the queue has; its verdicts so far when it stops.

        Args:
            row: The run.
            closes: When it has to stop.
            waits: Whether it stands still while its console is down; else the rest is blocked.

        Raises:
            SetupError: Its documents are not there any more.
            ConsoleError: The console does not answer at all.
            HinderedError: The disk is full, and it does not wait. Its verdicts are kept.
        """
        async with self._consoles.opening(row.console) as opened:
            await self._runner.carry_out(row, opened, closes, waits=waits)
        return await asyncio.to_thread(self.store.load_run, row.id)

    async def pause(self, run_id: str, by: str) -> None:
        """Let it finish what is under way, and stop until it is resumed.

        Raises:
            UnknownRun: There is none.
            SetupError: It is over.
        """
        row = await self._unfinished(run_id)
        _log.info("run_paused", run_id=run_id, by=by)
        if not self._runner.wish(run_id, ControlSignal.PAUSE):
            cause = Cause(CauseKind.BY_HAND, f"paused by {by}")
            await asyncio.to_thread(self.store.sweeps.pause, row.id, cause, self.clock.now())

    async def resume(self, run_id: str, by: str) -> None:
        """Go on with what was paused; see `pause`."""
        row = await self._unfinished(run_id)
        _log.info("run_resumed", run_id=run_id, by=by)
        if not self._runner.wish(run_id, None):
            if row.state is SweepState.PAUSED:
                await self._enter(row, SweepState.WAITING, f"resumed by {by}")
            self._runner.start(run_id, None)

    async def cancel(self, run_id: str, by: str) -> None:
        """Stop it at once and for ever; what it made is removed. See `pause`."""
        row = await self._unfinished(run_id)
        _log.info("run_cancelled", run_id=run_id, by=by)
        if not self._runner.wish(run_id, ControlSignal.CANCEL):
            await self._runner.end(row, f"cancelled by {by}")
            self.live.leave(run_id)

    def status(self, run_id: str) -> RunStatus:
        """How far a run is.

        Raises:
            UnknownRun: There is none.
        """
        row = self.store.sweeps.get(run_id)
        if row is None:
            raise UnknownRun(run_id)
        keeper = self._runner.status(run_id)
        status = keeper.status if keeper else status_of(self.store, row)
        if keeper is None and (why := self._runner.why_waiting(row)):
            status["why"] = why
        return {**status, "kind": row.kind, "requested_by": row.requested_by}

    @property
    def is_working(self) -> bool:
        """Whether any run is under way."""
        return self._runner.is_working

    def documents(self) -> tuple[DocumentOutline, ...]:
        """The configured documentation in outline, as it stands now.

        Raises:
            DocumentError: One cannot be read.
        """
        return self._documentation.documents()

    def read(self, path: Path) -> Document:
        """A configured document, or one that came with a question, whole; `DocumentError`."""
        return self._documentation.one(path)

    def rendered(self, path: Path) -> tuple[RenderedBlock, ...]:
        """A document as its reader sees it; `DocumentError`."""
        return self._documentation.rendered(path)

    async def settle(self) -> tuple[Settled, ...]:
        """Ask audit logs again for verdicts that wait for them; those that wait no longer."""
        ready = {name: self._consoles.ready(name) for name in self.settings.consoles}
        consoles = {name: opened.console for name, opened in ready.items() if opened}
        return await settle(self.store, consoles, self.clock.now(), self._keep)

    async def _keep(self, run_id: str, result: ProcedureResult) -> None:
        """Keep a verdict that was told before; what is news is what it does to findings."""
        finished = ProcedureFinished(run_id=run_id, result=result)
        for news in await in_thread(self._writer, finished):
            self.events.emit(news)

    def problems(self) -> tuple[NotReady, ...]:
        """What does not work now; empty: ready."""
        stopping = [NotReady("stopping", "the program ends")] if self._runner.is_stopping else []
        why = self.model.problem()
        model = [NotReady("model", why)] if why else []
        full = self.space.lack()
        disk = [NotReady("disk", full.text)] if full else []
        away = self._elsewhere.problem() if self._elsewhere else ""
        workers = [NotReady("workers", away)] if away else []
        return (*stopping, *disk, *model, *workers, *self._consoles.problems())

    async def drain(self, timeout_s: float) -> None:
        """Begin nothing new and stop what is under way, in order: it waits for the next start."""
        await self._runner.drain(timeout_s)
        await asyncio.to_thread(self._documentation.close)
        if self._client is not None:
            await self._client.close()
        self.live.close()

    async def _read(self) -> None:
        """The documentation ahead of the first who asks: thousands of pages take a while."""
        try:
            await asyncio.to_thread(self._documentation.documents)
        except DocumentError as exc:
            _log.warning("documentation_not_read", reason=str(exc))

    async def _expire(self) -> None:
        """Findings that were accepted until some day open again after it."""
        while True:
            try:
                await asyncio.to_thread(self.store.incidents.expire, self.clock.now())
            except StoreError as exc:  # a full disk may pass
                _log.error("findings_not_opened_again", reason=str(exc))
            await asyncio.sleep(_EXPIRE_S)

    def _look(self) -> None:
        self._runner.look()

    def _require_open(self) -> None:
        if self._runner.is_stopping:
            raise StoppingError()

    async def _unfinished(self, run_id: str) -> SweepRow:
        row = await asyncio.to_thread(self.store.sweeps.get, run_id)
        if row is None:
            raise UnknownRun(run_id)
        if row.state in OVER:
            raise NothingToDo(f"run {run_id} is {row.state} already.")
        return row

    async def _enter(self, row: SweepRow, state: SweepState, why: str) -> None:
        await asyncio.to_thread(self.store.sweeps.enter, row.id, state, why, self.clock.now())


class _Parts(NamedTuple):
    """What an engine needs that has to be closed."""

    model: Model
    pool: BrowserPool
    """Started, unless the browsers are elsewhere."""
    elsewhere: Seats | None


@asynccontextmanager
async def _opened(
    settings: Settings, options: EngineOptions | None, *, waits: bool
) -> AsyncIterator[_Parts]:
    served = await asyncio.to_thread(with_promoted, settings)
    pool = BrowserPool(settings.browser, settings.networks())
    async with open_model(served, waits=waits) as model, AsyncExitStack() as stack:
        elsewhere = await stack.enter_async_context(open_seats(settings))
        if elsewhere is None or (options and options.baseline):
            await stack.enter_async_context(pool)
        yield _Parts(model, pool, elsewhere)


@asynccontextmanager
async def open_engine(
    settings: Settings, store: Store, options: EngineOptions | None = None
) -> AsyncIterator[Engine]:
    """An engine that goes on by itself with what the store has; drained at the end.

    Args:
        settings: All settings.
        store: Open, and nobody else's.
        options: What it is lent.

    Raises:
        BrowserError: No browser can be started.
        SetupError: Another program runs a policy server from the same data folder; or the
            browsers are to be elsewhere, and a node there cannot take attempts.
    """
    async with _opened(settings, options, waits=False) as parts:
        engine = Engine(settings, store, parts.pool, parts.model, options, parts.elsewhere)
        await asyncio.to_thread(engine.put_right)
        working = asyncio.create_task(engine.work(), name="engine")
        try:
            yield engine
        finally:
            await engine.drain(settings.server.stop_timeout_s)
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working


@asynccontextmanager
async def open_local_engine(
    settings: Settings, console: str, options: EngineOptions
) -> AsyncIterator[Engine]:
    """An engine for one run at a time, by `Engine.run`: for the command line and for benchmarks.

    It leaves the queue alone, waits for weights until they answer, and closes with its last run.
    What keeps everything from beginning is told before anything is written. See `open_engine`.

    Args:
        settings: All settings.
        console: The console that will be worked in.
        options: What it is lent.

    Raises:
        ConsoleError: The console does not answer, or an account's password cannot be read.
        ModelError: The weights do not come to answer.
    """
    adapter = await asyncio.to_thread(configured_console, settings, console)
    try:
        await preflight(adapter)
    finally:
        await adapter.close()
    async with _opened(settings, options, waits=True) as parts:
        store = await in_thread(Store.open, settings.data_dir)
        try:
            engine = Engine(settings, store, parts.pool, parts.model, options, parts.elsewhere)
            try:
                yield engine
            finally:
                await engine.drain(settings.server.stop_timeout_s)
        finally:
            await in_thread(store.close)


def _guard(subscriber: Subscriber) -> Subscriber:
    """Who only listens does no harm: what fails there is logged, and the run goes on."""

    def guarded(event: Event) -> None:
        try:
            subscriber(event)
        except Exception:  # noqa: BLE001 - see above
            _log.error("listener_failed", event_type=type(event).__name__, exc_info=True)

    return guarded
