"""Pages for people."""

from litestar.types import ControllerRouterHandler

from appliance.server.dashboard.failures import error_page
from appliance.server.dashboard.preferences import choose
from appliance.server.dashboard.rendering import static_router, template_config
from appliance.server.dashboard.work import HANDLERS

ROUTES: tuple[ControllerRouterHandler, ...] = (static_router(), choose, *HANDLERS)
"""All pages; `app.py` puts them under `/`."""

__all__ = ["ROUTES", "error_page", "template_config"]
