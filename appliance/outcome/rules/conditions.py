"""One condition of a rule: binds its values, and says how an event fails to meet it."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

import regex

from appliance.core.checks import (
    NUMERIC,
    AuditEvent,
    Comparison,
    Constraint,
    EventRule,
    as_number,
)
from appliance.core.errors import OutcomeError
from appliance.core.placeholders import Placeholder, parts
from appliance.outcome.bindings import expand
from appliance.outcome.paths import as_text, is_equal, values_at

_LISTED_VALUES = 6  # of an event in a message; more only make it unreadable
_LISTED_CHARS = 200  # of a value in a message
_TRUE = "true"
_SEARCH_TIMEOUT_S = 1.0
"""Limit for the patterns of a checks file, which anybody may have written: some never end."""
_PHRASES = {
    Comparison.NOT_EQUALS: "anything but",
    Comparison.ONE_OF: "one of",
    Comparison.MATCHES: "a match of",
    Comparison.MORE_THAN: "more than",
    Comparison.LESS_THAN: "less than",
    Comparison.AT_LEAST: "at least",
    Comparison.AT_MOST: "at most",
}


class EventReference(NamedTuple):
    """A reference to a value of the event that another rule matched."""

    rule: str
    path: str


class ExpectedValue(NamedTuple):
    """A value to compare an event's value with."""

    text: str
    shown: str
    """How a message writes it."""


class ResolvedCondition(NamedTuple):
    """A condition with all its values, ready to be checked against events."""

    path: str
    comparison: Comparison
    expected: tuple[ExpectedValue, ...]


class BoundCondition(NamedTuple):
    """A condition with bound values; its references wait for the events of other rules."""

    path: str
    comparison: Comparison
    texts: tuple[tuple[str | EventReference, ...], ...]

    @property
    def references(self) -> tuple[EventReference, ...]:
        """The values of other rules' events that the condition needs."""
        return tuple(p for text in self.texts for p in text if isinstance(p, EventReference))

    def with_events(self, events: Mapping[str, AuditEvent]) -> ResolvedCondition | str:
        """Insert values of matched events; or a sentence about a value that one lacks."""
        for reference in self.references:
            if _value(reference, events) is None:
                return f"{events[reference.rule].name} before it has no {reference.path}"
        is_pattern = self.comparison is Comparison.MATCHES
        expected = tuple(_resolve_text(text, events, is_pattern=is_pattern) for text in self.texts)
        return ResolvedCondition(self.path, self.comparison, expected)


def place_of(rule: EventRule) -> str:
    """Where a rule is written, for messages."""
    return str(rule.span) if rule.span else f"rule for {rule.event}"


def bind(
    constraint: Constraint, rule: EventRule, bindings: Mapping[str, str], names: frozenset[str]
) -> BoundCondition:
    """Insert the bound values.

    Raises:
        OutcomeError: A name has no value, or a value is no pattern or no number.
    """
    place = place_of(rule)
    is_pattern = constraint.comparison is Comparison.MATCHES
    replacements = {k: re.escape(v) for k, v in bindings.items()} if is_pattern else bindings
    texts = tuple(_bind_text(text, replacements, names, place) for text in constraint.expected)
    for text in texts:
        _check(text, constraint.comparison, place)
    return BoundCondition(constraint.path, constraint.comparison, texts)


def unmet(condition: ResolvedCondition, event: AuditEvent) -> str:
    """How the event fails to meet the condition; empty if it meets it."""
    values = values_at(event, condition.path)
    if _holds(condition, values):
        return ""
    expected = _describe(condition)
    if not values:
        return f"it has no {condition.path}, expected {expected}"
    actual = " and ".join(_shorten(as_text(value)) for value in values[:_LISTED_VALUES])
    return f"{condition.path} was {actual}, expected {expected}"


def _bind_text(
    text: str, bindings: Mapping[str, str], names: frozenset[str], place: str
) -> tuple[str | EventReference, ...]:
    bound_parts: list[str | EventReference] = []
    for part in parts(text):
        if not isinstance(part, Placeholder):
            bound_parts.append(part)
            continue
        head, _, path = part.name.partition(".")
        is_reference = path and head in names
        bound_parts.append(
            EventReference(head, path)
            if is_reference
            else expand(f"${{{part.name}}}", bindings, place)
        )
    return tuple(part for part in bound_parts if part != "")


