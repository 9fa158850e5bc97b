"""Checks as plain data, as a checks file writes them."""

from collections.abc import Mapping
from typing import TypeAlias

import yaml

from appliance.core.checks import AnyOf, Checks, Comparison, Constraint, EventOutcome, EventRule
from appliance.system.yaml import Dumper

Plain: TypeAlias = "str | int | bool | list[Plain] | dict[str, Plain]"


def plain_checks(checks: Checks) -> dict[str, Plain]:
    """The entry of a procedure, without keys that are not set."""
    entry: dict[str, Plain] = {}
    if checks.account is not None:
        entry["account"] = checks.account
    if checks.needs:
        entry["needs"] = [{need.kind: dict(need.values)} for need in checks.needs]
    if checks.bindings:
        entry["bindings"] = dict(checks.bindings)
    if checks.expect:
        entry["expect"] = [_expected(expectation) for expectation in checks.expect]
    if checks.forbid:
        entry["forbid"] = [_rule(rule) for rule in checks.forbid]
    if checks.start:
        entry["start"] = checks.start
    if checks.skip is not None:
        entry["skip"] = checks.skip
    return entry


def as_yaml(plain: Mapping[str, Plain]) -> str:
    """The data as YAML as a person would write it."""
    return yaml.dump(dict(plain), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000)


class _Dumper(Dumper):
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Entries of a list stand further in than its key."""
        super().increase_indent(flow, False)


def _expected(entry: EventRule | AnyOf) -> Plain:
    if isinstance(entry, EventRule):
        return _rule(entry)
    return {"any_of": [[_rule(rule) for rule in alternative] for alternative in entry.alternatives]}


def _rule(rule: EventRule) -> dict[str, Plain]:
    plain: dict[str, Plain] = {"event": rule.event}
    if rule.name:
        plain["as"] = rule.name
    if rule.service != "*":
        plain["service"] = rule.service
    if rule.outcome is not EventOutcome.SUCCESS:
        plain["outcome"] = "any" if rule.outcome is None else rule.outcome.value
    if rule.at_least == rule.at_most:
        plain["exactly"] = rule.at_least
    else:
        plain |= {"at_least": rule.at_least} if rule.at_least > 1 else {}
        plain |= {} if rule.at_most is None else {"at_most": rule.at_most}
    if rule.after:
        plain["after"] = list(rule.after)
    if rule.where:
        plain["where"] = {constraint.path: _constraint(constraint) for constraint in rule.where}
    return plain


def _constraint(constraint: Constraint) -> Plain:
    if constraint.comparison is Comparison.EQUALS:
        return constraint.expected[0]
    is_list = constraint.comparison in (Comparison.ONE_OF, Comparison.BETWEEN)
    if constraint.comparison is Comparison.EXISTS:
        return {constraint.comparison.value: constraint.expected[0] == "true"}
    return {
        constraint.comparison.value: list(constraint.expected)
        if is_list
        else constraint.expected[0]
    }
