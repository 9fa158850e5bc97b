"""The audit channel: checks expected and forbidden events against the backend's log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from appliance.core.checks import AnyOf, AuditEvent, Checks, EventRule
from appliance.core.result import ChannelResult
from appliance.core.verdict import GoalChannel
from appliance.outcome.rules import words
from appliance.outcome.rules.bound import BoundAlternatives, BoundRule, Item, Miss, bind_checks
from appliance.outcome.rules.search import EventAssignment, SearchResult, groups, search


class RuleKind(StrEnum):
    """Whether a rule expects or forbids its event."""

    EXPECT = "expect"
    FORBID = "forbid"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleReport:
    """What became of one rule, or of alternatives."""

    kind: RuleKind
    rule: EventRule | AnyOf
    holds: bool
    matched: tuple[AuditEvent, ...]
    """The events that fit the rule, oldest first."""
    explanation: str
    """What was found, or the nearest miss, as a sentence without its full stop."""
    alternatives: tuple[tuple["RuleReport", ...], ...] = ()
    """What became of each way, where there are several."""


def apply_rules(
    checks: Checks, events: Sequence[AuditEvent], bindings: Mapping[str, str]
) -> ChannelResult:
    """Say whether the goal was reached, by the audit log.

    Undecided (`reached` is None) when the checks have no rules.

    Raises:
        OutcomeError: A rule names a value that is not bound or a field that does not exist, has a
            bad pattern, or the rules can be held against the log in too many ways.
    """
    reports = explain_rules(checks, events, bindings)
    if not reports:
        return _channel(None, "no audit rules are given for this procedure")
    failed = [report for report in reports if not report.holds]
    if failed:
        return _channel(False, "; ".join(report.explanation for report in failed))
    return _channel(True, "; ".join(report.explanation for report in reports))


def explain_rules(
    checks: Checks, events: Sequence[AuditEvent], bindings: Mapping[str, str]
) -> tuple[RuleReport, ...]:
    """Check every rule against the events and explain the result.

    Raises:
        OutcomeError: As `apply_rules`.
    """
    ordered = sorted(events, key=lambda event: event.time)
    items = bind_checks(checks, bindings)
    reports: dict[int, RuleReport] = {}
    for group in groups(items):
        result = search({number: items[number] for number in group}, ordered)
        reporter = _RuleReporter(ordered, result)
        for number in group:
            reports[number] = reporter.report(number, items[number])
    return tuple(reports[number] for number in range(len(items)))


def _channel(reached: bool | None, reason: str) -> ChannelResult:
    return ChannelResult(channel=GoalChannel.AUDIT, reached=reached, reason=reason)


class _RuleReporter:
    """Reports on rules one after another, under the assignment that the search found."""

    def __init__(self, events: Sequence[AuditEvent], result: SearchResult) -> None:
        self._events, self._result = events, result
        self._reading = EventAssignment()
        """The events assigned to the rules reported so far."""

    def report(self, number: int, item: Item) -> RuleReport:
        """Report on an item; the items that it refers to must have been reported before."""
        if isinstance(item, BoundAlternatives):
            return self._report_alternatives(number, item)
        return self._report_rule(item)

    def _report_alternatives(self, number: int, choice: BoundAlternatives) -> RuleReport:
        reading_before, reports_by_alternative, readings = (
            self._reading,
            list[tuple[RuleReport, ...]](),
            list[EventAssignment](),
        )
        for alternative in choice.alternatives:
            self._reading = reading_before
            reports_by_alternative.append(tuple(self._report_rule(rule) for rule in alternative))
            readings.append(self._reading)
        holding = [
            index
            for index, reports in enumerate(reports_by_alternative)
            if all(report.holds for report in reports)
        ]
        chosen = self._result.reading.taken.get(number) if number != self._result.failed else None
        if chosen not in holding:
            chosen = holding[0] if holding else None
        self._reading = reading_before if chosen is None else readings[chosen]
        return RuleReport(
            kind=RuleKind.EXPECT,
            rule=choice.source,
            holds=chosen is not None,
            matched=()
            if chosen is None
            else tuple(e for r in reports_by_alternative[chosen] for e in r.matched),
            explanation=_explain_alternatives(reports_by_alternative, chosen),
            alternatives=tuple(reports_by_alternative),
        )

    def _report_rule(self, rule: BoundRule) -> RuleReport:
        missing = sorted(rule.needed - set(self._reading.events))
        if missing:
            return self._unchecked_report(rule, missing)
        conditions = rule.conditions(self._reading.events)
        if isinstance(conditions, str):
            return _report(rule, (), f"{rule.event} cannot be looked for: {conditions}")
        misses = [rule.miss(event, conditions, self._reading.events) for event in self._events]
        pairs = zip(self._events, misses, strict=True)
        matched = tuple(event for event, miss in pairs if miss is None)
        report = _report(
            rule, matched, self._explain(rule, matched, [miss for miss in misses if miss])
        )
        if report.holds and rule.source.name:
            chosen = self._result.reading.events.get(rule.source.name)
            is_matched = any(event is chosen for event in matched)
            event = chosen if chosen is not None and is_matched else matched[0]
            self._reading = self._reading.with_event(rule.source.name, event)
        return report

    def _explain(
        self, rule: BoundRule, matched: Sequence[AuditEvent], misses: Sequence[Miss]
    ) -> str:
        if rule.is_forbidden:
            return words.explain_forbidden(rule, matched)
        return words.explain_expected(rule, self._events, matched, misses)

    def _unchecked_report(self, rule: BoundRule, missing: Sequence[str]) -> RuleReport:
        named = [name for name in missing if not name.startswith("#")]
        missing_text = " and ".join(named) or "what comes before it"
        return _report(
            rule, (), f"{rule.event} was not looked for, since {missing_text} was not found"
        )


def _report(rule: BoundRule, matched: tuple[AuditEvent, ...], explanation: str) -> RuleReport:
    return RuleReport(
        kind=RuleKind.FORBID if rule.is_forbidden else RuleKind.EXPECT,
        rule=rule.source,
        holds=rule.has_enough(len(matched)),
        matched=matched,
        explanation=explanation,
    )


def _explain_alternatives(
    reports_by_alternative: Sequence[tuple[RuleReport, ...]], chosen: int | None
) -> str:
    if chosen is not None:
        return " and ".join(report.explanation for report in reports_by_alternative[chosen])
    failed = [
        " and ".join(report.explanation for report in reports if not report.holds)
        for reports in reports_by_alternative
    ]
    alternatives = ", ".join(f"({n}) {text}" for n, text in enumerate(failed, 1))
    return f"none of {len(reports_by_alternative)} ways: {alternatives}"
