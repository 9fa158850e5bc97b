"""Log-ins that are used again: an account's cookies, as they were right after a log-in.

Only cookies are kept, and only those of the log-in itself: what an attempt does to the page's own
storage (a collapsed panel, the last region, a dismissed notice) never reaches the next attempt.
They are as good as a password while they last: they are on disk only where there is a key to
encrypt them with, each bound to its account, and never in a log or the store. A file that cannot be
decrypted (another key, a file of another account, damage) is as good as none.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import structlog
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from playwright.async_api import Error as PlaywrightError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance.browser import Page, Person
from appliance.config import StorageSettings
from appliance.consoles import (
    Account,
    Console,
    log_in_offers,
    open_start,
    past_errors,
    single_sign_on_offers,
)
from appliance.core.clock import Clock
from appliance.core.errors import BrowserError, SetupError
from appliance.core.secrets import learn
from appliance.system.files import write_whole
from appliance.system.secret_references import SecretReference, UnreadableSecretError

_KEY_BYTES = 32
"""AES-256."""
_FEWEST = 32
"""Characters of a secret: what `openssl rand -base64 32` prints has 44."""
_PURPOSE = b"console-docs-appliance session states"


def session_key(settings: StorageSettings, data_dir: Path) -> bytes | None:
    """The key; None where the settings name none.

    Raises:
        SetupError: It cannot be read, is too short, or lies beside what it protects.
    """
    reference = SecretReference(settings.key_env, settings.key_file)
    if not reference:
        return None
    place = f"{reference} (storage.{'key_env' if settings.key_env else 'key_file'})"
    file = None if settings.key_env else settings.key_file
    if file is not None and file.resolve().is_relative_to(data_dir.resolve()):
        raise SetupError(
            f"{place} lies in the data folder {data_dir}: whoever copies that folder has the"
            " key with it. Keep it elsewhere."
        )
    try:
        secret = reference.read().strip()  # what is kept was encrypted without blanks around it
    except UnreadableSecretError as exc:
        raise SetupError(f"{place} cannot be read: {exc}") from None
    if len(learn(secret)) < _FEWEST:
        raise SetupError(
            f"{place} holds no key: {len(secret)} characters, at least {_FEWEST} are needed."
            " `openssl rand -base64 32` makes one."
        )
    derived = HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=_PURPOSE)
    return derived.derive(secret.encode())


_FOLDER = "sessions"
_SCHEMA_VERSION = 1
_SUFFIX = ".session"
_FORMAT = b"1"
"""First byte of a file; then the nonce, then what was encrypted."""
_NONCE_BYTES = 12
"""AES-GCM's."""
_PASSWORD_FIELD = "input[type=password]"  # noqa: S105 - a selector
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
        self._known[place] = kept
        _learn(kept, now)
        if self._folder is not None and self._cipher is not None:
            await asyncio.to_thread(_write_file, place, kept.model_dump_json(), self._cipher)

    async def _drop(self, place: Path) -> None:
        self._known.pop(place, None)
        if self._folder is not None:
            await asyncio.to_thread(place.unlink, missing_ok=True)


async def _opens(page: Page, kept: _Kept) -> bool:
    """Whether the cookies lead to where the log-in had led, instead of to its form."""
    try:
        await page.raw.context.add_cookies(kept.cookies)  # type: ignore[arg-type] # as they came
        await open_start(page, kept.start_url)
        offers = log_in_offers(page).or_(single_sign_on_offers(page))
        asks = await page.raw.locator(_PASSWORD_FIELD).or_(offers).count()
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
    try:
        data = place.read_bytes()
    except OSError:
        return None
    try:
        if not data.startswith(_FORMAT):
            raise ValueError("of another format")
        sealed = data[len(_FORMAT) :]
        text = cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _owner_of(place))
        kept = _Kept.model_validate_json(text)
    except (InvalidTag, ValueError, ValidationError) as error:
        _log.warning("session_unreadable", file=str(place), error=type(error).__name__)
        return None
    return kept if kept.schema_version == _SCHEMA_VERSION else None


def _owner_of(place: Path) -> bytes:
    """Console, account and language: what a file is bound to, so that none passes for another."""
    return "/".join(place.parts[-3:]).encode()


def _write_file(place: Path, text: str, cipher: AESGCM) -> None:
    """Whole or not at all, and for the owner's eyes only from the first byte."""
    place.parents[3].mkdir(parents=True, exist_ok=True)
    for folder in (place.parents[2], place.parents[1], place.parent):
        folder.mkdir(mode=0o700, exist_ok=True)
    nonce = os.urandom(_NONCE_BYTES)
    sealed = _FORMAT + nonce + cipher.encrypt(nonce, text.encode(), _owner_of(place))
    write_whole(place, sealed, mode=0o600)


def _remove_all(folder: Path) -> None:
    for file in folder.glob("*"):
        file.unlink(missing_ok=True)
