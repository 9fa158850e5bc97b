"""Looks for one reading of the log under which all rules hold, where rules refer to each other.

Every rule that others refer to is given one of the events that fit it; each way is tried until all
the others hold too. Rules that have nothing to do with each other are looked at apart.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError
from appliance.outcome.paths import as_text, values_at
from appliance.outcome.rules.bound import BoundAlternatives, BoundRule, Item, rules_of

_MOST_LOOKS = 100_000
"""Events held against a rule in one search: half a second."""


@dataclass(frozen=True, slots=True)
class EventAssignment:
    """Which events rules stand for, and which alternatives were taken."""

    events: Mapping[str, AuditEvent] = field(default_factory=dict)
    """By the rule's name."""
    taken: Mapping[int, int] = field(default_factory=dict)
    """The alternative, by the number of its item."""

    def with_event(self, name: str, event: AuditEvent) -> "EventAssignment":
        """The same assignment with one more event."""
        return EventAssignment({**self.events, name: event}, self.taken)

    def with_taken(self, item: int, alternative: int) -> "EventAssignment":
        """The same assignment with one alternative chosen."""
        return EventAssignment(self.events, {**self.taken, item: alternative})


class SearchResult(NamedTuple):
    """The result of a search."""

    reading: EventAssignment
    """Under which all items hold, else one under which they hold as far down as any."""
    failed: int | None
    """The first item that does not hold; None: all do."""


class _SearchItem(NamedTuple):
    item: int
    what: Item


class _Fits(NamedTuple):
    events: tuple[AuditEvent, ...]
    left: int
    """How many conditions the nearest of the others does not meet."""


@dataclass(slots=True)
class _Uses:
    """What later rules want of the event that a rule stands for."""

    paths: set[str] = field(default_factory=set)
    is_before: bool = False
    """Others come after it."""
    may_spoil: bool = False
    """An older event is not always as good: it has more events after it."""


def groups(items: Sequence[Item]) -> list[list[int]]:
    """The numbers of the items, those together that refer to each other."""
    group = list(range(len(items)))
    owner: dict[str, int] = {}
    for number, item in enumerate(items):
        for other in {owner[n] for rule in rules_of(item) for n in rule.needed if n in owner}:
            old, new = group[other], group[number]
            group = [new if one == old else one for one in group]
        owner |= {rule.source.name: number for rule in rules_of(item) if rule.source.name}
    return [[n for n, g in enumerate(group) if g == one] for one in dict.fromkeys(group)]


def search(items: Mapping[int, Item], events: Sequence[AuditEvent]) -> SearchResult:
    """Find a reading of the log under which these items hold.

    Args:
        items: By their number, in their order.
        events: Oldest first.

    Raises:
        OutcomeError: There are too many ways to read the log.
    """
    return _Search(items, events).run()


class _Search:
    def __init__(self, items: Mapping[int, Item], events: Sequence[AuditEvent]) -> None:
        self._items, self._events = items, events
        self._uses = _uses(items.values())
        self._settled: dict[int, _Fits] = {}  # of rules that need no others, by their identity
        self._looks = 0
        self._best: tuple[int, int] | None = None  # the item that failed, conditions met or not
        self._nearest = EventAssignment()

    def run(self) -> SearchResult:
        agenda = tuple(_SearchItem(number, item) for number, item in self._items.items())
        reading = self._solve(agenda, EventAssignment())
        if reading is not None:
            return SearchResult(reading, None)
        assert self._best is not None  # noqa: S101 - for the type checker: no reading, so one failed
        return SearchResult(self._nearest, self._best[0])

    def _solve(
        self, agenda: tuple[_SearchItem, ...], reading: EventAssignment
    ) -> EventAssignment | None:
        if not agenda:
            return reading
        (number, item), rest = agenda[0], agenda[1:]
        for more, further in self._ways(number, item, reading):
            solved = self._solve((*more, *rest), further)
            if solved is not None:
                return solved
        return None

    def _ways(
        self, number: int, item: Item, reading: EventAssignment
    ) -> Iterator[tuple[tuple[_SearchItem, ...], EventAssignment]]:
        """How to go on from an item: what is to be looked at at once, and the reading then."""
        if isinstance(item, BoundAlternatives):
            for n, alternative in enumerate(item.alternatives):
                entries = tuple(_SearchItem(number, rule) for rule in alternative)
                yield entries, reading.with_taken(number, n)
            return
        fits = self._fits(item, reading)
        if not item.has_enough(len(fits.events)):
            self._note(number, fits.left, reading)
        elif uses := self._uses.get(item.source.name):
            for event in _worth_trying(fits.events, uses):
                yield (), reading.with_event(item.source.name, event)
        else:
            yield (), reading

    def _fits(self, rule: BoundRule, reading: EventAssignment) -> _Fits:
        if id(rule) in self._settled:
            return self._settled[id(rule)]
        fits = self._look(rule, reading)
        if not rule.needed:
            self._settled[id(rule)] = fits
        return fits

    def _look(self, rule: BoundRule, reading: EventAssignment) -> _Fits:
        conditions = rule.conditions(reading.events)
        if isinstance(conditions, str):
            return _Fits((), len(rule.where))
        self._looks += len(self._events) + 1
        if self._looks > _MOST_LOOKS:
            raise OutcomeError(
                "the rules can be held against the log in too many ways: say more of the events"
                " that other rules refer to, with `where`"
            )
        misses = [rule.miss(event, conditions, reading.events) for event in self._events]
        return _Fits(
            tuple(e for e, miss in zip(self._events, misses, strict=True) if miss is None),
            min((miss.left for miss in misses if miss), default=len(rule.where) + 3),
        )

    def _note(self, number: int, left: int, reading: EventAssignment) -> None:
        """Keep the reading that goes farthest, and comes nearest there."""
        if self._best is None or (number, -left) > (self._best[0], -self._best[1]):
            self._best, self._nearest = (number, left), reading


def _uses(items: Iterable[Item]) -> dict[str, _Uses]:
    uses: dict[str, _Uses] = {}
    for rule in (rule for item in items for rule in rules_of(item)):
        for condition in rule.where:
            for reference in condition.references:
                uses.setdefault(reference.rule, _Uses()).paths.add(reference.path)
        for name in rule.apart:
            use = uses.setdefault(name, _Uses())
            use.is_before = True
            use.may_spoil |= rule.is_forbidden or rule.source.at_most is not None
    return uses


def _worth_trying(events: Sequence[AuditEvent], uses: _Uses) -> Iterator[AuditEvent]:
    """Without those that are no better than one before: equal in all that others want of it."""
    paths = sorted(uses.paths)
    first: dict[tuple[object, ...], AuditEvent] = {}
    for event in events:  # oldest first
        key = tuple(tuple(as_text(v) for v in values_at(event, path)) for path in paths)
        older = first.setdefault(key, event)
        is_as_good = older is not event and (
            not uses.is_before or (not uses.may_spoil and event.time > older.time)
        )
        if not is_as_good:
            yield event
