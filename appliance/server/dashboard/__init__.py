"""Pages for people."""

from litestar.types import ControllerRouterHandler

from appliance.server.dashboard import (
    accounts,
    activity,
    benchmarks,
    consoles,
    identity,
    keys,
    learning,
    live,
    overview,
    questions,
    resources,
    runs,
    schedules,
    search,
    webhooks,
    work,
)
from appliance.server.dashboard.frame import error_page
from appliance.server.dashboard.preferences import choose
from appliance.server.dashboard.rendering import static_router, template_config
from appliance.server.dashboard.work.marking import CurrentProcedure, Mark, marked_lines

ROUTES: tuple[ControllerRouterHandler, ...] = (
    static_router(),
    choose,
    overview.overview,
    *runs.HANDLERS,
    *live.HANDLERS,
    *questions.HANDLERS,
    *schedules.HANDLERS,
    *consoles.HANDLERS,
    *accounts.HANDLERS,
    *resources.HANDLERS,
    *webhooks.HANDLERS,
    *benchmarks.HANDLERS,
    *learning.HANDLERS,
    *keys.HANDLERS,
    *identity.HANDLERS,
    *search.HANDLERS,
    *activity.HANDLERS,
    *work.HANDLERS,
)
"""All pages; `app.py` puts them under `/`."""

__all__ = [
    "ROUTES",
    "CurrentProcedure",
    "Mark",
    "error_page",
    "marked_lines",
    "template_config",
]
