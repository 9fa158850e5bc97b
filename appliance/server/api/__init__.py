"""REST under `/api/v1`."""

from litestar.types import ControllerRouterHandler

ROUTES: tuple[ControllerRouterHandler, ...] = ()
"""All controllers of the API; `app.py` puts them under `/api/v1`."""
