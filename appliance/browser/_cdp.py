"""The DevTools protocol over one websocket: what has to be fast does not go through Playwright.

One call costs 0.2 to 0.35 ms this way, half as much again over the package `websockets`; through
Playwright's driver process it costs 1.2 ms, and twice the time for every megabyte.
Protocol: https://chromedevtools.github.io/devtools-protocol/
"""

import asyncio
from collections.abc import Callable
from typing import Any, Self

import orjson
from picows import (
    WSCloseCode,
    WSError,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    ws_connect,
)

from appliance.core.errors import BrowserError

CONNECT_TIMEOUT_S = 15.0
LARGEST_FRAME = 1 << 30  # bytes: a picture, or all that a page of 50,000 rows says

Json = dict[str, Any]  # Any: the protocol's JSON
Handler = Callable[["Session", Json], None]


class ProtocolError(Exception):
    """The browser refused a call: mostly since what it names is gone."""


class Connection(WSListener):
    """A browser's protocol endpoint, shared by the sessions of all its pages."""

    def __init__(self) -> None:
        self._socket: WSTransport
        self._last = 0
        self._waiting: dict[int, tuple[str, asyncio.Future[Json]]] = {}
        self._part = b""  # what has arrived of a message in several frames
        self._sessions: dict[str, Session] = {}
        self._root = Session(self, "")

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect to `ws://…/devtools/browser/…`; `BrowserError` when nothing answers."""
        connection = cls()
        try:
            await ws_connect(
                lambda: connection,
                url,
                websocket_handshake_timeout=CONNECT_TIMEOUT_S,
                max_frame_size=LARGEST_FRAME,
            )
        except (OSError, TimeoutError, WSError) as exc:
            raise BrowserError(f"cannot reach the browser's protocol endpoint: {exc}") from exc
        return connection

    @property
    def is_open(self) -> bool:
        """Whether the browser is still there."""
        return not self._socket.is_disconnected

    async def close(self) -> None:
        """Hang up; calls under way fail. Raises what a handler of events has raised."""
        if self.is_open:
            self._socket.send_close(WSCloseCode.OK)
            self._socket.disconnect()
        await self._socket.wait_disconnected()

    async def attach(self, target: str) -> "Session":
        """A session of our own with a page."""
        params = {"targetId": target, "flatten": True}
        answer = await self._root.send("Target.attachToTarget", params)
        return self.session(answer["sessionId"])

    def session(self, session_id: str) -> "Session":
        """The session of that id, made where it is new."""
        session = self._sessions.get(session_id)
        if session is None:
            session = self._sessions[session_id] = Session(self, session_id)
        return session

    def post(self, session_id: str, method: str, params: Json) -> asyncio.Future[Json]:
        """Send a call; the future holds its answer."""
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        if not self.is_open:
            answer.set_exception(BrowserError("the browser is gone"))
            return answer
        self._last += 1
        call: Json = {"id": self._last, "method": method, "params": params}
        if session_id:
            call["sessionId"] = session_id
        self._waiting[self._last] = session_id, answer
        self._socket.send(WSMsgType.TEXT, orjson.dumps(call))
        return answer

    def on_ws_connected(self, transport: WSTransport) -> None:
        """The browser has answered."""
        self._socket = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """A message arrived, or a part of one."""
        if frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()
        elif frame.msg_type in (WSMsgType.TEXT, WSMsgType.CONTINUATION):
            if frame.fin and not self._part:
                self._take(orjson.loads(frame.get_payload_as_memoryview()))
                return
            self._part += frame.get_payload_as_bytes()
            if frame.fin:
                whole, self._part = self._part, b""
                self._take(orjson.loads(whole))

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """The browser is gone, or we have hung up: whoever waits is told."""
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
        """Register handlers of events, by method name."""
        self._handlers.update(handlers)

    def take(self, method: str, params: Json) -> None:
        """Hand an event to its handler."""
        handler = self._handlers.get(method)
        if handler is not None:
            handler(self, params)

    def post(self, method: str, params: Json | None = None) -> asyncio.Future[Json]:
        """Send a call without waiting: calls of one session are answered in order."""
        return self.connection.post(self.id, method, params or {})

    async def send(self, method: str, params: Json | None = None) -> Json:
        """One call and its answer; `ProtocolError` when refused."""
        return await self.connection.post(self.id, method, params or {})
