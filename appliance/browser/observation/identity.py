"""Numbers of elements: the same from one observation to the next, also when a page re-renders."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from appliance.browser.observation.matching import Cells, Key, fold_key, is_same_row, keys_of
from appliance.core.page import Element, Fold


class Handle(NamedTuple):
    """Where an element lives: a frame's document, and its number there."""

    frame: str
    document: str
    local: int


ROW = 3  # where a row stands in an element's key
FORGET_AFTER = 200  # observations: who names an element later than this was not told of it lately


@dataclass(slots=True)
class _Numbers:
    """Who has which number, and what those who have left were recognised by."""

    fresh: Iterator[int]
    ids: dict[Handle, int] = field(default_factory=dict)
    handles: dict[int, Handle] = field(default_factory=dict)
    keys: dict[int, Key] = field(default_factory=dict)
    seen_in: dict[int, int] = field(default_factory=dict)
    by_key: dict[Key, dict[int, None]] = field(default_factory=lambda: defaultdict(dict))
    round: int = 0
    last: list[int] = field(default_factory=list)

    def give(self, pairs: Sequence[tuple[Handle, Key]]) -> list[int]:
        """A number for each: its own while it is the same, else that of what it stands for."""
        self.round += 1
        same = self._same(pairs)
        if same is not None:
            self.seen_in.update(dict.fromkeys(same, self.round))
            self._prune()
            return same
        given: dict[int, int] = {}
        for index, (handle, key) in enumerate(pairs):
            known = self.ids.get(handle)
            if known is not None and self.keys[known] == key:
                given[index] = known
        self._adopt(pairs, given)
        taken = set(given.values())
        for index, (handle, key) in enumerate(pairs):
            known = self.ids.get(handle)
            if index in given or known is None or known in taken:
                continue
            if self._is_still(known, key):
                given[index] = known
        numbers = [given.get(index) or next(self.fresh) for index in range(len(pairs))]
        for (handle, key), number in zip(pairs, numbers, strict=True):
            self._remember(handle, key, number)
        self.last = numbers
        self._prune()
        return numbers

    def _same(self, pairs: Sequence[tuple[Handle, Key]]) -> list[int] | None:
        """Their numbers, when all are what they were, and in the same order."""
        numbers = []
        for handle, key in pairs:
            known = self.ids.get(handle)
            if known is None or self.keys[known] != key:
                return None
            numbers.append(known)
        return numbers if numbers == self.last else None

    def _is_still(self, number: int, key: Key) -> bool:
        """One node that says something else now: a new control only when its row is another one."""
        before = self.keys[number]
        return len(key) <= ROW or (before[0] == key[0] and _is_row_kept(before[ROW], key[ROW]))

    def _adopt(self, pairs: Sequence[tuple[Handle, Key]], given: dict[int, int]) -> None:
        """New nodes stand for vanished ones that were equal in all we know and as many."""
        present = set(given.values())
        new: dict[Key, list[int]] = defaultdict(list)
        for index, (_, key) in enumerate(pairs):
            if index not in given:
                new[key].append(index)
        for key, indexes in new.items():
            gone = [number for number in self.by_key.get(key, ()) if number not in present]
            latest = max((self.seen_in[number] for number in gone), default=0)
            last_seen = [number for number in gone if self.seen_in[number] == latest]
            if len(indexes) == len(last_seen):
                given.update(zip(indexes, last_seen, strict=True))

    def _remember(self, handle: Handle, key: Key, number: int) -> None:
        before = self.handles.get(number)
        if before is not None and before != handle and self.ids.get(before) == number:
            del self.ids[before]  # the old node may only be hidden: two never share a number
        if number in self.keys:
            self.by_key[self.keys[number]].pop(number, None)
        self.by_key[key][number] = None
        self.ids[handle], self.handles[number] = number, handle
        self.keys[number], self.seen_in[number] = key, self.round

    def _prune(self) -> None:
        if self.round % FORGET_AFTER:
            return
        for number in [
            n for n, last_round in self.seen_in.items() if last_round <= self.round - FORGET_AFTER
        ]:
            key, handle = self.keys.pop(number), self.handles.pop(number)
            self.by_key[key].pop(number, None)
            if not self.by_key[key]:
                del self.by_key[key]
            if self.ids.get(handle) == number:
                del self.ids[handle]
            del self.seen_in[number]


def _is_row_kept(before: Hashable, now: Hashable) -> bool:
    kept: tuple[Cells | None, Cells | None] = (before, now)  # type: ignore[assignment]  # by `keys_of`
    return is_same_row(*kept)


def _with_number(element: Element, number: int) -> Element:
    if element.id == number:
        return element
    if element.id:
        return replace(element, id=number)
    # Copies of a thousand elements would take 15 ms.
    object.__setattr__(element, "id", number)
    return element


class Identity:
    """Gives out numbers and finds again what was re-rendered, never by position."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._elements = _Numbers(numbers)
        self._folds = _Numbers(numbers)
        self._known: dict[int, Element] = {}
        self._known_folds: dict[int, Fold] = {}
        self._last: list[Element] = []
        self._pages: dict[str, str] = {}

    def number(
        self, pairs: Sequence[tuple[Handle, Element]], pages: Mapping[str, str] | None = None
    ) -> list[Element]:
        """Number one observation's elements; `pages` are the addresses by frame.

        Those without a number are new, and nobody else has them yet.
        """
        keys = keys_of(element for _, element in pairs)
        numbers = self._elements.give(
            [(handle, key) for (handle, _), key in zip(pairs, keys, strict=True)]
        )
        numbered = [
            _with_number(element, number)
            for (_, element), number in zip(pairs, numbers, strict=True)
        ]
        self._known.update((element.id, element) for element in numbered)
        if len(self._known) > 2 * len(self._elements.handles):
            self._known = {n: e for n, e in self._known.items() if n in self._elements.handles}
        self._last = numbered
        self._pages = dict(pages or {})
        return numbered

    def number_folds(self, pairs: Sequence[tuple[Handle, Fold]]) -> list[Fold]:
        """Number one observation's long tables and lists, from the same numbers."""
        numbers = self._folds.give([(handle, fold_key(fold)) for handle, fold in pairs])
        numbered = [
            replace(fold, id=number) for (_, fold), number in zip(pairs, numbers, strict=True)
        ]
        self._known_folds = {fold.id: fold for fold in numbered}
        return numbered

    def handle(self, number: int) -> Handle | None:
        """Where the element or fold of that number lives, when it was seen."""
        return self._elements.handles.get(number) or self._folds.handles.get(number)

    def number_of(self, handle: Handle) -> int | None:
        """The number of what lives there, when it was seen."""
        return self._elements.ids.get(handle)

    def element(self, number: int) -> Element | None:
        """The element as it was last seen."""
        return self._known.get(number)

    def fold(self, number: int) -> Fold | None:
        """The fold, when the last observation has it."""
        return self._known_folds.get(number)

    def is_present(self, number: int) -> bool:
        """Whether the last observation lists it."""
        return self._elements.seen_in.get(number) == self._elements.round

    @property
    def last(self) -> Sequence[tuple[Handle, Element]]:
        """The last observation's elements, in its order."""
        return [(self._elements.handles[element.id], element) for element in self._last]

    def page_of(self, handle: Handle) -> str:
        """Address of the handle's frame at the last observation."""
        return self._pages.get(handle.frame, "")
