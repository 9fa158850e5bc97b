"""Fills in the log-in form of any console: user name, password and code, in one or more steps."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from playwright.async_api import Error as PlaywrightError

from appliance.browser import Page
from appliance.consoles.base import Account
from appliance.consoles.credentials import SecondFactors, has_second_factor, password_of
from appliance.consoles.generic.way_in import explain_foreign_host, follow_offer, is_same_site
from appliance.consoles.starting import asks_for_log_in, open_start
from appliance.core.errors import BrowserError, ConsoleError

_FIRST_S = 20.0
"""Longest wait for the form."""
_ANSWER_S = 20.0
"""Longest wait for what a step leads to."""
_LEAVES_S = 6.0
"""Longest wait for another address than the form's, where that is one for log-ins."""
_LOG_IN_PATH = re.compile(r"(?:log|sign)[-_]?(?:in|on)|auth", re.IGNORECASE)
_ERROR_PAGE = "chrome-error:"
_POLL_S = 0.1
_FIELD_S = 4.0
"""Longest wait for a field that a written step speaks of."""
FieldKind: TypeAlias = Literal["user", "password", "code"]
"""The kinds of values that a form asks for."""
_LOOKS_UNTIL_GONE = 4
"""After this many looks in a row without a form, it is gone and not just being redrawn."""
_LOOKS_UNTIL_OFFER = 10
"""Looks before a link to the form is followed: the form itself may yet be drawn."""
_MAX_OFFERS = 3
"""Links to follow to the form: to the log-in page, and from there to an identity provider's."""
_RETURNS_S = 15.0
"""Longest wait for the way back from an identity provider."""
_MAX_CODES = 2
"""Codes to try: the first may have been used up by another process."""


@dataclass(frozen=True, slots=True)
class Form:
    """The visible parts of a log-in form: selectors, empty if absent."""

    user: str
    password: str
    code: str
    go: str
    refusal: str
    """What the page says in the way of errors."""
    captcha: bool
    document: float
    """Another one after each navigation."""
    title: str

    @property
    def step(self) -> str:
        """The kind of value that the form asks for."""
        return "password" if self.password else "code" if self.code else "user" if self.user else ""


