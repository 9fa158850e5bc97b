"""A browser for tests that look at pages themselves."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from appliance.browser._chromium import HEADLESS_FLAGS, find_executable
from appliance.config import BrowserSettings


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """The one that the appliance would start: without windows it starts in a third of the time."""
    async with async_playwright() as playwright:
        playwrights = Path(playwright.chromium.executable_path)
        browser = await playwright.chromium.launch(
            executable_path=find_executable(BrowserSettings(), playwrights),
            args=[*HEADLESS_FLAGS, "--no-sandbox", "--disable-dev-shm-usage"],
        )
        yield browser
        await browser.close()
