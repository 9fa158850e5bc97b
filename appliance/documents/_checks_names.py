"""Rules of a checks file into the core's types, where names stand for what others found."""

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
"""Of one procedure."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A rule that others may refer to."""

    line: int
    is_single: bool


class RuleReader:
    """Reads the rules of one procedure in their order; mistakes are named with file and line."""

    def __init__(self, located: LocatedText, bindings: Mapping[str, str]) -> None:
        """A reader.

        Args:
            located: The file.
            bindings: What the procedure binds: rules need other names.
        """
        self._located, self._bindings = located, bindings
        self._known: dict[str, _Known] = {}
        """What may be referred to here."""
        self._lines: dict[str, int] = {}
        """All names so far, also those of one way among several."""
        self._later: frozenset[str] = frozenset()
        self._count = 0

    def expected(
        self, entries: Iterable[shape.Rule | shape.InOrder | shape.AnyOf], path: Path
    ) -> tuple[EventRule | AnyOf, ...]:
        """The entries of `expect`."""
        self._later = frozenset(_names(self._located.at(path)))
        return tuple(
            one for n, entry in enumerate(entries) for one in self._entry(entry, (*path, n))
        )

    def forbidden(self, entries: Iterable[shape.Forbidden], path: Path) -> tuple[EventRule, ...]:
        """The entries of `forbid`."""
        return tuple(self._rule(entry, (*path, n), ()) for n, entry in enumerate(entries))

    def _entry(
        self, entry: shape.Rule | shape.InOrder | shape.AnyOf, path: Path
    ) -> Iterator[EventRule | AnyOf]:
        if isinstance(entry, shape.AnyOf):
            yield self._ways(entry, path)
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

    def _ways(self, entry: shape.AnyOf, path: Path) -> AnyOf:
        outer, lines, known_by_way = dict(self._known), dict(self._lines), list[dict[str, _Known]]()
        ways = []
        for n, way in enumerate(entry.any_of):
            self._known, self._lines = dict(outer), dict(lines)
            place = (*path, "any_of", n)
            is_list = isinstance(self._located.at(place), list)
            ways.append(
                tuple(
                    rule
                    for m, part in enumerate(way)
                    for rule in self._sequence(part, (*place, m) if is_list else place)
                )
            )
            if not ways[-1]:
                self._refuse(place, "this way has no rules")
            known_by_way.append(self._known)
        self._lines = lines | {
            name: known.line for names in known_by_way for name, known in names.items()
        }
        self._known = {
            name: _Known(
                known_by_way[0][name].line, all(names[name].is_single for names in known_by_way)
            )
            for name in known_by_way[0]
            if all(name in names for names in known_by_way)
        }
        return AnyOf(alternatives=tuple(ways), span=self._located.place(path))

    def _rule(
        self, rule: shape.Forbidden, path: Path, before: tuple[str, ...], name: str = ""
    ) -> EventRule:
        self._count += 1
        if self._count > _MOST_RULES:
            self._refuse(path, f"more than {_MOST_RULES} rules for one procedure")
        own = rule.name if isinstance(rule, shape.Rule) else ""
        for key, text in (("event", rule.event), ("service", rule.service)):
            self._no_references(text, (*path, key))
        where = tuple(self._constraint(p, w, own, path) for p, w in rule.where.items())
        for other in rule.after:
            self._refer(other, own, (*path, "after"))
        bounds = rule.bounds if isinstance(rule, shape.Rule) else (rule.at_least or 1, None)
        if own:
            self._take(own, (*path, "as"))
        place = self._located.place(path)
        self._known[own or name] = _Known(place.line, bounds[0] == 1)
        return EventRule(
            event=rule.event,
            service=rule.service,
            where=where,
            outcome=None if rule.outcome == "any" else EventOutcome(rule.outcome),
            at_least=bounds[0],
            at_most=bounds[1],
            name=own or name,
            after=tuple(dict.fromkeys((*before, *rule.after))),
            span=place,
        )

    def _constraint(self, field: str, where: shape.Where, own: str, path: Path) -> Constraint:
        comparison, texts = where.comparison
        for name in (name for text in texts for name in names_in(text)):
            self._look_at(name, own, (*path, "where", field))
        return Constraint(path=field, comparison=comparison, expected=texts)

    def _look_at(self, name: str, own: str, path: Path) -> None:
        """A name in a value: of something bound, or a value of an event found above."""
        head, _, rest = name.partition(".")
        if name in self._bindings:
            return
        if head in self._known and not rest:
            self._refuse(path, f"{name!r} is a rule: say which value, as ${{{name}.target_id}}")
        field = rest.split(".", 1)[0]
        if head not in self._known and field not in shape.EVENT_FIELDS:
            return  # bound later: by the environment, or by `--set`
        self._refer(head, own, path)
        if field not in shape.EVENT_FIELDS:
            near = shape.nearest(field, shape.EVENT_FIELDS)
            self._refuse(path, f"${{{name}}}: an event has no {field!r}{near}")
        if "*" in rest.split("."):
            self._refuse(path, f"${{{name}}}: `*` may be several values; say which")

    def _refer(self, name: str, own: str, path: Path) -> None:
        if name == own and name:
            self._refuse(path, f"{name!r} refers to itself")
        if name in self._known:
            self._must_be_single(name, path)
            return
        if name in self._lines:
            self._refuse(
                path,
                f"{name!r} (line {self._lines[name]}) is in one way of `any_of` only:"
                " name a rule so in every way",
            )
        if name in self._later:
            self._refuse(path, f"{name!r} stands below: rules refer to those above them")
        hint = nearest(name, self._lines, "there are: none has a name (`as`)")
        self._refuse(path, f"no rule above is called {name!r}; {hint}")

    def _must_be_single(self, name: str, path: Path) -> None:
        known = self._known[name]
        if not known.is_single:
            self._refuse(
                path,
                f"the rule of line {known.line} wants several events: what others refer to"
                " must be one",
            )

    def _take(self, name: str, path: Path) -> None:
        if name in self._bindings:
            self._refuse(path, f"{name!r} is the name of a binding: call the rule otherwise")
        if name in self._lines:
            self._refuse(path, f"{name!r} is the rule of line {self._lines[name]} already")
        self._lines[name] = self._located.place(path).line

    def _no_references(self, text: str, path: Path) -> None:
        for name in names_in(text):
            if name.partition(".")[0] in self._known and name not in self._bindings:
                self._refuse(path, f"${{{name}}}: only values under `where` refer to other rules")

    def _refuse(self, path: Path, problem: str) -> NoReturn:
        place = self._located.place(path)
        raise DocumentError(f"{place.file}:{place.line}: {problem}")


def _names(value: Value) -> Iterator[str]:
    """All names that the entry's rules define with `as`."""
    if isinstance(value, list):
        for one in value:
            yield from _names(one)
    elif isinstance(value, dict):
        name = value.get("as")
        if isinstance(name, str):
            yield name
        for key in ("any_of", "in_order"):
            yield from _names(value.get(key))
