"""The head's end of all lines: gives each ticket's job to its worker and answers its calls."""

import asyncio
import ssl
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import structlog

from appliance.config import ExecutionSettings, Settings
from appliance.consoles import RecordedLogIns
from appliance.core.blocking import in_thread
from appliance.core.errors import ConsoleError, SetupError, WorkerError
from appliance.core.secrets import learn
from appliance.engine.cluster.jobs import Job, Prepare, Secrets
from appliance.engine.cluster.line import NAME, Answer, answer, unpack
from appliance.engine.cluster.ticket import ID_BYTES, PROOF_BYTES, Ticket, is_right, issue
from appliance.inference.client import ModelClient
from appliance.system.network.authority import Authority
from appliance.system.secret_references import SecretReference, UnreadableSecretError
from appliance.verification import CleaningOrder, Desk, Order, RunDesk

_FOR_YEARS = timedelta(days=3650)
"""Validity of the certificate: longer than any process lives."""
_SHOW_TICKET_S = 10.0

_log = structlog.get_logger()


@dataclass(slots=True)
class Expected:
    """A job that a worker will fetch."""

    ticket: Ticket
    answers: Mapping[str, Answer]
    result: asyncio.Future[Any]  # Any: what the job gives
    writer: StreamWriter | None = None

    def hang_up(self) -> None:
        """Close the line, so that the worker stops."""
        if self.writer is not None:
            self.writer.transport.abort()


