"""A page of a browser that somebody else started: for benchmarks and for looking at a problem."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from appliance.browser._cdp import Connection
from appliance.browser._driver import start_driver
from appliance.browser._scripts import hook_source
from appliance.browser._tabs import Tabs
from appliance.browser.page import Page
from appliance.config import BrowserSettings


@asynccontextmanager
async def attached(
    ws_url: str, hosts: frozenset[str], settings: BrowserSettings
) -> AsyncIterator[Page]:
    """The first page of the browser at `ws://…/devtools/browser/…`; it stays open afterwards.

    `hosts` limits what actions open; no proxy stands between this browser and the network.
    """
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="appliance-attached-"))
        playwright = await start_driver()
        stack.push_async_callback(playwright.stop)
        browser = await playwright.chromium.connect_over_cdp(ws_url)
        connection = await Connection.open(ws_url)
        stack.push_async_callback(connection.close)
        context = browser.contexts[0]
        await context.add_init_script(hook_source())
        tabs = Tabs(context, connection, hosts, settings, Path(folder))
        stack.push_async_callback(tabs.close)
        await tabs.open_first(context.pages[0] if context.pages else None)
        yield Page(tabs, hosts, settings)
