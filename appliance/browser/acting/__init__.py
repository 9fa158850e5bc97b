"""Actions, as a person at mouse and keyboard does them."""

from appliance.browser.acting.deeds import on_element, without_element
from appliance.browser.acting.pointer import Check
from appliance.browser.acting.target import NotDoneError, Target, VanishedError

__all__ = ["Check", "NotDoneError", "Target", "VanishedError", "on_element", "without_element"]
