"""What a training may be told; what runs it reads all of it from the run's folder."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from appliance.core.errors import SetupError
from appliance.training.kinds import PromptForm, Stage


def split(value: object) -> object:
    """Texts with commas between them."""
    return (
        tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value
    )


SHARE_MODEL = ("zero3", "fsdp")
"""Ways in which GPUs share base and adapter, too."""


class CommonOptions(BaseModel):
    """What all are told: which part of the dataset, and what of the model is trained."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    form: PromptForm = PromptForm.FULL
    """Which questions of the dataset."""
    role: Literal["agent", "planner", "grounder", "judge"] = "agent"
    """Whose."""
    method: Literal["lora", "qlora", "full"] = "lora"
    """What is trained; qlora: beside the base in 4 bit."""
    dtype: Literal["bfloat16", "float32"] = "bfloat16"
    rank: int = Field(16, ge=1)
    """Of the adapter."""
    upper_layers: float = Field(1.0, gt=0, le=1)
    """Share of the layers that get one, from the top."""
    gpus: int = Field(1, ge=1)
    """So many train together, each with samples of its own."""
    shared_by: Literal["ddp", "zero2", "zero3", "fsdp"] = "ddp"
    """Nothing; gradients and optimiser (zero2); the model as well (zero3, fsdp)."""

    @model_validator(mode="after")
    def _check_shared(self) -> Self:
        if self.gpus > 1 and self.method == "qlora" and self.shared_by in SHARE_MODEL:
            raise ValueError("a base in 4 bit cannot be shared: take ddp or zero2")
        return self


class SftOptions(CommonOptions):
    """Supervised fine-tuning: `appliance train sft --set NAME=VALUE`."""

    learning_rate: float = Field(1e-4, gt=0)
    """1e-5 is usual for `full`."""
    batch: int = Field(4, ge=1)
    """Samples at once on each GPU."""
    accumulate: int = Field(1, ge=1)
    """So many of these make a step."""
    epochs: float = Field(1.0, gt=0)
    max_steps: int = Field(0, ge=0)
    """0: as many as the epochs have."""
    warmup_steps: int = Field(10, ge=0)
    max_tokens: int = Field(0, ge=0)
    """Question and answer; what is longer is cut; 0: nothing is."""
    packs: bool = False
    """Whether several samples share a row."""
    every: int = Field(50, ge=1)
    """Steps between two examinations, each with a checkpoint."""
    log_every: int = Field(1, ge=1)
    stages: Annotated[tuple[Stage, ...], BeforeValidator(split)] = tuple(Stage)
    """Which of those that the dataset has are learnt, with commas between them: one after the
    other."""
    patience: int = Field(3, ge=0)
    """Ends after so many examinations without a better one; 0: never; nor where there are several
    stages: the first of them teach no action."""
    examined: int = Field(100, ge=1)
    """Held-out questions asked each time."""
    examines_base: bool = True
    """Whether they are asked before the first step, too."""
    answer_tokens: int = Field(400, ge=1)
    """Longest answer to them."""
    seed: int = 0


class GrpoOptions(CommonOptions):
    """Reinforcement learning on single steps: `appliance train grpo --set NAME=VALUE`.

    The defaults are AliyunConsoleAgent's for a 32B, but for the clip, which is asymmetric.
    """

    begin_with: str = ""
    """Folder of the adapter to begin with: without one most groups have no spread at all."""
    group: int = Field(16, ge=2)
    """Answers to each question."""
    questions: int = Field(8, ge=1)
    """In a step, on each GPU."""
    kl: float = Field(0.1, ge=0)
    """Weight of the distance from what it began with."""
    clip: float = Field(0.2, gt=0)
    clip_high: float = Field(0.28, gt=0)
    learning_rate: float = Field(5e-7, gt=0)
    """More for an adapter of a small model."""
    max_steps: int = Field(100, ge=1)
    every: int = Field(5, ge=1)
    """Steps between two examinations, each with a checkpoint."""
    examined: int = Field(100, ge=1)
    answer_tokens: int = Field(400, ge=1)
    seed: int = 0


class LiveOptions(GrpoOptions):
    """Reinforcement learning in the live console: `appliance train live --set NAME=VALUE`.

    `questions` are the tasks of a step, `group` the attempts at each of them.
    """

    method: Literal["lora", "qlora"] = "lora"
    suite: str = "practice"
    """Whose tasks are tried: a benchmark's, for their audit rules say who succeeds."""
    split: Literal["train", "validation"] = "train"
    level: Literal["standard", "hard", "all"] = "all"
    """Those of which a sentence is untrue are hard ones."""
    language: Literal["en", "zh", "all"] = "all"
    oversampling: float = Field(1.25, ge=1)
    """So many times the tasks are tried, so that enough groups have spread."""
    step_credit: float = Field(0.0, ge=0)
    """Weight of how a turn did against others from the same page, beside how its attempt did: 1 in
    GiGPO; 0: all turns of an attempt are worth the same."""
    discount: float = Field(0.95, gt=0, le=1)
    """Of a turn's worth for each further turn that its attempt took, where `step_credit` counts."""
    temperature: float = Field(1.0, gt=0)
    max_actions: int = Field(40, ge=1)
    """Of an attempt."""
    rows: int = Field(256, ge=2)
    """Most turns that a step learns from; further ones are drawn away."""
    rows_at_once: int = Field(4, ge=1)
    """Of these on each GPU."""
    jobs: int = Field(4, ge=1)
    """Attempts under way at the same time."""
    validated: int = Field(0, ge=0)
    """Tasks of the suite's validation split that are tried at every examination: the policy that
    gets there most often is kept; 0: held-out questions decide."""

    outcome_model: str = ""
    """Folder of a finished training of kind `judge`: it says whether attempts got there where no
    audit log does, if it was right more often than the judges; empty: judges do."""

    @model_validator(mode="after")
    def _check_rows(self) -> Self:
        if self.validated and self.split == "validation":
            raise ValueError("what is learnt from cannot validate: take split=train")
        if self.rows % (self.rows_at_once * self.gpus):
            raise ValueError("rows must be so many times rows_at_once on all GPUs")
        return self


class RehearsalOptions(BaseModel):
    """A training that trains nothing: what is around it is shown by it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    max_steps: int = Field(1, ge=1)
    step_s: float = Field(0.0, ge=0)


Options = TypeVar("Options", bound=BaseModel)


def options_of(kind: type[Options], assignments: Sequence[str]) -> Options:
    """From `NAME=VALUE` each.

    Raises:
        SetupError: There is no such option, or it does not take that value.
    """
    values = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        if not equals:
            raise SetupError(f"--set {assignment}: write NAME=VALUE")
        values[name.strip()] = value.strip()
    try:
        return kind.model_validate(values)
    except ValidationError as exc:
        first_error = exc.errors(include_url=False)[0]
        name = ".".join(map(str, first_error["loc"]))
        known_names = ", ".join(kind.model_fields)
        raise SetupError(f"--set {name}: {first_error['msg']}; there are {known_names}") from None
