"""Runs in this process, where no server owns the store: plans, and carries out by an engine."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from appliance.cli._activity_log import record_activity
from appliance.cli._options import warn
from appliance.cli._progress import progress
from appliance.cli._summary import tell_reaped
from appliance.config import ConsoleSettings, ModelSettings, Settings
from appliance.core.blocking import in_thread
from appliance.core.clock import SystemClock, local_time
from appliance.core.errors import SetupError, StoreError
from appliance.core.events import Subscriber
from appliance.core.people import People
from appliance.core.procedure import Document, Procedure
from appliance.core.result import RunResult
from appliance.core.verdict import PolicyChoice
from appliance.core.window import next_time, zone_of
from appliance.engine.documentation import Documentation
from appliance.engine.engine import Engine, EngineOptions, open_local_engine
from appliance.engine.executor import cancel_unbegun
from appliance.engine.night import window_of
from appliance.engine.planner import Planner
from appliance.engine.request import RunKind, RunRequest, StoredRequest
from appliance.engine.status import SweepStatus, status_of
from appliance.server.permissions import Permission
from appliance.store.store import Store
from appliance.store.sweeps import OVER, SweepRow

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LocalRun:
    """A run's result and status after this process worked on it."""

    run: RunResult
    """The result with all verdicts so far."""
    status: SweepStatus


@contextmanager
def planner(settings: Settings, store: Store | None) -> Iterator[Planner]:
    """A planner that may read any document this user names."""
    documentation = Documentation(settings, warn, is_open=True)
    try:
        yield Planner(
            settings=settings, store=store, documentation=documentation, clock=SystemClock()
        )
    finally:
        documentation.close()


def verify_here(
    settings: Settings,
    request: RunRequest,
    *subscribers: Subscriber,
    people: People | None = None,
) -> RunResult:
    """Carry out a verification to its end. Ctrl-C and SIGTERM end it in order.

    What was made is removed first, and what has no verdict then gets none.
    """

    async def work(engine: Engine) -> RunResult:
        row = await engine.keep(request)
        await in_thread(record_activity, engine.store, Permission.START_RUN, row.id)
        try:
            return await engine.run(row, waits=False)
        finally:
            with suppress(StoreError):  # a full disk: what ended it says enough
                await in_thread(_end, engine.store, row)

    options = EngineOptions(
        subscribers=subscribers, people=people, warn=_ignore_warning, is_open=True
    )
    return _with_engine(settings, request.console, request.policy, options, work)


def benchmark_here(
    settings: Settings,
    request: RunRequest,
    options: EngineOptions,
    run_id: str,
    kept: Callable[[str], None],
) -> RunResult:
    """Carry out a run of a benchmark, or go on with the one that was begun; stopped, it waits.

    Args:
        settings: With the console as the default one.
        request: What is to be done.
        options: What the engine is lent.
        run_id: Of the run that was begun; empty: none was.
        kept: Told the run's id before anything is done.
    """

    async def work(engine: Engine) -> RunResult:
        row = await in_thread(engine.store.sweeps.get, run_id) if run_id else None
        if row is None:
            row = await engine.keep(request)
            await in_thread(kept, row.id)
        if row.state in OVER:
            return await in_thread(engine.store.load_run, row.id)
        return await engine.run(row, waits=False)

    return _with_engine(settings, settings.console, request.policy, options, work)


async def carry_out_run(
    settings: Settings, request: RunRequest, options: EngineOptions
) -> RunResult:
    """Carry out a run beside other work of this loop; cancelled, it is stopped in order."""
    console = settings.console
    with console_settings(settings, console) as chosen:
        async with _engine_of(settings, console, request.policy, options, chosen) as engine:
            row = await engine.keep(request)
            try:
                return await engine.run(row, waits=False)
            finally:
                await in_thread(_end, engine.store, row)


