"""The audit channel: expected and forbidden events against what the backend logged."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import NamedTuple, assert_never

from appliance.core.checks import AuditEvent, Checks, Comparison, Constraint, EventRule
from appliance.core.errors import OutcomeError
from appliance.core.result import ChannelResult
from appliance.core.verdict import GoalChannel
from appliance.outcome.bindings import expand
from appliance.outcome.paths import as_text, is_equal, values_at

_LISTED_NAMES = 6  # names of other events in a message; more only make it unreadable
_LISTED_CHARS = 200  # of a value in a message


class RuleKind(StrEnum):
    """What a rule wants."""

    EXPECT = "expect"
    FORBID = "forbid"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleReport:
    """What became of one rule."""

    kind: RuleKind
    rule: EventRule
    holds: bool
    matched: tuple[AuditEvent, ...]
    """The events that fit the rule, oldest first."""
    explanation: str
    """What was found, or the nearest miss, as a sentence without its full stop."""


class _Miss(NamedTuple):
    """How far an event is from fitting: the fewer conditions left, the nearer."""

    event: AuditEvent
    left: int
    because: str


class _Rule(NamedTuple):
    """A rule with its values put in."""

    event: str
    service: str
    where: tuple[Constraint, ...]
    source: EventRule


def apply_rules(
    checks: Checks, events: Sequence[AuditEvent], bindings: Mapping[str, str]
) -> ChannelResult:
    """Say whether the goal was reached, by the audit log.

    Undecided (`reached` is None) when the checks have no rules.

    Raises:
        OutcomeError: A rule names a value that is not bound or a field that does not exist, or has
            a bad pattern.
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
    """Hold every rule against the events and say in words what was found.

    Raises:
        OutcomeError: As `apply_rules`.
    """
    ordered = sorted(events, key=lambda event: event.time)
    expected = [_expect(_bind(rule, bindings), ordered) for rule in checks.expect]
    forbidden = [_forbid(_bind(rule, bindings), ordered) for rule in checks.forbid]
    return (*expected, *forbidden)


def _channel(reached: bool | None, reason: str) -> ChannelResult:
    return ChannelResult(channel=GoalChannel.AUDIT, reached=reached, reason=reason)


def _bind(rule: EventRule, bindings: Mapping[str, str]) -> _Rule:
    place = _place(rule)
    where = tuple(
        Constraint(
            path=condition.path,
            comparison=condition.comparison,
            expected=tuple(
                _pattern(expand(text, _escaped(bindings, condition), place), condition, place)
                for text in condition.expected
            ),
        )
        for condition in rule.where
    )
    event, service = (expand(text, bindings, place) for text in (rule.event, rule.service))
    return _Rule(event, service, where, rule)


def _escaped(bindings: Mapping[str, str], condition: Constraint) -> Mapping[str, str]:
    """A bound value is a value, also inside a regular expression."""
    if condition.comparison is not Comparison.MATCHES:
        return bindings
    return {name: re.escape(value) for name, value in bindings.items()}


def _pattern(text: str, condition: Constraint, place: str) -> str:
    if condition.comparison is Comparison.MATCHES:
        try:
            re.compile(text)
        except re.error as exc:
            raise OutcomeError(
                f"{place}: {text!r} is no regular expression ({exc}); "
                "use `equals` for a plain value or escape its special characters"
            ) from exc
    return text


def _place(rule: EventRule) -> str:
    return str(rule.span) if rule.span else f"rule for {rule.event}"


def _expect(rule: _Rule, events: Sequence[AuditEvent]) -> RuleReport:
    misses = [_miss(rule, event) for event in events]
    matched = tuple(e for e, miss in zip(events, misses, strict=True) if miss is None)
    holds = len(matched) >= rule.source.at_least
    if holds:
        explanation = _found(rule, matched)
    elif matched:
        times = _times(len(matched))
        explanation = f"{rule.event} found {times}, expected at least {rule.source.at_least}"
    else:
        explanation = _nearest(rule, events, [miss for miss in misses if miss])
    return RuleReport(
        kind=RuleKind.EXPECT,
        rule=rule.source,
        holds=holds,
        matched=matched,
        explanation=explanation,
    )


