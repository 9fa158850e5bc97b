"""Logging in at the identity provider: to it, and back."""

import re
from collections.abc import Mapping

from litestar import get
from litestar.datastructures import Cookie
from litestar.response import Redirect, Template

from appliance.server.callers import PUBLIC
from appliance.server.dashboard.frame import PageRequest, page
from appliance.server.identity import (
    LASTS_S,
    IdentityProvider,
    NotLetIn,
    Reason,
    TheProvider,
    person_of,
    provider_name,
)
from appliance.server.key_prover import TheEntrance
from appliance.server.logins import TheLogins, local
from appliance.server.parts import Service, TheService
from appliance.server.problems import Problem

START, CALLBACK = "/login/oidc", "/login/oidc/callback"
COOKIE = "appliance_login"
_ERROR = re.compile(r"[A-Za-z_]{1,60}", re.ASCII)
_REFUSED = ("access_denied", "consent_required", "interaction_required", "login_required")


@get(START, opt={PUBLIC: True})
async def begin(
    request: PageRequest, service: TheService, provider: TheProvider, entrance: TheEntrance
) -> Redirect | Template:
    """To the provider, with a cookie that only the way back is told."""
    provider = _known(provider)
    base = service.settings.server.public_url.rstrip("/") or str(request.base_url).rstrip("/")
    flow = provider.flows.begin(base + CALLBACK, local(request.query_params.get("next", "/")))
    try:
        address = await provider.authorization_url(flow)
    except NotLetIn as why:
        await entrance.not_logged_in(request, str(why))
        return _form(request, service, why.reason)
    cookie = Cookie(
        COOKIE,
        value=flow.state,
        path=START,
        max_age=LASTS_S,
        httponly=True,
        samesite="lax",  # the way back comes from the provider's pages
        secure=base.startswith("https:"),
    )
    return Redirect(address, status_code=303, cookies=[cookie])


@get(CALLBACK, opt={PUBLIC: True})
async def finish(
    request: PageRequest,
    service: TheService,
    logins: TheLogins,
    provider: TheProvider,
    entrance: TheEntrance,
) -> Template:
    """Back from the provider: in, or to the form with one sentence that says why not."""
    parameters, settings = request.query_params, service.settings.server.oidc
    provider = _known(provider)
    try:
        flow = provider.flows.finish(parameters.get("state", ""), request.cookies.get(COOKIE, ""))
        code = _code(parameters, settings.issuer)
        person = person_of(await provider.claims(code, flow), settings)
    except NotLetIn as why:
        await entrance.not_logged_in(request, str(why))
        return _form(request, service, why.reason)
    # A redirect would still be the other site's, and the browser would keep the cookie back.
    response = page(
        request, service, "entered", at="", title="login.title", path="/", next=flow.next
    )
    response.set_cookie(await logins.log_in_person(request, person))
    response.delete_cookie(COOKIE, path=START)
    return response


def _known(provider: IdentityProvider | None) -> IdentityProvider:
    if provider is None:
        raise Problem(404, "`server.oidc` names no identity provider.")
    return provider


def _code(parameters: Mapping[str, str], issuer: str) -> str:
    """What the provider gave the browser for us; `NotLetIn` where it gave an error."""
    if parameters.get("iss", issuer) != issuer:
        raise NotLetIn(Reason.MISCONFIGURED, "another identity provider answered")
    if error := parameters.get("error", ""):
        code = error if _ERROR.fullmatch(error) else "an error"
        is_refusal = code in _REFUSED
        why = f"the identity provider answered {code}"
        raise NotLetIn(Reason.REFUSED if is_refusal else Reason.FAILED, why)
    if not (code := parameters.get("code", "")):
        raise NotLetIn(Reason.FAILED, "the identity provider answered without a code")
    return code


def _form(request: PageRequest, service: Service, reason: Reason) -> Template:
    settings = service.settings.server.oidc
    response = page(
        request,
        service,
        "login",
        at="",
        status=403,
        path="/login",
        next="/",
        failed=f"login.oidc.{reason}",
        about={"provider": provider_name(settings), "claim": settings.roles_claim},
        provider=provider_name(settings),
    )
    response.delete_cookie(COOKIE, path=START)
    return response


HANDLERS = (begin, finish)
