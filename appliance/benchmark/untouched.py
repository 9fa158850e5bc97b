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
    bindings = bind_checks(checks, {"unique": "${unique}"}, strict=False)
    needed = {need.kind for need in checks.needs}
    caused = {rule.event for rule in checks.expected()}
    rules = [
        rule
        for kind, events in _events(release).items()
        if events.deletion and (kind in needed or events.creations & caused)
        for rule in _rules(checks, kind, events.deletion, bindings)
    ]
    existing = {(rule.event, rule.where) for rule in checks.forbid}
    return replace(
        checks,
        forbid=(
            *checks.forbid,
            *(rule_ for rule_ in rules if (rule_.event, rule_.where) not in existing),
        ),
    )


def _rules(
    checks: Checks, kind: str, deletion: str, bindings: Mapping[str, str]
) -> Iterator[EventRule]:
    deletion_rules = [rule for rule in checks.expected() if rule.event == deletion]
    if not deletion_rules:
        yield EventRule(event=deletion)
        return
    deletable_names = {
        expand(c.expected[0], bindings)
        for rule in deletion_rules
        for c in rule.where
        if c.path == _NAME
    }
    for need in checks.needs if deletable_names else ():
        name = expand(need.values.get("name", ""), bindings)
        if need.kind == kind and name and name not in deletable_names:
            where = Constraint(path=_NAME, comparison=Comparison.EQUALS, expected=(name,))
            yield EventRule(event=deletion, where=(where,))


class _KindEvents(NamedTuple):
    """Of one kind of thing."""

    creations: frozenset[str]
    deletion: str


@cache
def _events(release: str) -> dict[str, _KindEvents]:
    """By kind, those that make and delete one."""
    events_by_kind = {}
    for located in catalogue(release).resources():
        actions = located.resource.actions.values()
        creations = frozenset(action.event for action in actions if action.kind == "create")
        deletion = next((action.event for action in actions if action.kind == "delete"), "")
        events_by_kind[located.kind] = _KindEvents(creations, deletion)
    return events_by_kind
