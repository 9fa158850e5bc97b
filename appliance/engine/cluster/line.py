"""A connection between head and worker: the worker calls, the head answers, both notice its end.

Frames are a length and a pickle; nothing is unpickled before both sides have proved that they have
the key. A worker that loses its line stops before the head counts it as gone, so that nothing is
done in a console while the head cleans up there.
"""

import asyncio
import pickle
import ssl
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from appliance.core.errors import ApplianceError, HinderedError, SetupError, WorkerError
from appliance.engine.cluster.ticket import Ticket, is_right, prove

NAME = "appliance-head"
"""The name in the head's certificate, whatever its address."""
PING_S, WORKER_STOPS_S, HEAD_GIVES_UP_S = 5.0, 20.0, 40.0
"""Interval of a worker's pings; time without an answer after which it stops; time without a message
after which the head counts it as gone."""
_CONNECT_S = 15.0
_LENGTH = 8

Answer = Callable[..., Awaitable[object]]


class Line:
    """The worker's end of a connection."""

    def __init__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._loop = asyncio.get_running_loop()
        self._pending: dict[int, asyncio.Future[Any]] = {}  # Any: whatever it was asked for
        self._number = 0

    async def call(self, name: str, *arguments: object) -> Any:  # Any: what the head gives
        """Call the head and return its answer; exceptions of the head are raised here.

        Raises:
            WorkerError: The line is gone.
        """
        self._number += 1
        number = self._number
        future = self._pending[number] = self._loop.create_future()
        try:
            self._writer.write(_framed((number, name, arguments)))
            try:
                await self._writer.drain()
            except OSError as exc:
                raise WorkerError(f"the head cannot be reached: {exc}") from exc
            return await future
        finally:
            self._pending.pop(number, None)

    def call_from_thread(self, name: str, *arguments: object) -> Any:  # Any: see `call`
        """As `call`, from another thread; blocks."""
        return asyncio.run_coroutine_threadsafe(self.call(name, *arguments), self._loop).result()

    def tell(self, name: str, *arguments: object) -> None:
        """Send a call without waiting for an answer."""
        self._loop.call_soon_threadsafe(self._writer.write, _framed((0, name, arguments)))

    async def listen(self) -> str:
        """Receive answers until the line is gone; return the reason."""
        pinging = asyncio.create_task(self._ping(), name="ping")
        try:
            while True:
                number, is_good, value = await _read(self._reader)
                future = self._pending.get(number)
                if future is None or future.done():
                    continue
                if is_good:
                    future.set_result(value)
                else:
                    future.set_exception(unpack(value))
        except (OSError, EOFError, ssl.SSLError) as exc:
            return f"the head cannot be reached: {exc or type(exc).__name__}"
        finally:
            pinging.cancel()
            for future in self._pending.values():
                if not future.done():
                    future.set_exception(WorkerError("the line to the head is gone"))

    async def _ping(self) -> None:
        try:
            while True:
                async with asyncio.timeout(WORKER_STOPS_S):
                    await self.call("ping")
                await asyncio.sleep(PING_S)
        except (TimeoutError, WorkerError):
            self._writer.transport.abort()


@asynccontextmanager
async def dial(ticket: Ticket) -> AsyncIterator[Line]:
    """Connect to the head that issued a ticket.

    Raises:
        SetupError: The key cannot be read here, or is another than the head's.
        WorkerError: The head cannot be reached.
    """
    if not await asyncio.to_thread(is_right, ticket, "head", ticket.proof):
        raise SetupError(f"{ticket.key} holds another key here than where the appliance runs")
    context = ssl.create_default_context(cadata=ticket.certificate)
    try:
        async with asyncio.timeout(_CONNECT_S):
            reader, writer = await asyncio.open_connection(
                ticket.host, ticket.port, ssl=context, server_hostname=NAME
            )
            writer.write(ticket.id + await asyncio.to_thread(prove, ticket, "worker"))
            await writer.drain()
    except (OSError, TimeoutError) as exc:
        raise WorkerError(
            f"the appliance cannot be reached at {ticket.host}:{ticket.port} from here"
            f" (execution.host, execution.port): {exc or type(exc).__name__}"
        ) from exc
    try:
        yield Line(reader, writer)
    finally:
        writer.close()
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(1):
                await writer.wait_closed()


async def answer(reader: StreamReader, writer: StreamWriter, answers: Mapping[str, Answer]) -> str:
    """Answer a worker until it hangs up or falls silent; return the reason for the end."""
    tasks = set[asyncio.Task[None]]()
    try:
        while True:
            async with asyncio.timeout(HEAD_GIVES_UP_S):
                number, name, arguments = await _read(reader)
            if number == 0:
                await answers[name](*arguments)
                continue
            handler = answers.get(name, _nobody)
            task = asyncio.create_task(_answer(writer, number, handler, arguments))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
    except TimeoutError:
        return f"it was not heard of for {HEAD_GIVES_UP_S:.0f} s"
    except EOFError:
        return "the line to it is gone"
    except OSError as exc:
        return f"the line to it is gone: {exc}"
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _nobody(*arguments: object) -> None:
    raise WorkerError("the head does not answer that in this job")


async def _answer(
    writer: StreamWriter, number: int, answer: Answer, arguments: tuple[object, ...]
) -> None:
    try:
        frame = _framed((number, True, await answer(*arguments)))
    except Exception as exc:  # noqa: BLE001 - it is raised at the other end
        frame = _framed((number, False, pack(exc)))
    with suppress(OSError):  # it has hung up
        writer.write(frame)
        await writer.drain()


def pack(exc: BaseException) -> tuple[type[BaseException], object]:
    """Convert an exception into a picklable form."""
    if isinstance(exc, HinderedError):
        return HinderedError, exc.cause
    if isinstance(exc, OSError):
        return OSError, exc.args
    if isinstance(exc, ApplianceError):
        return type(exc), str(exc)
    return RuntimeError, f"{type(exc).__name__}: {exc}"


def unpack(packed: tuple[type[BaseException], Any]) -> BaseException:  # Any: see `pack`
    """Restore the exception that `pack` converted."""
    kind, body = packed
    return OSError(*body) if kind is OSError else kind(body)


def _framed(content: object) -> bytes:
    data = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(_LENGTH) + data


async def _read(reader: StreamReader) -> Any:  # Any: a frame, as the other end wrote it
    length = int.from_bytes(await reader.readexactly(_LENGTH))
    # both ends have shown that they have the key
    return pickle.loads(await reader.readexactly(length))  # noqa: S301
