"""Reuses log-ins: an account's cookies as they were right after a log-in.

Only cookies are kept, and only those of the log-in itself: what an attempt does to the page's own
storage (a collapsed panel, the last region, a dismissed notice) never reaches the next attempt.
They are as good as a password while they last: they are on disk only where there is a key to
encrypt them with, each bound to its account, and never in a log or the store. A file that cannot be
decrypted (another key, a file of another account, damage) is as good as none.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote, urlsplit

import structlog
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from playwright.async_api import Error as PlaywrightError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance.browser import Page, Person
from appliance.config import Settings
from appliance.consoles import (
    Account,
    Console,
    asks_for_log_in,
    open_start,
    past_errors,
    read_sealed,
    write_sealed,
)
from appliance.core.clock import Clock
from appliance.core.errors import BrowserError
from appliance.core.secrets import learn

_FOLDER = "sessions"
_SCHEMA_VERSION = 1
_SUFFIX = ".session"
_MIN_TOKEN = 16
"""Characters; a shorter cookie may be a language or a theme instead of a session token."""
_MAX_FAILED_REUSES = 3
"""After this many failed reuses in a row, cookies are taken not to open the console."""

_log = structlog.get_logger()


class _StoredSession(BaseModel):
    """A session as written to its file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int
    console_url: str
    username: str
    start_url: str
    """The address at which the log-in ended."""
    logged_in_at: datetime
    ends_at: datetime
    cookies: list[dict[str, Any]] = Field(repr=False)  # Any: Playwright's, given back as they came


class Sessions:
    """The log-ins of one console's accounts."""

    def __init__(
        self,
        data_dir: Path | None,
        *,
        key: bytes | None = None,
        session_minutes: float,
        attempt_s: float,
        clock: Clock,
    ) -> None:
        """Set up an empty cache.

        Args:
            data_dir: Where files are stored; None: in memory only, as for a console that ends with
                the run.
            key: The key that encrypts them; None: in memory only.
            session_minutes: How long a log-in is reused; 0: not at all.
            attempt_s: The longest attempt; a session that would end earlier is not reused.
            clock: The time.
        """
        self._folder = data_dir / _FOLDER if data_dir is not None and key is not None else None
        self._cipher = AESGCM(key) if key is not None else None
        self._lifetime = timedelta(minutes=session_minutes)
        self._min_remaining = timedelta(seconds=attempt_s)
        self._clock = clock
        self._cache: dict[Path, _StoredSession] = {}
        self._failed_reuses: Counter[str] = Counter()

    @classmethod
    def of(
        cls, settings: Settings, clock: Clock, *, data_dir: Path | None, key: bytes | None
    ) -> Self:
        """Create the sessions with the durations of the settings."""
        model_s = settings.agent.max_seconds if settings.model.is_configured else 0.0
        return cls(
            data_dir,
            key=key,
            session_minutes=settings.environment.leases.session_minutes,
            attempt_s=max(settings.verification.max_seconds, model_s),
            clock=clock,
        )

    async def log_in(
        self,
        console: Console,
        page: Page,
        account: Account,
        locale: str,
        person: Person | None = None,
    ) -> bool:
        """Leave `page` on the console's start page, logged in; True if a stored session was used.

        Raises:
            ConsoleError: The console refuses the log-in.
            PersonError: It needs a person, and none comes.
            BrowserError: The console's page does not open.
        """
        if console.keeps_log_ins:
            await console.log_in(page, account, person)
            return False
        path = self._path_of(console, account, locale)
        session = await self._find(path, console, account)
        if session is not None and self._failed_reuses[console.name] < _MAX_FAILED_REUSES:
            if await _can_reuse(page, session):
                self._failed_reuses[console.name] = 0
                return True
            self._failed_reuses[console.name] += 1
            _log.info("session_ended_early", account=account.name)
            await self._drop(path)
            await page.raw.context.clear_cookies()
        await console.log_in(page, account, person)
        await past_errors(page)
        if (
            self._lifetime > self._min_remaining
            and self._failed_reuses[console.name] < _MAX_FAILED_REUSES
        ):
            await self._store_current(path, console, account, page)
        return False

    async def forget(self, console: Console, account: Account) -> None:
        """Drop an account's sessions in all languages, so that the next attempt logs in."""
        folder = self._path_of(console, account, "").parent
        for path in [cached_path for cached_path in self._cache if cached_path.parent == folder]:
            await self._drop(path)
        if self._folder is not None:
            await asyncio.to_thread(_remove_all, folder)

    def _path_of(self, console: Console, account: Account, locale: str) -> Path:
        names = [quote(name, safe="") for name in (console.name, account.name, locale or "any")]
        return (self._folder or Path()) / f"c-{names[0]}" / f"a-{names[1]}" / f"{names[2]}{_SUFFIX}"

    async def _find(self, path: Path, console: Console, account: Account) -> _StoredSession | None:
        """The stored session, if it is of this console and account and outlasts an attempt."""
        session = self._cache.get(path)
        if session is None and self._folder is not None and self._cipher is not None:
            session = await asyncio.to_thread(_read_file, path, self._cipher)
        if session is None:
            return None
        is_ours = (session.console_url, session.username) == (
            console.url,
            account.settings.username,
        )
        now = self._clock.now()
        ends_at = min(session.ends_at, session.logged_in_at + self._lifetime)
        if not is_ours or session.logged_in_at > now or now + self._min_remaining >= ends_at:
            await self._drop(path)
            return None
        self._cache[path] = session
        _register_secrets(session, now)
        return session

    async def _store_current(
        self, path: Path, console: Console, account: Account, page: Page
    ) -> None:
        try:
            cookies = [dict(cookie) for cookie in await page.raw.context.cookies()]
        except PlaywrightError:  # the attempt will find out that its page is gone
            return
        now = self._clock.now()
        session = _StoredSession(
            schema_version=_SCHEMA_VERSION,
            console_url=console.url,
            username=account.settings.username,
            start_url=page.url,
            logged_in_at=now,
            ends_at=min(now + self._lifetime, _earliest_expiry(cookies, now + self._lifetime)),
            cookies=cookies,
        )
        if not cookies or now + self._min_remaining >= session.ends_at:
            return
        await self._store(path, session)

    async def lend(self, console: Console, account: Account, locale: str) -> str | None:
        """A session as JSON for another process, as secret as a password; None if there is none."""
        session = await self._find(self._path_of(console, account, locale), console, account)
        is_useless = self._failed_reuses[console.name] >= _MAX_FAILED_REUSES
        return None if session is None or is_useless else session.model_dump_json()

    async def take(
        self,
        console: Console,
        account: Account,
        locale: str,
        session_json: str | None,
        *,
        was_usable: bool | None,
    ) -> None:
        """Take back the session that another process was lent or made.

        Args:
            console: Of the log-in.
            account: Of the log-in.
            locale: Of the log-in.
            session_json: As `lend` returns it; None: nothing that can be reused.
            was_usable: Whether the lent session opened the console; None: nothing was lent.
        """
        path = self._path_of(console, account, locale)
        if was_usable is not None:
            self._failed_reuses[console.name] = (
                0 if was_usable else self._failed_reuses[console.name] + 1
            )
        if session_json is not None:
            await self._store(path, _StoredSession.model_validate_json(session_json))
        elif was_usable is False:
            await self._drop(path)

    async def _store(self, path: Path, session: _StoredSession) -> None:
        now = self._clock.now()
        self._cache[path] = session
        _register_secrets(session, now)
        if self._folder is not None and self._cipher is not None:
            await asyncio.to_thread(write_sealed, path, session.model_dump_json(), self._cipher)

    async def _drop(self, path: Path) -> None:
        self._cache.pop(path, None)
        if self._folder is not None:
            await asyncio.to_thread(path.unlink, missing_ok=True)


