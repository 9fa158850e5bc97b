"""Drafts rules from the audit log of a verified attempt: the events to expect the next time."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from appliance.core.audit_json import AuditLog
from appliance.core.checks import (
    AnyOf,
    AuditEvent,
    Checks,
    Comparison,
    Constraint,
    EventOutcome,
    EventRule,
)
from appliance.core.placeholders import as_written, names_in
from appliance.outcome.audit_rules import explain_rules
from appliance.outcome.drafting.values import UNIQUE, Values


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecksDraft:
    """Proposed checks, for a person to accept."""

    checks: Checks
    """All checks of the procedure, including those that it already had."""
    notes: tuple[str, ...] = ()
    """What to examine before accepting it, as sentences."""


def with_rules(
    checks: Checks, bindings: Mapping[str, str], expect: tuple[EventRule | AnyOf, ...]
) -> Checks:
    """The checks with other expected events; forbidden events are kept where possible."""
    names = {rule.name for rule in checks.expected()} - {""}
    forbid = tuple(rule for rule in checks.forbid if not _refers_to(rule, names))
    changed_bindings = {name: text for name, text in bindings.items() if text != f"${{{name}}}"}
    return replace(checks, bindings=changed_bindings, expect=expect, forbid=forbid)


def _refers_to(rule: EventRule, names: set[str]) -> bool:
    referenced_names = {
        name.partition(".")[0]
        for condition in rule.where
        for text in condition.expected
        for name in names_in(text)
    }
    return bool(rule.after) or not names.isdisjoint(referenced_names)


_READ_VERBS = frozenset(
    {
        *("list", "describe", "get", "head", "lookup", "search", "check", "query", "read"),
        *("watch", "view", "preview", "show", "find", "count", "validate", "heartbeat"),
        *("login", "logout", "signin", "authenticate", "authorize", "assume"),
    }
)
"""First or last words of operations that change nothing, or only who is logged in."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_GLOB = re.compile(r"[*?\[]")
_MIN_ID_CHARS = 4
"""Characters: shorter ones are equal by chance."""
_MAX_DEPTH = 4
_MAX_RULES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedValue:
    """What an attempt typed, and the name of the field."""

    field: str
    text: str


def draft_from_events(
    checks: Checks, text: str, log: AuditLog, typed: Sequence[TypedValue] = ()
) -> ChecksDraft:
    """Rules that hold for this log and, up to made-up names and ids, for another attempt's."""
    bindings = {**checks.bindings, **_new_bindings(log.bindings, checks.bindings, typed)}
    values_by_name = {**log.bindings, **_values(bindings, log.bindings)}
    values = Values(values_by_name, tuple(bindings), text)
    changes = _changes(log.events)
    rules = _RuleWriter(values, frozenset(values_by_name)).write(changes)
    draft = with_rules(checks, bindings, rules)
    return ChecksDraft(checks=draft, notes=tuple(_notes(draft, log, values_by_name)))


def _changes(events: Sequence[AuditEvent]) -> list[AuditEvent]:
    """Events that changed something; if there are none, all that succeeded."""
    succeeded = [e for e in events if e.outcome is not EventOutcome.FAILURE]
    succeeded.sort(key=lambda event: event.time)
    return [event for event in succeeded if not _is_read_operation(event.name)] or succeeded


def _is_read_operation(name: str) -> bool:
    words = [word.casefold() for word in _WORDS.findall(name)]
    return bool(words) and (words[0] in _READ_VERBS or words[-1] in _READ_VERBS)


def _new_bindings(
    used_bindings: Mapping[str, str],
    declared_bindings: Mapping[str, str],
    typed: Sequence[TypedValue],
) -> dict[str, str]:
    """Bindings for made-up values that were typed, by the name of the field."""
    unique = used_bindings.get(UNIQUE, "")
    used_names = {name.casefold() for name in (*used_bindings, *declared_bindings)}
    return {
        typed_value.field: as_written(typed_value.text).replace(unique, f"${{{UNIQUE}}}")
        for typed_value in typed
        if unique
        and unique in typed_value.text
        and typed_value.text not in used_bindings.values()
        and typed_value.field.casefold() not in used_names
    }


def _values(bindings: Mapping[str, str], used_bindings: Mapping[str, str]) -> dict[str, str]:
    """The values of the new bindings in that attempt."""
    unique = used_bindings.get(UNIQUE, "")
    return {
        name: template.replace(f"${{{UNIQUE}}}", unique)
        for name, template in bindings.items()
        if name not in used_bindings and unique
    }


@dataclass(slots=True)
class _RuleWriter:
    """Writes rules for events; a rule may refer to earlier ones."""

    values: Values
    reserved_names: frozenset[str]
    """Names that rules must not have."""
    ids: dict[str, int] = field(default_factory=dict)
    """The number of the first rule that created or changed a resource, by the resource's id."""
    rules: list[EventRule] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    """Names of the rules that others refer to, by the rule's number."""

    def write(self, events: Sequence[AuditEvent]) -> tuple[EventRule, ...]:
        """A rule for each event; equal events share one."""
        number_by_rule: dict[EventRule, int] = {}
        for event in events:
            rule = EventRule(event=_pattern(event.name), where=self._where(event), outcome=None)
            if event.outcome is EventOutcome.SUCCESS:
                rule = replace(rule, outcome=EventOutcome.SUCCESS)
            number = number_by_rule.setdefault(rule, len(self.rules))
            if number == len(self.rules):
                self.rules.append(rule)
                if len(event.target_id) >= _MIN_ID_CHARS:
                    self.ids.setdefault(event.target_id, number)
            elif number not in self.names:  # what others refer to is one event
                similar = self.rules[number]
                self.rules[number] = replace(similar, at_least=similar.at_least + 1)
        return tuple(
            replace(rule, name=self.names.get(number, ""))
            for number, rule in enumerate(self.rules[:_MAX_RULES])
        )

    def _where(self, event: AuditEvent) -> tuple[Constraint, ...]:
        conditions: dict[str, str] = {}
        name = self.values.as_rule_value(event.target_name, "name")
        if name is not None:
            conditions["target_name"] = name
        elif (reference := self._reference_to(event.target_id)) is not None:
            conditions["target_id"] = reference
        for path, value in _leaves("parameters", event.parameters):
            if not self.values.is_lasting(path):
                continue
            text = self._reference_to(value) or self.values.as_rule_value(value, path)
            repeats_name = path.endswith(".name") and text == name
            if text is not None and not repeats_name:
                conditions[path] = text
        return tuple(
            Constraint(path=path, comparison=Comparison.EQUALS, expected=(text,))
            for path, text in conditions.items()
            if not _is_implied_by_name(path, conditions)
        )

    def _reference_to(self, value: object) -> str | None:
        """A reference to the event that created the resource of that id."""
        if not isinstance(value, str) or value not in self.ids:
            return self.values.with_names(value) if isinstance(value, str) else None
        number = self.ids[value]
        if self.rules[number].at_least > 1:
            return None
        if number not in self.names:
            words = [word.casefold() for word in _WORDS.findall(self.rules[number].event)]
            self.names[number] = self._unused_name("_".join(words) or "event")
        return f"${{{self.names[number]}.target_id}}"

    def _unused_name(self, name: str) -> str:
        name = name if name[0].isalpha() else f"event_{name}"
        used_names = self.reserved_names | set(self.names.values())
        candidates = (f"{name}_{n}" for n in range(2, len(used_names) + 3))
        return (
            name
            if name not in used_names
            else next(candidate for candidate in candidates if candidate not in used_names)
        )


def _is_implied_by_name(path: str, conditions: Mapping[str, str]) -> bool:
    """Whether an id is redundant beside the name of the same resource.

    It is not if it refers to an earlier event.
    """
    if not path.endswith(("_id", "Id")) or "." in conditions[path]:
        return False
    stem = path[:-2]
    return f"{stem}name" in conditions or f"{stem}Name" in conditions


def _leaves(path: str, value: object, depth: int = 0) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping) and depth < _MAX_DEPTH:
        for key, inner in value.items():
            if key and "*" not in str(key):
                yield from _leaves(f"{path}.{key}", inner, depth + 1)
    elif not isinstance(value, Mapping):
        yield path, value


def _pattern(name: str) -> str:
    """The name as a shell pattern that matches nothing else."""
    return as_written(_GLOB.sub(lambda match: f"[{match.group(0)}]", name))


def _notes(checks: Checks, log: AuditLog, values_by_name: Mapping[str, str]) -> Iterator[str]:
    for rule in checks.expected():
        if not rule.where:
            yield f"nothing that the text or a binding gives tells one {rule.event} from another"
    failed = [r for r in explain_rules(checks, log.events, values_by_name) if not r.holds]
    for report in failed:
        yield f"does not hold on its own attempt: {report.explanation}"
    if len(_changes(log.events)) > _MAX_RULES:
        yield f"only the first {_MAX_RULES} different events are here"
