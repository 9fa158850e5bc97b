"""Searches for an interpretation of the log under which all rules hold, where rules interrelate.

Each rule that others refer to is assigned one of the events that match it; the assignments are
tried until all other rules hold too. Independent groups of rules are searched separately.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError
from appliance.outcome.paths import as_text, values_at
from appliance.outcome.rules.bound import BoundAlternatives, BoundRule, Item, rules_of

_MAX_CHECKS = 100_000
"""Checks of an event against a rule in one search; takes about half a second."""


@dataclass(frozen=True, slots=True)
class EventAssignment:
    """Which events were assigned to rules, and which alternatives were chosen."""

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
    rule_item: Item


class _Candidates(NamedTuple):
    events: tuple[AuditEvent, ...]
    unmet_count: int
    """How many conditions the nearest of the others does not meet."""


@dataclass(slots=True)
class _Usage:
    """What later rules require of the event assigned to a rule."""

    paths: set[str] = field(default_factory=set)
    is_before: bool = False
    """Others come after it."""
    may_spoil: bool = False
    """An older event is not always as good: it has more events after it."""


def groups(items: Sequence[Item]) -> list[list[int]]:
    """The indexes of the items, grouped by their references to each other."""
    group = list(range(len(items)))
    owner: dict[str, int] = {}
    for number, item in enumerate(items):
        for other in {owner[n] for rule in rules_of(item) for n in rule.needed if n in owner}:
            old, new = group[other], group[number]
            group = [new if member == old else member for member in group]
        owner |= {rule.source.name: number for rule in rules_of(item) if rule.source.name}
    return [[n for n, g in enumerate(group) if g == member] for member in dict.fromkeys(group)]


def search(items: Mapping[int, Item], events: Sequence[AuditEvent]) -> SearchResult:
    """Find an assignment of events under which these items hold.

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
        self._usages = _usages(items.values())
        self._cached_candidates: dict[
            int, _Candidates
        ] = {}  # of rules that need no others, by their identity
        self._check_count = 0
        self._farthest_failure: tuple[int, int] | None = (
            None  # the item that failed, conditions met or not
        )
        self._nearest = EventAssignment()

    def run(self) -> SearchResult:
        agenda = tuple(_SearchItem(number, item) for number, item in self._items.items())
        reading = self._solve(agenda, EventAssignment())
        if reading is not None:
            return SearchResult(reading, None)
        assert self._farthest_failure is not None  # noqa: S101 - for the type checker: no reading, so one failed
        return SearchResult(self._nearest, self._farthest_failure[0])

    def _solve(
        self, agenda: tuple[_SearchItem, ...], reading: EventAssignment
    ) -> EventAssignment | None:
        if not agenda:
            return reading
        entry, remaining = agenda[0], agenda[1:]
        for entries, extended in self._branches(entry.item, entry.rule_item, reading):
            solved = self._solve((*entries, *remaining), extended)
            if solved is not None:
                return solved
        return None

    def _branches(
        self, number: int, item: Item, reading: EventAssignment
    ) -> Iterator[tuple[tuple[_SearchItem, ...], EventAssignment]]:
        """How to continue from an item: what must hold next, and the assignment so far."""
        if isinstance(item, BoundAlternatives):
            for alternative_number, alternative in enumerate(item.alternatives):
                entries = tuple(_SearchItem(number, rule) for rule in alternative)
                yield entries, reading.with_taken(number, alternative_number)
            return
        candidates = self._candidates(item, reading)
        if not item.has_enough(len(candidates.events)):
            self._record_failure(number, candidates.unmet_count, reading)
        elif usage := self._usages.get(item.source.name):
            for event in _distinct_events(candidates.events, usage):
                yield (), reading.with_event(item.source.name, event)
        else:
            yield (), reading

    def _candidates(self, rule: BoundRule, reading: EventAssignment) -> _Candidates:
        if id(rule) in self._cached_candidates:
            return self._cached_candidates[id(rule)]
        candidates = self._find_candidates(rule, reading)
        if not rule.needed:
            self._cached_candidates[id(rule)] = candidates
        return candidates

    def _find_candidates(self, rule: BoundRule, reading: EventAssignment) -> _Candidates:
        conditions = rule.conditions(reading.events)
        if isinstance(conditions, str):
            return _Candidates((), len(rule.where))
        self._check_count += len(self._events) + 1
        if self._check_count > _MAX_CHECKS:
            raise OutcomeError(
                "the rules can be held against the log in too many ways: say more of the events"
                " that other rules refer to, with `where`"
            )
        misses = [rule.miss(event, conditions, reading.events) for event in self._events]
        return _Candidates(
            tuple(e for e, miss in zip(self._events, misses, strict=True) if miss is None),
            min((miss.unmet_count for miss in misses if miss), default=len(rule.where) + 3),
        )

    def _record_failure(self, number: int, left: int, reading: EventAssignment) -> None:
        """Keep the assignment that gets farthest, and there comes nearest."""
        if self._farthest_failure is None or (number, -left) > (
            self._farthest_failure[0],
            -self._farthest_failure[1],
        ):
            self._farthest_failure, self._nearest = (number, left), reading


def _usages(items: Iterable[Item]) -> dict[str, _Usage]:
    usages: dict[str, _Usage] = {}
    for rule in (rule for item in items for rule in rules_of(item)):
        for condition in rule.where:
            for reference in condition.references:
                usages.setdefault(reference.rule, _Usage()).paths.add(reference.path)
        for name in rule.distinct_from:
            usage = usages.setdefault(name, _Usage())
            usage.is_before = True
            usage.may_spoil |= rule.is_forbidden or rule.source.at_most is not None
    return usages


def _distinct_events(events: Sequence[AuditEvent], usage: _Usage) -> Iterator[AuditEvent]:
    """The events without those that equal an earlier one in everything that other rules use."""
    paths = sorted(usage.paths)
    first_by_values: dict[tuple[object, ...], AuditEvent] = {}
    for event in events:  # oldest first
        key = tuple(tuple(as_text(v) for v in values_at(event, path)) for path in paths)
        older = first_by_values.setdefault(key, event)
        is_redundant = older is not event and (
            not usage.is_before or (not usage.may_spoil and event.time > older.time)
        )
        if not is_redundant:
            yield event
