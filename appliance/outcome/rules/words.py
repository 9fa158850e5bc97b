"""Explains the result of a rule: which events matched, or the nearest miss."""

from collections import Counter
from collections.abc import Sequence

from appliance.core.checks import AuditEvent
from appliance.outcome.rules.bound import BoundRule, Miss

_LISTED_NAMES = 6  # names of other events in a message; more only make it unreadable


def explain_expected(
    rule: BoundRule,
    events: Sequence[AuditEvent],
    matched: Sequence[AuditEvent],
    misses: Sequence[Miss],
) -> str:
    """What was found of an expected event."""
    if rule.has_enough(len(matched)):
        return matched_events_text(rule, matched)
    if not matched:
        return _explain_nearest(rule, events, misses)
    return f"{rule.event} found {times_text(len(matched))}, expected {_expected_count(rule)}"


def explain_forbidden(rule: BoundRule, matched: Sequence[AuditEvent]) -> str:
    """What was found of a forbidden event."""
    holds = rule.has_enough(len(matched))
    return (
        f"no forbidden {rule.event}"
        if holds
        else f"forbidden: {matched_events_text(rule, matched)}"
    )


def matched_events_text(rule: BoundRule, matched: Sequence[AuditEvent]) -> str:
    """The matching events, by the names of their targets."""
    names = {event.target_name or event.target_id for event in matched} - {""}
    names_text = f" ({', '.join(sorted(names))})" if names else ""
    event = matched[0].name if len({event.name for event in matched}) == 1 else rule.event
    count_text = f" {times_text(len(matched))}" if len(matched) > 1 else ""
    return f"{event} found{count_text}{names_text}"


def times_text(count: int) -> str:
    """The count in words: `once`, `3 times`."""
    return "once" if count == 1 else f"{count} times"


def _expected_count(rule: BoundRule) -> str:
    least, most = rule.source.at_least, rule.source.at_most
    if most is None:
        return f"at least {least}"
    if least == most:
        return f"exactly {least}"
    return f"{least} to {most}" if least > 1 else f"at most {most}"


def _explain_nearest(rule: BoundRule, events: Sequence[AuditEvent], misses: Sequence[Miss]) -> str:
    if not events:
        return f"no {rule.event} event; the audit log has none of this attempt"
    nearest_miss = min(reversed(misses), key=lambda miss: miss.unmet_count)
    if nearest_miss.because:
        return f"{nearest_miss.event.name} found but {nearest_miss.because}"
    return f"no {rule.event} event; {_other_events_text(events)}"


def _other_events_text(events: Sequence[AuditEvent]) -> str:
    counts = Counter(event.name for event in events)
    listed = [name if n == 1 else f"{name} ({times_text(n)})" for name, n in counts.items()]
    more = [f"{len(listed) - _LISTED_NAMES} more kinds"] if len(listed) > _LISTED_NAMES else []
    shown = listed[:_LISTED_NAMES] + more
    return f"{len(events)} other{'s' if len(events) > 1 else ''}: {', '.join(shown)}"
