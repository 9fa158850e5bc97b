"""Who a request comes from, from where, and in which language it wants to be answered."""

import base64
import binascii
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency

from appliance.practice.accounts import Account, Caller, Doorkeeper
from appliance.practice.cloud import Cloud
from appliance.practice.refusals import Code, MessageRef, RequestRefused

SESSION_COOKIE = "practice_session"
CODE_COOKIE = "practice_code"
"""Of those whose password was right, until they have entered the code of the second factor."""
STATE_COOKIE = "practice_state"
"""Of those who were sent to the identity provider."""
LANGUAGE_COOKIE = "practice_language"
REGION_COOKIE = "practice_region"
REGION_HEADER = "x-practice-region"
CODE_HEADER = "x-practice-code"
"""The second factor, beside a user name and password."""
CONSOLE_HEADER = "x-practice-console"
"""Sent by the console's own scripts only: another site's form cannot add it."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_AGENT_LIMIT = 300
_OTHER_NAME = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}


class Frames(NamedTuple):
    """Where embedded frames of another origin come from."""

    origin: str = ""
    """Empty: this server under the other name of the loopback address."""


TheCloud = NamedDependency[Cloud]
TheDoorkeeper = NamedDependency[Doorkeeper]
TheCaller = NamedDependency[Caller]
TheFrames = NamedDependency[Frames]
"""What handlers are given beside the request."""

AnyRequest = Request[Any, Any, State]  # Any: user and auth of the framework, not used here


def identify(request: AnyRequest, doorkeeper: Doorkeeper) -> Caller:
    """The caller of an API request; `RequestRefused` when nobody known."""
    header = request.headers.get("authorization", "")
    if account := _by_header(header, request.headers.get(CODE_HEADER, ""), doorkeeper):
        is_frame = doorkeeper.is_of_frame(_bearer(header))
        return caller_of(request, account, "console" if is_frame else "api")
    cookie = request.cookies.get(SESSION_COOKIE, "")
    account = doorkeeper.by_token(cookie)
    is_ours = request.method in _SAFE or CONSOLE_HEADER in request.headers
    if account is None or not is_ours:
        if doorkeeper.has_ended(_bearer(header) or cookie):
            raise RequestRefused(Code.SESSION_EXPIRED, MessageRef("session_expired"))
        raise RequestRefused(Code.UNAUTHENTICATED, MessageRef("sign_in_title"))
    return caller_of(request, account, "console")


def language_of(request: AnyRequest) -> str:
    """`en` or `zh`: what the address asks for, else the cookie, else the browser."""
    language = request.query_params.get("lang") or request.cookies.get(LANGUAGE_COOKIE, "")
    if language in ("en", "zh"):
        return str(language)
    header = request.headers.get("accept-language", "").strip().lower()
    return "zh" if header.startswith("zh") else "en"


def caller_of(request: AnyRequest, account: Account, source: str) -> Caller:
    """An account that asks, with where the request comes from and which region it means."""
    region = request.headers.get(REGION_HEADER) or request.query_params.get("region")
    if not region and source == "console":
        region = request.cookies.get(REGION_COOKIE)
    return Caller(
        account=account,
        source=source,
        region=region or "",
        source_address=request.client.host if request.client else "",
        user_agent=request.headers.get("user-agent", "")[:_AGENT_LIMIT],
    )


def _bearer(header: str) -> str:
    scheme, _, credentials = header.partition(" ")
    return credentials.strip() if scheme.lower() == "bearer" else ""


def _by_header(header: str, code: str, doorkeeper: Doorkeeper) -> Account | None:
    scheme, _, credentials = header.partition(" ")
    match scheme.lower():
        case "bearer":
            return doorkeeper.by_token(credentials.strip())
        case "basic":
            try:
                name, _, password = base64.b64decode(credentials).decode().partition(":")
            except (binascii.Error, UnicodeDecodeError):
                return None
            account = doorkeeper.by_password(name, password)
            if account is None:
                raise RequestRefused(Code.UNAUTHENTICATED, MessageRef("sign_in_wrong"))
            second = doorkeeper.second_factor
            if second is not None and not second.accepts(account, code):
                raise RequestRefused(Code.SECOND_FACTOR, MessageRef("second_factor_wrong"))
            return account
        case _:
            return None


class Origins(NamedTuple):
    """The two origins that the console consists of, as a browser writes them."""

    same: str
    """That of the request."""
    other: str

    @classmethod
    def of(cls, request: AnyRequest, frames: Frames) -> "Origins":
        """The origins seen from a request: the other is told, or the other loopback name."""
        same = str(request.base_url).rstrip("/")
        address = urlsplit(same)
        name = _OTHER_NAME.get(address.hostname or "")
        port = f":{address.port}" if address.port else ""
        return cls(same, frames.origin or (f"{address.scheme}://{name}{port}" if name else same))
