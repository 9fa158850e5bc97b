"""Resources: what stands in the clouds because of us, and removing what should not."""

from dataclasses import dataclass

from litestar import get, post
from litestar.params import URLEncodedBody
from litestar.response import Redirect, Template

from appliance.core.errors import ApplianceError
from appliance.server.activity import about
from appliance.server.dashboard.frame import (
    PageRequest,
    console_of,
    page,
    redirect_with_notice,
    redirect_with_problem,
)
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs


@dataclass(frozen=True, slots=True)
class ReapForm:
    """The fields of the clean-up buttons."""

    console: str
    is_for_show: bool = False
    """Only say what would be removed."""


@get("/resources")
async def resources(request: PageRequest, service: TheService) -> Template:
    """The page of all resources that are not known to be gone."""
    console = console_of(request, service)
    rows = await service.engine.clouds.resources(console)
    return page(
        request,
        service,
        "resources",
        resources=rows,
        now=service.engine.clock.now(),
        reaped=None,
    )


@post("/resources/reap", opt=needs(Permission.REMOVE_LEFTOVERS), status_code=200)
async def reap(
    request: PageRequest, service: TheService, data: URLEncodedBody[ReapForm]
) -> Template | Redirect:
    """Remove what a crash left and what is past its time; or only say what."""
    back = f"/resources?console={data.console}"
    about(data.console, "only looked" if data.is_for_show else "")
    try:
        reaped = await service.engine.clouds.reap(data.console, dry_run=data.is_for_show)
        rows = await service.engine.clouds.resources(data.console)
    except ApplianceError as problem:
        return redirect_with_problem(back, problem)
    if not reaped:
        return redirect_with_notice(back, "resources.reap.nothing")
    return page(
        request,
        service,
        "resources",
        resources=rows,
        now=service.engine.clock.now(),
        reaped=reaped,
        is_for_show=data.is_for_show,
        console=data.console,
    )


HANDLERS = (resources, reap)
