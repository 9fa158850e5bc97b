"""Watches requests from the outside: how long they take, and a line in the log for each."""

import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

import structlog

from appliance.telemetry.metrics import Metrics

Scope: TypeAlias = "MutableMapping[str, Any]"  # Any: as ASGI has it
Message: TypeAlias = "MutableMapping[str, Any]"  # Any: as ASGI has it
Receive: TypeAlias = "Callable[[], Awaitable[Any]]"  # Any: as ASGI has it
Send: TypeAlias = "Callable[[Any], Awaitable[None]]"  # Any: as ASGI has it
App: TypeAlias = "Callable[[Any, Any, Any], Awaitable[None]]"  # Any: as ASGI has it

_QUIET = frozenset({"/healthz", "/readyz", "/metrics"})
"""Asked for every few seconds by machines: no news unless they fail."""
_CLOSED_BY_CALLER = 499
"""As nginx has it: the caller went away before there was an answer."""
_LEAST_FAULT = 500


def watch_requests(app: App, metrics: Metrics) -> App:
    """The same application; its requests are counted and logged.

    Paths are logged as templates and queries not at all: both may hold what is nobody's business.
    """
    log = structlog.get_logger("appliance.requests")

    async def watch(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        status, began = _CLOSED_BY_CALLER, time.monotonic()

        async def note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await app(scope, receive, note)
        finally:
            seconds = time.monotonic() - began
            route = str(scope.get("path_template") or "")
            metrics.requested(scope["method"], route, status, seconds)
            tell = log.warning if status >= _LEAST_FAULT else log.info
            if route in _QUIET and status < _LEAST_FAULT:
                tell = log.debug
            tell(
                "request",
                method=scope["method"],
                path=route or "unknown",
                status=status,
                ms=round(seconds * 1000, 1),
                caller=getattr(scope.get("user"), "name", ""),
                client=(scope.get("client") or ("",))[0],
            )

    return watch
