"""Log-ins that are used again: an account's cookies, as they were right after a log-in.

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
_TOKEN = 16
"""Characters from which on a cookie that scripts cannot read is none of a language or a theme."""
_VAIN = 3
"""After so many log-in pages in a row a console counts as one that cookies do not open."""

_log = structlog.get_logger()


class _Kept(BaseModel):
    """A session as it is written to its file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int
    console_url: str
    username: str
    start_url: str
    """Where the log-in ended."""
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
        """Sessions.

        Args:
            data_dir: Where files are kept; None: in memory only, as for a console that ends with
                the run.
            key: What they are encrypted with; None: in memory only.
            session_minutes: How long a log-in is used again; 0: not at all.
            attempt_s: The longest attempt; a session that would end earlier is made anew.
            clock: The time.
        """
        self._folder = data_dir / _FOLDER if data_dir is not None and key is not None else None
        self._cipher = AESGCM(key) if key is not None else None
        self._lasts = timedelta(minutes=session_minutes)
        self._needed = timedelta(seconds=attempt_s)
        self._clock = clock
        self._known: dict[Path, _Kept] = {}
        self._vain: Counter[str] = Counter()

    @classmethod
    def of(
        cls, settings: Settings, clock: Clock, *, data_dir: Path | None, key: bytes | None
    ) -> Self:
        """As long as the settings say."""
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
        """Leave `page` on the console's start page, logged in; whether a kept session did it.

        Raises:
            ConsoleError: The console refuses the log-in.
            PersonError: It needs a person, and none comes.
            BrowserError: The console's page does not open.
        """
        if console.keeps_log_ins:
            await console.log_in(page, account, person)
            return False
        place = self._place(console, account, locale)
        kept = await self._read(place, console, account)
        if kept is not None and self._vain[console.name] < _VAIN:
            if await _opens(page, kept):
                self._vain[console.name] = 0
                return True
            self._vain[console.name] += 1
            _log.info("session_ended_early", account=account.name)
            await self._drop(place)
            await page.raw.context.clear_cookies()
        await console.log_in(page, account, person)
        await past_errors(page)
        if self._lasts > self._needed and self._vain[console.name] < _VAIN:
            await self._keep(place, console, account, page)
        return False

    async def forget(self, console: Console, account: Account) -> None:
        """Log in anew at the next attempt, in whatever language."""
        folder = self._place(console, account, "").parent
        for place in [known for known in self._known if known.parent == folder]:
            await self._drop(place)
        if self._folder is not None:
            await asyncio.to_thread(_remove_all, folder)

    def _place(self, console: Console, account: Account, locale: str) -> Path:
        names = [quote(name, safe="") for name in (console.name, account.name, locale or "any")]
        return (self._folder or Path()) / f"c-{names[0]}" / f"a-{names[1]}" / f"{names[2]}{_SUFFIX}"

    async def _read(self, place: Path, console: Console, account: Account) -> _Kept | None:
        """What is kept, if it is of this console and account and lasts for an attempt."""
        kept = self._known.get(place)
        if kept is None and self._folder is not None and self._cipher is not None:
            kept = await asyncio.to_thread(_read_file, place, self._cipher)
        if kept is None:
            return None
        is_ours = (kept.console_url, kept.username) == (console.url, account.settings.username)
        now = self._clock.now()
        ends_at = min(kept.ends_at, kept.logged_in_at + self._lasts)
        if not is_ours or kept.logged_in_at > now or now + self._needed >= ends_at:
            await self._drop(place)
            return None
        self._known[place] = kept
        _learn(kept, now)
        return kept

    async def _keep(self, place: Path, console: Console, account: Account, page: Page) -> None:
        try:
            cookies = [dict(cookie) for cookie in await page.raw.context.cookies()]
        except PlaywrightError:  # the attempt will find out that its page is gone
            return
        now = self._clock.now()
        kept = _Kept(
            schema_version=_SCHEMA_VERSION,
            console_url=console.url,
            username=account.settings.username,
            start_url=page.url,
            logged_in_at=now,
            ends_at=min(now + self._lasts, _first_end(cookies, now + self._lasts)),
            cookies=cookies,
        )
        if not cookies or now + self._needed >= kept.ends_at:
            return
        await self._put(place, kept)

    async def lend(self, console: Console, account: Account, locale: str) -> str | None:
        """What is kept, for another process, as good as a password; None: there is nothing."""
        kept = await self._read(self._place(console, account, locale), console, account)
        is_vain = self._vain[console.name] >= _VAIN
        return None if kept is None or is_vain else kept.model_dump_json()

    async def take(
        self,
        console: Console,
        account: Account,
        locale: str,
        kept: str | None,
        *,
        was_good: bool | None,
    ) -> None:
        """What another process made of it.

        Args:
            console: Of the log-in.
            account: Of the log-in.
            locale: Of the log-in.
            kept: As `lend` gives it; None: nothing that could be used again.
            was_good: Whether what was lent opened the console; None: nothing was lent.
        """
        place = self._place(console, account, locale)
        if was_good is not None:
            self._vain[console.name] = 0 if was_good else self._vain[console.name] + 1
        if kept is not None:
            await self._put(place, _Kept.model_validate_json(kept))
        elif was_good is False:
            await self._drop(place)

    async def _put(self, place: Path, kept: _Kept) -> None:
        now = self._clock.now()
        self._known[place] = kept
        _learn(kept, now)
        if self._folder is not None and self._cipher is not None:
            await asyncio.to_thread(write_sealed, place, kept.model_dump_json(), self._cipher)

    async def _drop(self, place: Path) -> None:
        self._known.pop(place, None)
        if self._folder is not None:
            await asyncio.to_thread(place.unlink, missing_ok=True)


