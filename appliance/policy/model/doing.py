"""From the deed that a model chose to the action that the browser does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from appliance.core import actions
from appliance.core.actions import Action, ActionKind
from appliance.core.page import Box, Element, Observation
from appliance.policy.model.answer import (
    ChosenAction,
    ClickAt,
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


def action_of(
    deed: ChosenAction,
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
        on, kind = aimed(view, deed.x, deed.y), ActionKind.CLICK
    else:
        on, kind = _place(_named(deed), places), ActionKind(deed.kind)
    if on.point is not None:
        return actions.ClickAt(on.point)
    # The answer's fields are called as the action's.
    argument = getattr(deed, actions.BY_KIND[kind].ARGUMENT, "")
    return actions.build(
        kind,
        element=on.element,
        argument=file(deed.name) if isinstance(deed, Upload) else str(argument),
        to=_place(deed.to, places).element if isinstance(deed, Drag) else None,
    )


def _named(deed: ChosenAction) -> Named | None:
    return deed.list if isinstance(deed, Unfold) else getattr(deed, "element", None)


def _place(named: Named | None, places: Mapping[Described, Grounded]) -> Grounded:
    return places[named] if isinstance(named, Described) else Grounded(element=named)


def aimed(view: Observation, x: float, y: float) -> Grounded:
    """What lies at thousandths of the screenshot: a control, where one does, else the point.

    So whatever holds for clicks on controls holds for it, too.
    """
    at = x / 1000 * view.viewport.width, y / 1000 * view.viewport.height
    under = [
        e
        for e in view.elements
        if e.in_viewport and e.role not in _PAINTED and e.tag != "canvas" and _holds(e.box, *at)
    ]
    if under:
        return Grounded(element=min(under, key=_area).id)
    return Grounded(point=at)


def _holds(box: Box, x: float, y: float) -> bool:
    return box.x <= x < box.x + box.width and box.y <= y < box.y + box.height


def _area(element: Element) -> float:
    return element.box.width * element.box.height
