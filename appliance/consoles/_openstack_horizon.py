"""Horizon's log-in form and project menu."""

from urllib.parse import urljoin

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as RawPage
from playwright.async_api import TimeoutError as PlaywrightTimeout

from appliance.browser import Page
from appliance.consoles.base import Account
from appliance.consoles.passwords import password_of
from appliance.core.errors import ConsoleError

_USERNAME, _PASSWORD, _DOMAIN = "#id_username", "#id_password", "#id_domain"
_SUBMIT = "#loginBtn"
_REFUSAL = "form .alert-danger, form .alert-error, form .help-block.alert"
_CURRENT_PROJECT = ".navbar .context-project"
_TIMEOUT_MS = 60_000.0  # the first page after a start of Horizon is slow


async def log_in(page: Page, url: str, account: Account) -> None:
    """Log in, go to the account's project and end on the start page.

    Raises:
        ConsoleError: Horizon refuses, or looks otherwise than it should.
    """
    user = account.settings.username
    await page.goto(url)
    raw = page.raw
    try:
        if await raw.locator(_USERNAME).count() == 0:
            raise ConsoleError(f"no log-in form at {url}; the page is titled {await raw.title()!r}")
        await _send_form(page, account)
        await _await_answer(raw, user)
        await _switch_project(raw, account)
    except PlaywrightTimeout as exc:
        raise ConsoleError(f"Horizon did not answer the log-in of user {user} in time") from exc
    except PlaywrightError as exc:
        said = exc.message.partition("\n")[0]
        raise ConsoleError(f"logging in to Horizon as {user}: {said}") from exc
    await page.goto(url)


async def _send_form(page: Page, account: Account) -> None:
    raw = page.raw
    await raw.fill(_USERNAME, account.settings.username)
    await page.type_secret(_PASSWORD, password_of(account.name, account.settings))
    domain = raw.locator(_DOMAIN)
    if await domain.count() and await domain.is_visible():
        await domain.fill("Default")
    await raw.click(_SUBMIT)


async def _await_answer(raw: RawPage, user: str) -> None:
    """Wait for the first page behind the log-in, or for the refusal."""
    answer = raw.locator(f"{_CURRENT_PROJECT}, {_REFUSAL}").first
    await answer.wait_for(state="attached", timeout=_TIMEOUT_MS)
    refusal = raw.locator(_REFUSAL)
    if await refusal.count():
        said = " ".join((await refusal.first.inner_text()).split())
        raise ConsoleError(f"Horizon refused the log-in of user {user}: {said}")


async def _switch_project(raw: RawPage, account: Account) -> None:
    """Choose the account's project in the menu at the top left, as a person would."""
    wanted = account.settings.project
    current = raw.locator(_CURRENT_PROJECT).first
    if not wanted or " ".join((await current.inner_text()).split()) == wanted:
        return
    await current.click()
    entries = raw.locator('.context-selection a[href*="/auth/switch/"]')
    texts = [" ".join(text.split()) for text in await entries.all_inner_texts()]
    if wanted not in texts:
        raise ConsoleError(
            f"user {account.settings.username} has no project {wanted!r} in Horizon; "
            f"there are: {', '.join(texts) or 'none'}"
        )
    await entries.nth(texts.index(wanted)).click()
    await raw.wait_for_function(
        "([selector, name]) => document.querySelector(selector)?.innerText.trim() === name",
        arg=[_CURRENT_PROJECT, wanted],
        timeout=_TIMEOUT_MS,
    )


def log_in_url(url: str) -> str:
    """The address of the log-in page itself, for a check without a browser."""
    return urljoin(url if url.endswith("/") else f"{url}/", "auth/login/")
