"""The practice cloud's log-in forms: name and password, then the code where it asks for one."""

import asyncio
from collections.abc import AsyncGenerator

import httpx
from playwright.async_api import Error as PlaywrightError

from appliance.browser import Page
from appliance.consoles.base import Account
from appliance.consoles.credentials import SecondFactors, has_second_factor, password_of
from appliance.consoles.starting import open_start
from appliance.core.errors import ConsoleError

TRIES = 2
"""Codes to try: the first may have been used up by another process."""
_CODE_HEADER = "x-practice-code"


def auth_of(url: str, account: Account, codes: SecondFactors) -> httpx.Auth:
    """By user name and password; with a second factor, by a token that a code was given for."""
    if has_second_factor(account.settings):
        return _TokenAuth(url, account, codes)
    return _password_of(account)


def is_code_refused(response: httpx.Response) -> bool:
    """Whether the second factor's code was refused: the next code may be accepted."""
    if response.status_code != httpx.codes.UNAUTHORIZED:
        return False
    try:
        body = response.json()
    except ValueError:
        return False
    return isinstance(body, dict) and body.get("code") == "SecondFactorRefused"


async def headers_of(account: Account, codes: SecondFactors) -> dict[str, str]:
    """The headers that a single call needs besides user name and password."""
    if not has_second_factor(account.settings):
        return {}
    return {_CODE_HEADER: await codes.code_of(account)}


def _password_of(account: Account) -> httpx.BasicAuth:
    return httpx.BasicAuth(account.settings.username, password_of(account.name, account.settings))


class _TokenAuth(httpx.Auth):
    """One token for many calls, as a code is accepted only once and the next takes up to 30 s."""

    def __init__(self, url: str, account: Account, codes: SecondFactors) -> None:
        self._url = url
        self._account = account
        self._codes = codes
        self._token = ""
        # Invariant: calls at the same time get by with one token, and so with one code.
        self._asking = asyncio.Lock()

    async def async_auth_flow(
        self, request: httpx.Request
    ) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """Authorise the request by the token, and by a new one once that has expired."""
        expired = ""
        for _ in range(2):
            async with self._asking:
                if self._token == expired:
                    for _ in range(TRIES):
                        token_response = yield await self._token_request()
                        await token_response.aread()
                        if not is_code_refused(token_response):
                            break
                    self._token = _parse_token(token_response, self._account)
                token = self._token
            request.headers["authorization"] = f"Bearer {token}"
            response = yield request
            if response.status_code != httpx.codes.UNAUTHORIZED:
                return
            expired = token

    async def _token_request(self) -> httpx.Request:
        headers = await headers_of(self._account, self._codes)
        request = httpx.Request("POST", f"{self._url}/api/tokens", headers=headers)
        return next(_password_of(self._account).auth_flow(request))


def _parse_token(response: httpx.Response, account: Account) -> str:
    try:
        body = response.json()
        if response.is_success:
            return str(body["token"])
        reason = body["detail"]
    except (ValueError, KeyError, TypeError):
        reason = f"answer {response.status_code}"
    user = account.settings.username
    raise ConsoleError(f"the practice cloud gives {user} no token: {reason}")


_USERNAME, _PASSWORD, _SUBMIT = "#username", "#password", "main form button[type=submit]"
_CODE = "#code"
_START, _REFUSAL = "#main h1", ".login [role=alert]"
_TIMEOUT_MS = 20_000.0


async def log_in(page: Page, url: str, account: Account, codes: SecondFactors) -> None:
    """Ends on the console's home page; `ConsoleError` when refused."""
    password = password_of(account.name, account.settings)
    await open_start(page, f"{url}/login")
    try:
        await page.raw.fill(_USERNAME, account.settings.username, timeout=_TIMEOUT_MS)
        await page.type_secret(_PASSWORD, password)
        await page.raw.click(_SUBMIT, timeout=_TIMEOUT_MS)
        await page.raw.locator(f"{_START}, {_REFUSAL}, {_CODE}").first.wait_for(timeout=_TIMEOUT_MS)
        refusal = await _refusal(page)
        for _ in range(TRIES):
            if not await page.raw.locator(_CODE).count():
                break
            await page.type_secret(_CODE, await codes.code_of(account))
            async with page.raw.expect_navigation(timeout=_TIMEOUT_MS):
                await page.raw.click(_SUBMIT, timeout=_TIMEOUT_MS)
            outcome = page.raw.locator(f"{_START}, {_REFUSAL}").first
            await outcome.wait_for(timeout=_TIMEOUT_MS)
            refusal = await _refusal(page)
    except PlaywrightError as exc:
        reason = exc.message.splitlines()[0]
        raise ConsoleError(f"no log-in at {url}/login: {reason}") from exc
    if refusal:
        user = account.settings.username
        raise ConsoleError(f"the practice cloud refuses the log-in of {user}: {refusal}")


async def _refusal(page: Page) -> str:
    message = page.raw.locator(_REFUSAL)
    return (await message.first.inner_text()).strip() if await message.count() else ""
