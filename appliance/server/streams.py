"""Streams of events (server-sent events) that end when they should."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from litestar.response import Stream

from appliance.engine.live import LiveEvent
from appliance.server.callers import caller_of
from appliance.server.parts import Service
from appliance.server.problems import AnyRequest

HEARTBEAT_S = 15.0
"""Proxies close a connection on which nothing is said for a minute."""
RETRY_MS = 2000
"""After which a browser comes back that lost the stream."""
_HEARTBEAT = b": still here\n\n"
_END = b"event: end\ndata: {}\n\n"


def last_event_id(request: AnyRequest) -> str | None:
    """Where a stream broke off, for `Live.follow(after=…)`; None: it is a new one."""
    last_event_id = request.headers.get("last-event-id") or request.query_params.get(
        "last_event_id"
    )
    return last_event_id or None


def follow(request: AnyRequest, service: Service, run_id: str | None) -> Stream:
    """What happens in a run, or in all of them, from where the reader's stream broke off."""
    events = service.engine.live.follow(run_id, last_event_id(request))
    return event_stream(request, service, events)


def event_stream(
    request: AnyRequest,
    service: Service,
    events: AsyncIterator[LiveEvent],
    *,
    heartbeat_s: float = HEARTBEAT_S,
) -> Stream:
    """An answer that goes on while there are events.

    When they are over, it says so (`event: end`), and its reader need not come back. It ends
    without that word when the program stops, or the reader's key is revoked. The events are closed
    in any case, also where the reader goes away.
    """
    caller = caller_of(request)
    key_id = caller.key_id if caller else ""
    return Stream(
        _frames(events, service.stopping, heartbeat_s, lambda: service.keys.is_over(key_id)),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def frame(event: LiveEvent) -> bytes:
    """One event as it is sent."""
    data = json.dumps(event.data, ensure_ascii=False)
    return f"id: {event.id}\nevent: {event.name}\ndata: {data}\n\n".encode()


async def _frames(
    events: AsyncIterator[LiveEvent],
    stopping: asyncio.Event,
    heartbeat_s: float,
    is_forbidden: Callable[[], bool],
) -> AsyncIterator[bytes]:
    stop = asyncio.ensure_future(stopping.wait())
    following: asyncio.Future[LiveEvent] | None = None
    try:
        yield f"retry: {RETRY_MS}\n\n".encode()
        while True:
            following = following or asyncio.ensure_future(anext(events))
            either: set[asyncio.Future[Any]] = {following, stop}  # Any: of two kinds
            await asyncio.wait(either, timeout=heartbeat_s, return_when=asyncio.FIRST_COMPLETED)
            if stopping.is_set() or is_forbidden():
                return
            if following.done():
                try:
                    event = following.result()
                except StopAsyncIteration:
                    yield _END
                    return
                following = None
                yield frame(event)
            else:
                yield _HEARTBEAT
    finally:
        await _end(stop, following)
        if (close := getattr(events, "aclose", None)) is not None:
            await close()


async def _end(*waiting: "asyncio.Future[Any] | None") -> None:  # Any: of two kinds
    for one in waiting:
        if one is not None:
            one.cancel()
            with suppress(asyncio.CancelledError, Exception):  # its events are of no use now
                await one
