"""Whether a field takes a value that was made up, by what the field says itself."""

import re

from appliance.core.page import Bounds, Element


def misfit(value: str, element: Element) -> str:
    """What the field accepts, if the value does not fit; empty if it fits or cannot be judged."""
    bounds = element.bounds
    if bounds is None or not value:
        return ""
    return _length(value, bounds) or _range(value, bounds) or _pattern(value, bounds)


def _length(value: str, bounds: Bounds) -> str:
    if bounds.max_length is not None and len(value) > bounds.max_length:
        return f"at most {bounds.max_length} characters"
    if bounds.min_length is not None and len(value) < bounds.min_length:
        return f"at least {bounds.min_length} characters"
    return ""


def _range(value: str, bounds: Bounds) -> str:
    if bounds.least is None and bounds.most is None:
        return ""
    try:
        number = float(value)
    except ValueError:
        return "a number"
    if bounds.least is not None and number < bounds.least:
        return f"at least {bounds.least:g}"
    if bounds.most is not None and number > bounds.most:
        return f"at most {bounds.most:g}"
    return ""


def _pattern(value: str, bounds: Bounds) -> str:
    try:
        fits = not bounds.pattern or re.fullmatch(bounds.pattern, value) is not None
    except re.error:  # the browser's own expressions are not quite Python's
        return ""
    return "" if fits else f"what matches {bounds.pattern}"