class _LoginSession:
    """One log-in, from the first form to its end."""

    def __init__(self, page: Page, url: str, account: Account, codes: SecondFactors) -> None:
        self._page = page
        self._url = url
        self._account = account
        self._codes = codes
        self._sent_steps: list[str] = []
        self._form_host = ""
        """Where the last form was."""

    async def run(self) -> None:
        await open_start(self._page, self._url)
        if not self._account.settings.username:
            await self._check_needs_no_log_in()
            return
        await self.fill_in()

    async def fill_in(self) -> None:
        form = await self._first_form()
        while True:
            self._check_possible(form)
            await self._fill(form)
            self._sent_steps.append(form.step)
            self._form_host = urlsplit(self._page.url).netloc
            await self._send(form)
            following = await self._next_form(form)
            if following is None:
                await self._wait_until_returned()
                await self._wait_until_left()
                return
            form = following

    async def _check_needs_no_log_in(self) -> None:
        """Without an account, the page must be open at once and ask for no password."""
        form = await _read_form(self._page)
        if form is not None and form.password:
            raise ConsoleError(
                f"the console asks for a password at {self._url}, and its settings name no account"
            )

    async def _first_form(self) -> Form:
        title, followed, looks = "", 0, 0
        for _ in range(round(_FIRST_S / _POLL_S)):
            form = await _read_form(self._page)
            if form is not None and form.step:
                return form
            title = form.title if form is not None else title
            looks += 1
            if (
                looks >= _LOOKS_UNTIL_OFFER
                and followed < _MAX_OFFERS
                and await follow_offer(self._page)
            ):
                looks, followed = 0, followed + 1
            await asyncio.sleep(_POLL_S)
        raise ConsoleError(
            f"no log-in form at {self._page.url}; the page is titled {title!r}. A generic console's"
            " url is the address of its log-in page, or of one with a link to it (Log in, Sign in,"
            " Sign in with SSO); the form is in the page itself, in no frame. Where more is to be"
            " done, say it by log_in: steps; where nobody has to log in, leave its accounts out"
        )

    def _check_possible(self, form: Form) -> None:
        name = self._account.name
        if form.step == "code" and not has_second_factor(self._account.settings):
            raise ConsoleError(
                f"the console asks for a second factor, and account {name} names no totp_env and"
                " no totp_file"
            )
        if form.captcha and self._sent_steps:
            raise ConsoleError(
                f"the log-in of user {self._account.settings.username} asks for a captcha, which"
                " only a person can solve; exempt the account from it"
            )
        max_attempts = _MAX_CODES if form.step == "code" else 1
        if self._sent_steps.count(form.step) >= max_attempts:
            raise self._refusal(form)

    def _refusal(self, form: Form) -> ConsoleError:
        reason = form.refusal or "it shows its form again, and says not why"
        user = self._account.settings.username
        return ConsoleError(f"the console refuses the log-in of user {user}: {reason}")

    async def _fill(self, form: Form) -> None:
        settings = self._account.settings
        if form.user and form.step in ("user", "password"):
            await self._page.raw.fill(form.user, settings.username)
        if form.password:
            await self._page.type_secret(form.password, _password(self._account))
        if form.code and has_second_factor(settings):
            await self._page.type_secret(form.code, await self._codes.code_of(self._account))

    async def _send(self, form: Form) -> None:
        """Submit by the button if there is one, else by the Enter key."""
        raw = self._page.raw
        filled = await _read_form(self._page)  # a button may only come with the text
        if filled is not None and filled.go:
            await raw.click(filled.go, timeout=_ANSWER_S * 1000)
        else:
            await raw.press(form.password or form.code or form.user, "Enter")

    async def _wait_until_left(self) -> None:
        """Wait until the page leaves the log-in address; its form may vanish earlier."""
        for _ in range(round(_LEAVES_S / _POLL_S)):
            if not _LOG_IN_PATH.search(urlsplit(self._page.url).path):
                return
            await asyncio.sleep(_POLL_S)

    async def _wait_until_returned(self) -> None:
        """Wait for the way back from an identity provider, giving consent if it asks."""
        console_host = urlsplit(self._url).netloc
        if self._form_host == console_host:
            return  # where that leads to is the console
        for _ in range(round(_RETURNS_S / _POLL_S)):
            address = urlsplit(self._page.url)
            if address.netloc != self._form_host:
                return
            if is_same_site(address.netloc, console_host) and not _LOG_IN_PATH.search(address.path):
                return  # as of www.example.com, where example.com was to be opened
            await give_consent(self._page)
            await asyncio.sleep(_POLL_S)
        title = await self._page.raw.title()
        raise ConsoleError(
            f"the log-in of user {self._account.settings.username} does not come back to"
            f" {console_host}: it ended at {self._page.url.partition('?')[0]}, titled {title!r}."
            " Where something else is to be done there, say it by log_in: steps"
        )

    def _is_gone(self, form: Form) -> bool:
        """Whether the form is gone; after the password, a name field is of the start page."""
        return not form.step or (form.step == "user" and "password" in self._sent_steps)

    async def _next_form(self, before: Form) -> Form | None:
        """The next form, which may be the same again; None if there is no more."""
        looks_without_form = 0
        for _ in range(round(_ANSWER_S / _POLL_S)):
            await asyncio.sleep(_POLL_S)
            form = await _read_form(self._page)
            if form is None:
                continue  # on its way to another page
            looks_without_form = looks_without_form + 1 if self._is_gone(form) else 0
            if looks_without_form >= _LOOKS_UNTIL_GONE:
                return None
            if not looks_without_form and (form.step != before.step or _was_refused(form, before)):
                return form
        raise ConsoleError(
            f"the console did not answer the log-in of user {self._account.settings.username}"
            f" within {_ANSWER_S:.0f} s: its form is still there, and says nothing of an error"
        )


