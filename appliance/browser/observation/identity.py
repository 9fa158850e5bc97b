"""Numbers elements so that they keep their numbers across observations and re-rendering."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from appliance.browser.observation.matching import Cells, Key, fold_key, is_same_row, keys_of
from appliance.core.page import Element, Fold


class Handle(NamedTuple):
    """Where an element lives: its frame, the frame's document, and its number there."""

    frame: str
    document: str
    local: int


ROW = 3  # where a row stands in an element's key
FORGET_AFTER = 200  # observations: who names an element later than this was not told of it lately


@dataclass(slots=True)
class _Numbers:
    """Which element has which number, and by what vanished elements can be recognised."""

    unused_numbers: Iterator[int]
    ids: dict[Handle, int] = field(default_factory=dict)
    handles: dict[int, Handle] = field(default_factory=dict)
    keys: dict[int, Key] = field(default_factory=dict)
    seen_in: dict[int, int] = field(default_factory=dict)
    by_key: dict[Key, dict[int, None]] = field(default_factory=lambda: defaultdict(dict))
    round: int = 0
    last: list[int] = field(default_factory=list)

    def assign(self, pairs: Sequence[tuple[Handle, Key]]) -> list[int]:
        """A number for each element: its own if unchanged, else that of the element it replaces."""
        self.round += 1
        unchanged = self._unchanged_numbers(pairs)
        if unchanged is not None:
            self.seen_in.update(dict.fromkeys(unchanged, self.round))
            self._prune()
            return unchanged
        assigned: dict[int, int] = {}
        for index, (handle, key) in enumerate(pairs):
            own_number = self.ids.get(handle)
            if own_number is not None and self.keys[own_number] == key:
                assigned[index] = own_number
        self._reuse_vanished(pairs, assigned)
        used_numbers = set(assigned.values())
        for index, (handle, key) in enumerate(pairs):
            own_number = self.ids.get(handle)
            if index in assigned or own_number is None or own_number in used_numbers:
                continue
            if self._is_same_control(own_number, key):
                assigned[index] = own_number
        numbers = [assigned.get(index) or next(self.unused_numbers) for index in range(len(pairs))]
        for (handle, key), number in zip(pairs, numbers, strict=True):
            self._remember(handle, key, number)
        self.last = numbers
        self._prune()
        return numbers

    def _unchanged_numbers(self, pairs: Sequence[tuple[Handle, Key]]) -> list[int] | None:
        """Their numbers if nothing changed, not even the order; else None."""
        numbers = []
        for handle, key in pairs:
            own_number = self.ids.get(handle)
            if own_number is None or self.keys[own_number] != key:
                return None
            numbers.append(own_number)
        return numbers if numbers == self.last else None

    def _is_same_control(self, number: int, key: Key) -> bool:
        """Whether a node with a new key is the same control: it is, unless its row is another."""
        earlier_key = self.keys[number]
        return len(key) <= ROW or (
            earlier_key[0] == key[0] and _is_row_kept(earlier_key[ROW], key[ROW])
        )

    def _reuse_vanished(
        self, pairs: Sequence[tuple[Handle, Key]], assigned: dict[int, int]
    ) -> None:
        """Give new nodes the numbers of as many vanished ones with an equal key."""
        used_numbers = set(assigned.values())
        unassigned: dict[Key, list[int]] = defaultdict(list)
        for index, (_, key) in enumerate(pairs):
            if index not in assigned:
                unassigned[key].append(index)
        for key, indexes in unassigned.items():
            vanished = [number for number in self.by_key.get(key, ()) if number not in used_numbers]
            latest_round = max((self.seen_in[number] for number in vanished), default=0)
            last_seen = [number for number in vanished if self.seen_in[number] == latest_round]
            if len(indexes) == len(last_seen):
                assigned.update(zip(indexes, last_seen, strict=True))

    def _remember(self, handle: Handle, key: Key, number: int) -> None:
        earlier_handle = self.handles.get(number)
        if (
            earlier_handle is not None
            and earlier_handle != handle
            and self.ids.get(earlier_handle) == number
        ):
            del self.ids[
                earlier_handle
            ]  # the old node may only be hidden: two never share a number
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


def _is_row_kept(earlier_row: Hashable, current_row: Hashable) -> bool:
    both_rows: tuple[Cells | None, Cells | None] = (earlier_row, current_row)  # type: ignore[assignment]  # by `keys_of`
    return is_same_row(*both_rows)


def _with_number(element: Element, number: int) -> Element:
    if element.id == number:
        return element
    if element.id:
        return replace(element, id=number)
    # Copies of a thousand elements would take 15 ms.
    object.__setattr__(element, "id", number)
    return element


class Identity:
    """Assigns numbers, and recognises what was re-rendered, though never by position."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._elements = _Numbers(numbers)
        self._folds = _Numbers(numbers)
        self._elements_by_number: dict[int, Element] = {}
        self._folds_by_number: dict[int, Fold] = {}
        self._last: list[Element] = []
        self._pages: dict[str, str] = {}

    def number(
        self, pairs: Sequence[tuple[Handle, Element]], pages: Mapping[str, str] | None = None
    ) -> list[Element]:
        """Number one observation's elements; `pages` are the addresses by frame.

        Those without a number are new, and nobody else has them yet.
        """
        keys = keys_of(element for _, element in pairs)
        numbers = self._elements.assign(
            [(handle, key) for (handle, _), key in zip(pairs, keys, strict=True)]
        )
        numbered = [
            _with_number(element, number)
            for (_, element), number in zip(pairs, numbers, strict=True)
        ]
        self._elements_by_number.update((element.id, element) for element in numbered)
        if len(self._elements_by_number) > 2 * len(self._elements.handles):
            self._elements_by_number = {
                n: e for n, e in self._elements_by_number.items() if n in self._elements.handles
            }
        self._last = numbered
        self._pages = dict(pages or {})
        return numbered

    def number_folds(self, pairs: Sequence[tuple[Handle, Fold]]) -> list[Fold]:
        """Number the folded tables and lists of one observation, from the same sequence."""
        numbers = self._folds.assign([(handle, fold_key(fold)) for handle, fold in pairs])
        numbered = [
            replace(fold, id=number) for (_, fold), number in zip(pairs, numbers, strict=True)
        ]
        self._folds_by_number = {fold.id: fold for fold in numbered}
        return numbered

    def handle(self, number: int) -> Handle | None:
        """Where the element or fold of that number lives; None if it was never seen."""
        return self._elements.handles.get(number) or self._folds.handles.get(number)

    def number_of(self, handle: Handle) -> int | None:
        """The number of the element that lives there; None if it was never seen."""
        return self._elements.ids.get(handle)

    def element(self, number: int) -> Element | None:
        """The element as last seen."""
        return self._elements_by_number.get(number)

    def fold(self, number: int) -> Fold | None:
        """The fold, if the last observation has it."""
        return self._folds_by_number.get(number)

    def is_present(self, number: int) -> bool:
        """Whether the last observation includes the element."""
        return self._elements.seen_in.get(number) == self._elements.round

    @property
    def last(self) -> Sequence[tuple[Handle, Element]]:
        """The elements of the last observation, in its order."""
        return [(self._elements.handles[element.id], element) for element in self._last]

    def page_of(self, handle: Handle) -> str:
        """Address of the frame at the last observation."""
        return self._pages.get(handle.frame, "")
