"""API keys: log in with one; make one or the next one, which is shown once, and revoke."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

from litestar import get, post
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Redirect, Template

from appliance.core.errors import ApplianceError
from appliance.server.activity import about
from appliance.server.callers import PUBLIC, Role, TheCaller
from appliance.server.dashboard.frame import (
    PageRequest,
    act_and_redirect,
    page,
    redirect_with_problem,
    redirect_with_reason,
)
from appliance.server.identity import provider_name
from appliance.server.logins import local
from appliance.server.parts import Service, TheService
from appliance.server.permissions import Permission, needs, permissions


@dataclass(frozen=True, slots=True)
class NewKeyForm:
    """The fields of the form for a new key."""

    name: str = ""
    role: str = Role.VIEWER.value
    days: str = ""
    """How long it is good; empty: as the settings say; `0`: until it is revoked."""


@dataclass(frozen=True, slots=True)
class RotationForm:
    """The fields of the form for the next key."""

    hours: str = "24"
    """How long the old one goes on."""


_DAYS = {"": None, **{str(days): timedelta(days=days) for days in (0, 30, 90, 365)}}
_GRACE = {str(hours): timedelta(hours=hours) for hours in (0, 1, 24, 168)}


@get("/login", opt={PUBLIC: True})
async def log_in(request: PageRequest, service: TheService) -> Template:
    """The page that asks for a key; `appliance.server.logins` takes what its form sends."""
    parameters = request.query_params
    back, failed = local(parameters.get("next", "/")), parameters.get("failed", "")
    key = "login.failed.expired" if failed == "expired" else "login.failed" if failed else ""
    oidc = service.settings.server.oidc
    provider = provider_name(oidc) if oidc.issuer else ""
    return page(
        request, service, "login", at="", next=back, failed=key, about={}, provider=provider
    )


@get("/keys", opt=needs(Permission.READ_KEYS))
async def keys(request: PageRequest, service: TheService) -> Template:
    """The page of all keys, revoked ones too."""
    return await _page(request, service, None)


@post("/keys", opt=needs(Permission.CREATE_KEY), status_code=200)
async def create(
    request: PageRequest, service: TheService, caller: TheCaller, data: URLEncodedBody[NewKeyForm]
) -> Template | Redirect:
    """A new one. The page that says it is the answer itself: nothing keeps the key."""
    if data.role not in tuple(Role):
        return redirect_with_reason("/keys", "apikey.role.unknown")
    about(data.name, data.role)
    try:
        made = await asyncio.to_thread(
            service.keys.create, data.name, Role(data.role), caller.name, _DAYS.get(data.days)
        )
    except ApplianceError as problem:
        return redirect_with_problem("/keys", problem)
    about(f"{made.row.id} {made.row.name}", made.row.role.value)
    return await _page(request, service, made.text, made.row.name)


@post("/keys/{key_id:str}/rotate", opt=needs(Permission.ROTATE_KEY), status_code=200)
async def rotate(
    request: PageRequest,
    service: TheService,
    caller: TheCaller,
    key_id: FromPath[str],
    data: URLEncodedBody[RotationForm],
) -> Template | Redirect:
    """The next one of that name, shown once as a new one is; the old one goes on for the grace."""
    grace = _GRACE.get(data.hours, _GRACE["24"])
    try:
        made = await asyncio.to_thread(service.keys.rotate, key_id, caller.name, grace)
    except ApplianceError as problem:
        return redirect_with_problem("/keys", problem)
    about(f"{made.row.id} {made.row.name}", f"in place of {key_id}")
    return await _page(request, service, made.text, made.row.name)


@post("/keys/{key_id:str}/revoke", opt=needs(Permission.REVOKE_KEY))
async def revoke(service: TheService, caller: TheCaller, key_id: FromPath[str]) -> Redirect:
    """Revoke a key."""
    return await act_and_redirect(
        "/keys", _revoke(service, key_id, caller.name), "apikey.revoke.done"
    )


async def _revoke(service: Service, key_id: str, by: str) -> None:
    row = await asyncio.to_thread(service.keys.revoke, key_id, by)
    about(f"{row.id} {row.name}")


async def _page(
    request: PageRequest, service: Service, made: str | None, name: str = ""
) -> Template:
    rows, now = await asyncio.to_thread(service.keys.all), service.engine.clock.now()
    return page(
        request,
        service,
        "keys",
        title="apikey.title",
        keys=sorted(rows, key=lambda row: (not row.is_good(now), row.name)),
        now=now,
        days=tuple(_DAYS),
        graces=tuple(_GRACE),
        made=made,
        made_name=name,
        roles=tuple(Role),
        permissions=permissions(),
        needs_keys=service.settings.server.keys == "required",
    )


HANDLERS = (log_in, keys, create, rotate, revoke)
