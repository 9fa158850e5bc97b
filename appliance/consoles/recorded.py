"""Log-ins that a person performed once: browser cookies and storage, in Playwright's format.

While they last they are as good as a password, so they are kept encrypted, each bound to its
account.
"""

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import structlog
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from playwright.async_api import Error as PlaywrightError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance.browser import Page, Person
from appliance.config import Settings, StorageSettings
from appliance.consoles.base import Account
from appliance.consoles.starting import asks_for_log_in, open_start
from appliance.core.errors import BrowserError, ConsoleError, PersonError, SetupError
from appliance.core.secrets import learn
from appliance.system.files import write_whole
from appliance.system.secret_references import SecretReference

_KEY_BYTES = 32
"""AES-256."""
_MIN_KEY_CHARS = 32
"""Characters of a secret: what `openssl rand -base64 32` prints has 44."""
_PURPOSE = b"console-docs-appliance session states"


def session_key(settings: StorageSettings, data_dir: Path) -> bytes | None:
    """The encryption key; None if the settings name none.

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
    # What is kept was encrypted without blanks around it.
    secret = reference.require("the key of kept log-ins").strip()
    if len(secret) < _MIN_KEY_CHARS:
        raise SetupError(
            f"{place} holds no key: {len(secret)} characters, at least {_MIN_KEY_CHARS} are needed."
            " `openssl rand -base64 32` makes one."
        )
    derived = HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=_PURPOSE)
    return derived.derive(secret.encode())


_FORMAT = b"1"
"""First byte of a file; then the nonce, then what was encrypted."""
_NONCE_BYTES = 12
"""AES-GCM's."""

_log = structlog.get_logger()


def read_sealed(place: Path, cipher: AESGCM) -> str | None:
    """The decrypted text; None if there is no file, or it cannot be decrypted."""
    try:
        data = place.read_bytes()
    except OSError:
        return None
    try:
        if not data.startswith(_FORMAT):
            raise ValueError("of another format")
        sealed = data[len(_FORMAT) :]
        text = cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _owner_of(place))
        return text.decode()
    except (InvalidTag, ValueError) as error:
        _log.warning("session_unreadable", file=str(place), error=type(error).__name__)
        return None


def _owner_of(place: Path) -> bytes:
    """Console, account and file, authenticated with the text so that no file passes for another."""
    return "/".join(place.parts[-3:]).encode()


def write_sealed(place: Path, text: str, cipher: AESGCM) -> None:
    """Encrypt to a file atomically, readable by the owner only from the first byte."""
    place.parents[3].mkdir(parents=True, exist_ok=True)
    for folder in (place.parents[2], place.parents[1], place.parent):
        folder.mkdir(mode=0o700, exist_ok=True)
    nonce = os.urandom(_NONCE_BYTES)
    sealed = _FORMAT + nonce + cipher.encrypt(nonce, text.encode(), _owner_of(place))
    write_whole(place, sealed, mode=0o600)


_FOLDER = "log-ins"
_FILE = "recorded.state"
_MIN_TOKEN_CHARS = 16
"""Characters from which on a cookie that scripts cannot read is none of a language or a theme."""
_TOKEN_PATTERN = re.compile(r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w.~+/=-]{24,}")
"""What of the rest is a secret: addresses, names and dates are words that pages show."""


class _Cookie(BaseModel):
    model_config = ConfigDict(extra="allow")

    name: str
    value: str = Field(repr=False)
    domain: str
    path: str


class _Value(BaseModel):
    model_config = ConfigDict(extra="allow")

    name: str
    value: str = Field(repr=False)


class _Origin(BaseModel):
    model_config = ConfigDict(extra="allow")

    origin: str
    localStorage: list[_Value] = []


class _State(BaseModel):
    """A storage state; what else a newer Playwright writes into it stays in it."""

    model_config = ConfigDict(extra="allow")

    cookies: list[_Cookie]
    origins: list[_Origin] = []


def parse_state(text: str, file: Path) -> str:
    """Check a storage state that was made elsewhere.

    Raises:
        SetupError: It is none.
    """
    try:
        state = _State.model_validate_json(text)
    except ValidationError as exc:
        where = ".".join(map(str, exc.errors()[0]["loc"])) or "the file"
        raise SetupError(
            f"{file} is no storage state of Playwright's ({where} is wrong): it is what"
            " `playwright codegen --save-storage FILE` writes"
        ) from None
    if not (state.cookies or any(origin.localStorage for origin in state.origins)):
        raise SetupError(f"{file} holds no log-in: neither cookies nor local storage")
    return text


