"""Log-ins to the dashboard: a key once, then a cookie that only this server can make sense of."""

import asyncio
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias
from urllib.parse import urlencode

from litestar import post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import SkipValidation, URLEncodedBody
from litestar.response import Redirect

from appliance.config import ServerSettings
from appliance.core.clock import Clock
from appliance.server.callers import PUBLIC, Caller
from appliance.server.key_prover import KeyProver
from appliance.server.keys import ExpiredKey, KeyStore
from appliance.server.problems import LOG_IN, AnyRequest
from appliance.server.trust import TrustCache, digest
from appliance.store.activity import Way
from appliance.store.keys import LoginRow, Role
from appliance.store.store import Store

COOKIE = "appliance_session"
_TOKEN_BYTES = 32


class Logins:
    """Browser sessions that were opened with a key, or at an identity provider."""

    def __init__(
        self,
        store: Store,
        keys: KeyStore,
        clock: Clock,
        settings: ServerSettings,
        entrance: KeyProver,
    ) -> None:
        self._store = store
        self._keys = keys
        self._entrance = entrance
        self._clock = clock
        self._lasts = timedelta(hours=settings.session_hours)
        self._public_url = settings.public_url
        self._has_provider = bool(settings.oidc.issuer)
        self._trusted = TrustCache[Caller](clock)

    async def log_in(self, request: AnyRequest, key: str) -> Cookie | None:
        """The cookie for the browser of somebody who gave a key; None: it is none of ours.

        Raises:
            ExpiredKey: Its time is over.
            Problem: 429: too many from there were wrong.
        """
        row = await self._entrance.prove(request, key.strip(), Way.DASHBOARD)
        if row is None:
            return None
        caller = Caller(name=row.name, role=row.role, key_id=row.id, session=True)
        return await self._begin(request, caller)

    async def log_in_person(self, request: AnyRequest, person: Caller) -> Cookie:
        """The cookie for the browser of somebody whom the identity provider vouches for."""
        return await self._begin(request, person, name=person.name, role=person.role)

    async def _begin(
        self, request: AnyRequest, caller: Caller, name: str = "", role: Role | None = None
    ) -> Cookie:
        token, now = secrets.token_urlsafe(_TOKEN_BYTES), self._clock.now()
        login = LoginRow(
            token_hash=digest(token),
            key_id=caller.key_id,
            began_at=now,
            expires_at=now + self._lasts,
            name=name,
            role=role,
        )
        await asyncio.to_thread(self._store.logins.begin, login)
        await self._entrance.logged_in(request, caller)
        return self._cookie(request, token, int(self._lasts.total_seconds()))

    async def log_out(self, request: AnyRequest) -> Cookie:
        """End the log-in that the request came with; the cookie that removes it."""
        token = request.cookies.get(COOKIE, "")
        row = await self.find(token) if token else None
        self._trusted.forget(token)
        await asyncio.to_thread(self._store.logins.end, digest(token))
        if row is not None:
            await self._entrance.logged_out(request, row)
        return self._cookie(request, "", 0)

    async def find(self, token: str) -> Caller | None:
        """Who logged in; None where that is over, or the key is good no more."""
        caller = self._trusted.get(token)
        if caller is None:
            caller = await asyncio.to_thread(self._look_up, token)
        return None if caller is None or self._keys.is_over(caller.key_id) else caller

    def _cookie(self, request: AnyRequest, token: str, max_age_s: int) -> Cookie:
        is_https = request.url.scheme == "https" or self._public_url.startswith("https:")
        return Cookie(
            COOKIE,
            value=token,
            max_age=max_age_s,
            httponly=True,
            samesite="strict",
            secure=is_https,
        )

    def _look_up(self, token: str) -> Caller | None:
        login = self._store.logins.get(digest(token))
        if login is None:
            return None
        left_s = (login.expires_at - self._clock.now()).total_seconds()
        caller = self._caller_of(login) if left_s > 0 else None
        if caller is not None:
            self._trusted.add(token, caller, left_s)
        return caller

    def _caller_of(self, login: LoginRow) -> Caller | None:
        if login.role is not None:
            person = Caller(name=login.name, role=login.role, key_id=login.key_id, session=True)
            return person if self._has_provider else None
        key = self._keys.get(login.key_id)
        if key is None or not key.is_good(self._clock.now()):
            return None
        return Caller(name=key.name, role=key.role, key_id=key.id, session=True)


TheLogins: TypeAlias = NamedDependency[SkipValidation[Logins]]
"""For handlers: `logins: TheLogins`."""


def local(address: str) -> str:
    """A path of ours; whatever leads elsewhere becomes the overview."""
    is_ours = address.startswith("/") and not address.startswith("//") and "\\" not in address
    return address if is_ours and address.isprintable() else "/"


@dataclass(frozen=True, slots=True)
class LogInForm:
    """The fields of the log-in form."""

    key: str = ""
    next: str = "/"
    """Where to go then."""


@post(LOG_IN, opt={PUBLIC: True})
async def log_in(
    request: AnyRequest, logins: TheLogins, data: URLEncodedBody[LogInForm]
) -> Redirect:
    """To where somebody wanted to go, or back to the form where the key is none."""
    try:
        cookie, failed = await logins.log_in(request, data.key), "1"
    except ExpiredKey:
        cookie, failed = None, "expired"
    if cookie is None:
        again = urlencode({"failed": failed, "next": local(data.next)})
        return Redirect(f"{LOG_IN}?{again}", status_code=303)
    return Redirect(local(data.next), status_code=303, cookies=[cookie])


@post("/logout", opt={PUBLIC: True})
async def log_out(request: AnyRequest, logins: TheLogins) -> Redirect:
    """Back to the form; what the browser has is worth nothing from now on."""
    return Redirect(LOG_IN, status_code=303, cookies=[await logins.log_out(request)])


ROUTES = (log_in, log_out)