@dataclass(slots=True)
class Head:
    """Gives out jobs to workers."""

    settings: ExecutionSettings
    host: str
    """Address at which workers reach it."""
    port: int = 0
    _authority: Authority = field(default_factory=lambda: Authority(_FOR_YEARS))
    _expected: dict[bytes, Expected] = field(default_factory=dict)

    @property
    def key(self) -> SecretReference:
        """Where the key is."""
        return SecretReference(self.settings.key_env, self.settings.key_file)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Accept workers while the block runs.

        Raises:
            SetupError: It cannot listen at the configured address.
        """
        context = await asyncio.to_thread(self._authority.context_of, NAME)
        try:
            server = await asyncio.start_server(
                self._come, self.host, self.settings.port, ssl=context
            )
        except OSError as exc:
            raise SetupError(
                f"cannot listen for workers at {self.host}:{self.settings.port}"
                f" (execution.host, execution.port): {exc.strerror or exc}"
            ) from exc
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()
            for expected in self._expected.values():
                expected.hang_up()

    @contextmanager
    def _expecting(self, ticket: Ticket, answers: Mapping[str, Answer]) -> Iterator[Expected]:
        result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        result.add_done_callback(_retrieve_exception)  # nobody may wait for it any more
        expected = self._expected[ticket.id] = Expected(ticket, answers, result)
        try:
            yield expected
        finally:
            self._expected.pop(ticket.id, None)
            expected.hang_up()

    @asynccontextmanager
    async def expecting(self, job: Job, desk: Desk | None) -> AsyncIterator[Expected]:
        """Expect a worker with the job's ticket; hang up at the end of the block."""
        ticket = await asyncio.to_thread(issue, self.host, self.port, self._authority.pem, self.key)
        answers = {"job": _answer_with(job), "ping": _answer_with(None)}
        with self._expecting(ticket, answers) as expected:
            answers |= _ending(expected.result)
            if isinstance(desk, RunDesk) and not isinstance(job, Prepare):
                answers |= _of_desk(desk)
                answers |= _of_secrets(job.order if isinstance(job, CleaningOrder) else job)
                answers |= _of_model(desk.context.model)
            yield expected

    async def _come(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            expected = await self._identify_worker(reader)
            if expected is None:
                return
            expected.writer = writer
            try:
                why = await answer(reader, writer, expected.answers)
            except Exception as exc:  # noqa: BLE001 - whatever it is, its job is over
                why = f"the line to it failed: {type(exc).__name__}: {exc}"
            if not expected.result.done():
                expected.result.set_exception(WorkerError(why))
        finally:
            writer.close()
            with suppress(OSError, ssl.SSLError):
                await writer.wait_closed()

    async def _identify_worker(self, reader: StreamReader) -> Expected | None:
        """The job that a worker fetches; None if none is expected or it lacks the key."""
        try:
            async with asyncio.timeout(_SHOW_TICKET_S):
                shown = await reader.readexactly(ID_BYTES + PROOF_BYTES)
        except (OSError, EOFError, TimeoutError):
            return None
        expected = self._expected.get(shown[:ID_BYTES])
        if expected is None or expected.writer is not None:
            return None
        proof = shown[ID_BYTES:]
        if not await asyncio.to_thread(is_right, expected.ticket, "worker", proof):
            _log.warning("worker_without_key")
            return None
        return expected


def _retrieve_exception(future: asyncio.Future[Any]) -> None:  # Any: see `Expected`
    if not future.cancelled():
        future.exception()


def _answer_with(value: object) -> Answer:
    async def give() -> object:
        return value

    return give


def _blocking(call: Callable[..., object]) -> Answer:
    async def give(*arguments: object) -> object:
        return await in_thread(call, *arguments)

    return give


def _at_once(call: Callable[..., object]) -> Answer:
    async def give(*arguments: object) -> object:
        return call(*arguments)

    return give


def _ending(result: asyncio.Future[Any]) -> dict[str, Answer]:  # Any: see `Expected`
    """The callback for a job's end, which learns its secrets before anything else."""

    async def done(came_of_it: object, learnt: Secrets) -> None:
        _learn(learnt)
        if not result.done():
            result.set_result(came_of_it)

    async def failed(packed: tuple[type[BaseException], object], learnt: Secrets) -> None:
        _learn(learnt)
        if not result.done():
            result.set_exception(unpack(packed))

    return {"done": done, "failed": failed}


def _learn(learnt: Secrets) -> None:
    for secret, for_s in learnt.items():
        learn(secret, for_s=for_s)


def _of_desk(desk: RunDesk) -> dict[str, Answer]:
    async def take_log_in(kept: str | None, was_good: bool | None) -> None:
        await desk.take_log_in(kept, was_good=was_good)

    artifacts = desk.context.store.artifacts
    recorded = _Recorded(desk.context.settings)
    return {
        "keeps": _blocking(artifacts.keeps),
        "put": _blocking(desk.put),
        "emit": _at_once(desk.emit),
        "keep_deeds": _blocking(desk.keep_deeds),
        "begin": desk.begin,
        "supply": desk.supply,
        "ask": desk.people.ask,
        "lend_log_in": desk.lend_log_in,
        "take_log_in": take_log_in,
        "log_in_failed": desk.log_in_failed,
        "code": desk.code,
        "read_recorded": _blocking(recorded.read),
        "keep_recorded": _blocking(recorded.keep),
    }


class _Recorded:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def _need(self) -> RecordedLogIns:
        kept = RecordedLogIns.of(self._settings)
        if kept is None:
            raise ConsoleError("a recorded log-in needs storage.key_file or storage.key_env")
        return kept

    def read(self, console: str, account: str) -> str | None:
        return self._need().read(console, account)

    def keep(self, console: str, account: str, state: str) -> None:
        self._need().keep(console, account, state)


def _of_secrets(order: Order) -> dict[str, Answer]:
    return {"secrets": _blocking(lambda: _lent(order))}


def _lent(order: Order) -> dict[SecretReference, str]:
    """The secrets that the attempt may have to type or show: this account's only."""
    account = order.account.settings
    network = order.settings.network_of(order.console)
    places = [SecretReference(account.password_env, account.password_file)]
    places += [network.proxy.password] if network.proxy else []
    places += [network.client.passphrase] if network.client else []
    lent = {}
    for place in filter(None, places):
        with suppress(UnreadableSecretError):  # the worker's own reading will say so
            lent[place] = learn(place.read())
    return lent


def _of_model(model: ModelClient | None) -> dict[str, Answer]:
    if model is None:
        return {}

    async def ask_model(
        messages: Any, schema: Any, max_tokens: int, temperature: float, name: str
    ) -> object:  # Any: as they came from `FarModel`
        return await model.ask(
            messages, schema=schema, max_tokens=max_tokens, temperature=temperature, model=name
        )

    return {
        "ask_model": ask_model,
        "served_model": model.served,
        "count_tokens": model.count_tokens,
    }
