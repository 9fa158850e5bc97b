"""Whether the goal was reached, said by channels that the agent does not write."""

from appliance.outcome.audit_rules import RuleKind, RuleReport, apply_rules, explain_rules
from appliance.outcome.bindings import expand
from appliance.outcome.paths import as_text, values_at

__all__ = [
    "RuleKind",
    "RuleReport",
    "apply_rules",
    "as_text",
    "expand",
    "explain_rules",
    "values_at",
]
