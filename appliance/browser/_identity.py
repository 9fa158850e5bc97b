"""Numbers of elements: the same from one observation to the next, also when a page re-renders."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

from appliance.core.page import Element


@dataclass(frozen=True, slots=True)
class Handle:
    """Where an element lives: a frame's document, and its number there."""

    frame: str
    document: str
    local: int


Key = tuple[object, ...]


def _key(element: Element) -> Key:
    """What a person would recognise a control by."""
    return (
        element.frame,
        element.role,
        element.name,
        element.tag,
        element.dialog,
        element.row,
        element.column,
        element.group,
        element.section,
        element.href,
    )


class Identity:
    """Gives out numbers and finds again what was re-rendered, never by position."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._numbers = numbers
        self._ids: dict[Handle, int] = {}
        self._handles: dict[int, Handle] = {}
        self._last: dict[int, Element] = {}
        self._known: dict[int, Element] = {}

    def number(self, found: list[tuple[Handle, Element]]) -> list[Element]:
        """Number one observation's elements."""
        adopted = self._adopt(found)
        numbered = []
        for handle, element in found:
            known = self._ids.get(handle)
            if known is None and (known := adopted.get(handle)) is not None:
                # The old node may only be hidden: two nodes never share a number.
                self._ids.pop(self._handles[known], None)
            if known is None:
                known = next(self._numbers)
            self._ids[handle] = known
            self._handles[known] = handle
            numbered.append(replace(element, id=known))
        self._last = {element.id: element for element in numbered}
        self._known.update(self._last)
        return numbered

    def _adopt(self, found: list[tuple[Handle, Element]]) -> dict[Handle, int]:
        """New nodes that stand for vanished ones: equal in all we know, and the only such pair."""
        present = {self._ids[handle] for handle, _ in found if handle in self._ids}
        gone: dict[Key, list[int]] = defaultdict(list)
        for number, element in self._last.items():
            if number not in present:
                gone[_key(element)].append(number)
        new: dict[Key, list[Handle]] = defaultdict(list)
        for handle, element in found:
            if handle not in self._ids:
                new[_key(element)].append(handle)
        return {
            handles[0]: gone[key][0]
            for key, handles in new.items()
            if len(handles) == 1 and len(gone.get(key, ())) == 1
        }

    def handle(self, number: int) -> Handle | None:
        """Where the element of that number lives, when it was ever seen."""
        return self._handles.get(number)

    def element(self, number: int) -> Element | None:
        """The element as it was last seen."""
        return self._known.get(number)

    def is_present(self, number: int) -> bool:
        """Whether the last observation lists it."""
        return number in self._last
