"""Rules from the audit log of a verified attempt: what must be there the next time too."""

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
    """Checks as they may be, for a person to accept."""

    checks: Checks
    """All of the procedure, with what it had."""
    notes: tuple[str, ...] = ()
    """What to look at before accepting it, as sentences."""


def with_rules(
    checks: Checks, bindings: Mapping[str, str], expect: tuple[EventRule | AnyOf, ...]
) -> Checks:
    """The checks with other expected events; what is forbidden stays where it can."""
    names = {rule.name for rule in checks.expected()} - {""}
    forbid = tuple(rule for rule in checks.forbid if not _refers(rule, names))
    bound = {name: text for name, text in bindings.items() if text != f"${{{name}}}"}
    return replace(checks, bindings=bound, expect=expect, forbid=forbid)


def _refers(rule: EventRule, names: set[str]) -> bool:
    heads = {
        name.partition(".")[0]
        for condition in rule.where
        for text in condition.expected
        for name in names_in(text)
    }
    return bool(rule.after) or not names.isdisjoint(heads)


_READING = frozenset(
    {
        *("list", "describe", "get", "head", "lookup", "search", "check", "query", "read"),
        *("watch", "view", "preview", "show", "find", "count", "validate", "heartbeat"),
        *("login", "logout", "signin", "authenticate", "authorize", "assume"),
    }
)
"""First or last words of operations that change nothing, or only who is logged in."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_GLOB = re.compile(r"[*?\[]")
_SHORTEST_ID = 4
"""Characters: shorter ones are equal by chance."""
_DEEPEST = 4
_MOST_RULES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedValue:
    """What an attempt typed, and the name of the field."""

    field: str
    text: str


def draft_from_events(
    checks: Checks, text: str, log: AuditLog, typed: Sequence[TypedValue] = ()
) -> ChecksDraft:
    """Rules that hold on this log and, made-up names and ids apart, on that of another attempt."""
    bindings = {**checks.bindings, **_new_bindings(log.bindings, checks.bindings, typed)}
    known = {**log.bindings, **_values(bindings, log.bindings)}
    values = Values(known, tuple(bindings), text)
    changes = _changes(log.events)
    rules = _RuleWriter(values, frozenset(known)).of(changes)
    drafted = with_rules(checks, bindings, rules)
    return ChecksDraft(checks=drafted, notes=tuple(_notes(drafted, log, known)))


def _changes(events: Sequence[AuditEvent]) -> list[AuditEvent]:
    """What changed something; all that succeeded where nothing did."""
    done = [e for e in events if e.outcome is not EventOutcome.FAILURE]
    done.sort(key=lambda event: event.time)
    return [event for event in done if not _is_reading(event.name)] or done


def _is_reading(name: str) -> bool:
    words = [word.casefold() for word in _WORDS.findall(name)]
    return bool(words) and (words[0] in _READING or words[-1] in _READING)


def _new_bindings(
    bound: Mapping[str, str], named: Mapping[str, str], typed: Sequence[TypedValue]
) -> dict[str, str]:
    """Made-up values that were typed, by the field's name."""
    unique = bound.get(UNIQUE, "")
    taken = {name.casefold() for name in (*bound, *named)}
    return {
        one.field: as_written(one.text).replace(unique, f"${{{UNIQUE}}}")
        for one in typed
        if unique
        and unique in one.text
        and one.text not in bound.values()
        and one.field.casefold() not in taken
    }


def _values(bindings: Mapping[str, str], bound: Mapping[str, str]) -> dict[str, str]:
    """The values of new bindings in that attempt."""
    unique = bound.get(UNIQUE, "")
    return {
        name: template.replace(f"${{{UNIQUE}}}", unique)
        for name, template in bindings.items()
        if name not in bound and unique
    }