def sweep_here(settings: Settings, row: SweepRow, closes: datetime | None) -> LocalRun:
    """Go on with a sweep until it is over or has to stop."""
    with Store.open(settings.data_dir) as store, planner(settings, store) as plans:
        total = len(plans.selection_of(row).procedures)

    async def work(engine: Engine) -> LocalRun:
        run = await engine.run(row, closes)
        return LocalRun(run, await in_thread(_status, engine.store, row))

    with progress(total) as subscriber:
        options = EngineOptions(subscribers=(subscriber,), warn=_ignore_warning, is_open=True)
        policy = StoredRequest.of(row).policy
        return _with_engine(settings, row.console, policy, options, work)


def verification_of(
    settings: Settings,
    documents: Sequence[Document],
    procedures: Sequence[Procedure],
    policy: PolicyChoice = PolicyChoice.LITERAL,
) -> RunRequest:
    """A request for procedures that were read already."""
    return RunRequest(
        kind=RunKind.VERIFICATION,
        console=settings.console,
        documents=tuple(Path(document.path) for document in documents),
        patterns=tuple(procedure.id for procedure in procedures),
        policy=policy,
    )


def closing(settings: Settings, until: str | None) -> datetime | None:
    """When a sweep that begins now has to stop; `SetupError` where it may not begin."""
    now, zone = SystemClock().now(), zone_of(settings.sweep.time_zone)
    if until is not None:
        try:
            return next_time(until, zone, now)
        except ValueError as exc:
            raise SetupError(f"--until {until!r}: {exc}.") from None
    window = window_of(settings)
    if window is None:
        return None
    closes = window.closing(now)
    if closes is None:
        opens = local_time(window.opening(now), zone)
        sweep_settings = settings.sweep
        raise SetupError(
            f"sweeps run {sweep_settings.window} ({sweep_settings.time_zone}); the next time"
            f" begins {opens}. `--until HH:MM` starts one now."
        )
    return closes


@contextmanager
def console_settings(settings: Settings, name: str) -> Iterator[ConsoleSettings]:
    """A console's settings; a practice cloud without an address is started, and stopped after."""
    console = settings.consoles[name]
    if console.kind != "practice" or console.url:
        yield console
        return
    from appliance.cli._practice import practice_for

    with practice_for(console, data_dir=None) as started:
        yield started


def _with_engine(
    settings: Settings,
    console: str,
    policy: PolicyChoice,
    options: EngineOptions,
    work: Callable[[Engine], Coroutine[None, None, T]],
) -> T:
    """Open an engine, do the work, close everything; what a crash left is removed first."""

    async def whole(chosen: ConsoleSettings) -> T:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - for the type checker: asyncio.run made one
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        async with _engine_of(settings, console, policy, options, chosen) as engine:
            return await work(engine)

    with console_settings(settings, console) as chosen:
        return asyncio.run(whole(chosen))


@asynccontextmanager
async def _engine_of(
    settings: Settings,
    console: str,
    policy: PolicyChoice,
    options: EngineOptions,
    chosen: ConsoleSettings,
) -> AsyncIterator[Engine]:
    options = replace(
        options,
        on_reaped=lambda reaped: tell_reaped([reaped]),
        started=frozenset() if settings.consoles[console].url else frozenset((console,)),
    )
    ours = settings.with_console(console, chosen).model_copy(
        update={"model": _model(settings.model, policy)}
    )
    async with open_local_engine(ours, console, options) as engine:
        yield engine


def _ignore_warning(problem: str) -> None:
    """Warnings about documents were printed when they were chosen: not a second time."""


def _model(settings: ModelSettings, policy: PolicyChoice) -> ModelSettings:
    """Without weights where nobody would ask: it takes minutes until they answer."""
    asks_none = policy in (PolicyChoice.REPLAY, PolicyChoice.LITERAL)
    return settings.model_copy(update={"weights": None}) if asks_none else settings


def _status(store: Store, row: SweepRow) -> SweepStatus:
    return status_of(store, store.sweeps.get(row.id) or row)


def _end(store: Store, row: SweepRow) -> None:
    """A verification that was stopped does not go on."""
    unfinished = next(
        (row_left for row_left in store.sweeps.unfinished() if row_left.id == row.id), None
    )
    if unfinished is not None:
        cancel_unbegun(store, unfinished, "stopped before its end", SystemClock().now())
