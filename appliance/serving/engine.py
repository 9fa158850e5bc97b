"""One process that verifies: what can be asked of it, whoever asks."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import structlog

from appliance.browser import BrowserPool
from appliance.config import Settings
from appliance.core.causes import Cause, CauseKind
from appliance.core.clock import Clock, SystemClock
from appliance.core.errors import DocumentError, StoreError
from appliance.core.events import Event, Events, ProcedureFinished, Subscriber
from appliance.core.jsonable import Json
from appliance.core.procedure import Document
from appliance.environment.account_rows import AccountRow
from appliance.environment.janitor import Reaped
from appliance.environment.space import Space
from appliance.serving import asking, clouds
from appliance.serving.asks import SweepAsk, VerificationAsk
from appliance.serving.clouds import ResourceRow
from appliance.serving.documentation import Documentation
from appliance.serving.live import Live
from appliance.serving.models import Model, open_model
from appliance.serving.people import Desk
from appliance.serving.problems import NothingToDo, NotReady, StoppingError, UnknownRun
from appliance.serving.runner import Runner
from appliance.serving.worlds import Worlds
from appliance.store import Store, StoreSubscriber
from appliance.store.sweeps import OVER, SweepRow, SweepState
from appliance.sweep import Plan, Wish, cancel_unbegun, plan_of, status_of
from appliance.verification import Kit, Settled, settle

_EXPIRE_S = 3600.0
"""How often it is looked for findings whose time of being accepted is over."""

_log = structlog.get_logger()


class Engine:
    """The process. Methods that are no coroutines read the store or files, and may block."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        pool: BrowserPool,
        subscribers: Sequence[Subscriber],
        clock: Clock,
        model: Model | None = None,
    ) -> None:
        self.settings = settings
        self.store = store
        self.model = model or Model(settings.model)
        self.clock = clock
        self.space = Space(settings)
        self.events = Events()
        self.live = Live(clock, self.status)
        self.people = Desk(store, self.events.emit, clock)
        self._worlds = Worlds(settings, store, self.events, clock, self._look)
        self._kit = Kit.of(self.model.settings, store, self.people, self.model.answers)
        self._documentation = Documentation(settings.documentation)
        load = self._documentation.reader.load
        self._runner = Runner(
            settings,
            self._kit,
            self._worlds,
            pool,
            self.events,
            self.live,
            clock,
            self.space,
            load,
        )
        self.events.subscribe(StoreSubscriber(store, self.events.emit))  # the others tell of it
        listeners: list[Subscriber] = [self._runner, self.live, *subscribers]
        for subscriber in listeners:
            self.events.subscribe(_guarded(subscriber))
        # Invariant: of equal sweeps one only is not over.
        self._planning = asyncio.Lock()

    async def work(self) -> None:
        """Carry out what the store has waiting, until drained or cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._worlds.keep(), name="consoles")
            group.create_task(self._runner.run(), name="runner")
            group.create_task(self._expire(), name="accepted findings")
            group.create_task(self._read(), name="documentation")

    async def plan(self, asked: SweepAsk) -> Plan:
        """What a sweep would do.

        Raises:
            SetupError: The asking is wrong: no such console, document or procedure.
        """
        one = await asyncio.to_thread(asking.sweep_of, self.settings, self._documentation, asked)
        return await asyncio.to_thread(plan_of, one, self.store, self.clock.now())

    async def start_sweep(
        self, asked: SweepAsk, by: str, closes: datetime | None = None
    ) -> SweepRow:
        """Keep a sweep and carry it out in its time, or go on with the equal one that is not over.

        Args:
            asked: What it is about.
            by: Who asks.
            closes: When it has to stop, whatever the settings' window says; it then begins now.

        Raises:
            NothingToDo: Nothing is due, or the equal one is paused.
            SetupError: The asking is wrong, or the program is stopping.
        """
        self._see_open()
        async with self._planning:
            one = await asyncio.to_thread(
                asking.sweep_of, self.settings, self._documentation, asked
            )
            row = await asyncio.to_thread(asking.keep_sweep, one, self.store, self.clock, by)
        if row.is_held:
            raise NothingToDo(f"sweep {row.id} of these documents is paused: resume or cancel it.")
        self._runner.start(row.id, closes)
        return row

    async def verify(self, asked: VerificationAsk, by: str) -> SweepRow:
        """Keep a verification; it is carried out as soon as there is room.

        Raises:
            SetupError: The asking is wrong: no procedure, no such document or console; or the
                program is stopping.
        """
        self._see_open()
        row = await asyncio.to_thread(
            asking.keep_verification,
            self.settings,
            self._documentation,
            asked,
            self.store,
            self.clock,
            by,
        )
        self._runner.look()
        return row

    async def pause(self, run_id: str, by: str) -> None:
        """Let it finish what is under way, and stop until it is resumed.

        Raises:
            UnknownRun: There is none.
            SetupError: It is over.
        """
        row = await self._unfinished(run_id)
        _log.info("run_paused", run_id=run_id, by=by)
        if not self._runner.wish(run_id, Wish.PAUSE):
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
        if not self._runner.wish(run_id, Wish.CANCEL):
            why, now = f"cancelled by {by}", self.clock.now()
            await asyncio.to_thread(cancel_unbegun, self.store, row, why, now)
            self.live.leave(run_id)

    def status(self, run_id: str) -> dict[str, Json]:
        """How far a run is: `sweep.status_of`, with `kind` and `requested_by`.

        Raises:
            UnknownRun: There is none.
        """
        row = self.store.sweeps.get(run_id)
        if row is None:
            raise UnknownRun(run_id)
        keeper = self._runner.status(run_id)
        status = keeper.status if keeper else status_of(self.store, row)
        why = self._runner.why_waiting(row) if keeper is None else ""
        named: dict[str, Json] = {"kind": row.kind, "requested_by": row.requested_by}
        return {**status, **({"why": why} if why else {}), **named}

    def documents(self) -> tuple[Document, ...]:
        """The configured documentation as it stands now; read again when files have changed.

        Raises:
            DocumentError: One cannot be read.
        """
        return self._documentation.documents()

    def read(self, path: Path) -> Document:
        """A document that came with a question; `DocumentError`."""
        return self._documentation.reader.read(path)

    def accounts(self, console: str) -> tuple[AccountRow, ...]:
        """All accounts of a console, as they stand; `SetupError` where there is no such console."""
        return clouds.accounts(self.settings, self.store, self._worlds, console, self.clock)

    async def check_account(self, console: str, name: str) -> AccountRow:
        """Try the log-in and ask for quotas; who cannot log in goes into quarantine.

        Raises:
            SetupError: There is no such console or account.
            ConsoleError: The console does not answer.
        """
        return await clouds.check(self._worlds.need(console), name)

    async def quarantine(self, console: str, name: str, reason: str, by: str) -> AccountRow:
        """Nobody uses it from now on. See `check_account`."""
        return await clouds.quarantine(self._worlds.need(console), name, reason, by)

    async def release(self, console: str, name: str) -> AccountRow:
        """It may be used again. See `check_account`."""
        return await clouds.release(self._worlds.need(console), name)

    async def resources(self, console: str | None = None) -> tuple[ResourceRow, ...]:
        """What was made and is not known to be gone; None: in all consoles."""
        rows = await asyncio.to_thread(clouds.resources, self.store, console)
        worlds = map(self._worlds.opened, {row.lifetime.console for row in rows})
        living = {one for world in worlds if world for one in world.living}
        return tuple(replace(row, is_alive=row.lifetime.id in living) for row in rows)

    async def reap(self, console: str, dry_run: bool = False) -> tuple[Reaped, ...]:
        """Remove what a crash left, what is past its time, and strays; or only say what.

        Raises:
            SetupError: There is no such console.
            ConsoleError: It does not answer.
        """
        return await clouds.reap(self._worlds.need(console), dry_run=dry_run)

    async def prepare(self, console: str) -> int:
        """Make ahead what the procedures of the coming sweep share; how many there are now.

        Raises:
            SetupError: There is no such console, or nothing to verify.
            ConsoleError: It does not answer.
            ProvisioningError: Something cannot be made.
        """
        world = self._worlds.need(console)
        ask = SweepAsk(console=console)
        one = await asyncio.to_thread(asking.sweep_of, self.settings, self._documentation, ask)
        plan = await asyncio.to_thread(plan_of, one, self.store, self.clock.now())
        due = {item.procedure_id for item in plan.items}
        return await clouds.prepare(world, [p for p in one.chosen if p.id in due])

    async def settle(self) -> tuple[Settled, ...]:
        """Ask audit logs again for verdicts that wait for them; those that wait no longer."""
        worlds = {name: self._worlds.ready(name) for name in self.settings.consoles}
        consoles = {name: world.console for name, world in worlds.items() if world}
        keep = StoreSubscriber(self.store, self.events.emit)
        return await settle(
            self.store,
            consoles,
            self.clock.now(),
            lambda run_id, result: keep(ProcedureFinished(run_id=run_id, result=result)),
        )

    def problems(self) -> tuple[NotReady, ...]:
        """What does not work now; empty: ready."""
        stopping = [NotReady("stopping", "the program ends")] if self._runner.is_stopping else []
        why = self.model.problem()
        model = [NotReady("model", why)] if why else []
        full = self.space.lack()
        disk = [NotReady("disk", full.text)] if full else []
        return (*stopping, *disk, *model, *self._worlds.problems())

    async def drain(self, timeout_s: float) -> None:
        """Begin nothing new and stop what is under way, in order: it waits for the next start."""
        await self._runner.drain(timeout_s)
        await asyncio.to_thread(self._documentation.reader.close)
        await self._kit.aclose()
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

    def _see_open(self) -> None:
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


@asynccontextmanager
async def open_engine(
    settings: Settings,
    store: Store,
    subscribers: Sequence[Subscriber] = (),
    clock: Clock | None = None,
) -> AsyncIterator[Engine]:
    """An engine that goes on by itself with what the store has; drained at the end.

    Args:
        settings: All settings; with the endpoint of a policy server that was started for it.
        store: Open, and nobody else's.
        subscribers: Told of everything, after the store.
        clock: The time.

    Raises:
        BrowserError: No browser can be started.
        SetupError: Another program runs a policy server from the same data folder.
    """
    async with open_model(settings, waits=False) as model, BrowserPool(settings.browser) as pool:
        engine = Engine(settings, store, pool, subscribers, clock or SystemClock(), model)
        await asyncio.to_thread(engine.people.withdraw_left)
        working = asyncio.create_task(engine.work(), name="engine")
        try:
            yield engine
        finally:
            await engine.drain(settings.server.stop_timeout_s)
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working


def _guarded(subscriber: Subscriber) -> Subscriber:
    """Who only listens does no harm: what fails there is logged, and the run goes on."""

    def guarded(event: Event) -> None:
        try:
            subscriber(event)
        except Exception:  # noqa: BLE001 - see above
            _log.error("listener_failed", event_type=type(event).__name__, exc_info=True)

    return guarded
