"""Models and training runs."""

import asyncio
from urllib.parse import urlsplit

from litestar import get, post
from litestar.response import Redirect, Template

from appliance.server.callers import TheCaller, caller_of
from appliance.server.dashboard.frame import (
    PageRequest,
    act_and_redirect,
    page,
    redirect_with_reason,
)
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, may, needs

_MOST_LINES = 30
"""Of what a policy server says."""


@get("/models")
async def models(request: PageRequest, service: TheService) -> Template:
    """The model that is served here or elsewhere, or that there is none."""
    model = service.engine.model.settings
    server = service.engine.model.server
    parts = urlsplit(model.endpoint)
    return page(
        request,
        service,
        "models",
        model=model,
        server=server,
        log_lines=await asyncio.to_thread(server.tail, _MOST_LINES)
        if server and _may_read_log(request)
        else (),
        endpoint=f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}",
    )


@post("/models/restart", opt=needs(Permission.RESTART_MODEL))
async def restart(service: TheService, caller: TheCaller) -> Redirect:
    """Start the one again that is served here."""
    server = service.engine.model.server
    if server is None:
        return redirect_with_reason("/models", "models.restart.none")
    return await act_and_redirect("/models", server.restart(caller.name), "models.restart.done")


@get("/training")
async def training(request: PageRequest, service: TheService) -> Template:
    """The page that says that this build has no training."""
    return page(request, service, "training")


def _may_read_log(request: PageRequest) -> bool:
    caller = caller_of(request)
    return caller is not None and may(caller.role, Permission.READ_MODEL_LOG)


HANDLERS = (models, restart, training)
