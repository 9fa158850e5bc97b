"""What comes before every route: is it for us, who sends it, may they send so much."""

from collections.abc import Mapping
from types import MappingProxyType

from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from appliance.core.errors import ApplianceError
from appliance.server.callers import Caller
from appliance.server.hosts import (
    check_host,
    check_origin,
    client_of,
    host_name,
    is_local,
    is_loopback,
    network_of,
)
from appliance.server.key_prover import KeyProver
from appliance.server.keys import ExpiredKey
from appliance.server.logins import COOKIE, Logins
from appliance.server.parts import Service
from appliance.server.problems import AnyRequest, ErrorPage, Problem, answer
from appliance.server.rates import RateLimits
from appliance.store.activity import Way
from appliance.store.keys import KeyRow, Role

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-cache",
}
"""Where an answer has its own, that holds."""


_HTTPS_ONLY = {"Strict-Transport-Security": f"max-age={365 * 86_400}"}


def with_headers(send: Send, more: Mapping[str, str] = MappingProxyType({})) -> Send:
    """A `send` that adds the headers that every response has, and more."""
    added = {**HEADERS, **more}

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableScopeHeaders.from_message(message)
            for name, value in added.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


LOCAL = Caller(name="local", role=Role.ADMIN)
"""Somebody at this machine, where nobody needs a key."""
_FOR_ALL = ("/static/", "/healthz")
"""Asked for by anybody, and often."""
_DESCRIPTIONS = ("/openapi.json", "/openapi.yaml", "/openapi.yml")
_PICTURES = "/artifacts/"
"""A page shows many: they do not count for somebody whom we know."""


class Front:
    """The door. Who comes through is `scope["user"]`: a `Caller`, or None."""

    def __init__(
        self,
        inside: ASGIApp,
        service: Service,
        logins: Logins,
        entrance: KeyProver,
        page: ErrorPage,
    ) -> None:
        self._inside = inside
        self._entrance = entrance
        self._settings = service.settings.server
        self._keys = service.keys
        self._logins = logins
        self._page = page
        self._rates = RateLimits(self._settings.requests_per_minute, service.engine.clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer why not. `HEAD` is `GET`, but for the body."""
        if scope["type"] != ScopeType.HTTP:
            await self._inside(scope, receive, send)
            return
        # `localhost` is other programs' name, too: a browser would ask none of them over HTTP.
        is_named = not is_loopback(host_name(scope["app"].request_class(scope).headers))
        is_ours = self._settings.tls.certificate is not None and is_named
        send = with_headers(send, _HTTPS_ONLY if is_ours else {})
        if scope["method"] == "HEAD":
            scope["method"], send = "GET", _without_body(send)
        request: AnyRequest = scope["app"].request_class(scope, receive, send)
        scope["user"] = scope["auth"] = None
        if client := scope.get("client"):
            forwarded = request.headers.getall("x-forwarded-for", [])
            address = client_of(client[0], forwarded, self._settings)
            scope["client"] = (address, client[1])
        try:
            check_host(request, self._settings)
            _check_described(scope["path"])
            if not scope["path"].startswith(_FOR_ALL):
                scope["user"] = await self._admit(request)
        except (Problem, ApplianceError) as error:
            response = answer(request, error, self._page)
            refuse = response.to_asgi_response(app=None, request=request)
            await self._outermost(refuse, scope, receive, send)
            return
        await self._outermost(self._inside, scope, receive, send)

    async def _outermost(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Even an error's page that fails is told as a problem, as long as nothing was sent."""
        has_begun = False

        async def sending(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await app(scope, receive, sending)
        except Exception as error:
            if has_begun:
                raise
            request: AnyRequest = scope["app"].request_class(scope, receive, send)
            response = answer(request, error, None)
            tell = response.to_asgi_response(app=None, request=request)
            await tell(scope, receive, send)

    async def _admit(self, request: AnyRequest) -> Caller | None:
        kind, _, text = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            key = self._keys.find_trusted(text)
            self._count(request, _caller(key) if key else None)
            try:
                key = key or await self._entrance.prove(request, text, Way.REST)
            except ExpiredKey as error:
                raise _useless(str(error), "Expired key", "expired-key") from None
            if key is None:
                why = "The key is none of this server's, or was revoked."
                raise _useless(why, "Unknown key", "unknown-key")
            return _caller(key)
        check_origin(request)
        token = request.cookies.get(COOKIE, "")
        person = await self._logins.find(token) if token else None
        self._count(request, person)
        if person is not None:
            return person
        if is_local(request, self._settings):
            return LOCAL
        return None

    def _count(self, request: AnyRequest, caller: Caller | None) -> None:
        client = request.scope.get("client")
        network = network_of(client[0]) if client else ""
        sender = f"key {caller.key_id}" if caller else f"address {network}"
        if caller is not None and request.scope["path"].startswith(_PICTURES):
            return
        wait_s = self._rates.take(sender)
        if wait_s:
            raise Problem(
                429,
                f"More than {self._settings.requests_per_minute} requests in a minute. "
                f"Go on after {wait_s} s.",
                headers={"Retry-After": str(wait_s)},
            )


def _check_described(path: str) -> None:
    """Litestar has a page of its own for what is not there beside the description of the API."""
    if path.startswith("/schema/") and not path.rstrip("/").endswith(_DESCRIPTIONS):
        raise Problem(404, f"There is {' and '.join(_DESCRIPTIONS)} under /schema.")


def _without_body(send: Send) -> Send:
    is_over = False

    async def sending(message: Message) -> None:
        nonlocal is_over
        if message["type"] != "http.response.body":
            await send(message)
        elif not is_over:
            is_over = True  # a stream goes on until it hears that its reader has gone
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    return sending


def _useless(why: str, title: str, code: str) -> Problem:
    headers = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
    return Problem(401, why, title=title, code=code, headers=headers)


def _caller(key: KeyRow) -> Caller:
    return Caller(name=key.name, role=key.role, key_id=key.id)
