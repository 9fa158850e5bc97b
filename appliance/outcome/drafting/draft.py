"""A proposal, and how it goes with what a procedure's checks say already."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from appliance.core.checks import AnyOf, Checks, EventRule
from appliance.core.placeholders import names_in


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
