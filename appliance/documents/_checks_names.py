"""Convert the rules of a checks file, resolving the names by which rules refer to each other."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn

from appliance.core.checks import AnyOf, Constraint, EventOutcome, EventRule
from appliance.core.errors import DocumentError
from appliance.core.near import nearest
from appliance.core.placeholders import names_in
from appliance.documents import _checks_rules as shape
from appliance.system.yaml import LocatedText, Path, Value

_MOST_RULES = 300
"""Most rules of one procedure."""


@dataclass(frozen=True, slots=True)
class _KnownRule:
    """A rule that later rules may refer to."""

    line: int
    is_single: bool


class RuleReader:
    """Reads the rules of one procedure in their order; mistakes are named with file and line."""

    def __init__(self, located: LocatedText, bindings: Mapping[str, str]) -> None:
        """A reader.

        Args:
            located: The file.
            bindings: Names bound by the procedure, which rules may not take.
        """
        self._located, self._bindings = located, bindings
        self._known_rules: dict[str, _KnownRule] = {}
        """Rules that may be referred to at this point, by name."""
        self._line_by_name: dict[str, int] = {}
        """Line of each name taken so far, including those inside one alternative of `any_of`."""
        self._names_below: frozenset[str] = frozenset()
        self._count = 0

    def expected(
        self, entries: Iterable[shape.Rule | shape.InOrder | shape.AnyOf], path: Path
    ) -> tuple[EventRule | AnyOf, ...]:
        """The entries of `expect`."""
        self._names_below = frozenset(_names(self._located.at(path)))
        return tuple(
            rule for n, entry in enumerate(entries) for rule in self._read_entry(entry, (*path, n))
        )

    def forbidden(self, entries: Iterable[shape.Forbidden], path: Path) -> tuple[EventRule, ...]:
        """The entries of `forbid`."""
        return tuple(self._rule(entry, (*path, n), ()) for n, entry in enumerate(entries))

    def _read_entry(
        self, entry: shape.Rule | shape.InOrder | shape.AnyOf, path: Path
    ) -> Iterator[EventRule | AnyOf]:
        if isinstance(entry, shape.AnyOf):
            yield self._alternatives(entry, path)
        else:
            yield from self._sequence(entry, path)

    def _sequence(self, entry: shape.Rule | shape.InOrder, path: Path) -> Iterator[EventRule]:
        if isinstance(entry, shape.Rule):
            yield self._rule(entry, path, ())
            return
        before: tuple[str, ...] = ()
        for n, rule in enumerate(entry.in_order):
            is_last = n == len(entry.in_order) - 1
            place = (*path, "in_order", n)
            read = self._rule(rule, place, before, name="" if is_last else f"#{self._count}")
            if not is_last:
                self._must_be_single(read.name, place)
            before = (read.name,)
            yield read

    def _alternatives(self, entry: shape.AnyOf, path: Path) -> AnyOf:
        outer, lines, rules_by_alternative = (
            dict(self._known_rules),
            dict(self._line_by_name),
            list[dict[str, _KnownRule]](),
        )
        alternatives = []
        for n, alternative in enumerate(entry.any_of):
            self._known_rules, self._line_by_name = dict(outer), dict(lines)
            place = (*path, "any_of", n)
            is_list = isinstance(self._located.at(place), list)
            alternatives.append(
                tuple(
                    rule
                    for m, part in enumerate(alternative)
                    for rule in self._sequence(part, (*place, m) if is_list else place)
                )
            )
            if not alternatives[-1]:
                self._refuse(place, "this way has no rules")
            rules_by_alternative.append(self._known_rules)
        self._line_by_name = lines | {
            name: named_rule.line
            for rules in rules_by_alternative
            for name, named_rule in rules.items()
        }
        self._known_rules = {
            name: _KnownRule(
                rules_by_alternative[0][name].line,
                all(rules[name].is_single for rules in rules_by_alternative),
            )
            for name in rules_by_alternative[0]
            if all(name in rules for rules in rules_by_alternative)
        }
        return AnyOf(alternatives=tuple(alternatives), span=self._located.place(path))

    def _rule(
        self, rule: shape.Forbidden, path: Path, predecessors: tuple[str, ...], name: str = ""
    ) -> EventRule:
        self._count += 1
        if self._count > _MOST_RULES:
            self._refuse(path, f"more than {_MOST_RULES} rules for one procedure")
        own_name = rule.name if isinstance(rule, shape.Rule) else ""
        for key, text in (("event", rule.event), ("service", rule.service)):
            self._no_references(text, (*path, key))
        where = tuple(self._constraint(p, w, own_name, path) for p, w in rule.where.items())
        for other in rule.after:
            self._require_rule(other, own_name, (*path, "after"))
        bounds = rule.bounds if isinstance(rule, shape.Rule) else (rule.at_least or 1, None)
        if own_name:
            self._claim_name(own_name, (*path, "as"))
        place = self._located.place(path)
        self._known_rules[own_name or name] = _KnownRule(place.line, bounds[0] == 1)
        return EventRule(
            event=rule.event,
            service=rule.service,
            where=where,
            outcome=None if rule.outcome == "any" else EventOutcome(rule.outcome),
            at_least=bounds[0],
            at_most=bounds[1],
            name=own_name or name,
            after=tuple(dict.fromkeys((*predecessors, *rule.after))),
            span=place,
        )

    def _constraint(self, field: str, where: shape.Where, own_name: str, path: Path) -> Constraint:
        comparison, texts = where.comparison
        for name in (name for text in texts for name in names_in(text)):
            self._check_reference(name, own_name, (*path, "where", field))
        return Constraint(path=field, comparison=comparison, expected=texts)

    def _check_reference(self, name: str, own_name: str, path: Path) -> None:
        """Refuse a name in a value unless it is bound or names a field of an event above."""
        head, _, rest = name.partition(".")
        if name in self._bindings:
            return
        if head in self._known_rules and not rest:
            self._refuse(path, f"{name!r} is a rule: say which value, as ${{{name}.target_id}}")
        field = rest.split(".", 1)[0]
        if head not in self._known_rules and field not in shape.EVENT_FIELDS:
            return  # bound later: by the environment, or by `--set`
        self._require_rule(head, own_name, path)
        if field not in shape.EVENT_FIELDS:
            near = shape.nearest(field, shape.EVENT_FIELDS)
            self._refuse(path, f"${{{name}}}: an event has no {field!r}{near}")
        if "*" in rest.split("."):
            self._refuse(path, f"${{{name}}}: `*` may be several values; say which")

    def _require_rule(self, name: str, own_name: str, path: Path) -> None:
        if name == own_name and name:
            self._refuse(path, f"{name!r} refers to itself")
        if name in self._known_rules:
            self._must_be_single(name, path)
            return
        if name in self._line_by_name:
            self._refuse(
                path,
                f"{name!r} (line {self._line_by_name[name]}) is in one way of `any_of` only:"
                " name a rule so in every way",
            )
        if name in self._names_below:
            self._refuse(path, f"{name!r} stands below: rules refer to those above them")
        hint = nearest(name, self._line_by_name, "there are: none has a name (`as`)")
        self._refuse(path, f"no rule above is called {name!r}; {hint}")

    def _must_be_single(self, name: str, path: Path) -> None:
        rule = self._known_rules[name]
        if not rule.is_single:
            self._refuse(
                path,
                f"the rule of line {rule.line} wants several events: what others refer to"
                " must be one",
            )

    def _claim_name(self, name: str, path: Path) -> None:
        if name in self._bindings:
            self._refuse(path, f"{name!r} is the name of a binding: call the rule otherwise")
        if name in self._line_by_name:
            self._refuse(path, f"{name!r} is the rule of line {self._line_by_name[name]} already")
        self._line_by_name[name] = self._located.place(path).line

    def _no_references(self, text: str, path: Path) -> None:
        for name in names_in(text):
            if name.partition(".")[0] in self._known_rules and name not in self._bindings:
                self._refuse(path, f"${{{name}}}: only values under `where` refer to other rules")

    def _refuse(self, path: Path, problem: str) -> NoReturn:
        place = self._located.place(path)
        raise DocumentError(f"{place.file}:{place.line}: {problem}")


def _names(value: Value) -> Iterator[str]:
    """All names that the entry's rules define with `as`."""
    if isinstance(value, list):
        for item in value:
            yield from _names(item)
    elif isinstance(value, dict):
        name = value.get("as")
        if isinstance(name, str):
            yield name
        for key in ("any_of", "in_order"):
            yield from _names(value.get(key))
