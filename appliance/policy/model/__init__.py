"""The policy that asks a model for every action."""

from appliance.policy.model.policy import ModelPolicy

__all__ = ["ModelPolicy"]
