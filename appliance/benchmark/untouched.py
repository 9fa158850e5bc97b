"""What a task must leave alone: rules that forbid to delete what it does not ask to delete."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from appliance.core.checks import Checks, Comparison, Constraint, EventRule
from appliance.outcome.bindings import bind_checks, expand
from appliance.practice.releases import catalogue

_NAME = "target_name"


def with_untouched(checks: Checks, release: str) -> Checks:
    """The checks, with a rule for each kind of thing that the task is given or makes.

    Of a kind that it has to delete, only that is fair game: the others of that kind are not.
    """
    known = bind_checks(checks, {"unique": "${unique}"}, strict=False)
    needed = {need.kind for need in checks.needs}
    caused = {rule.event for rule in checks.expected()}
    rules = [
        rule
        for kind, events in _events(release).items()
        if events.deletion and (kind in needed or events.creations & caused)
        for rule in _rules(checks, kind, events.deletion, known)
    ]
    told = {(rule.event, rule.where) for rule in checks.forbid}
    return replace(
        checks, forbid=(*checks.forbid, *(r for r in rules if (r.event, r.where) not in told))
    )


def _rules(
    checks: Checks, kind: str, deletion: str, known: Mapping[str, str]
) -> Iterator[EventRule]:
    wanted = [rule for rule in checks.expected() if rule.event == deletion]
    if not wanted:
        yield EventRule(event=deletion)
        return
    named = {expand(c.expected[0], known) for rule in wanted for c in rule.where if c.path == _NAME}
    for need in checks.needs if named else ():
        name = expand(need.values.get("name", ""), known)
        if need.kind == kind and name and name not in named:
            where = Constraint(path=_NAME, comparison=Comparison.EQUALS, expected=(name,))
            yield EventRule(event=deletion, where=(where,))


class _Events(NamedTuple):
    """Of one kind of thing."""

    creations: frozenset[str]
    deletion: str


@cache
def _events(release: str) -> dict[str, _Events]:
    """By kind, those that make and delete one."""
    found = {}
    for located in catalogue(release).resources():
        actions = located.resource.actions.values()
        creations = frozenset(one.event for one in actions if one.kind == "create")
        deletion = next((one.event for one in actions if one.kind == "delete"), "")
        found[located.kind] = _Events(creations, deletion)
    return found
