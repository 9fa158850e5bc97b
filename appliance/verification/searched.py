"""Where a control was looked for in vain, as a place on the page."""

from collections.abc import Iterable

from appliance.core.page import Box, Element, Observation

_AROUND = ("navigation", "banner", "contentinfo", "complementary")
"""Regions that a page has around what it is about."""


def searched_box(view: Observation) -> Box | None:
    """The open menu, else the dialog in front, else what the page is about; as far as it is seen.

    None where nothing of that is.
    """
    shown = [e for e in view.elements if e.in_viewport]
    menu = [e.box for e in shown if e.region == "menu" or e.role == "menuitem"]
    if menu:
        return _around(menu)
    if view.dialogs:
        texts = [t.box for t in view.texts if t.dialog == view.dialogs[-1]]
        return _around([*(e.box for e in shown if e.dialog == view.dialogs[-1]), *texts])
    return _around(e.box for e in shown if _is_of_page(e))


def _is_of_page(element: Element) -> bool:
    return element.region not in _AROUND


def _around(boxes: Iterable[Box]) -> Box | None:
    seen = [box for box in boxes if box.width > 0 and box.height > 0]
    if not seen:
        return None
    left, top = min(box.x for box in seen), min(box.y for box in seen)
    right = max(box.x + box.width for box in seen)
    bottom = max(box.y + box.height for box in seen)
    return Box(left, top, right - left, bottom - top)
