"""What a page looks like to a careful reader: elements, texts, folds, and their compact text."""

from appliance.browser.observation.text import describe, describe_element

__all__ = ["describe", "describe_element"]
