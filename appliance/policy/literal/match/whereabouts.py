"""Checks that something is where on the page the text says it is."""

from collections.abc import Sequence

from appliance.core.page import Element, Observation
from appliance.policy.literal.match.grounding import TOGGLES, in_row
from appliance.policy.literal.read.whereabouts import PagePosition

W = PagePosition
_LEFT_SHARE, _RIGHT_SHARE = 0.4, 0.6
"""Shares of the window's width; what lies between is neither left nor right."""
_EDGE_SHARE = 0.33


def is_at_position(
    kind: PagePosition, acted_on: Sequence[Element], view: Observation, row: str
) -> bool | None:
    """Whether the control used last is at that position; None if that cannot be told.

    Args:
        kind: Where.
        acted_on: What was acted on, in that order: the menu before its entry.
        view: The page as it was then.
        row: What identifies the row that the text speaks of.
    """
    e = acted_on[-1]
    across, down = _relative_center(e, view)
    match kind:
        case W.ROW:
            controls = [
                element for element in acted_on if element.role not in TOGGLES
            ]  # a ticked row is no control
            return True if row and any(in_row(element, row) for element in controls) else None
        case W.NAVIGATION:
            return True if e.region == "navigation" else None
        case W.ABOVE_LIST | W.BELOW_LIST:
            is_in_row = any(element.row is not None for element in acted_on)
            is_above = kind is W.ABOVE_LIST
            return False if is_in_row else is_beyond_list(e, view, is_above=is_above)
        case _ if e.dialog is not None or e.frame or not e.in_viewport or not view.viewport.width:
            return None
        case W.LEFT:
            return True if across < _LEFT_SHARE else False if across > _RIGHT_SHARE else None
        case W.RIGHT:
            return True if across > _RIGHT_SHARE else False if across < _LEFT_SHARE else None
        case W.TOP:
            return True if down < _EDGE_SHARE else None
        case W.BOTTOM:
            return True if down > 1 - _EDGE_SHARE else None


def is_beyond_list(e: Element, view: Observation, *, is_above: bool) -> bool | None:
    """Whether it is above (or below) the rows; False if on the other side, None if on neither."""
    if e.dialog is not None or e.region in ("navigation", "menu"):
        return None
    boxes = [t.box for t in view.texts if t.row is not None and t.frame == e.frame]
    boxes += [o.box for o in view.elements if o.row is not None and o.frame == e.frame]
    boxes = [b for b in boxes if b.height]
    if not boxes:
        return None
    left, right = min(b.x for b in boxes), max(b.x + b.width for b in boxes)
    top, bottom = min(b.y for b in boxes), max(b.y + b.height for b in boxes)
    if not (e.box.x < right and left < e.box.x + e.box.width):
        return None
    if e.box.y < top:
        return is_above
    return not is_above if e.box.y + e.box.height > bottom else None


def _relative_center(e: Element, view: Observation) -> tuple[float, float]:
    """The center of the element, as shares of the window's width and height."""
    width, height = view.viewport.width or 1, view.viewport.height or 1
    return (e.box.x + e.box.width / 2) / width, (e.box.y + e.box.height / 2) / height
