"""The browser pool, observations and actions."""

from appliance.browser.observation.picture import media_type
from appliance.browser.observation.text import describe, describe_element
from appliance.browser.page import Page
from appliance.browser.pool import BrowserPool

__all__ = ["BrowserPool", "Page", "describe", "describe_element", "media_type"]
