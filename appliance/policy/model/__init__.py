"""The policy that asks a model for every action."""

from appliance.policy.model.policy import ModelPolicy
from appliance.policy.model.prompting import task_text
from appliance.policy.model.prompts import prompts_version
from appliance.policy.model.secret_values import learn_marked, shown_values, unmarked
from appliance.policy.model.wording import step_text

__all__ = [
    "ModelPolicy",
    "learn_marked",
    "prompts_version",
    "shown_values",
    "step_text",
    "task_text",
    "unmarked",
]
