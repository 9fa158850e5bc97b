"""Log-ins to the dashboard: a key once, then a cookie that only this server can make sense of."""

import asyncio
import secrets
from datetime import timedelta
from typing import TypeAlias

from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from appliance.config import ServerSettings
from appliance.core.clock import Clock
from appliance.server.key_prover import KeyProver
from appliance.server.keys import KeyCache, KeyStore, digest
from appliance.server.problems import AnyRequest
from appliance.store.activity import Way
from appliance.store.keys import KeyRow, LoginRow
from appliance.store.store import Store

COOKIE = "appliance_session"
_TOKEN_BYTES = 32


class Logins:
    """Browser sessions that were opened with a key."""

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
        self._trusted = KeyCache(clock)

    async def log_in(self, request: AnyRequest, key: str) -> Cookie | None:
        """The cookie for the browser of somebody who gave a key; None: it is none of ours.

        Raises:
            Problem: 429: too many from there were wrong.
        """
        row = await self._entrance.prove(request, key.strip(), Way.DASHBOARD)
        if row is None:
            return None
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        now = self._clock.now()
        login = LoginRow(
            token_hash=digest(token), key_id=row.id, began_at=now, expires_at=now + self._lasts
        )
        await asyncio.to_thread(self._store.logins.begin, login)
        await self._entrance.logged_in(request, row)
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

    async def find(self, token: str) -> KeyRow | None:
        """The key of the one who logged in; None where that is over or the key is revoked."""
        row = self._trusted.get(token)
        if row is None:
            row = await asyncio.to_thread(self._look_up, token)
        return None if row is None or self._keys.is_revoked(row.id) else row

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

    def _look_up(self, token: str) -> KeyRow | None:
        login = self._store.logins.get(digest(token))
        if login is None:
            return None
        left_s = (login.expires_at - self._clock.now()).total_seconds()
        key = self._store.keys.get(login.key_id)
        if left_s <= 0 or key is None or key.revoked_at is not None:
            return None
        self._trusted.add(token, key, left_s)
        return key


TheLogins: TypeAlias = NamedDependency[SkipValidation[Logins]]
"""For handlers: `logins: TheLogins`."""


def safe_next(text: str) -> str:
    """Where to go after a log-in: a page of ours, whatever a link says."""
    is_ours = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable()
    return text if is_ours else "/"
