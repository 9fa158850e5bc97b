"""From a page without a form to the log-in form: by a link, possibly on another host."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Request

from appliance.browser import Page
from appliance.consoles.starting import log_in_offers, single_sign_on_offers
from appliance.core.errors import BrowserError, ConsoleError

_TIMEOUT_MS = 20_000
_OWN_SSO = re.compile(
    r"\bSSO\b|single sign|OpenID|OIDC|SAML|单点|统一(?:身份)?认证|企业", re.IGNORECASE
)
"""What an organisation calls its own, beside those of others (Sign in with GitHub)."""


async def follow_offer(page: Page) -> bool:
    """Follow the link or button that leads to a log-in; return whether there was one.

    Raises:
        ConsoleError: There are several ways, and which to take nobody can tell.
    """
    offers = log_in_offers(page)
    if not await offers.count():
        offers = single_sign_on_offers(page)
        if await offers.count() > 1:
            names = [" ".join(name.split()) for name in await offers.all_inner_texts()]
            own_indexes = [index for index, name in enumerate(names) if _OWN_SSO.search(name)]
            if len(own_indexes) != 1:
                raise ConsoleError(
                    f"{page.url} has several ways to log in ({', '.join(names)}): say by log_in:"
                    " steps which to take"
                )
            offers = offers.nth(own_indexes[0])
    if not await offers.count():
        return False
    await offers.first.click(timeout=_TIMEOUT_MS)
    return True


def is_same_site(host: str, other: str) -> bool:
    """Whether two hosts may belong to one console: `example.com` and `www.example.com`."""
    domains = [host.partition(":")[0].split(".")[-2:] for host in (host, other)]
    return domains[0] == domains[1]


@asynccontextmanager
async def explain_foreign_host(page: Page) -> AsyncIterator[None]:
    """Explain a failed log-in that was redirected to a host outside the console's."""
    refused_hosts = list[str]()

    def record_refusal(request: Request) -> None:
        if request.is_navigation_request() and not page.may_open(request.url):
            refused_hosts.append(urlsplit(request.url).netloc)

    context = page.raw.context
    context.on("requestfailed", record_refusal)
    try:
        yield
    except (BrowserError, ConsoleError, PlaywrightError) as exc:
        if not refused_hosts:
            raise
        raise ConsoleError(
            f"the log-in goes on at {refused_hosts[-1]}, which is none of the console's hosts: add"
            " it to its hosts, if that is right"
        ) from exc
    finally:
        context.remove_listener("requestfailed", record_refusal)
