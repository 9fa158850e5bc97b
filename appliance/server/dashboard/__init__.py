"""Pages for people."""

from litestar.types import ControllerRouterHandler

ROUTES: tuple[ControllerRouterHandler, ...] = ()
"""All pages; `app.py` puts them under `/`."""
