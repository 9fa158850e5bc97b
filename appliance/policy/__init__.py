"""The choice of the next action."""

from appliance.policy.base import (
    Decision,
    Divergence,
    Exchange,
    Handover,
    Policy,
    Spent,
    StepReport,
    Task,
)

__all__ = [
    "Decision",
    "Divergence",
    "Exchange",
    "Handover",
    "Policy",
    "Spent",
    "StepReport",
    "Task",
]
