"""The policy that asks a model for every action."""

from appliance.policy.model.policy import ModelPolicy
from appliance.policy.model.secret_values import learn_marked, unmarked

__all__ = ["ModelPolicy", "learn_marked", "unmarked"]