@dataclass(slots=True)
class _RuleWriter:
    """Rules for events, which may refer to those made before."""

    values: Values
    taken: frozenset[str]
    """Names that rules cannot have."""
    ids: dict[str, int] = field(default_factory=dict)
    """The first event that made or changed a thing, by its id."""
    made: list[EventRule] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    """Of the rules that others refer to."""

    def of(self, events: Sequence[AuditEvent]) -> tuple[EventRule, ...]:
        """A rule for each event; one for those that are alike."""
        rule_of: dict[EventRule, int] = {}
        for event in events:
            rule = EventRule(event=_pattern(event.name), where=self._where(event), outcome=None)
            if event.outcome is EventOutcome.SUCCESS:
                rule = replace(rule, outcome=EventOutcome.SUCCESS)
            number = rule_of.setdefault(rule, len(self.made))
            if number == len(self.made):
                self.made.append(rule)
                if len(event.target_id) >= _SHORTEST_ID:
                    self.ids.setdefault(event.target_id, number)
            elif number not in self.names:  # what others refer to is one event
                same = self.made[number]
                self.made[number] = replace(same, at_least=same.at_least + 1)
        return tuple(
            replace(rule, name=self.names.get(number, ""))
            for number, rule in enumerate(self.made[:_MOST_RULES])
        )

    def _where(self, event: AuditEvent) -> tuple[Constraint, ...]:
        conditions: dict[str, str] = {}
        name = self.values.as_rule_value(event.target_name, "name")
        if name is not None:
            conditions["target_name"] = name
        elif (thing := self._id(event.target_id)) is not None:
            conditions["target_id"] = thing
        for path, value in _leaves("parameters", event.parameters):
            if not self.values.is_lasting(path):
                continue
            text = self._id(value) or self.values.as_rule_value(value, path)
            is_name_again = path.endswith(".name") and text == name
            if text is not None and not is_name_again:
                conditions[path] = text
        return tuple(
            Constraint(path=path, comparison=Comparison.EQUALS, expected=(text,))
            for path, text in conditions.items()
            if not _is_told_by_name(path, conditions)
        )

    def _id(self, value: object) -> str | None:
        """A reference to the event that made the thing of that id."""
        if not isinstance(value, str) or value not in self.ids:
            return self.values.with_names(value) if isinstance(value, str) else None
        number = self.ids[value]
        if self.made[number].at_least > 1:
            return None
        if number not in self.names:
            words = [word.casefold() for word in _WORDS.findall(self.made[number].event)]
            self.names[number] = self._free("_".join(words) or "event")
        return f"${{{self.names[number]}.target_id}}"

    def _free(self, name: str) -> str:
        name = name if name[0].isalpha() else f"event_{name}"
        used = self.taken | set(self.names.values())
        numbered = (f"{name}_{n}" for n in range(2, len(used) + 3))
        return name if name not in used else next(one for one in numbered if one not in used)


def _is_told_by_name(path: str, names: Mapping[str, str]) -> bool:
    """An id beside the name of the same thing, unless it is that of an event above."""
    if not path.endswith(("_id", "Id")) or "." in names[path]:
        return False
    stem = path[:-2]
    return f"{stem}name" in names or f"{stem}Name" in names


def _leaves(path: str, value: object, depth: int = 0) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping) and depth < _DEEPEST:
        for key, inner in value.items():
            if key and "*" not in str(key):
                yield from _leaves(f"{path}.{key}", inner, depth + 1)
    elif not isinstance(value, Mapping):
        yield path, value


def _pattern(name: str) -> str:
    """The name as a shell pattern that fits nothing else."""
    return as_written(_GLOB.sub(lambda match: f"[{match.group(0)}]", name))


def _notes(checks: Checks, log: AuditLog, known: Mapping[str, str]) -> Iterator[str]:
    for rule in checks.expected():
        if not rule.where:
            yield f"nothing that the text or a binding gives tells one {rule.event} from another"
    failed = [r for r in explain_rules(checks, log.events, known) if not r.holds]
    for report in failed:
        yield f"does not hold on its own attempt: {report.explanation}"
    if len(_changes(log.events)) > _MOST_RULES:
        yield f"only the first {_MOST_RULES} different events are here"
