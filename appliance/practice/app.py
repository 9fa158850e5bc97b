"""The web application around a cloud."""

import logging
from typing import Any

from litestar import Litestar, Response
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.static_files import create_static_files_router
from litestar.types import Scope

from appliance.practice import api, pages
from appliance.practice.accounts import Caller, Doorkeeper
from appliance.practice.cloud import Cloud
from appliance.practice.identity import AnyRequest, Frames, identify, language_of
from appliance.practice.refusals import STATUS, RequestRefused

_LOG = logging.getLogger("uvicorn.error")
PROBLEM = "application/problem+json"


def create_app(cloud: Cloud, doorkeeper: Doorkeeper, frame_origin: str = "") -> Litestar:
    """The console, its API and its files."""

    def caller(request: AnyRequest) -> Caller:
        return identify(request, doorkeeper)

    def refused(request: AnyRequest, exc: RequestRefused) -> Response[dict[str, Any]]:
        return _problem(request, exc, cloud)

    files = create_static_files_router(
        path="/web", directories=[pages.WEB], include_in_schema=False
    )
    return Litestar(
        route_handlers=[*api.HANDLERS, *pages.HANDLERS, files],
        dependencies={
            "cloud": Provide(lambda: cloud, sync_to_thread=False),
            "doorkeeper": Provide(lambda: doorkeeper, sync_to_thread=False),
            "caller": Provide(caller, sync_to_thread=False),
            "frames": Provide(lambda: Frames(frame_origin.rstrip("/")), sync_to_thread=False),
        },
        exception_handlers={RequestRefused: refused, HTTPException: _http_problem},
        after_exception=[_report],
        logging_config=None,
        openapi_config=None,
    )


def _report(exc: Exception, scope: Scope) -> None:
    """A fault of the cloud itself goes to standard error; refusals are answers."""
    if not isinstance(exc, RequestRefused | HTTPException):
        _LOG.error("%s %s", scope["type"], scope.get("path", ""), exc_info=exc)


def _problem(request: AnyRequest, exc: RequestRefused, cloud: Cloud) -> Response[dict[str, Any]]:
    language = language_of(request)
    body = {
        "type": "about:blank",
        "title": exc.code.value,
        "status": STATUS[exc.code],
        "detail": exc.detail(cloud.catalogue, language),
        "code": exc.code.value,
        "errors": exc.field_errors(cloud.catalogue, language),
    }
    return Response(body, status_code=STATUS[exc.code], media_type=PROBLEM)


def _http_problem(request: AnyRequest, exc: HTTPException) -> Response[dict[str, Any]]:
    body = {
        "type": "about:blank",
        "title": type(exc).__name__.removesuffix("Exception"),
        "status": exc.status_code,
        "detail": exc.detail,
        "code": "BadRequest" if exc.status_code < 500 else "InternalError",
        "errors": {},
    }
    return Response(body, status_code=exc.status_code, media_type=PROBLEM)
