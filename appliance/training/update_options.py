"""What updates on attempts that were made already may be told."""

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from appliance.training.options import CommonOptions, split
from appliance.training.replay import MAX_PROBABILITY, MIN_PROBABILITY

Folders = Annotated[tuple[str, ...], BeforeValidator(split)]
"""Of trainings in the live console, with commas between them, oldest first."""


class UpdateOptions(CommonOptions):
    """Of both kinds."""

    method: Literal["lora", "qlora"] = "lora"
    gpus: Literal[1] = 1
    """More are not tried."""
    begin_with: str = Field(min_length=1)
    """Folder of the last phase's adapter: that policy is what the new one is held against."""
    rollouts: Folders = Field(min_length=1)
    """Folders of trainings in the live console whose attempts are learnt from."""
    batch: int = Field(4, ge=1)
    """Turns, or pairs, at once."""
    accumulate: int = Field(1, ge=1)
    """So many of these make a step."""
    epochs: float = Field(1.0, gt=0)
    max_steps: int = Field(0, ge=0)
    """0: as many as the epochs have."""
    learning_rate: float = Field(1e-6, gt=0)
    """More for an adapter of a small model."""
    every: int = Field(50, ge=1)
    """Steps between two examinations, each with a checkpoint; there is one at the end, too."""
    examined: int = Field(100, ge=1)
    """Held-out questions asked each time."""
    answer_tokens: int = Field(400, ge=1)
    """Longest answer to them."""
    seed: int = 0


class KlOptions(UpdateOptions):
    """WebRL's update against the last phase's policy: `appliance train kl --set NAME=VALUE`."""

    kl: float = Field(1.0, gt=0)
    """Weight of the distance from the last phase's policy (beta of the paper)."""
    near: float = Field(0.5, ge=0, le=1)
    """Weight of what the critic thinks of the next page, against how the attempt ended (lambda)."""
    replay: Folders = ()
    """Folders of trainings of earlier phases, whose successes are learnt from again."""
    replay_above: float = Field(MIN_PROBABILITY, ge=0, le=1)
    replay_up_to: float = Field(MAX_PROBABILITY, ge=0, le=1)
    """Only what the policy finds this likely: 0 and 1 take everything."""
    critic_epochs: float = Field(1.0, gt=0)
    critic_learning_rate: float = Field(1e-6, gt=0)

    @model_validator(mode="after")
    def _check_band(self) -> Self:
        if self.replay_above >= self.replay_up_to:
            raise ValueError("replay_above must be less than replay_up_to")
        return self


class DpoOptions(UpdateOptions):
    """Direct preference optimisation: `appliance train dpo --set NAME=VALUE`.

    The defaults are AutoWebGLM's.
    """

    beta: float = Field(0.15, gt=0)
    """Weight of the distance from the policy that it began with."""
    sft_weight: float = Field(0.8, ge=0)
    """Of the better answers' own likelihood, beside the preference."""