def _was_refused(form: Form, before: Form) -> bool:
    """Whether the form came again in a new document or with a new error."""
    has_new_refusal = bool(form.refusal) and form.refusal != before.refusal
    return has_new_refusal or form.document != before.document


async def log_in(page: Page, url: str, account: Account, codes: SecondFactors) -> None:
    """Fill in whatever the page asks for until it asks for nothing more.

    Raises:
        ConsoleError: There is no form, it is refused, or asks for what nobody can type.
        BrowserError: The page does not open.
    """
    async with _explain_playwright_errors(url, account), explain_foreign_host(page):
        await _LoginSession(page, url, account, codes).run()


async def fill_in(page: Page, url: str, account: Account, codes: SecondFactors) -> None:
    """Log in from the page that is open; `url` is where it should end.

    Raises:
        ConsoleError: As above.
    """
    async with _explain_playwright_errors(url, account):
        await _LoginSession(page, url, account, codes).fill_in()


async def enter(page: Page, account: Account, codes: SecondFactors, kind: FieldKind | None) -> bool:
    """Enter one value if the page's form asks for it; return whether it does.

    Raises:
        ConsoleError: The account has no such thing, or it cannot be read.
    """
    if kind is None:
        return False
    for _ in range(round(_FIELD_S / _POLL_S)):
        form = await _read_form(page)
        if selector := getattr(form, kind, ""):
            if kind == "user":
                await page.raw.fill(selector, account.settings.username)
            else:
                is_code = kind == "code"
                secret = await codes.code_of(account) if is_code else _password(account)
                await page.type_secret(selector, secret)
            return True
        await asyncio.sleep(_POLL_S)
    return False


def _password(account: Account) -> str:
    return password_of(account.name, account.settings)


async def refusal_on(page: Page) -> str | None:
    """The error message of a page that still asks for a log-in; None if it asks for none."""
    form = await _read_form(page)
    if form is None or not (form.code or await asks_for_log_in(page)):
        return None
    return form.refusal


@asynccontextmanager
async def _explain_playwright_errors(url: str, account: Account) -> AsyncIterator[None]:
    try:
        yield
    except PlaywrightError as exc:
        reason = exc.message.partition("\n")[0]
        user = account.settings.username
        raise ConsoleError(f"logging in at {url} as {user}: {reason}") from exc


async def _read_form(page: Page) -> Form | None:
    """The form as it is now; None while the page navigates.

    Raises:
        ConsoleError: That does not open.
    """
    if page.url.startswith(_ERROR_PAGE):
        raise ConsoleError("the log-in leads to a page that does not open")
    try:
        return Form(**await page.raw.evaluate(_script()))
    except (PlaywrightError, BrowserError):
        return None


@cache
def _script() -> str:
    return Path(__file__).with_name("login_form.js").read_text(encoding="utf-8")


_CONSENT = re.compile(
    r"^\W*(?:(?:accept|allow|approve|authori[sz]e|agree|consent|grant|yes|continue|proceed)\b"
    r"|同意|允许|授权|接受|继续|是\W*$).{0,20}$",
    re.IGNORECASE,
)
_TIMEOUT_MS = 5_000


async def give_consent(page: Page) -> None:
    """Agree, if the page asks: the settings let this account log in there."""
    consent_button = page.raw.get_by_role("button", name=_CONSENT).filter(visible=True)
    try:
        if await consent_button.count():
            await consent_button.first.click(timeout=_TIMEOUT_MS)
    except PlaywrightError:  # it has gone on by itself
        return


_REFUSED = (401, 403)


async def log_in_without_form(page: Page, url: str, account: Account) -> None:
    """Open the first page.

    Raises:
        ConsoleError: It is refused, or shows a log-in all the same.
        BrowserError: It does not open.
    """
    await open_start(page, url)
    user = account.settings.username
    if (status := await page.status()) in _REFUSED:
        raise ConsoleError(f"the console refuses the log-in of user {user}: it answers {status}")
    if await asks_for_log_in(page):
        raise ConsoleError(
            f"{page.url.partition('?')[0]} asks user {user} to log in by a page: that is `log_in:"
            " form` or `steps`"
        )
