"""Rules with their bound values inserted, and how far an event is from matching one."""

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
    """How an event fails to match a rule; the fewer unmet conditions, the nearer."""

    event: AuditEvent
    unmet_count: int
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundRule:
    """A rule with the values of bindings inserted."""

    event: str
    service: str
    where: tuple[BoundCondition, ...]
    source: EventRule
    is_forbidden: bool
    distinct_from: frozenset[str]
    """Rules whose events come before, at once or through others: it has none of them."""

    @property
    def needed(self) -> frozenset[str]:
        """The rules whose events must be known before this rule can be checked."""
        return frozenset(self.source.after) | {r.rule for c in self.where for r in c.references}

    def has_enough(self, count: int) -> bool:
        """Whether this many matching events satisfy the rule."""
        if self.is_forbidden:
            return count < self.source.at_least
        maximum = self.source.at_most
        return count >= self.source.at_least and (maximum is None or count <= maximum)

    def conditions(self, events: Mapping[str, AuditEvent]) -> tuple[ResolvedCondition, ...] | str:
        """The conditions for an event; or a sentence about what an earlier event lacks."""
        resolved = [condition.with_events(events) for condition in self.where]
        problem = next((condition for condition in resolved if isinstance(condition, str)), "")
        return problem or tuple(
            condition for condition in resolved if not isinstance(condition, str)
        )

    def miss(
        self,
        event: AuditEvent,
        conditions: Sequence[ResolvedCondition],
        earlier: Mapping[str, AuditEvent],
    ) -> Miss | None:
        """Why an event does not match; None if it does."""
        total = len(self.where) + len(self.source.after)
        if not fnmatchcase(event.name, self.event):
            return Miss(event, total + 3, "")
        if not fnmatchcase(event.service, self.service):
            return Miss(
                event, total + 2, f"its service was {event.service!r}, not {self.service!r}"
            )
        reasons = [text for condition in conditions if (text := unmet(condition, event))]
        expected_outcome = self.source.outcome
        if expected_outcome is not None and event.outcome is not expected_outcome:
            code = f" ({event.error_code})" if event.error_code else ""
            reasons.append(f"its outcome was {event.outcome}{code}, expected {expected_outcome}")
        reasons += [
            f"it came before {earlier[name].name}"
            for name in self.source.after
            if event.time < earlier[name].time
        ]
        if any(event is earlier[name] for name in self.distinct_from if name in earlier):
            reasons.append("it is the same event as one before it")
        return Miss(event, len(reasons), " and ".join(reasons)) if reasons else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundAlternatives:
    """Alternatives, of which one has to hold."""

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
    """All rules in the order of the file, forbidding ones last.

    Raises:
        OutcomeError: A rule names a value or a rule that is not there, or has a bad pattern.
    """
    binder = _Binder(bindings)
    expected = tuple(binder.item(entry) for entry in checks.expect)
    return (*expected, *(binder.rule(rule, is_forbidden=True) for rule in checks.forbid))


class _Binder:
    def __init__(self, bindings: Mapping[str, str]) -> None:
        self._bindings = bindings
        self._earlier_rules: dict[str, frozenset[str]] = {}
        """The names of the rules so far, each with those that are before it."""

    def item(self, entry: EventRule | AnyOf) -> Item:
        if isinstance(entry, EventRule):
            return self.rule(entry)
        names_outside, names_by_alternative = self._earlier_rules, list[dict[str, frozenset[str]]]()
        alternatives = []
        for rules in entry.alternatives:
            self._earlier_rules = dict(names_outside)
            alternatives.append(tuple(self.rule(rule) for rule in rules))
            names_by_alternative.append(self._earlier_rules)
        common = frozenset.intersection(*(frozenset(names) for names in names_by_alternative))
        self._earlier_rules = {
            n: frozenset().union(*(names[n] for names in names_by_alternative)) for n in common
        }
        return BoundAlternatives(alternatives=tuple(alternatives), source=entry)

    def rule(self, rule: EventRule, *, is_forbidden: bool = False) -> BoundRule:
        place, names = place_of(rule), frozenset(self._earlier_rules)
        for name in rule.after:
            if name not in names:
                raise OutcomeError(f"{place}: no rule above is called {name!r}")
        event, service = (
            expand(text, self._bindings, place) for text in (rule.event, rule.service)
        )
        apart = frozenset(rule.after).union(*(self._earlier_rules[name] for name in rule.after))
        if rule.name:
            self._earlier_rules[rule.name] = apart
        return BoundRule(
            event=event,
            service=service,
            where=tuple(bind(constraint, rule, self._bindings, names) for constraint in rule.where),
            source=rule,
            is_forbidden=is_forbidden,
            distinct_from=apart,
        )
