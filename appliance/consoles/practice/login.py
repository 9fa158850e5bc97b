"""The practice cloud's log-in forms: name and password, then the code where it asks for one."""

from playwright.async_api import Error as PlaywrightError

from appliance.browser import Page
from appliance.consoles.base import Account
from appliance.consoles.credentials import SecondFactors, password_of
from appliance.consoles.practice.auth import TRIES
from appliance.core.errors import ConsoleError

_USERNAME, _PASSWORD, _SUBMIT = "#username", "#password", "main form button[type=submit]"
_CODE = "#code"
_START, _REFUSAL = "#main h1", ".login [role=alert]"
_TIMEOUT_MS = 20_000.0


async def log_in(page: Page, url: str, account: Account, codes: SecondFactors) -> None:
    """Ends on the console's home page; `ConsoleError` when refused."""
    password = password_of(account.name, account.settings)
    await page.goto(f"{url}/login")
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
            answer = page.raw.locator(f"{_START}, {_REFUSAL}").first
            await answer.wait_for(timeout=_TIMEOUT_MS)
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