def _forbid(rule: _Rule, events: Sequence[AuditEvent]) -> RuleReport:
    matched = tuple(event for event in events if _miss(rule, event) is None)
    holds = len(matched) < rule.source.at_least
    return RuleReport(
        kind=RuleKind.FORBID,
        rule=rule.source,
        holds=holds,
        matched=matched,
        explanation=(
            f"no forbidden {rule.event}" if holds else f"forbidden: {_found(rule, matched)}"
        ),
    )


def _miss(rule: _Rule, event: AuditEvent) -> _Miss | None:
    """Why an event does not fit; None when it does."""
    total = len(rule.where)
    if not fnmatchcase(event.name, rule.event):
        return _Miss(event, total + 3, "")
    if not fnmatchcase(event.service, rule.service):
        return _Miss(event, total + 2, f"its service was {event.service!r}, not {rule.service!r}")
    unmet = [text for condition in rule.where if (text := _unmet(condition, event))]
    wanted = rule.source.outcome
    if wanted is not None and event.outcome is not wanted:
        code = f" ({event.error_code})" if event.error_code else ""
        unmet.append(f"its outcome was {event.outcome}{code}, expected {wanted}")
    return _Miss(event, len(unmet), " and ".join(unmet)) if unmet else None


def _unmet(condition: Constraint, event: AuditEvent) -> str:
    """What is wrong with the event by this condition; empty when nothing is."""
    values = values_at(event, condition.path)
    if any(_fits(condition, value) for value in values):
        return ""
    expected = _wanted(condition)
    if not values:
        return f"it has no {condition.path}, expected {expected}"
    shown = " and ".join(_shortened(as_text(value)) for value in values[:_LISTED_NAMES])
    return f"{condition.path} was {shown}, expected {expected}"


def _fits(condition: Constraint, value: object) -> bool:
    match condition.comparison:
        case Comparison.EQUALS | Comparison.ONE_OF:
            return any(is_equal(value, expected) for expected in condition.expected)
        case Comparison.MATCHES:
            return any(re.search(pattern, as_text(value)) for pattern in condition.expected)
        case other:
            assert_never(other)


def _wanted(condition: Constraint) -> str:
    values = " or ".join(_shortened(text) for text in condition.expected)
    match condition.comparison:
        case Comparison.EQUALS:
            return values
        case Comparison.ONE_OF:
            return f"one of {values}"
        case Comparison.MATCHES:
            return f"a match of {values}"
        case other:
            assert_never(other)


def _shortened(text: str) -> str:
    cut = text if len(text) <= _LISTED_CHARS else text[: _LISTED_CHARS - 1] + "…"
    return f"'{cut}'"


def _found(rule: _Rule, matched: Sequence[AuditEvent]) -> str:
    names = {event.target_name or event.target_id for event in matched} - {""}
    of = f" ({', '.join(sorted(names))})" if names else ""
    event = matched[0].name if len({event.name for event in matched}) == 1 else rule.event
    times = f" {_times(len(matched))}" if len(matched) > 1 else ""
    return f"{event} found{times}{of}"


def _nearest(rule: _Rule, events: Sequence[AuditEvent], misses: Sequence[_Miss]) -> str:
    if not events:
        return f"no {rule.event} event; the audit log has none of this attempt"
    nearest = min(reversed(misses), key=lambda miss: miss.left)
    if nearest.because:
        return f"{nearest.event.name} found but {nearest.because}"
    return f"no {rule.event} event; {_others(events)}"


def _others(events: Sequence[AuditEvent]) -> str:
    counts = Counter(event.name for event in events)
    listed = [name if n == 1 else f"{name} ({_times(n)})" for name, n in counts.items()]
    more = [f"{len(listed) - _LISTED_NAMES} more kinds"] if len(listed) > _LISTED_NAMES else []
    shown = listed[:_LISTED_NAMES] + more
    return f"{len(events)} other{'s' if len(events) > 1 else ''}: {', '.join(shown)}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