class RecordedLogIns:
    """The recorded log-ins of all consoles."""

    def __init__(self, data_dir: Path, key: bytes) -> None:
        self._folder = data_dir / _FOLDER
        self._cipher = AESGCM(key)

    @classmethod
    def of(cls, settings: Settings) -> "RecordedLogIns | None":
        """The recorded log-ins; None if the settings name no encryption key. Blocking.

        Raises:
            SetupError: It cannot be read, or is none.
        """
        key = session_key(settings.storage, settings.data_dir)
        return cls(settings.data_dir, key) if key is not None else None

    def read(self, console: str, account: str) -> str | None:
        """The recorded state as JSON; None if there is none that can be used. Blocking."""
        text = read_sealed(self._place(console, account), self._cipher)
        if text is not None:
            self.learn(text)
        return text

    def keep(self, console: str, account: str, state: str) -> None:
        """Save a state, replacing the one before. Blocking."""
        self.learn(state)
        write_sealed(self._place(console, account), state, self._cipher)

    @staticmethod
    def learn(state: str) -> None:
        """Register the values that open the console as secrets."""
        storage_state: Any = json.loads(state)  # Any: JSON
        cookies = [
            entry["value"] for entry in storage_state.get("cookies", ()) if entry.get("httpOnly")
        ]
        stored = [
            entry["value"]
            for origin in storage_state.get("origins", ())
            for entry in origin.get("localStorage", ())
        ]
        for value in (
            *(value for value in cookies if len(value) >= _MIN_TOKEN_CHARS),
            *filter(_TOKEN_PATTERN.fullmatch, stored),
        ):
            learn(value)

    def _place(self, console: str, account: str) -> Path:
        names = [quote(name, safe="") for name in (console, account)]
        return self._folder / f"c-{names[0]}" / f"a-{names[1]}" / _FILE


class RecordedLogIn:
    """The recorded log-ins of one console."""

    def __init__(self, name: str, url: str, recorded: RecordedLogIns | None) -> None:
        self._name = name
        self._url = url
        self._recorded = recorded

    async def log_in(self, page: Page, account: Account, person: Person | None) -> None:
        """Restore what was recorded; if it has expired, ask a person to log in again.

        Raises:
            ConsoleError: It has ended, and nobody logged in again.
        """
        recorded = self._require_store()
        state = await asyncio.to_thread(recorded.read, self._name, account.name)
        if state is not None:
            await page.raw.context.set_storage_state(json.loads(state))
            await open_start(page, self._url)
            if not await asks_for_log_in(page):
                await self.renew(page, account)
                return
            await page.raw.context.clear_cookies()
        why = "has ended" if state is not None else "was never recorded"
        command = f"appliance login {self._name} --account {account.name} --record"
        try:
            if person is None:
                raise PersonError("nobody can be asked here")
            await self.record(page, account, person)
        except PersonError as exc:
            raise ConsoleError(
                f"the log-in of account {account.name} {why}, and a person has to do it:"
                f" `{command}` ({exc})"
            ) from exc

    async def record(self, page: Page, account: Account, person: Person) -> None:
        """Have a person log in, on the page's picture, and record that.

        Raises:
            ConsoleError: The console asks for a log-in still.
            PersonError: Nobody did.
        """
        await open_start(page, self._url)
        who = f" as {account.settings.username}" if account.settings.username else ""
        await person.take_over(page, f"Log in to {self._name}{who}")
        await page.observe()  # as soon as it is quiet
        if not await self.renew(page, account):
            raise ConsoleError(
                f"{self._name} asks for a log-in still, at {page.url.partition('?')[0]}: nothing"
                " was recorded"
            )

    async def renew(self, page: Page, account: Account) -> bool:
        """Save the current log-in; return whether there is one."""
        recorded = self._require_store()
        try:
            if await asks_for_log_in(page):
                return False
            state = await page.raw.context.storage_state(indexed_db=True)
        except (BrowserError, PlaywrightError):  # the page is gone
            return False
        await asyncio.to_thread(recorded.keep, self._name, account.name, json.dumps(state))
        return True

    def _require_store(self) -> RecordedLogIns:
        if self._recorded is None:
            raise ConsoleError(
                "a recorded log-in is kept encrypted, and there is no key for it: set"
                " storage.key_file or storage.key_env (`openssl rand -base64 32` makes one)"
            )
        return self._recorded
