"""The DevTools protocol over one websocket: what has to be fast does not go through Playwright.

One call costs 0.2 ms this way; through Playwright's driver process it costs 1.2 ms, and twice the
time for every megabyte. Protocol: https://chromedevtools.github.io/devtools-protocol/
"""

import asyncio
from collections.abc import Callable
from typing import Any, Self

import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from appliance.core.errors import BrowserError

CONNECT_TIMEOUT_S = 15.0

Json = dict[str, Any]  # Any: the protocol's JSON
Handler = Callable[["Session", Json], None]


class ProtocolError(Exception):
    """The browser refused a call: mostly since what it names is gone."""


class Connection:
    """A browser's protocol endpoint, shared by the sessions of all its pages."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._last = 0
        self._waiting: dict[int, tuple[str, asyncio.Future[Json]]] = {}
        self._unsent = 0
        self._sessions: dict[str, Session] = {}
        self._reader = asyncio.get_running_loop().create_task(self._read())
        self._root = Session(self, "")

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect to `ws://…/devtools/browser/…`; `BrowserError` when nothing answers."""
        try:
            socket = await connect(
                url,
                max_size=None,
                compression=None,
                ping_interval=None,
                open_timeout=CONNECT_TIMEOUT_S,
                proxy=None,
            )
        except (OSError, TimeoutError, WebSocketException) as exc:
            raise BrowserError(f"cannot reach the browser's protocol endpoint: {exc}") from exc
        return cls(socket)

    @property
    def is_open(self) -> bool:
        """Whether the browser is still there."""
        return not self._reader.done()

    async def close(self) -> None:
        """Hang up; calls under way fail."""
        await self._socket.close()
        await self._reader

    async def attach(self, target: str) -> "Session":
        """A session of our own with a page."""
        params = {"targetId": target, "flatten": True}
        answer = await self._root.send("Target.attachToTarget", params)
        return self.session(answer["sessionId"])

    def session(self, session_id: str) -> "Session":
        """The session of that id."""
        found = self._sessions.get(session_id)
        if found is None:
            found = self._sessions[session_id] = Session(self, session_id)
        return found

    def post(self, session_id: str, method: str, params: Json) -> asyncio.Future[Json]:
        """Send a call; the future holds its answer."""
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        sending = asyncio.ensure_future(self._send(session_id, method, params, answer))
        self._unsent += 1
        sending.add_done_callback(self._sent)
        return answer

    def _sent(self, _: asyncio.Future[None]) -> None:
        self._unsent -= 1

    async def ask(self, session_id: str, method: str, params: Json) -> Json:
        """Send a call and wait for its answer: in its turn, and without a task where none waits."""
        if self._unsent:
            return await self.post(session_id, method, params)
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        await self._send(session_id, method, params, answer)
        return await answer

    async def _send(
        self, session_id: str, method: str, params: Json, answer: asyncio.Future[Json]
    ) -> None:
        if self._reader.done():
            answer.set_exception(BrowserError("the browser is gone"))
            return
        self._last += 1
        number = self._last
        call: Json = {"id": number, "method": method, "params": params}
        if session_id:
            call["sessionId"] = session_id
        self._waiting[number] = session_id, answer
        try:
            await self._socket.send(orjson.dumps(call), text=True)
        except (OSError, WebSocketException):
            self._fail(number, BrowserError("the browser is gone"))

    async def _read(self) -> None:
        try:
            async for message in self._socket:
                self._take(orjson.loads(message))
        except WebSocketException:
            pass  # closed: whoever waits is told below
        finally:
            for number in list(self._waiting):
                self._fail(number, BrowserError("the browser is gone"))

    def _take(self, message: Json) -> None:
        number = message.get("id")
        if number is None:
            session = self._sessions.get(message.get("sessionId", ""))
            if session is not None:
                session.take(message["method"], message.get("params") or {})
            return
        _, answer = self._waiting.pop(number, ("", None))
        if answer is None or answer.done():
            return
        if error := message.get("error"):
            answer.set_exception(ProtocolError(error.get("message", "refused")))
        else:
            answer.set_result(message.get("result") or {})

    def _fail(self, number: int, why: Exception) -> None:
        _, answer = self._waiting.pop(number, ("", None))
        if answer is not None and not answer.done():
            answer.set_exception(why)

    def end(self, session_id: str, why: Exception) -> None:
        """A session is over: nothing it was asked will be answered."""
        self._sessions.pop(session_id, None)
        for number, (owner, _) in list(self._waiting.items()):
            if owner == session_id:
                self._fail(number, why)


class Session:
    """The protocol of one page, or of one frame in a process of its own."""

    def __init__(self, connection: Connection, session_id: str) -> None:
        self.id = session_id
        self.connection = connection
        self._handlers: dict[str, Handler] = {}

    def on(self, handlers: dict[str, Handler]) -> None:
        """Say who takes which events."""
        self._handlers.update(handlers)

    def take(self, method: str, params: Json) -> None:
        """One event arrived."""
        handler = self._handlers.get(method)
        if handler is not None:
            handler(self, params)

    def post(self, method: str, params: Json | None = None) -> asyncio.Future[Json]:
        """Send a call without waiting: calls of one session are answered in order."""
        return self.connection.post(self.id, method, params or {})

    async def send(self, method: str, params: Json | None = None) -> Json:
        """One call and its answer; `ProtocolError` when refused."""
        return await self.connection.ask(self.id, method, params or {})
