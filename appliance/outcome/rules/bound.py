"""Rules with their bound values put in, and how far an event is from fitting one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import NamedTuple, TypeAlias

from appliance.core.checks import AnyOf, AuditEvent, Checks, EventRule
from appliance.core.errors import OutcomeError
from appliance.outcome.bindings import expand
from appliance.outcome.rules.conditions import (
    BoundCondition,
    ResolvedCondition,
    bind,
    place_of,
    unmet,
)


class Miss(NamedTuple):
    """How far an event is from fitting: the fewer conditions left, the nearer."""

    event: AuditEvent
    left: int
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundRule:
    """A rule with the values of the bindings in place of their names."""

    event: str
    service: str
    where: tuple[BoundCondition, ...]
    source: EventRule
    is_forbidden: bool
    apart: frozenset[str]
    """Rules whose events come before, at once or through others: it has none of them."""

    @property
    def needed(self) -> frozenset[str]:
        """The rules whose events it cannot be looked for without."""
        return frozenset(self.source.after) | {r.rule for c in self.where for r in c.references}

    def has_enough(self, count: int) -> bool:
        """Whether so many events are what is wanted."""
        if self.is_forbidden:
            return count < self.source.at_least
        most = self.source.at_most
        return count >= self.source.at_least and (most is None or count <= most)

    def conditions(self, events: Mapping[str, AuditEvent]) -> tuple[ResolvedCondition, ...] | str:
        """What an event must meet; or a sentence about what a found event lacks."""
        met = [condition.with_events(events) for condition in self.where]
        problem = next((one for one in met if isinstance(one, str)), "")
        return problem or tuple(one for one in met if not isinstance(one, str))

    def miss(
        self,
        event: AuditEvent,
        conditions: Sequence[ResolvedCondition],
        earlier: Mapping[str, AuditEvent],
    ) -> Miss | None:
        """Why an event does not fit; None when it does."""
        total = len(self.where) + len(self.source.after)
        if not fnmatchcase(event.name, self.event):
            return Miss(event, total + 3, "")
        if not fnmatchcase(event.service, self.service):
            return Miss(
                event, total + 2, f"its service was {event.service!r}, not {self.service!r}"
            )
        unmets = [text for condition in conditions if (text := unmet(condition, event))]
        wanted = self.source.outcome
        if wanted is not None and event.outcome is not wanted:
            code = f" ({event.error_code})" if event.error_code else ""
            unmets.append(f"its outcome was {event.outcome}{code}, expected {wanted}")
        unmets += [
            f"it came before {earlier[name].name}"
            for name in self.source.after
            if event.time < earlier[name].time
        ]
        if any(event is earlier[name] for name in self.apart if name in earlier):
            unmets.append("it is the same event as one before it")
        return Miss(event, len(unmets), " and ".join(unmets)) if unmets else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundAlternatives:
    """Alternatives, one of which has to hold."""

    alternatives: tuple[tuple[BoundRule, ...], ...]
    source: AnyOf


Item: TypeAlias = BoundRule | BoundAlternatives


def rules_of(item: Item) -> Iterator[BoundRule]:
    """The rules of an item."""
    if isinstance(item, BoundRule):
        yield item
        return
    for alternative in item.alternatives:
        yield from alternative


def bind_checks(checks: Checks, bindings: Mapping[str, str]) -> tuple[Item, ...]:
    """All rules in the order of the file, those that forbid last.

    Raises:
        OutcomeError: A rule names a value or a rule that is not there, or has a bad pattern.
    """
    binder = _Binder(bindings)
    expected = tuple(binder.item(entry) for entry in checks.expect)
    return (*expected, *(binder.rule(rule, is_forbidden=True) for rule in checks.forbid))


class _Binder:
    def __init__(self, bindings: Mapping[str, str]) -> None:
        self._bindings = bindings
        self._before: dict[str, frozenset[str]] = {}
        """The names of the rules so far, each with those that are before it."""

    def item(self, entry: EventRule | AnyOf) -> Item:
        if isinstance(entry, EventRule):
            return self.rule(entry)
        outer, names_by_way = self._before, list[dict[str, frozenset[str]]]()
        alternatives = []
        for rules in entry.alternatives:
            self._before = dict(outer)
            alternatives.append(tuple(self.rule(rule) for rule in rules))
            names_by_way.append(self._before)
        common = frozenset.intersection(*(frozenset(names) for names in names_by_way))
        self._before = {n: frozenset().union(*(names[n] for names in names_by_way)) for n in common}
        return BoundAlternatives(alternatives=tuple(alternatives), source=entry)

    def rule(self, rule: EventRule, *, is_forbidden: bool = False) -> BoundRule:
        place, names = place_of(rule), frozenset(self._before)
        for name in rule.after:
            if name not in names:
                raise OutcomeError(f"{place}: no rule above is called {name!r}")
        event, service = (
            expand(text, self._bindings, place) for text in (rule.event, rule.service)
        )
        apart = frozenset(rule.after).union(*(self._before[name] for name in rule.after))
        if rule.name:
            self._before[rule.name] = apart
        return BoundRule(
            event=event,
            service=service,
            where=tuple(bind(one, rule, self._bindings, names) for one in rule.where),
            source=rule,
            is_forbidden=is_forbidden,
            apart=apart,
        )
