"""What a page looks like to a careful reader: elements, texts, folds, and their compact text."""

from appliance.browser.observation.places import position
from appliance.browser.observation.text import LEGEND, describe, describe_element

__all__ = ["LEGEND", "describe", "describe_element", "position"]
