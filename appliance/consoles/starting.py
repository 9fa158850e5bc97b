"""A console's first page: met again where it answers with an error, and left for its log-in."""

import asyncio
import re

from playwright.async_api import Locator

from appliance.browser import Page
from appliance.core.errors import ConsoleError

_PAUSES_S = (0.5, 1.0, 2.0, 4.0)
"""Before each further try: a backend that has just started, or fails now and then."""
_SERVER_ERROR = 500
_PASSWORD_FIELD = "input[type=password]"  # noqa: S105 - a selector
_LOG_IN = re.compile(
    r"^\W*(?:(?:log|sign)[ -]?(?:in|on)(?!\s(?:with|via|using|by)\b).{0,20}|登\s*[录陆])\W*$",
    re.IGNORECASE,
)
_SINGLE_SIGN_ON = re.compile(
    r"^\W*(?:(?:log|sign)[ -]?(?:in|on)\s(?:with|via|using|by)\b.{1,40}"
    r"|.{0,20}\b(?:SSO|single sign[ -]?on|OpenID|OIDC|SAML)\b.{0,20}"
    r"|.{0,10}(?:单点登[录陆]|统一(?:身份)?认证|企业账号登[录陆]).{0,10})\W*$",
    re.IGNORECASE,
)


def single_sign_on_offers(page: Page) -> Locator:
    """Those that lead to the log-in of somebody else, as "Sign in with SSO"."""
    raw = page.raw
    links = raw.get_by_role("link", name=_SINGLE_SIGN_ON)
    return links.or_(raw.get_by_role("button", name=_SINGLE_SIGN_ON)).filter(visible=True)


def log_in_offers(page: Page) -> Locator:
    """Links and buttons that lead to a log-in: who sees one is not logged in."""
    raw = page.raw
    offers = raw.get_by_role("link", name=_LOG_IN).or_(raw.get_by_role("button", name=_LOG_IN))
    return offers.filter(visible=True)


async def asks_for_log_in(page: Page) -> bool:
    """Whether the page asks for a password, or offers a log-in: nobody is logged in then."""
    offers = log_in_offers(page).or_(single_sign_on_offers(page))
    field = page.raw.locator(_PASSWORD_FIELD).filter(visible=True)
    return bool(await field.or_(offers).count())


async def open_start(page: Page, url: str) -> None:
    """Open a page that a log-in begins or ends with.

    Raises:
        ConsoleError: It answers with an error of the server's each time.
        BrowserError: It does not open.
    """
    await page.goto(url)
    await past_errors(page)


async def past_errors(page: Page) -> None:
    """Open the page that is there again while it is the server's error.

    Raises:
        ConsoleError: It stays one.
        BrowserError: It does not open any more.
    """
    for pause in _PAUSES_S:
        if await page.status() < _SERVER_ERROR:
            return
        await asyncio.sleep(pause)
        await page.goto(page.url)
    if (status := await page.status()) >= _SERVER_ERROR:
        raise ConsoleError(f"{page.url} answers {status}, also {sum(_PAUSES_S):g} s later")
