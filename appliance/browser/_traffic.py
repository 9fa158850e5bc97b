"""Which requests of a page are under way, and which of them are the background's own."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from appliance.browser._cdp import Json, Session

# Images, fonts, media, event streams and sockets do not hold up a reader.
COUNTED = frozenset({"Document", "XHR", "Fetch", "Script", "Stylesheet"})
POLLING = frozenset({"XHR", "Fetch"})
SENDING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
LONG_POLL_S = 6.0  # a request that takes longer than this is a long poll the next time
REPEATS = 3  # asked for this often, apart in time and without anybody acting: it is being polled
APART_S = 0.5
SLOW_POLL_S = 1.0  # what is polled no oftener is asked for once more when somebody acts,
AFTER_ACT_S = 1.0  # and that request is waited for
CONSEQUENCE_S = 0.04  # from an answer's last byte until a page has begun to show it
OPENING_S = 2.0  # a socket that takes longer is tried again and again, or never opens
LIVELY_S = 1.0  # a socket's messages are taken for consequences of what happened so long ago
EMBEDDED_S = 0.5  # an embedded document that has begun to arrive tells by itself when it is there


@dataclass(slots=True)
class Request:
    """A request under way."""

    key: str
    kind: str
    frame: str
    began: float
    is_navigation: bool
    is_sending: bool = False
    """Whether an action sent something with it, such as a form."""
    answered: float | None = None


class Traffic:
    """Counts the requests in flight that an action may have caused."""

    def __init__(self, main: Callable[[], str | None], is_there: Callable[[str], bool]) -> None:
        self._main = main
        self._is_there = is_there
        self._under_way: dict[str, Request] = {}
        self._channels: set[str] = set()
        self._request_counts: Counter[str] = Counter()
        self._requested_at: dict[str, float] = {}
        self._gaps: dict[str, float] = {}
        self._polled: set[str] = set()
        self._endless: set[str] = set()
        self._given_up: set[str] = set()
        self._acted = 0.0
        self._last = self._sent = self._stirred = 0.0
        self._moved = asyncio.Event()
        self._clock = asyncio.get_running_loop().time
        self.mark = 0
        """Grows with each request that begins or ends."""

    def follow(self, session: Session) -> None:
        """Listen to the requests of a page, or of a frame in a process of its own."""
        session.on(
            {
                "Network.requestWillBeSent": self._on_request,
                "Network.responseReceived": self._on_response,
                "Network.loadingFinished": self._on_end,
                "Network.loadingFailed": self._on_end,
                "Network.webSocketCreated": self._on_channel,
                "Network.webSocketHandshakeResponseReceived": self._on_open,
                "Network.webSocketClosed": self._on_end,
                "Network.webSocketFrameSent": self._on_sent,
                "Network.webSocketFrameReceived": self._on_received,
                "Network.eventSourceMessageReceived": self._on_received,
            }
        )

    def _on_request(self, _session: Session, params: Json) -> None:
        kind = params.get("type", "")
        number, frame = params["requestId"], params.get("frameId", "")
        self._stirred = self._clock()
        if kind == "EventSource":
            self._channels.add(number)
        is_worker = kind == "Script" and not params["loaderId"]  # whose end is told to others
        if kind not in COUNTED or is_worker or number in self._under_way:  # the last: redirected
            return
        is_navigation = kind == "Document" and number == params["loaderId"]
        is_sending = (
            kind in POLLING
            and params["request"]["method"] in SENDING
            and self._clock() - self._acted < AFTER_ACT_S
        )
        key = _key(params["request"])
        request = Request(key, kind, frame, self._clock(), is_navigation, is_sending)
        if is_navigation and frame == self._main():
            self._under_way.clear()
            self._channels.clear()
            self._polled.clear()
            self._endless.clear()
        elif not is_navigation and self._is_poll(request):
            return
        self._under_way[number] = request
        self._move()

    def _move(self) -> None:
        self._last = self._clock()
        self.mark += 1
        self._moved.set()

    def _is_poll(self, request: Request) -> bool:
        if request.kind not in POLLING:
            return False
        key, now = request.key, self._clock()
        is_consequence = now - self._acted < AFTER_ACT_S
        if not is_consequence:
            self._count(key, now)
        if key in self._polled and is_consequence:
            return self._gaps.get(key, 0) < SLOW_POLL_S
        return key in self._polled or key in self._endless

    def _count(self, key: str, now: float) -> None:
        """One more request that nobody's action led to."""
        gap = now - self._requested_at.get(key, 0)
        if gap > APART_S:
            self._request_counts[key] += 1
            self._requested_at[key] = now
            self._gaps[key] = min(gap, self._gaps.get(key, gap))
            if self._request_counts[key] > REPEATS:
                self._polled.add(key)

    def _on_response(self, _session: Session, params: Json) -> None:
        request = self._under_way.get(params["requestId"])
        if request is not None:
            request.answered = self._clock()

    def _on_end(self, _session: Session, params: Json) -> None:
        self._channels.discard(params["requestId"])
        request = self._under_way.pop(params["requestId"], None)
        if request is None:
            return
        self._move()
        if self._last - request.began > LONG_POLL_S and request.kind in POLLING:
            self._endless.add(request.key)

    def _on_channel(self, _session: Session, params: Json) -> None:
        number, now = params["requestId"], self._clock()
        self._channels.add(number)
        self._stirred = now
        self._under_way[number] = Request(f"OPEN {params['url']}", "WebSocket", "", now, False)
        self._move()

    def _on_open(self, session: Session, params: Json) -> None:
        """What a socket was opened for may come at once."""
        self._under_way.pop(params["requestId"], None)
        self._move()
        self._on_sent(session, params)

    def _on_sent(self, _session: Session, _params: Json) -> None:
        self._sent = self._stirred = self._clock()

    def _on_received(self, _session: Session, _params: Json) -> None:
        self._stirred = self._clock()

    def note_action(self) -> None:
        """Somebody acted: what is asked for from now on may be the consequence."""
        self._request_counts.clear()
        self._acted = self._clock()

    def give_up(self) -> None:
        """Whatever is still in flight is not waited for again."""
        self._endless.update(r.key for r in self._under_way.values() if not r.is_navigation)
        self._given_up.update(r.key for r in self._under_way.values())
        self._under_way.clear()

    @property
    def is_awaited(self) -> bool:
        """Whether a page that was gone to, or an answer to what was sent, has not begun to come."""
        return any(
            r.answered is None
            and r.key not in self._given_up
            and (r.is_sending or (r.is_navigation and r.frame == self._main()))
            for r in self._under_way.values()
        )

    @property
    def in_flight(self) -> int:
        """Requests under way that are worth waiting for."""
        return sum(map(self._counts, self._under_way.values()))

    def _counts(self, request: Request) -> bool:
        if request.frame and not self._is_there(request.frame):
            return False
        if request.kind == "WebSocket":
            return self._clock() - request.began < OPENING_S
        if not request.is_navigation or request.answered is None or request.frame == self._main():
            return True
        return self._clock() - request.answered < EMBEDDED_S

    async def wait_for_move(self, at_most_s: float) -> None:
        """Wait until a request begins or ends."""
        self._moved.clear()
        try:
            async with asyncio.timeout(at_most_s):
                await self._moved.wait()
        except TimeoutError:
            return

    def rest_s(self, quiet_s: float) -> float:
        """How long the page must still be left alone, since answers are on their way into it."""
        now = self._clock()
        return max(self._last + CONSEQUENCE_S - now, self._sent + quiet_s - now, 0.0)

    @property
    def is_lively(self) -> bool:
        """Whether an open socket or stream may have more to tell of what happened just now."""
        return bool(self._channels) and self._clock() - self._stirred < LIVELY_S


def _key(request: Json) -> str:
    parts = urlsplit(request["url"])
    return f"{request['method']} {parts.netloc}{parts.path}"
