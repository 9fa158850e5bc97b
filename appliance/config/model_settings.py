"""Settings of models: where they are, how the agent uses them, who judges."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from appliance.config.section import Section

SensitiveRule = Literal["allow", "documented", "ask", "refuse"]
"""`documented`: where the step tells the reader to; `allow`: where any step does."""


class PolicyServerSettings(Section):
    """vLLM on this machine, where `model.weights` is set."""

    command: Path | None = None
    """The program `vllm`; empty: the one beside our Python, else of the PATH."""
    port: int = Field(0, ge=0, le=65535)
    """Port on the loopback interface; 0: any that is free."""
    quantization: str = ""
    """As `vllm serve --quantization` has it (`fp8`, `awq`, `bitsandbytes`); empty: as the weights
    say themselves."""
    dtype: str = "auto"
    """Type of the numbers in it."""
    tensor_parallel: int = Field(0, ge=0)
    """GPUs that share the model; 0: all of this machine."""
    pipeline_parallel: int = Field(1, ge=1)
    """Machines of a Ray cluster that each hold a part of the layers, with as many GPUs each as this
    one; 1: the model is here alone."""
    gpu_memory: float = Field(0.9, gt=0, le=1)
    """Part of each GPU's memory that it may take."""
    context_tokens: int = Field(32768, ge=512)
    """Longest prompt and answer together."""
    max_parallel: int = Field(16, ge=1)
    """Questions answered at the same time; more wait."""
    max_adapters: int = Field(2, ge=0)
    """LoRA adapters that are in memory at the same time; 0: none are used."""
    adapter_rank: int = Field(64, ge=1)
    """Highest rank of an adapter."""
    is_eager: bool = False
    """Without compiled graphs: starts sooner, answers slower."""
    can_sleep: bool = True
    """Whether its GPU memory can be given up for a training, and taken back."""
    start_timeout_s: float = Field(900.0, gt=0)
    """Longest wait until it answers after a start."""
    health_every_s: float = Field(30.0, gt=0)
    """How often a real question of one token asks whether it is well."""
    max_restarts: int = Field(5, ge=0)
    """After so many restarts within an hour it is given up, until somebody starts it by hand."""
    extra_flags: tuple[str, ...] = ()
    """Further flags of `vllm serve`, as they stand on its command line."""
    environment: dict[str, str] = Field(default_factory=dict)
    """Further variables for its process, such as CUDA_VISIBLE_DEVICES."""


class ModelSettings(Section):
    """A model: weights that are served on this machine, or an endpoint elsewhere; else none."""

    weights: Path | None = None
    """Folder of weights in Hugging Face's layout; never fetched from anywhere."""
    endpoint: str = ""
    """Address of a model that is served elsewhere, up to and with `/v1`."""
    name: str = ""
    """The model's name there; empty: the first that it serves."""
    key_env: str | None = None
    """Environment variable that holds the API key, where one is needed."""
    key_file: Path | None = None
    """File that holds it."""
    timeout_s: float = Field(120.0, gt=0)
    """Longest wait for an answer."""
    context_tokens: int = Field(0, ge=0)
    """Longest prompt and answer together; 0: as the endpoint says, else 32768."""
    takes_images: Literal["auto", "yes", "no"] = "auto"
    """Whether it is shown screenshots; `auto`: where it says that it takes them."""
    adapters: dict[str, Path] = Field(default_factory=dict)
    """LoRA adapters by name: folders that the policy server loads beside the weights."""
    server: PolicyServerSettings = PolicyServerSettings()
    """vLLM on this machine, where `model.weights` is set."""

    @property
    def is_configured(self) -> bool:
        """Whether there is a model at all."""
        return self.weights is not None or bool(self.endpoint)


class SensitiveSettings(Section):
    """What an attempt may do that hurts when it is wrong.

    Whatever is said here, a control that does one of these is used only where the text names it
    exactly, and what it is done to is named by the text or a binding, or was made in the attempt.
    Otherwise it is refused; with `ask`, a person is asked.
    """

    delete: SensitiveRule = "documented"
    """Delete or release something, also by a word for it."""
    pay: SensitiveRule = "documented"
    """Buy, order or renew something."""
    identity: SensitiveRule = "documented"
    """Change passwords, keys, roles or who may log in."""
    change: SensitiveRule = "documented"
    """Change what was there before, in a console of kind `generic`, which cannot put it back. With
    `allow` it is taken for a sandbox: whatever a document changes is changed, and what it deletes
    by name is deleted, without being bound."""


class AgentSettings(Section):
    """The policy that asks a model for every action."""

    adapter: str = ""
    """LoRA adapter (or name of another model at the endpoint) that it asks; empty: the model
    itself."""
    form: Literal["full", "short"] = "full"
    """How it is asked. `short`: some 300 tokens and an answer of a few words, for small models that
    were trained on that form, and understand no other; without screenshots and grounder."""
    planner_grounder: bool = False
    """Whether the model names elements in words, and a grounder finds them: by the text first,
    then by the model, then by coordinates in the screenshot."""
    grounder_adapter: str = ""
    """LoRA adapter (or model) of the grounder; empty: the same as the agent's."""
    screenshots: bool = True
    """Whether it is shown the screenshot, where the model takes images."""
    observation_tokens: int = Field(6000, ge=500)
    """Longest text of a page in a prompt; more is folded."""
    kept_observations: int = Field(1, ge=1, le=10)
    """How many of the newest pages stand whole in a prompt; of older ones a line is kept."""
    budget_tokens: int = Field(400_000, ge=1000)
    """Tokens of prompts and answers in one attempt; then it stops."""
    max_seconds: float = Field(900.0, gt=0)
    """Wall-clock seconds of one attempt of a model, in place of `verification.max_seconds`; waiting
    for a person does not count."""
    answer_tokens: int = Field(800, ge=16)
    """Longest answer."""
    temperature: float = Field(0.0, ge=0, le=2)
    """Of the first attempt; a second one is asked at 0.3 more."""
    sensitive: SensitiveSettings = SensitiveSettings()
    """What an attempt may do that hurts when it is wrong. It holds for every policy."""
    person_wait_minutes: float = Field(10.0, ge=0)
    """How long an attempt waits for a person who was asked (captcha, second factor, consent);
    then it goes on without, or is blocked."""


class JudgeSettings(Section):
    """Models that judge whether the goal was reached, beside the audit log."""

    count: int = Field(3, ge=0, le=9)
    """How many are asked; each has a prompt of its own; 0: none."""
    models: tuple[str, ...] = ()
    """Names of models or adapters that take turns as judges; empty: the model itself."""
    temperatures: tuple[float, ...] = (0.0, 0.3, 0.6)
    """Of the judges, in turn."""
    when: Literal["auto", "always"] = "auto"
    """`auto`: for attempts of a model, and where the audit log cannot tell; `always`: also
    beside an audit log that can."""


class ClaimSettings(Section):
    """What the documentation says and nobody could check: a model is asked about it, page by page.

    Only by policies that ask a model (`auto`, `model`). Its word never counts against what was
    measured.
    """

    questions: int = Field(8, ge=0)
    """Most questions about one procedure, of up to eight statements each; 0: none."""