def _check(text: tuple[str | EventReference, ...], comparison: Comparison, place: str) -> None:
    sample = "".join("0" if isinstance(part, EventReference) else part for part in text)
    if comparison is Comparison.MATCHES:
        try:
            regex.compile(sample)
        except regex.error as exc:
            raise OutcomeError(
                f"{place}: {sample!r} is no regular expression ({exc}); "
                "use `equals` for a plain value or escape its special characters"
            ) from exc
    if comparison in NUMERIC and as_number(sample) is None:
        raise OutcomeError(f"{place}: {sample!r} is no number, which `{comparison}` compares with")


def _value(reference: EventReference, events: Mapping[str, AuditEvent]) -> str | None:
    values = values_at(events[reference.rule], reference.path)
    return as_text(values[0]) if values and _has_value(values[0]) else None


def _has_value(value: object) -> bool:
    """Whether a field has a value: null and an empty text mean that it has none."""
    return value is not None and value != ""


def _resolve_text(
    text: tuple[str | EventReference, ...], events: Mapping[str, AuditEvent], *, is_pattern: bool
) -> ExpectedValue:
    values = [
        (_value(part, events) or "") if isinstance(part, EventReference) else part for part in text
    ]
    resolved = "".join(
        re.escape(value) if is_pattern and isinstance(part, EventReference) else value
        for part, value in zip(text, values, strict=True)
    )
    sources = [f"{p.path} of {events[p.rule].name}" for p in text if isinstance(p, EventReference)]
    origin = f" (from {' and '.join(sources)})" if sources else ""
    return ExpectedValue(resolved, _shorten(resolved) + origin)


def _holds(condition: ResolvedCondition, values: tuple[object, ...]) -> bool:
    match condition.comparison:
        case Comparison.EXISTS:
            has_value = any(_has_value(value) for value in values)
            return has_value is (condition.expected[0].text == _TRUE)
        case Comparison.NOT_EQUALS:
            return bool(values) and not any(_meets(condition, value) for value in values)
        case _:
            return any(_meets(condition, value) for value in values)


def _meets(condition: ResolvedCondition, value: object) -> bool:
    texts = [expected.text for expected in condition.expected]
    match condition.comparison:
        case Comparison.EQUALS | Comparison.ONE_OF | Comparison.NOT_EQUALS:
            return any(is_equal(value, text) for text in texts)
        case Comparison.MATCHES:
            return any(_matches(text, as_text(value)) for text in texts)
        case Comparison.EXISTS:
            return _has_value(value)
        case _:
            number, bounds = as_number(value), [as_number(text) for text in texts]
            return number is not None and _compares(condition.comparison, number, bounds)


def _matches(pattern: str, value: str) -> bool:
    try:
        return regex.search(pattern, value, timeout=_SEARCH_TIMEOUT_S) is not None
    except TimeoutError as error:
        raise OutcomeError(
            f"`matches: {_shorten(pattern)}` was not looked for to its end within"
            f" {_SEARCH_TIMEOUT_S:g} s: repeat nothing that repeats something, as `(a+)+` does"
        ) from error


def _compares(comparison: Comparison, number: Decimal, bounds: list[Decimal | None]) -> bool:
    if None in bounds:  # what was referred to is no number
        return False
    first, last = bounds[0], bounds[-1]
    assert first is not None  # noqa: S101 - for the type checker: seen above
    assert last is not None  # noqa: S101 - likewise
    return {
        Comparison.MORE_THAN: number > first,
        Comparison.LESS_THAN: number < first,
        Comparison.AT_LEAST: number >= first,
        Comparison.AT_MOST: number <= first,
        Comparison.BETWEEN: first <= number <= last,
    }[comparison]


def _describe(condition: ResolvedCondition) -> str:
    shown = [expected.shown for expected in condition.expected]
    values = " or ".join(shown)
    match condition.comparison:
        case Comparison.EQUALS:
            return values
        case Comparison.BETWEEN:
            return f"a number from {shown[0]} to {shown[-1]}"
        case Comparison.EXISTS:
            return "any value" if condition.expected[0].text == _TRUE else "none"
        case numeric:
            return f"{_PHRASES[numeric]} {values}"


def _shorten(text: str) -> str:
    shortened = text if len(text) <= _LISTED_CHARS else text[: _LISTED_CHARS - 1] + "…"
    return f"'{shortened}'"
