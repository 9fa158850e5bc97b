"""Finding an element again whose node went away, or says something else than it did."""

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
class Memory:
    """What was known of an element before the page was looked at again."""

    element: Element
    handle: Handle
    row: Cells | None
    page: str
    alike: int
    """How many were alike, itself included."""
    ordinal: int
    """Which of them it was, from 0."""


@dataclass(frozen=True, slots=True)
class NotFoundAgain:
    """It is not there, or it cannot be told which one it is; `why` ends a sentence about it."""

    why: str


def recall(identity: Identity, number: int) -> Memory | None:
    """What the last observation says of a number; `None` for one that was never given."""
    element, handle = identity.element(number), identity.handle(number)
    if element is None or handle is None:
        return None
    listed = identity.last if identity.is_present(number) else [(handle, element)]
    rows = row_keys((e for _, e in listed), is_strict=True)
    at = next(index for index, (_, e) in enumerate(listed) if e.id == number)
    alike = [index for index, (_, e) in enumerate(listed) if _is_alike(element, rows.get(at), e)]
    return Memory(
        element=element,
        handle=handle,
        row=rows.get(at),
        page=identity.page_of(handle),
        alike=len(alike),
        ordinal=alike.index(at),
    )


def find_again(
    known: Memory, listed: Sequence[Pair], pages: Mapping[str, str], *, is_there: bool = False
) -> Pair | NotFoundAgain:
    """The element in a look made since, by what it says and where it stands.

    The look is for this alone: numbers go on meaning what the last observation said of them.
    `is_there`: its node is still in the document, seen or not.
    """
    element = known.element
    for handle, now in listed:
        if handle == known.handle and _is_itself(element, known.row, now):
            return handle, now
    alike = [(handle, now) for handle, now in listed if _is_alike(element, known.row, now)]
    if alike and _has_left(known, alike, pages):
        return NotFoundAgain(
            f"is no longer on the page: it shows {pages.get(alike[0][0].frame)} now"
        )
    if len(alike) == known.alike:
        return alike[known.ordinal]
    if alike:
        return NotFoundAgain(_ambiguous(known, [now for _, now in alike]))
    why = _why_gone(known, listed, pages)
    return NotFoundAgain(f"{why}: it is hidden" if is_there and why.endswith("the page") else why)


def _is_itself(was: Element, row: Cells | None, now: Element) -> bool:
    """The same node: only what it says and its row must be as they were."""
    is_alike = (was.role, steady(was.name), was.dialog) == (now.role, steady(now.name), now.dialog)
    return is_alike and begins_row(row, now.row)


def _is_alike(was: Element, row: Cells | None, now: Element) -> bool:
    """Another node: everything that a person would tell it by must be as it was."""
    return was.tag == now.tag and place_key(was) == place_key(now) and _is_itself(was, row, now)


def _has_left(known: Memory, alike: list[Pair], pages: Mapping[str, str]) -> bool:
    """Another page: what is called the same there is something else, links apart."""
    if any(handle.document == known.handle.document for handle, _ in alike):
        return False
    if not known.page or route(known.page) == route(pages.get(alike[0][0].frame, "")):
        return False
    return not (known.element.href and all(e.href == known.element.href for _, e in alike))


def route(url: str) -> str:
    """An address without its query, and without its fragment unless that is a route."""
    parts = urlsplit(url)
    kept = parts.fragment if parts.fragment.startswith(("/", "!")) else ""
    return parts._replace(query="", fragment=kept).geturl()


def _ambiguous(known: Memory, alike: list[Element]) -> str:
    if len(alike) == 1:
        return (
            f"cannot be told from others that were like it: {known.alike} were, "
            f"1 is left, {_place(alike[0])}"
        )
    places = [_place(e) for e in alike[:4]]
    more = f" and {len(alike) - 4} more" if len(alike) > 4 else ""
    return f"is ambiguous: {len(alike)} are alike now, {' and '.join(places)}{more}"


def _place(element: Element) -> str:
    """Where it stands, in words and on the screen."""
    parts = [f"in row {element.row!r}"] if element.row is not None else []
    if element.group or element.section:
        parts.append(f"under {element.group or element.section!r}")
    parts.append(f"at ({element.box.x:.0f}, {element.box.y:.0f})")
    return f"one {' '.join(parts)}"


def _why_gone(known: Memory, listed: Sequence[Pair], pages: Mapping[str, str]) -> str:
    reason = "is no longer on the page"
    element = known.element
    if element.dialog and not any(e.dialog == element.dialog for _, e in listed):
        return f"{reason}: the dialog {element.dialog!r} is closed"
    if known.page and all(route(page) != route(known.page) for page in pages.values()):
        return f"{reason}: it shows {next(iter(pages.values()), 'another one')} now"
    instead = next((e for handle, e in listed if handle == known.handle), None)
    if instead is not None and known.row is not None and instead.row != element.row:
        return f"{reason}: its place is taken by the row {instead.row!r}"
    if instead is not None:
        return f"{reason}: there is {instead.role} {instead.name!r} now"
    if known.row is not None:
        return f"{reason}: there is no such {element.role} in a row {' | '.join(known.row)!r}"
    return reason
