"""Accounts: how it stands with each; check, quarantine, release."""

import asyncio
from dataclasses import dataclass

from litestar import get, post
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Redirect, Template

from appliance.server.activity import about
from appliance.server.callers import TheCaller
from appliance.server.dashboard.frame import (
    PageRequest,
    act_and_redirect,
    console_of,
    page,
    redirect_with_reason,
)
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs


@dataclass(frozen=True, slots=True)
class QuarantineForm:
    """The fields of the quarantine form."""

    reason: str = ""


@get("/accounts")
async def accounts(request: PageRequest, service: TheService) -> Template:
    """The page of all accounts of a console."""
    console = console_of(request, service)
    rows = await asyncio.to_thread(service.engine.clouds.accounts, console)
    problems = await asyncio.to_thread(service.engine.problems)
    return page(
        request,
        service,
        "accounts",
        accounts=rows,
        problems=problems,
        kind=service.settings.consoles[console].kind,
    )


@post("/accounts/{console:str}/{name:str}/check", opt=needs(Permission.CHECK_ACCOUNT))
async def check(service: TheService, console: FromPath[str], name: FromPath[str]) -> Redirect:
    """Check an account's log-in and quotas."""
    work = service.engine.clouds.check_account(console, name)
    return await act_and_redirect(_back(console), work, "accounts.check.done", name=name)


@post("/accounts/{console:str}/{name:str}/release", opt=needs(Permission.RELEASE_ACCOUNT))
async def release(service: TheService, console: FromPath[str], name: FromPath[str]) -> Redirect:
    """End an account's quarantine."""
    work = service.engine.clouds.release(console, name)
    return await act_and_redirect(_back(console), work, "accounts.release.done", name=name)


@post("/accounts/{console:str}/{name:str}/quarantine", opt=needs(Permission.QUARANTINE_ACCOUNT))
async def quarantine(
    service: TheService,
    caller: TheCaller,
    console: FromPath[str],
    name: FromPath[str],
    data: URLEncodedBody[QuarantineForm],
) -> Redirect:
    """Put an account into quarantine."""
    reason = data.reason.strip()
    if not reason:
        return redirect_with_reason(_back(console), "accounts.reason.missing")
    about(f"{console}/{name}", reason)
    work = service.engine.clouds.quarantine(console, name, reason, by=caller.name)
    return await act_and_redirect(_back(console), work, "accounts.quarantine.done", name=name)


def _back(console: str) -> str:
    return f"/accounts?console={console}"


HANDLERS = (accounts, check, release, quarantine)
