"""The application: its routes, and what is before and around them."""

from typing import Any

from litestar import Litestar, MediaType, Response, Router
from litestar.di import Provide

from appliance.server import api, dashboard
from appliance.server.callers import Caller, known_caller, look_only
from appliance.server.paging import provide_paging
from appliance.server.parts import Service
from appliance.server.problems import AnyRequest, ProblemDocument, answer


def make_app(service: Service) -> Litestar:
    """All that answers HTTP requests, with the parts that it answers from."""

    def provide_service() -> Service:
        return service

    def on_error(request: AnyRequest, error: Exception) -> Response[Any]:  # Any: as it comes
        return answer(request, error, _plain_page)

    return Litestar(
        [Router("/api/v1", route_handlers=api.ROUTES), *dashboard.ROUTES],
        dependencies={
            "service": Provide(provide_service, sync_to_thread=False),
            "caller": Provide(provide_caller, sync_to_thread=False),
            "paging": Provide(provide_paging, sync_to_thread=False),
        },
        exception_handlers={Exception: on_error},
        guards=[look_only],
        logging_config=None,
        request_max_body_size=int(service.settings.server.max_request_mib * 2**20),
    )


def provide_caller(request: AnyRequest) -> Caller:
    """Who sent the request; 401 where nobody is known."""
    return known_caller(request)


def _plain_page(_: AnyRequest, document: ProblemDocument) -> Response[str]:
    text = f"{document.title}\n\n{document.detail}\n"
    return Response(text, status_code=document.status, media_type=MediaType.TEXT)
