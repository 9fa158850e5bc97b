"""The application: its routes, and what is before and around them."""

import asyncio
from typing import Any

from litestar import Litestar, Response, Router
from litestar.di import Provide

from appliance.server import api, dashboard, health
from appliance.server.activity import Activity, ActivityMiddleware
from appliance.server.callers import Caller, authorise, known_caller
from appliance.server.etags import ETags
from appliance.server.front import Front
from appliance.server.identity import IdentityProvider
from appliance.server.key_prover import KeyProver
from appliance.server.logins import ROUTES as LOG_INS
from appliance.server.logins import Logins
from appliance.server.paging import provide_paging
from appliance.server.parts import Service
from appliance.server.problems import AnyRequest, ProblemDocument, answer
from appliance.server.repeats import Repeats
from appliance.server.watch import watch_requests
from appliance.store.paging import Paging


def make_app(service: Service) -> Litestar:
    """All that answers HTTP requests, with the parts that it answers from."""
    clock, settings = service.engine.clock, service.settings.server
    activity = Activity(service.store.activity, clock)
    entrance = KeyProver(service, activity)
    provider = (
        IdentityProvider(settings.oidc, clock, service.settings.outward)
        if settings.oidc.issuer
        else None
    )
    logins = Logins(service.store, service.keys, clock, settings, entrance)

    def error_page(request: AnyRequest, document: ProblemDocument) -> Response[Any]:  # Any: a page
        return dashboard.error_page(request, service, document)

    def on_error(request: AnyRequest, error: Exception) -> Response[Any]:  # Any: as it comes
        return answer(request, error, error_page)

    app = Litestar(
        [
            Router("/api/v1", route_handlers=api.ROUTES),
            *health.ROUTES,
            Router(
                "/",
                route_handlers=[*LOG_INS, *dashboard.ROUTES],
                include_in_schema=False,
            ),
        ],
        dependencies={
            "service": _provide(service),
            "logins": _provide(logins),
            "entrance": _provide(entrance),
            "provider": _provide(provider),
            "caller": Provide(known_caller_of, sync_to_thread=False),
            "paging": Provide(provide_paging, sync_to_thread=False),
        },
        exception_handlers={Exception: on_error},
        guards=[authorise],
        logging_config=None,
        middleware=[ETags(), Repeats(service), ActivityMiddleware(service, activity)],
        on_startup=[describe],
        openapi_config=api.openapi_config(),
        plugins=api.PLUGINS,
        request_max_body_size=int(settings.max_request_mib * 2**20),
        signature_types=[Caller, Logins, Paging, Service],
        template_config=dashboard.template_config(),
    )
    # Not as middleware: what is no route has to pass them, too.
    front = Front(app.asgi_handler, service, logins, entrance, error_page)
    app.asgi_handler = watch_requests(front, service.metrics)
    return app


async def describe(app: Litestar) -> None:
    """Work out the description of the API before somebody asks: it takes half a second."""
    await asyncio.to_thread(lambda: app.openapi_schema)


def known_caller_of(request: AnyRequest) -> Caller:
    """Who sent the request; 401 where nobody is known."""
    return known_caller(request)


def _provide(part: object) -> Provide:
    def provide() -> object:
        return part

    return Provide(provide, sync_to_thread=False)
