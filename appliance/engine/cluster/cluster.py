"""The nodes of a Ray cluster, with their workers: where attempts take seats.

Ray starts the workers, lists the nodes, and notices when a worker or node is gone; jobs and their
results go over connections of our own (`line.py`).
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import structlog

from appliance.config import Settings
from appliance.core.causes import Cause, CauseKind
from appliance.core.errors import ApplianceError, HinderedError, SetupError, WorkerError
from appliance.core.resources import Receipt
from appliance.engine.cluster import nodes
from appliance.engine.cluster.head import Head
from appliance.engine.cluster.jobs import Job, Prepare
from appliance.engine.cluster.nodes import Node
from appliance.engine.cluster.worker import versions
from appliance.verification import CleaningOrder, Desk, Executed, Order, Seat, Seats

LOOK_S = 2.0
"""Interval between looks at the nodes of the cluster."""
WITHOUT_S = 60.0
"""Time without any worker after which attempts count as hindered."""
_AGAIN_S = 30.0
"""Pause before another try on a node where no worker could be started."""
_TRIES = 3
"""Tries to start the very first worker."""
_PREPARE_S = 120.0
_STOPS_S = 15.0
"""Time for a worker to stop a cancelled job before it is killed."""
_OF_NEWEST = 0.3
"""Weight of the newest attempt in a node's moving average of speed."""

_log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class Post:
    """A worker on a node."""

    node: Node
    actor: Any  # Any: Ray's handle, which has no types
    is_busy: bool = False
    is_gone: bool = False


class _Problem(NamedTuple):
    """The reason why a node has no worker."""

    why: str
    is_lasting: bool
    """Whether the node itself is the cause rather than a worker that died."""


