"""The browser pool, observations and actions."""

from appliance.browser.observation.picture import media_type
from appliance.browser.observation.places import position
from appliance.browser.observation.text import LEGEND, describe, describe_element
from appliance.browser.page import Page
from appliance.browser.pool import BrowserPool

__all__ = [
    "LEGEND",
    "BrowserPool",
    "Page",
    "describe",
    "describe_element",
    "media_type",
    "position",
]
