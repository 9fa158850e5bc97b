"""The browser pool, observations and actions."""

from appliance.browser.page import Page
from appliance.browser.pool import BrowserPool

__all__ = ["BrowserPool", "Page"]
