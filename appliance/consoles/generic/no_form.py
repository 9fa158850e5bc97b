"""Log-ins that the browser itself does, before there is a page: nothing is filled in."""

from appliance.browser import Page
from appliance.consoles.base import Account
from appliance.consoles.starting import asks_for_log_in, open_start
from appliance.core.errors import ConsoleError

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
