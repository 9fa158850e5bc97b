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
        self._known: dict[int, Element] = {}
        self._seen_in: dict[int, int] = {}
        self._by_key: dict[Key, set[int]] = defaultdict(set)
        self._observations = 0

    def number(self, found: list[tuple[Handle, Element]]) -> list[Element]:
        """Number one observation's elements."""
        self._observations += 1
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
        self._remember(numbered)
        return numbered

    def _remember(self, elements: list[Element]) -> None:
        for element in elements:
            before = self._known.get(element.id)
            if before is not None:
                self._by_key[_key(before)].discard(element.id)
            self._by_key[_key(element)].add(element.id)
            self._known[element.id] = element
            self._seen_in[element.id] = self._observations

    def _adopt(self, found: list[tuple[Handle, Element]]) -> dict[Handle, int]:
        """New nodes that stand for vanished ones: equal in all we know, and the only such pair."""
        present = {self._ids[handle] for handle, _ in found if handle in self._ids}
        new: dict[Key, list[Handle]] = defaultdict(list)
        for handle, element in found:
            if handle not in self._ids:
                new[_key(element)].append(handle)
        adopted = {}
        for key, handles in new.items():
            gone = self._by_key.get(key, set()) - present
            latest = max((self._seen_in[number] for number in gone), default=0)
            last_seen = [number for number in gone if self._seen_in[number] == latest]
            if len(handles) == len(last_seen) == 1:
                adopted[handles[0]] = last_seen[0]
        return adopted

    def handle(self, number: int) -> Handle | None:
        """Where the element of that number lives, when it was ever seen."""
        return self._handles.get(number)

    def element(self, number: int) -> Element | None:
        """The element as it was last seen."""
        return self._known.get(number)

    def is_present(self, number: int) -> bool:
        """Whether the last observation lists it."""
        return self._seen_in.get(number) == self._observations
