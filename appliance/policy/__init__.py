"""The choice of the next action."""

from appliance.policy.base import Decision, Divergence, Policy, StepReport, Task

__all__ = ["Decision", "Divergence", "Policy", "StepReport", "Task"]
