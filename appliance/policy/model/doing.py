"""Translates an action that a model chose into one that the browser performs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urljoin

from appliance.core import actions
from appliance.core.actions import Action, ActionKind
from appliance.core.page import Box, Element, Observation
from appliance.policy.model.answer import (
    ChosenAction,
    ClickAt,
    Described,
    Drag,
    ElementReference,
    OpenUrl,
    Unfold,
    Upload,
)

_IMAGE_ROLES = frozenset({"img", "canvas", "figure", "graphics-document", "application"})


@dataclass(frozen=True, slots=True)
class Grounded:
    """Where something is: an element's number, or a point of the viewport."""

    element: int | None = None
    point: tuple[float, float] | None = None


def action_of(
    chosen: ChosenAction,
    view: Observation,
    places: Mapping[Described, Grounded],
    file: Callable[[str], str],
) -> Action:
    """The action.

    Args:
        chosen: What was chosen.
        view: The page.
        places: Where the elements are that it names in words.
        file: The path of a file of a name, for uploads.
    """
    if isinstance(chosen, ClickAt):
        target, kind = element_at(view, chosen.x, chosen.y), ActionKind.CLICK
    else:
        target, kind = _grounded(_named_target(chosen), places), ActionKind(chosen.kind)
    if target.point is not None:
        return actions.ClickAt(target.point)
    # The answer's fields are called as the action's.
    argument = str(getattr(chosen, actions.BY_KIND[kind].ARGUMENT, ""))
    match chosen:
        case Upload():
            argument = file(chosen.name)
        case OpenUrl():  # pages are told by their paths
            argument = urljoin(view.url, argument)
    return actions.build(
        kind,
        element=target.element,
        argument=argument,
        to=_grounded(chosen.to, places).element if isinstance(chosen, Drag) else None,
    )


def _named_target(chosen: ChosenAction) -> ElementReference | None:
    return chosen.list if isinstance(chosen, Unfold) else getattr(chosen, "element", None)


def _grounded(reference: ElementReference | None, places: Mapping[Described, Grounded]) -> Grounded:
    return places[reference] if isinstance(reference, Described) else Grounded(element=reference)


def element_at(view: Observation, x: float, y: float) -> Grounded:
    """What lies at thousandths of the screenshot: a control, where one does, else the point.

    So whatever holds for clicks on controls holds for it, too.
    """
    point = x / 1000 * view.viewport.width, y / 1000 * view.viewport.height
    candidates = [
        e
        for e in view.elements
        if e.in_viewport
        and e.role not in _IMAGE_ROLES
        and e.tag != "canvas"
        and _contains(e.box, *point)
    ]
    if candidates:
        return Grounded(element=min(candidates, key=_area).id)
    return Grounded(point=point)


def _contains(box: Box, x: float, y: float) -> bool:
    return box.x <= x < box.x + box.width and box.y <= y < box.y + box.height


def _area(element: Element) -> float:
    return element.box.width * element.box.height
