"""What became of a rule, in words: what was found, or the nearest miss."""

from collections import Counter
from collections.abc import Sequence

from appliance.core.checks import AuditEvent
from appliance.outcome.rules.bound import BoundRule, Miss

_LISTED_NAMES = 6  # names of other events in a message; more only make it unreadable


def of_expected(
    rule: BoundRule,
    events: Sequence[AuditEvent],
    matched: Sequence[AuditEvent],
    misses: Sequence[Miss],
) -> str:
    """What was found of an expected event."""
    if rule.has_enough(len(matched)):
        return event_names(rule, matched)
    if not matched:
        return _nearest(rule, events, misses)
    return f"{rule.event} found {times(len(matched))}, expected {_count(rule)}"


def of_forbidden(rule: BoundRule, matched: Sequence[AuditEvent]) -> str:
    """What was found of a forbidden event."""
    is_free = rule.has_enough(len(matched))
    return f"no forbidden {rule.event}" if is_free else f"forbidden: {event_names(rule, matched)}"


def event_names(rule: BoundRule, matched: Sequence[AuditEvent]) -> str:
    """The events that fit, by their names."""
    names = {event.target_name or event.target_id for event in matched} - {""}
    of = f" ({', '.join(sorted(names))})" if names else ""
    event = matched[0].name if len({event.name for event in matched}) == 1 else rule.event
    count = f" {times(len(matched))}" if len(matched) > 1 else ""
    return f"{event} found{count}{of}"


def times(count: int) -> str:
    """How often."""
    return "once" if count == 1 else f"{count} times"


def _count(rule: BoundRule) -> str:
    least, most = rule.source.at_least, rule.source.at_most
    if most is None:
        return f"at least {least}"
    if least == most:
        return f"exactly {least}"
    return f"{least} to {most}" if least > 1 else f"at most {most}"


def _nearest(rule: BoundRule, events: Sequence[AuditEvent], misses: Sequence[Miss]) -> str:
    if not events:
        return f"no {rule.event} event; the audit log has none of this attempt"
    nearest = min(reversed(misses), key=lambda miss: miss.left)
    if nearest.because:
        return f"{nearest.event.name} found but {nearest.because}"
    return f"no {rule.event} event; {_others(events)}"


def _others(events: Sequence[AuditEvent]) -> str:
    counts = Counter(event.name for event in events)
    listed = [name if n == 1 else f"{name} ({times(n)})" for name, n in counts.items()]
    more = [f"{len(listed) - _LISTED_NAMES} more kinds"] if len(listed) > _LISTED_NAMES else []
    shown = listed[:_LISTED_NAMES] + more
    return f"{len(events)} other{'s' if len(events) > 1 else ''}: {', '.join(shown)}"
