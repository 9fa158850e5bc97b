"""Which requests of a page are under way, and which of them are the background's own."""

import asyncio
from collections import Counter
from urllib.parse import urlsplit

from playwright.async_api import Page, Request

# Images, fonts, media, event streams and sockets do not hold up a reader.
COUNTED = frozenset({"document", "xhr", "fetch", "script", "stylesheet"})
LONG_POLL_S = 6.0  # a request that takes longer than this is a long poll the next time
REPEATS = 3  # asked for this often, apart in time and without anybody acting: it is being polled
APART_S = 0.5


class Traffic:
    """Counts the requests in flight that an action may have caused."""

    def __init__(self, page: Page) -> None:
        self._started: dict[Request, float] = {}
        self._asked: Counter[str] = Counter()
        self._asked_at: dict[str, float] = {}
        self._polled: set[str] = set()
        self._last = 0.0
        self._clock = asyncio.get_running_loop().time
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_end)
        page.on("requestfailed", self._on_end)

    @staticmethod
    def _key(request: Request) -> str:
        parts = urlsplit(request.url)
        return f"{request.method} {parts.netloc}{parts.path}"

    def _on_request(self, request: Request) -> None:
        if request.resource_type not in COUNTED:
            return
        if request.is_navigation_request():
            if request.frame.parent_frame is None:
                self._started.clear()
                self._polled.clear()
        elif self._is_poll(request):
            return
        self._started[request] = self._last = self._clock()

    def _is_poll(self, request: Request) -> bool:
        key, now = self._key(request), self._clock()
        if request.resource_type in ("xhr", "fetch") and now - self._asked_at.get(key, 0) > APART_S:
            self._asked[key] += 1
            self._asked_at[key] = now
            if self._asked[key] > REPEATS:
                self._polled.add(key)
        return key in self._polled

    def _on_end(self, request: Request) -> None:
        began = self._started.pop(request, None)
        if began is None:
            return
        self._last = self._clock()
        if self._last - began > LONG_POLL_S and request.resource_type in ("xhr", "fetch"):
            self._polled.add(self._key(request))

    def acted(self) -> None:
        """Somebody acted: what is asked for from now on may be the consequence."""
        self._asked.clear()
        self._last = self._clock()

    def give_up(self) -> None:
        """Whatever is still in flight is not waited for again."""
        self._polled.update(self._key(r) for r in self._started if not r.is_navigation_request())
        self._started.clear()

    @property
    def in_flight(self) -> int:
        """Requests under way that are worth waiting for."""
        return len(self._started)

    def quiet_for(self) -> float:
        """Seconds since the last request worth waiting for began or ended."""
        return 0.0 if self._started else self._clock() - self._last
