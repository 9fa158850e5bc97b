"""Who a request comes from, and in which language it wants to be answered."""

import base64
import binascii
from typing import Any

from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency

from appliance.practice.accounts import Account, Doorkeeper
from appliance.practice.cloud import Caller, Cloud
from appliance.practice.refusals import Code, Refused, Said

SESSION_COOKIE = "practice_session"
LANGUAGE_COOKIE = "practice_language"
CONSOLE_HEADER = "x-practice-console"
"""Sent by the console's own scripts only: another site's form cannot add it."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

TheCloud = NamedDependency[Cloud]
TheDoorkeeper = NamedDependency[Doorkeeper]
TheCaller = NamedDependency[Caller]
"""What handlers are given beside the request."""

AnyRequest = Request[Any, Any, State]  # Any: user and auth of the framework, not used here


def identify(request: AnyRequest, doorkeeper: Doorkeeper) -> Caller:
    """The caller of an API request; `Refused` when nobody known."""
    if account := _by_header(request.headers.get("authorization", ""), doorkeeper):
        return Caller(account=account, source="api")
    account = doorkeeper.by_token(request.cookies.get(SESSION_COOKIE, ""))
    is_ours = request.method in _SAFE or CONSOLE_HEADER in request.headers
    if account is None or not is_ours:
        raise Refused(Code.UNAUTHENTICATED, Said("sign_in_title"))
    return Caller(account=account, source="console")


def language_of(request: AnyRequest) -> str:
    """`en` or `zh`: what the address asks for, else the cookie, else the browser."""
    asked = request.query_params.get("lang") or request.cookies.get(LANGUAGE_COOKIE, "")
    if asked in ("en", "zh"):
        return str(asked)
    wanted = request.headers.get("accept-language", "").strip().lower()
    return "zh" if wanted.startswith("zh") else "en"


def _by_header(header: str, doorkeeper: Doorkeeper) -> Account | None:
    scheme, _, credentials = header.partition(" ")
    match scheme.lower():
        case "bearer":
            return doorkeeper.by_token(credentials.strip())
        case "basic":
            try:
                name, _, password = base64.b64decode(credentials).decode().partition(":")
            except (binascii.Error, UnicodeDecodeError):
                return None
            return doorkeeper.by_password(name, password)
        case _:
            return None
