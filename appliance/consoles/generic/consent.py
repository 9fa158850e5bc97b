"""What an identity provider asks after the log-in: may the console know who this is?"""

import re

from playwright.async_api import Error as PlaywrightError

from appliance.browser import Page

_YES = re.compile(
    r"^\W*(?:(?:accept|allow|approve|authori[sz]e|agree|consent|grant|yes|continue|proceed)\b"
    r"|同意|允许|授权|接受|继续|是\W*$).{0,20}$",
    re.IGNORECASE,
)
_TIMEOUT_MS = 5_000


async def give_consent(page: Page) -> None:
    """Say yes, if the page that is open asks: the settings let this account log in there."""
    yes = page.raw.get_by_role("button", name=_YES).filter(visible=True)
    try:
        if await yes.count():
            await yes.first.click(timeout=_TIMEOUT_MS)
    except PlaywrightError:  # it has gone on by itself
        return
