"""Settings of phases of training: which parts of a phase are there, and how large it is."""

from typing import Literal, Self

from pydantic import Field, model_validator

from appliance.config.section import Section

Update = Literal["sft", "grpo", "live", "kl", "dpo", "rehearsal"]
TaskSource = Literal["documents", "drift", "model", "exploration"]


class PhaseSettings(Section):
    """`appliance train phases`: attempts, tasks made of what failed, training, validation."""

    count: int = Field(2, ge=1)
    """At most so many phases."""
    suite: str = "practice"
    """Whose tasks are tried: those to learn from, and the held-out ones that validate."""
    language: Literal["en", "zh", "all"] = "all"
    """Of the tasks that are tried at first."""
    tasks: int = Field(100, ge=1)
    """Of the suite that a phase tries, drawn at random, beside those that the last phase made."""
    roll_outs: int = Field(4, ge=1)
    """Attempts at each task; what it is worth as a task is estimated from them."""
    temperature: float = Field(1.0, gt=0)
    """Of these attempts."""
    held_out: int = Field(0, ge=0)
    """Held-out tasks that validate a phase; 0: all."""
    jobs: int = Field(4, ge=1)
    """Attempts under way at the same time."""
    seed: int = 0
    """Of what is drawn."""

    curriculum: bool = True
    """Whether tasks are made of what failed; else only those of the suite are learnt from."""
    sources: tuple[TaskSource, ...] = ("documents", "drift")
    """What they are made of: other forms of the procedures that failed; later releases and drift,
    where the right answer is to report; what the model thinks of; what exploration found."""
    made: int = Field(500, ge=1)
    """Most tasks that a phase makes."""
    drifts: int = Field(2, ge=0)
    """Drift files that a phase draws."""
    explored_pages: int = Field(10, ge=1)
    """Entry pages from which exploration sets out."""
    success_band: bool = True
    """Whether a task is only learnt from where it succeeds now and then."""
    least_success: float = Field(0.05, ge=0, le=1)
    """Share of attempts that get a task right: below, it is hopeless."""
    most_success: float = Field(0.75, ge=0, le=1)
    """The same: above, it is known."""
    at_random: bool = False
    """Whether tasks are drawn from all that can be done, in place of being chosen by success."""
    novelty: bool = True
    """Whether tasks that are nearly the same as another are left out."""
    most_alike: float = Field(0.95, gt=0, le=1)
    """So much of its text may a task have in common with another."""

    update: Update = "live"
    """How a phase trains: a kind of `appliance train`. live makes attempts of its own; kl and dpo
    learn from those of the phase, and want an adapter to begin with."""
    options: dict[str, str | int | float | bool] = Field(default_factory=dict)
    """Of that training, by name, as `--set` has them; which attempts, and what it begins with, the
    phase says."""
    replay: bool = True
    """Whether kl learns again from successes of earlier phases: of each task the last one, chosen
    anew in each phase."""
    perplexity_band: bool = True
    """Whether of these only what the policy finds neither familiar nor foreign is learnt from."""
    drift_aware: bool = True
    """Whether a phase is only better when it finds more untruths, at no more false alarms."""
    stops: Literal["not_better", "worse"] = "not_better"
    """When no further phase follows. `worse`: only where the paired interval is below zero; what is
    not shown to be better is gone on from, and never served."""
    promotes: bool = True
    """Whether the policy of a phase that is better is served from then on (`rollback`)."""

    @model_validator(mode="after")
    def _check_band(self) -> Self:
        if self.least_success > self.most_success:
            raise ValueError("least_success is above most_success: no task would be left")
        return self
