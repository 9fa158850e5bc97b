"""The choice of the next action."""

from appliance.policy.base import (
    Decision,
    Divergence,
    Handover,
    Policy,
    Spent,
    StepReport,
    Task,
)

__all__ = ["Decision", "Divergence", "Handover", "Policy", "Spent", "StepReport", "Task"]