@dataclass(slots=True)
class Cluster:
    """All workers; a `Seats`."""

    settings: Settings
    head: Head
    _posts: list[Post] = field(default_factory=list)
    _starting: Counter[str] = field(default_factory=Counter)
    _not_before: dict[str, float] = field(default_factory=dict)
    _took_s: dict[str, float] = field(default_factory=dict)
    # Invariant: whoever waits for a worker is woken when one is free, or comes, or goes.
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    @asynccontextmanager
    async def take(self) -> AsyncIterator[Seat]:
        """See `Seats`: on the node with the least load, in view of its speed so far."""
        post = await self._free_post()
        try:
            yield FarSeat(self, post)
        finally:
            post.is_busy = False
            await self._tell()

    def problem(self) -> str:
        """See `Seats`."""
        return "" if self._posts else f"no node of {self.address} has a worker"

    async def _free_post(self) -> Post:
        loop = asyncio.get_running_loop()
        gives_up = loop.time() + WITHOUT_S
        async with self._changed:
            while True:
                there = [post for post in self._posts if not post.is_gone]
                free = [post for post in there if not post.is_busy]
                if free:
                    post = min(free, key=self._load)
                    post.is_busy = True
                    return post
                if there:
                    gives_up = loop.time() + WITHOUT_S
                elif loop.time() >= gives_up:
                    raise HinderedError(Cause(CauseKind.WORKERS_AWAY, self.problem()))
                try:
                    async with asyncio.timeout(LOOK_S):
                        await self._changed.wait()
                except TimeoutError:
                    continue

    def _load(self, post: Post) -> float:
        """Relative time until an attempt that begins on this worker's node would end."""
        busy = sum(other.is_busy for other in self._posts if other.node.id == post.node.id)
        usual = sum(self._took_s.values()) / len(self._took_s) if self._took_s else 1.0
        return (busy + 1) * self._took_s.get(post.node.id, usual)

    @property
    def address(self) -> str:
        """Address of the Ray cluster."""
        return self.settings.execution.address

    async def do(self, post: Post, job: Job, desk: Desk | None) -> Any:  # Any: see `Expected`
        """Have a worker do a job and return its result.

        Raises:
            WorkerError: It is gone.
        """
        began = asyncio.get_running_loop().time()
        async with self.head.expecting(job, desk) as expected:
            working = asyncio.wrap_future(post.actor.work.remote(expected.ticket).future())
            working.add_done_callback(_retrieve_exception)
            try:
                await asyncio.wait((working, expected.result), return_when=asyncio.FIRST_COMPLETED)
                if not expected.result.done():
                    working.result()  # raises what Ray says of it
                    raise WorkerError(f"the worker on {post.node} left its job")
                return expected.result.result()
            except nodes.ray_error() as exc:
                post.is_gone = nodes.is_gone(exc)
                raise nodes.meant(exc) from exc
            finally:
                expected.hang_up()
                expected.result.cancel()
                await self._let_go(post, working)
                if desk is not None:
                    self._measure(post.node, asyncio.get_running_loop().time() - began)

    def _measure(self, node: Node, took_s: float) -> None:
        before_s = self._took_s.get(node.id, took_s)
        self._took_s[node.id] = before_s + _OF_NEWEST * (took_s - before_s)

    async def _let_go(self, post: Post, working: asyncio.Future[Any]) -> None:
        """Wait until the worker is idle; kill it if it does not stop."""
        finished, _ = await asyncio.wait((working,), timeout=_STOPS_S)
        if not finished:
            _log.warning("worker_ended", node=str(post.node))
            await self._dismiss(post)
        elif (problem := working.exception()) is not None and nodes.is_gone(problem):
            await self._dismiss(post)

    async def _dismiss(self, post: Post) -> None:
        post.is_gone = True
        if post in self._posts:
            self._posts.remove(post)
        await asyncio.to_thread(nodes.kill, post.actor)
        await self._tell()

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def fill(self) -> None:
        """Start all missing workers at once.

        Raises:
            SetupError: On one node there cannot be one, or there is no node for one.
        """
        there = await asyncio.to_thread(nodes.alive)
        if not there:
            raise SetupError(
                f"no node of the Ray cluster at {self.address} takes workers: start one with"
                " `ray start --address=HOST:PORT`"
            )
        for _ in range(_TRIES):  # a worker that dies is no fault of its node
            missing_nodes = [node for node in there for _ in range(self._missing(node))]
            async with asyncio.TaskGroup() as group:
                started = [group.create_task(self._start(node)) for node in missing_nodes]
            problems = [problem for task in started if (problem := task.result())]
            if lasting := next(
                (lasting_problem for lasting_problem in problems if lasting_problem.is_lasting),
                None,
            ):
                raise SetupError(lasting.why)
            if self._posts:
                return
        raise SetupError(problems[0].why)

    async def keep(self) -> None:
        """Start workers on new nodes and replace lost workers, until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                await asyncio.sleep(LOOK_S)
                try:
                    there = await asyncio.to_thread(nodes.alive)
                except nodes.ray_error() as exc:
                    _log.warning("nodes_not_known", reason=nodes.reason(exc))
                    continue
                for node in there:
                    for _ in range(self._missing(node)):
                        group.create_task(self._start_later(node))

    def _missing(self, node: Node) -> int:
        if asyncio.get_running_loop().time() < self._not_before.get(node.id, 0.0):
            return 0
        has = sum(post.node.id == node.id and not post.is_gone for post in self._posts)
        return self.settings.execution.workers - has - self._starting[node.id]

    async def _start_later(self, node: Node) -> None:
        if problem := await self._start(node):
            _log.warning("no_worker", node=str(node), reason=problem.why)
            self._not_before[node.id] = asyncio.get_running_loop().time() + _AGAIN_S

    async def _start(self, node: Node) -> _Problem | None:
        """Start a worker; return the problem if it fails, else None."""
        self._starting[node.id] += 1
        post = Post(node, None, is_busy=True)
        try:
            async with asyncio.timeout(_PREPARE_S):
                post.actor = await asyncio.to_thread(nodes.employ, node)
                theirs = await asyncio.wrap_future(post.actor.versions.remote().future())
                if theirs != (ours := versions()):
                    raise SetupError(f"it has {theirs}, and here is {ours}: use one image for all")
                browser = await self.do(post, Prepare(self.settings), None)
        except (ApplianceError, TimeoutError, nodes.ray_error()) as exc:
            await asyncio.to_thread(nodes.kill, post.actor)
            why = nodes.reason(exc) or f"no answer within {_PREPARE_S:.0f} s"
            is_lasting = isinstance(exc, ApplianceError) and not isinstance(exc, WorkerError)
            return _Problem(f"node {node} cannot take attempts: {why}", is_lasting)
        finally:
            self._starting[node.id] -= 1
        _log.info("worker_ready", node=str(node), browser=browser)
        gone = asyncio.wrap_future(post.actor.stay.remote().future())
        gone.add_done_callback(lambda future: self._is_gone(post, future))
        post.is_busy = False
        self._posts.append(post)
        await self._tell()
        return None

    def _is_gone(self, post: Post, future: asyncio.Future[Any]) -> None:
        _retrieve_exception(future)
        post.is_gone = True
        if post in self._posts:
            self._posts.remove(post)

    async def close(self) -> None:
        """End all workers, with their browsers."""
        posts = list(self._posts)
        closing = [asyncio.wrap_future(post.actor.close.remote().future()) for post in posts]
        if closing:
            await asyncio.wait(closing, timeout=_STOPS_S)
        for post, closed in zip(posts, closing, strict=True):
            closed.add_done_callback(_retrieve_exception)
            await asyncio.to_thread(nodes.kill, post.actor)


def _retrieve_exception(future: asyncio.Future[Any]) -> None:  # Any: Ray's
    """Retrieve a call's exception, so that asyncio does not report it as never retrieved."""
    if not future.cancelled():
        future.exception()


@dataclass(frozen=True, slots=True)
class FarSeat:
    """A seat on a worker; see `Seat`."""

    cluster: Cluster
    post: Post

    async def execute(self, order: Order, desk: Desk) -> Executed:
        """See `Seat`."""
        executed: Executed = await self.cluster.do(self.post, order, desk)
        return executed

    async def clean_up(self, order: CleaningOrder, desk: Desk) -> tuple[Receipt, ...]:
        """See `Seat`."""
        receipts: tuple[Receipt, ...] = await self.cluster.do(self.post, order, desk)
        return receipts


@asynccontextmanager
async def open_seats(settings: Settings) -> AsyncIterator[Seats | None]:
    """The seats of the configured cluster, with every node ready; None if none is configured.

    Raises:
        SetupError: Ray is not installed, the cluster does not answer, or a node cannot take
            attempts: its versions differ, it has no browser or not the key.
    """
    if settings.execution.engine != "ray":
        yield None
        return
    host = await asyncio.to_thread(nodes.connect, settings.execution)
    head = Head(settings.execution, settings.execution.host or host)
    cluster = Cluster(settings, head)
    try:
        async with head.listening():
            await cluster.fill()
            keeping = asyncio.create_task(cluster.keep(), name="nodes")
            try:
                yield cluster
            finally:
                keeping.cancel()
                await asyncio.wait((keeping,))
                await cluster.close()
    finally:
        await asyncio.to_thread(nodes.disconnect)
