"""A worker: one process on a node, with one browser, that does one job at a time.

The secrets of a job are known here only while it lasts.
"""

import asyncio
import platform
import threading
from contextlib import AsyncExitStack
from typing import assert_never

from appliance import __version__
from appliance.browser import BrowserPool
from appliance.config import AuditSettings, Settings
from appliance.consoles import codes_from, open_console
from appliance.core.clock import SystemClock
from appliance.core.errors import WorkerError
from appliance.core.secrets import forget, known_secrets
from appliance.engine.cluster.far import FarDesk, FarLogIns, FarModel
from appliance.engine.cluster.jobs import Job, Prepare, Versions
from appliance.engine.cluster.line import Line, dial, pack
from appliance.engine.cluster.ticket import Ticket
from appliance.system.secret_references import SecretReference, lent
from appliance.verification import BrowserSeat, CleaningOrder, Order

_STOPS_S = 30.0
"""Longest time for a job to end after its head is gone."""


def versions() -> Versions:
    """The versions of this process."""
    return Versions(__version__, platform.python_version())


class Worker:
    """The class that Ray runs as an actor.

    Its methods block and run in parallel threads: with a single coroutine among them, all would run
    on one event loop.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="browser", daemon=True).start()
        self._hands = Hands()

    def versions(self) -> Versions:
        """The versions on this node."""
        return versions()

    def stay(self) -> None:
        """Never return, so that a waiting caller notices when this process is gone."""
        threading.Event().wait()

    def work(self, ticket: Ticket) -> None:
        """Fetch the job of a ticket, do it and report the result to the head."""
        asyncio.run_coroutine_threadsafe(self._hands.work(ticket), self._loop).result()

    def close(self) -> None:
        """Close the browser."""
        asyncio.run_coroutine_threadsafe(self._hands.close(), self._loop).result()


class Hands:
    """The event loop and browser pool of a worker."""

    def __init__(self) -> None:
        self._pool: BrowserPool | None = None
        self._opened = AsyncExitStack()

    async def work(self, ticket: Ticket) -> None:
        """See `Worker.work`."""
        async with dial(ticket) as line:
            listening = asyncio.create_task(line.listen(), name="line")
            doing = asyncio.create_task(self._do_and_tell(line), name="job")
            try:
                await asyncio.wait((listening, doing), return_when=asyncio.FIRST_COMPLETED)
                if not doing.done():
                    doing.cancel()
                    await asyncio.wait((doing,), timeout=_STOPS_S)
                    raise WorkerError(listening.result())
            finally:
                listening.cancel()
                forget()

    async def close(self) -> None:
        """See `Worker.close`."""
        await self._opened.aclose()

    async def _do_and_tell(self, line: Line) -> None:
        try:
            came_of_it = await self._do(await line.call("job"), line)
        except Exception as exc:  # noqa: BLE001 - it is raised at the head
            await line.call("failed", pack(exc), known_secrets())
        else:
            await line.call("done", came_of_it, known_secrets())

    async def _do(self, job: Job, line: Line) -> object:
        match job:
            case Prepare(settings):
                return await self._prepare(settings)
            case Order():
                return await self._at_the_seat(job, job, line)
            case CleaningOrder():
                return await self._at_the_seat(job.order, job, line)
            case _:
                assert_never(job)

    async def _prepare(self, settings: Settings) -> str:
        """Which browser there is; `BrowserError`: none."""
        own = settings.browser.model_copy(
            update={"pool_size": 1, "spare_pages": min(settings.browser.spare_pages, 1)}
        )
        pool = BrowserPool(own, settings.networks())
        self._pool = await self._opened.enter_async_context(pool)
        return pool.version

    async def _at_the_seat(self, order: Order, job: Order | CleaningOrder, line: Line) -> object:
        if self._pool is None:
            raise WorkerError("this worker was not prepared")
        secrets: dict[SecretReference, str] = await line.call("secrets")
        settings = order.settings
        of = settings.consoles[order.console]
        desk = FarDesk(line, order)
        with lent(secrets), codes_from(lambda: line.call("code")):
            console = open_console(
                order.console,
                of.model_copy(update={"audit": AuditSettings()}),  # the head reads its audit log
                browser=settings.browser,
                network=settings.network_of(order.console),
                recorded=FarLogIns(line),
            )
            seat = BrowserSeat(
                console=console,
                pool=self._pool,
                clock=SystemClock(),
                model=FarModel(line, order) if settings.model.is_configured else None,
            )
            try:
                if isinstance(job, CleaningOrder):
                    return await seat.clean_up(job, desk)
                return await seat.execute(job, desk)
            finally:
                await console.close()