async def _opens(page: Page, kept: _Kept) -> bool:
    """Whether the cookies lead to where the log-in had led, instead of to its form."""
    try:
        await page.raw.context.add_cookies(kept.cookies)  # type: ignore[arg-type] # as they came
        await open_start(page, kept.start_url)
        asks = await asks_for_log_in(page)
    except (BrowserError, PlaywrightError):
        return False
    return not asks and urlsplit(page.url).path == urlsplit(kept.start_url).path


def _learn(kept: _Kept, now: datetime) -> None:
    """What opens the console is a secret for as long as it does."""
    for cookie in kept.cookies:
        if cookie["httpOnly"] and len(value := cookie["value"]) >= _TOKEN:
            learn(value, for_s=(kept.ends_at - now).total_seconds())


def _first_end(cookies: Sequence[dict[str, Any]], never: datetime) -> datetime:  # Any: see `_Kept`
    """When the first of the cookies ends that scripts cannot read: the log-in is among those."""
    guarded = [cookie for cookie in cookies if cookie["httpOnly"]] or cookies
    ends = [cookie["expires"] for cookie in guarded if cookie["expires"] > 0]
    return min((datetime.fromtimestamp(end, never.tzinfo) for end in ends), default=never)


def forget_unencrypted(data_dir: Path) -> None:
    """Remove what an earlier release kept as plain text."""
    for file in (data_dir / _FOLDER).glob("c-*/a-*/*.json"):
        file.unlink(missing_ok=True)


def _read_file(place: Path, cipher: AESGCM) -> _Kept | None:
    """None when there is none, or none that can be used."""
    text = read_sealed(place, cipher)
    if text is None:
        return None
    try:
        kept = _Kept.model_validate_json(text)
    except ValidationError as error:
        _log.warning("session_unreadable", file=str(place), error=type(error).__name__)
        return None
    return kept if kept.schema_version == _SCHEMA_VERSION else None


def _remove_all(folder: Path) -> None:
    for file in folder.glob("*"):
        file.unlink(missing_ok=True)
