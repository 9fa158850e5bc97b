"""Settings of training: what is kept for it, and which Python does it."""

from pathlib import Path

from pydantic import Field

from appliance.config.phase_settings import PhaseSettings
from appliance.config.section import Section


class TrainingSettings(Section):
    """Fine-tuning the model of the agent on this console, on this machine."""

    keep_attempts: bool = False
    """Whether the pages of every attempt are kept, so that `appliance train collect` can make
    samples of them: some 10 kB a turn, for as long as `retention` keeps pictures."""
    keep_tokens: bool = False
    """Whether of these attempts the model's tokens are kept, too, as vLLM tells them: phases whose
    update is kl or dpo learn from them, and switch both on for their own attempts."""
    python: Path | None = None
    """Python of the environment that has PyTorch, transformers, peft and TRL; empty: the one beside
    `model.server.command`, else our own."""
    threads: int = Field(0, ge=0)
    """Threads of a training on the processor; 0: as many as it has cores."""
    environment: dict[str, str] = Field(default_factory=dict)
    """Further variables for its process. With CUDA_VISIBLE_DEVICES it has GPUs of its own: then the
    model that is served keeps its memory meanwhile."""
    stop_timeout_s: float = Field(60.0, gt=0)
    """How long a training that is stopped may take to keep its last checkpoint."""
    phases: PhaseSettings = PhaseSettings()
    """Training in phases, with tasks that grow by themselves: `appliance train phases`."""
