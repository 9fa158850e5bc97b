"""Horizon's log-in form and project menu."""

import asyncio
from urllib.parse import urljoin

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as RawPage
from playwright.async_api import TimeoutError as PlaywrightTimeout

from appliance.browser import Page
from appliance.consoles.base import Account
from appliance.consoles.credentials import password_of
from appliance.consoles.starting import open_start
from appliance.core.errors import ConsoleError

_USERNAME, _PASSWORD, _DOMAIN = "#id_username", "#id_password", "#id_domain"
_SUBMIT = "#loginBtn"
_REFUSAL = "form .alert-danger, form .alert-error"
_CURRENT_PROJECT = ".navbar .context-project"
_TRIES = 3
_START_TRIES, _START_PAUSE_S = 6, 0.1
_TIMEOUT_MS = 60_000.0  # the first page after a start of Horizon is slow


async def log_in(page: Page, url: str, account: Account) -> None:
    """Log in, go to the account's project and end on the start page.

    Raises:
        ConsoleError: Horizon refuses, or looks otherwise than it should.
    """
    user = account.settings.username
    await open_start(page, url)
    raw = page.raw
    try:
        if await raw.locator(_USERNAME).count() == 0:
            raise ConsoleError(f"no log-in form at {url}; the page is titled {await raw.title()!r}")
        await _enter(page, url, account)
        await _switch_project(page, url, account)
    except PlaywrightTimeout as exc:
        raise ConsoleError(f"Horizon did not answer the log-in of user {user} in time") from exc
    except PlaywrightError as exc:
        reason = exc.message.partition("\n")[0]
        raise ConsoleError(f"logging in to Horizon as {user}: {reason}") from exc


async def _enter(page: Page, url: str, account: Account) -> None:
    """Send the form, again where a late script of the page had emptied it."""
    raw = page.raw
    for _ in range(_TRIES):
        await _send_form(page, account)
        if await raw.locator(_USERNAME).count() == 0:
            await _open_start_page(page, url)
            return
        texts = await raw.locator(_REFUSAL).all_inner_texts()
        if refusal := " ".join(" ".join(texts).split()):
            user = account.settings.username
            raise ConsoleError(f"Horizon refused the log-in of user {user}: {refusal}")
    raise ConsoleError(f"Horizon shows its log-in form again, and says not why: {raw.url}")


async def _send_form(page: Page, account: Account) -> None:
    raw = page.raw
    await raw.fill(_USERNAME, account.settings.username)
    await page.type_secret(_PASSWORD, password_of(account.name, account.settings))
    domain = raw.locator(_DOMAIN)
    if await domain.count() and await domain.is_visible():
        await domain.fill("Default")
    async with raw.expect_navigation(wait_until="domcontentloaded", timeout=_TIMEOUT_MS):
        await raw.click(_SUBMIT)


async def _open_start_page(page: Page, url: str) -> None:
    """Be on the start page.

    Horizon's usage overview fails when it is asked for twice at the same moment: its threads share
    a table. So it is asked again later, each time later still.
    """
    for retry in range(_START_TRIES):
        await page.goto(url)
        if await page.raw.locator(_CURRENT_PROJECT).count():
            return
        await asyncio.sleep(_START_PAUSE_S * 2**retry)
    title = await page.raw.title()
    raise ConsoleError(f"Horizon's start page at {page.raw.url} does not come; it says {title!r}")


async def _switch_project(page: Page, url: str, account: Account) -> None:
    """Choose the account's project in the menu at the top left, as a person would."""
    raw = page.raw
    project = account.settings.project
    if not project or await _project(raw) == project:
        return
    await raw.locator(_CURRENT_PROJECT).first.click()
    entries = raw.locator('.context-selection a[href*="/auth/switch/"]')
    texts = [" ".join(text.split()) for text in await entries.all_inner_texts()]
    if project not in texts:
        raise ConsoleError(
            f"user {account.settings.username} has no project {project!r} in Horizon; "
            f"there are: {', '.join(texts) or 'none'}"
        )
    async with raw.expect_navigation(wait_until="domcontentloaded", timeout=_TIMEOUT_MS):
        await entries.nth(texts.index(project)).click()
    await _open_start_page(page, url)
    if (current_project := await _project(raw)) != project:
        raise ConsoleError(f"Horizon stays in project {current_project!r} instead of {project!r}")


async def _project(raw: RawPage) -> str:
    """The project that the page is in."""
    return " ".join((await raw.locator(_CURRENT_PROJECT).first.inner_text()).split())


def log_in_url(url: str) -> str:
    """The address of the log-in page itself, for a check without a browser."""
    return urljoin(url if url.endswith("/") else f"{url}/", "auth/login/")
