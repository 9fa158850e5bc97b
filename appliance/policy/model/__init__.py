"""The policy that asks a model for every action."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.policy.model.policy import ModelPolicy, Picture, agent_policy
    from appliance.policy.model.prompting import task_text
    from appliance.policy.model.prompts import prompts_version
    from appliance.policy.model.secret_values import learn_marked, shown_values, unmarked
    from appliance.policy.model.short_form import UNIQUE as SHORT_UNIQUE
    from appliance.policy.model.short_form import VERSION as SHORT_VERSION
    from appliance.policy.model.short_form import ShortForm, Untrue, usable_elements
    from appliance.policy.model.short_form import page as short_page
    from appliance.policy.model.short_policy import ShortPolicy
    from appliance.policy.model.wording import procedure_text
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "SHORT_UNIQUE",
    "SHORT_VERSION",
    "ModelPolicy",
    "Picture",
    "ShortForm",
    "ShortPolicy",
    "Untrue",
    "agent_policy",
    "learn_marked",
    "procedure_text",
    "prompts_version",
    "short_page",
    "shown_values",
    "task_text",
    "unmarked",
    "usable_elements",
]
