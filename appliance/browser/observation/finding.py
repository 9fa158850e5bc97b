"""Finds an element again after its node was replaced or its text changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from appliance.browser.observation.identity import Handle, Identity
from appliance.browser.observation.matching import (
    Cells,
    begins_row,
    place_key,
    row_keys,
    steady,
)
from appliance.core.page import Element

Pair = tuple[Handle, Element]


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedElement:
    """What was known of an element before the page was observed again."""

    element: Element
    handle: Handle
    row: Cells | None
    page: str
    alike_count: int
    """How many elements were alike, including this one."""
    ordinal: int
    """Its index among them, from 0."""


@dataclass(frozen=True, slots=True)
class NotFoundAgain:
    """The element is gone or ambiguous; `why` completes a sentence about it."""

    why: str


def recall(identity: Identity, number: int) -> RememberedElement | None:
    """What the last observation says about a number; `None` if it was never assigned."""
    element, handle = identity.element(number), identity.handle(number)
    if element is None or handle is None:
        return None
    listed = identity.last if identity.is_present(number) else [(handle, element)]
    rows = row_keys((e for _, e in listed), is_strict=True)
    position = next(index for index, (_, e) in enumerate(listed) if e.id == number)
    alike_indexes = [
        index for index, (_, e) in enumerate(listed) if _is_alike(element, rows.get(position), e)
    ]
    return RememberedElement(
        element=element,
        handle=handle,
        row=rows.get(position),
        page=identity.page_of(handle),
        alike_count=len(alike_indexes),
        ordinal=alike_indexes.index(position),
    )


def find_again(
    remembered: RememberedElement,
    listed: Sequence[Pair],
    pages: Mapping[str, str],
    *,
    is_attached: bool = False,
) -> Pair | NotFoundAgain:
    """Find the element in a newer observation by its text and its surroundings.

    The newer observation serves only this search: numbers keep the meaning that the last one
    gave them. `is_attached`: its node is still in the document, visible or not.
    """
    element = remembered.element
    for handle, current in listed:
        if handle == remembered.handle and _is_itself(element, remembered.row, current):
            return handle, current
    alike = [(handle, now) for handle, now in listed if _is_alike(element, remembered.row, now)]
    if alike and _has_left(remembered, alike, pages):
        return NotFoundAgain(
            f"is no longer on the page: it shows {pages.get(alike[0][0].frame)} now"
        )
    if len(alike) == remembered.alike_count:
        return alike[remembered.ordinal]
    if alike:
        return NotFoundAgain(_ambiguous(remembered, [now for _, now in alike]))
    why = _why_gone(remembered, listed, pages)
    return NotFoundAgain(
        f"{why}: it is hidden" if is_attached and why.endswith("the page") else why
    )


def _is_itself(earlier: Element, row: Cells | None, current: Element) -> bool:
    """Whether the same node still has the same text and row."""
    is_alike = (earlier.role, steady(earlier.name), earlier.dialog) == (
        current.role,
        steady(current.name),
        current.dialog,
    )
    return is_alike and begins_row(row, current.row)


def _is_alike(earlier: Element, row: Cells | None, current: Element) -> bool:
    """Whether another node equals it in everything by which a person would recognise it."""
    return (
        earlier.tag == current.tag
        and place_key(earlier) == place_key(current)
        and _is_itself(earlier, row, current)
    )


def _has_left(remembered: RememberedElement, alike: list[Pair], pages: Mapping[str, str]) -> bool:
    """Whether the page is another one, where the same names mean other things (links excepted)."""
    if any(handle.document == remembered.handle.document for handle, _ in alike):
        return False
    if not remembered.page or route(remembered.page) == route(pages.get(alike[0][0].frame, "")):
        return False
    return not (
        remembered.element.href and all(e.href == remembered.element.href for _, e in alike)
    )


def route(url: str) -> str:
    """An address without its query, and without its fragment unless the fragment is a route."""
    parts = urlsplit(url)
    fragment = parts.fragment if parts.fragment.startswith(("/", "!")) else ""
    return parts._replace(query="", fragment=fragment).geturl()


def _ambiguous(remembered: RememberedElement, alike: list[Element]) -> str:
    if len(alike) == 1:
        return (
            f"cannot be told from others that were like it: {remembered.alike_count} were, "
            f"1 is left, {_place(alike[0])}"
        )
    places = [_place(e) for e in alike[:4]]
    others_text = f" and {len(alike) - 4} more" if len(alike) > 4 else ""
    return f"is ambiguous: {len(alike)} are alike now, {' and '.join(places)}{others_text}"


def _place(element: Element) -> str:
    """Where the element is, in words and on the screen."""
    parts = [f"in row {element.row!r}"] if element.row is not None else []
    if element.group or element.section:
        parts.append(f"under {element.group or element.section!r}")
    parts.append(f"at ({element.box.x:.0f}, {element.box.y:.0f})")
    return f"one {' '.join(parts)}"


def _why_gone(
    remembered: RememberedElement, listed: Sequence[Pair], pages: Mapping[str, str]
) -> str:
    reason = "is no longer on the page"
    element = remembered.element
    if element.dialog and not any(e.dialog == element.dialog for _, e in listed):
        return f"{reason}: the dialog {element.dialog!r} is closed"
    if remembered.page and all(route(page) != route(remembered.page) for page in pages.values()):
        return f"{reason}: it shows {next(iter(pages.values()), 'another one')} now"
    replacement = next((e for handle, e in listed if handle == remembered.handle), None)
    if replacement is not None and remembered.row is not None and replacement.row != element.row:
        return f"{reason}: its place is taken by the row {replacement.row!r}"
    if replacement is not None:
        return f"{reason}: there is {replacement.role} {replacement.name!r} now"
    if remembered.row is not None:
        return f"{reason}: there is no such {element.role} in a row {' | '.join(remembered.row)!r}"
    return reason
