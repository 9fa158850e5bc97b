"""What the training of an outcome model may be told."""

from typing import Literal

from appliance.training.kinds import PromptForm
from appliance.training.options import SftOptions


class JudgeOptions(SftOptions):
    """A model that says whether attempts got there: `appliance train judge --set NAME=VALUE`."""

    form: PromptForm = PromptForm.SHORT
    """The only one that it is asked in."""
    role: Literal["judge"] = "judge"
    method: Literal["lora", "qlora"] = "lora"
    gpus: Literal[1] = 1
    """More are not tried."""
    answer_tokens: int = 4