async def _can_reuse(page: Page, session: _StoredSession) -> bool:
    """Whether the cookies open the page that the log-in led to, instead of the log-in form."""
    try:
        await page.raw.context.add_cookies(session.cookies)  # type: ignore[arg-type] # as they came
        await open_start(page, session.start_url)
        is_log_in_asked = await asks_for_log_in(page)
    except (BrowserError, PlaywrightError):
        return False
    return not is_log_in_asked and urlsplit(page.url).path == urlsplit(session.start_url).path


def _register_secrets(session: _StoredSession, now: datetime) -> None:
    """Register the session tokens as secrets for as long as they are valid."""
    for cookie in session.cookies:
        if cookie["httpOnly"] and len(value := cookie["value"]) >= _MIN_TOKEN:
            learn(value, for_s=(session.ends_at - now).total_seconds())


def _earliest_expiry(
    cookies: Sequence[dict[str, Any]], latest: datetime
) -> datetime:  # Any: see `_Kept`
    """The earliest expiry of the cookies that scripts cannot read, one of which is the log-in."""
    token_cookies = [cookie for cookie in cookies if cookie["httpOnly"]] or cookies
    expiries = [cookie["expires"] for cookie in token_cookies if cookie["expires"] > 0]
    return min(
        (datetime.fromtimestamp(expiry, latest.tzinfo) for expiry in expiries), default=latest
    )


def forget_unencrypted(data_dir: Path) -> None:
    """Remove sessions that an earlier release stored as plain text."""
    for file in (data_dir / _FOLDER).glob("c-*/a-*/*.json"):
        file.unlink(missing_ok=True)


def _read_file(path: Path, cipher: AESGCM) -> _StoredSession | None:
    """Read a session file; None if it is missing or unusable."""
    text = read_sealed(path, cipher)
    if text is None:
        return None
    try:
        session = _StoredSession.model_validate_json(text)
    except ValidationError as error:
        _log.warning("session_unreadable", file=str(path), error=type(error).__name__)
        return None
    return session if session.schema_version == _SCHEMA_VERSION else None


def _remove_all(folder: Path) -> None:
    for file in folder.glob("*"):
        file.unlink(missing_ok=True)
