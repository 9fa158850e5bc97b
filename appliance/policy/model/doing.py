"""From the deed that a model chose to the action that the browser does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from appliance.core.page import Action, ActionKind, Box, Element, Observation
from appliance.policy.model.answer import (
    Check,
    ClickAt,
    Deed,
    Described,
    Drag,
    Named,
    Unfold,
    Upload,
)

_PAINTED = frozenset({"img", "canvas", "figure", "graphics-document", "application"})


@dataclass(frozen=True, slots=True)
class Grounded:
    """Where something is: an element's number, or a point of the viewport."""

    element: int | None = None
    point: tuple[float, float] | None = None


_TEXT = {
    "click": "how",
    "type": "text",
    "select": "option",
    "press": "keys",
    "scroll": "direction",
    "open_url": "url",
    "switch_tab": "tab",
    "wait": "seconds",
    "unfold": "rows",
    "request_resource": "what",
    "hand_over": "what",
    "complete": "seen",
    "unachievable": "why",
}
"""The argument that becomes the action's text."""


def action_of(
    deed: Deed,
    view: Observation,
    places: Mapping[Described, Grounded],
    file: Callable[[str], str],
) -> Action:
    """The action.

    Args:
        deed: What was chosen.
        view: The page.
        places: Where the elements are that it names in words.
        file: The path of a file of a name, for uploads.
    """
    if isinstance(deed, ClickAt):
        return click_at(view, deed.x, deed.y)
    named: Named | None = deed.list if isinstance(deed, Unfold) else getattr(deed, "element", None)
    on = _place(named, places)
    if on.point is not None:
        return Action(kind=ActionKind.CLICK, point=on.point)
    said = (
        file(deed.name) if isinstance(deed, Upload) else getattr(deed, _TEXT.get(deed.kind, ""), "")
    )
    return Action(
        kind=ActionKind(deed.kind),
        element=on.element,
        text=f"{said:g}" if isinstance(said, float) else said,
        checked=deed.checked if isinstance(deed, Check) else True,
        target=_place(deed.to, places).element if isinstance(deed, Drag) else None,
    )


def _place(named: Named | None, places: Mapping[Described, Grounded]) -> Grounded:
    return places[named] if isinstance(named, Described) else Grounded(element=named)


def click_at(view: Observation, x: float, y: float) -> Action:
    """A click at thousandths of the screenshot; on the control that lies there, where one does.

    So whatever holds for clicks on controls holds for it, too.
    """
    at = x / 1000 * view.viewport.width, y / 1000 * view.viewport.height
    under = [
        e
        for e in view.elements
        if e.in_viewport and e.role not in _PAINTED and e.tag != "canvas" and _holds(e.box, *at)
    ]
    if under:
        return Action(kind=ActionKind.CLICK, element=min(under, key=_area).id)
    return Action(kind=ActionKind.CLICK, point=at)


def _holds(box: Box, x: float, y: float) -> bool:
    return box.x <= x < box.x + box.width and box.y <= y < box.y + box.height


def _area(element: Element) -> float:
    return element.box.width * element.box.height
