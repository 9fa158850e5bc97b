"""The browser pool, observations and actions."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.browser._chromium import find_executable
    from appliance.browser._contexts import HttpCredentials
    from appliance.browser.observation.notation import clean
    from appliance.browser.observation.picture import PictureFormat, media_type
    from appliance.browser.observation.places import position
    from appliance.browser.observation.text import LEGEND, describe, describe_element
    from appliance.browser.page import Page
    from appliance.browser.person import Person
    from appliance.browser.pool import BrowserPool
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "LEGEND",
    "BrowserPool",
    "HttpCredentials",
    "Page",
    "Person",
    "PictureFormat",
    "clean",
    "describe",
    "describe_element",
    "find_executable",
    "media_type",
    "position",
]
