"""What machines ask: is it alive, is it ready, how does it do."""

import asyncio
from dataclasses import dataclass

from litestar import MediaType, Response, get

from appliance import __version__
from appliance.server.callers import PUBLIC, caller_of
from appliance.server.parts import TheService
from appliance.server.problems import AnyRequest


@dataclass(frozen=True, slots=True)
class Alive:
    """Somebody answers."""

    status: str = "alive"


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that does not work now."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether work can be done."""

    status: str
    """`ready` or `not ready`."""
    not_ready: tuple[Missing, ...] = ()
    """What does not work and why; told to those who may look only."""
    version: str = ""
    """Of the program; told to the same."""


@get("/healthz", opt={PUBLIC: True}, operation_id="getHealth", tags=["Health"])
async def healthz() -> Alive:
    """Whether the program is alive: 200, or no answer."""
    return Alive()


@get("/readyz", opt={PUBLIC: True}, operation_id="getReadiness", tags=["Health"])
async def readyz(request: AnyRequest, service: TheService) -> Response[Readiness]:
    """Whether work can be done: 200, or 503 with what is missing."""
    problems = await asyncio.to_thread(service.engine.problems)
    is_known = caller_of(request) is not None
    version = __version__ if is_known else ""
    if not problems:
        return Response(Readiness("ready", version=version))
    missing = tuple(Missing(one.name, one.why) for one in problems) if is_known else ()
    return Response(Readiness("not ready", missing, version), status_code=503)


@get(
    "/metrics",
    operation_id="getMetrics",
    tags=["Health"],
    media_type=MediaType.TEXT,
)
async def metrics(service: TheService) -> Response[bytes]:
    """Numbers in the text format of Prometheus."""
    body, media_type = await asyncio.to_thread(service.metrics.exposition)
    return Response(body, media_type=media_type)


ROUTES = (healthz, readyz, metrics)
