"""The log-in page. What its form sends is taken by `appliance.server.login_pages`."""

from litestar import get
from litestar.response import Template

from appliance.server.callers import PUBLIC
from appliance.server.dashboard.frame import PageRequest, page
from appliance.server.dashboard.preferences import local
from appliance.server.parts import TheService


@get("/login", opt={PUBLIC: True})
async def log_in(request: PageRequest, service: TheService) -> Template:
    """The page that asks for a key."""
    return page(
        request,
        service,
        "login",
        at="",
        next=local(request.query_params.get("next", "/")),
        has_failed="failed" in request.query_params,
    )


HANDLERS = (log_in,)
