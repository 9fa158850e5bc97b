"""What a phase takes on large machines: what runs where, whether it fits, and about how long.

Memory is that of `training.plan` and of the policy server's own plan. Time is arithmetic on what a
GPU can do; of it only a training's steps were measured on one (docs/training.md):

- attempts: every answer is decoded while all weights are read once a step, for as many attempts at
  the same time as contexts fit and browsers are there; every question is computed before it;
- training: 6 operations a number and token for an adapter (forward, once more for what was not
  kept, and back through the base), as nothing but an adapter is trained here; `kl` measures every
  turn (2), and trains and asks a critic before (6 and 2); of a pair `dpo` has both answers (6
  each), and looks up what it began with (2 each);
- `kl` and `dpo` learn from the attempts of the phase: from all of them, at most;
- a page takes its time whatever the model does.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from appliance.config import ModelSettings, PhaseSettings
from appliance.core.errors import SetupError
from appliance.inference.server import Gpu, MemoryPlan, Weights, memory_plan
from appliance.training.options import SftOptions
from appliance.training.plan import TrainingPlan, training_plan
from appliance.training.promotion import MIN_RUNS
from appliance.training.replay import MAX_SHARE_OF_CURRENT as REPLAYED
from appliance.training.update_options import KlOptions, UpdateOptions

_BYTES_16_BIT = 2
"""Bytes of a number of 16 bits."""
_FLOPS, _BANDWIDTH = 989e12, 3.35e12
"""Of an H100 a second: operations on 16-bit numbers, and bytes from its memory."""
_FORWARD_OPERATIONS, _TRAINING_OPERATIONS = 2, 6
"""Operations on each number for a token: forward; that twice, and back to an adapter."""
_UTILISATION = 0.35
"""Share of both that is usual."""
_PAGE_S = 2.0
"""A browser's part of a turn: to act, and to look at what came of it."""
_BROWSERS_A_CORE, _BROWSER_GIB = 1.0, 0.7
_GIB = 1 << 30
SHARED: Literal["fsdp"] = "fsdp"
"""How GPUs share a base that one of them may not hold."""
_HELD_OUT = 88
"""Held-out tasks of the practice suite, where all of them validate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """How much there is to do in a phase."""

    turns: int = 20
    """Of an attempt."""
    prompt_tokens: int = 4096
    answer_tokens: int = 300
    live_steps: int = 20
    """Updates in the live console."""
    live_attempts: int = 160
    """Of each: 8 tasks, 1.25 times as many tried, 16 attempts each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What runs somewhere."""

    stages: str
    what: str
    where: str
    memory: str
    fits: bool
    hours: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PhasePlan:
    """A phase on some machines."""

    layout: str
    places: tuple[Place, ...]
    attempts: int
    """Of a phase, all stages together."""
    browsers: int
    cores: int
    """For the browsers."""
    browser_gib: float

    @property
    def fits(self) -> bool:
        """Whether all of it does."""
        return all(place.fits for place in self.places)

    @property
    def hours(self) -> float:
        """About how long a phase takes; stages follow one another."""
        return sum(place.hours for place in self.places)

    def lines(self) -> Iterator[str]:
        """For people."""
        for place in self.places:
            fits = "it fits" if place.fits else "it does NOT fit"
            yield f"{place.stages}: {place.what} on {place.where}: {place.memory}; {fits};" + (
                f" about {place.hours:.1f} h"
            )
        yield (
            f"{self.browsers} browsers: about {self.cores} cores and {self.browser_gib:.0f} GiB"
            f" {'of the same host' if self.layout == 'host' else 'of the workers without GPUs'}"
        )
        yield f"{self.attempts} attempts; about {self.hours:.1f} h a phase, estimated, not measured"


def phase_plan(
    weights: Weights,
    gpus: tuple[Gpu, ...],
    settings: PhaseSettings,
    workload: Workload,
    model: ModelSettings,
    *,
    update: UpdateOptions | None = None,
    trainer_node: bool = False,
) -> PhasePlan:
    """What a phase takes.

    Args:
        weights: Of the base.
        gpus: Of one host.
        settings: How many tasks and attempts.
        workload: How long they are.
        model: How it is served.
        update: On the attempts of the phase; None: `live` updates, which make their own.
        trainer_node: Whether another host of the same GPUs trains, in a Ray cluster whose workers
            have the browsers; else both share the one.

    Raises:
        SetupError: There are fewer GPUs than it needs: two, or one where attempts are not made
            while it trains.
    """
    if update is None:
        return _with_live(weights, gpus, settings, workload, model, trainer_node=trainer_node)
    if not gpus:
        raise SetupError("a phase needs a GPU, and there is none")
    served, attempts = _serving_plan(weights, gpus, model), _attempt_count(settings)
    tokens = workload.prompt_tokens + workload.answer_tokens
    trained = training_plan(weights, gpus[:1], update, tokens, workload.answer_tokens)
    return PhasePlan(
        layout="ray" if trainer_node else "host",
        attempts=attempts,
        browsers=settings.jobs,
        cores=int(settings.jobs / _BROWSERS_A_CORE),
        browser_gib=settings.jobs * _BROWSER_GIB,
        places=(
            _measuring_place(gpus, served, attempts, settings, workload, trainer_node=trainer_node),
            Place(
                stages="train",
                what=f"trainer, {trained.method}",
                where="1 GPU of the training node" if trainer_node else "1 GPU",
                memory=_memory_text(trained.needed_bytes, trained.total_bytes),
                fits=trained.fits,
                hours=_hours(weights, 1, _operations(update, settings, workload) * tokens),
            ),
        ),
    )


def _with_live(
    weights: Weights,
    gpus: tuple[Gpu, ...],
    settings: PhaseSettings,
    workload: Workload,
    model: ModelSettings,
    *,
    trainer_node: bool,
) -> PhasePlan:
    """Half of the GPUs train, and half serve what makes attempts meanwhile."""
    if len(gpus) < 2:
        raise SetupError(f"a phase with live updates needs two GPUs at least, and has {len(gpus)}")
    half = len(gpus) // 2
    serving, training = (gpus, gpus) if trainer_node else (gpus[:half], gpus[half:])
    measured_attempts = _attempt_count(settings)
    live_attempts = workload.live_steps * workload.live_attempts
    all_gpus, some_gpus = (
        _serving_plan(weights, gpus, model),
        _serving_plan(weights, serving, model),
    )
    trained = _sft_plan(weights, training, workload)
    live_hours = live_attempts / _attempts_per_hour(some_gpus, settings.jobs, workload)
    tokens = live_attempts * workload.turns * (workload.prompt_tokens + workload.answer_tokens)
    update_hours = _hours(weights, len(training), _TRAINING_OPERATIONS * tokens)
    return PhasePlan(
        layout="ray" if trainer_node else "host",
        attempts=measured_attempts + live_attempts,
        browsers=settings.jobs,
        cores=int(settings.jobs / _BROWSERS_A_CORE),
        browser_gib=settings.jobs * _BROWSER_GIB,
        places=(
            _measuring_place(
                gpus, all_gpus, measured_attempts, settings, workload, trainer_node=trainer_node
            ),
            _serving_place("train (attempts)", some_gpus, f"{len(serving)} GPUs", live_hours),
            Place(
                stages="train (updates)",
                what=f"trainer, {trained.method} by {SHARED}",
                where=f"{len(training)} {'GPUs of the training node' if trainer_node else 'GPUs'}",
                memory=_memory_text(trained.needed_bytes, trained.total_bytes),
                fits=trained.fits,
                hours=update_hours,
            ),
        ),
    )


def _attempt_count(settings: PhaseSettings) -> int:
    """Roll-outs, estimates, and both policies on held-out tasks."""
    return _roll_out_count(settings) + 2 * MIN_RUNS * (settings.held_out or _HELD_OUT)


def _roll_out_count(settings: PhaseSettings) -> int:
    tried = settings.tasks + (settings.made if settings.curriculum else 0)
    return tried * settings.roll_outs


def _operations(update: UpdateOptions, settings: PhaseSettings, work: Workload) -> float:
    """For each number and each token of a turn: of all turns, or pairs, that there can be."""
    turns = float(_roll_out_count(settings) * work.turns)
    if isinstance(update, KlOptions) and settings.replay:
        turns *= 1 + REPLAYED
    learnt = turns * update.epochs
    if update.max_steps:
        learnt = min(learnt, update.max_steps * update.batch * update.accumulate)
    if isinstance(update, KlOptions):
        return (
            turns * (2 * _FORWARD_OPERATIONS + _TRAINING_OPERATIONS * update.critic_epochs)
            + learnt * _TRAINING_OPERATIONS
        )
    return 2 * learnt * (_TRAINING_OPERATIONS + _FORWARD_OPERATIONS)


def _serving_plan(weights: Weights, gpus: tuple[Gpu, ...], model: ModelSettings) -> MemoryPlan:
    return memory_plan(weights.folder, gpus, model)


def _sft_plan(weights: Weights, gpus: tuple[Gpu, ...], work: Workload) -> TrainingPlan:
    options = SftOptions(gpus=len(gpus), shared_by=SHARED, batch=1)
    tokens = work.prompt_tokens + work.answer_tokens
    return training_plan(weights, gpus, options, tokens, work.answer_tokens)


def _measuring_place(
    gpus: tuple[Gpu, ...],
    served: MemoryPlan,
    attempts: int,
    settings: PhaseSettings,
    work: Workload,
    *,
    trainer_node: bool,
) -> Place:
    """The stages in which nothing trains."""
    hours = attempts / _attempts_per_hour(served, settings.jobs, work)
    whose = "all of the serving node's" if trainer_node else "all"
    where = f"{whose} {len(gpus)} GPUs" if len(gpus) > 1 else "the GPU that serves"
    return _serving_place("roll_out, filter, validate", served, where, hours)


def _serving_place(stages: str, plan: MemoryPlan, where: str, hours: float) -> Place:
    return Place(
        stages=stages,
        what=f"policy server, {plan.tensor_parallel} GPUs share the model",
        where=where,
        memory=f"{_memory_text(plan.needed_bytes, plan.allowed_bytes)}, {plan.contexts} contexts",
        fits=plan.fits,
        hours=hours,
    )


def _attempts_per_hour(plan: MemoryPlan, jobs: int, work: Workload) -> float:
    """With as many under way as there are browsers and contexts."""
    at_once = max(1, min(jobs, plan.contexts))
    bandwidth, flops = _BANDWIDTH * _UTILISATION, _FLOPS * _UTILISATION * plan.tensor_parallel
    cache = plan.cache_token_bytes * work.prompt_tokens * at_once
    decoding = work.answer_tokens * (plan.weights_bytes + cache) / bandwidth
    numbers = plan.weights.size_bytes / _BYTES_16_BIT
    computing = 2 * numbers * work.prompt_tokens * at_once / flops
    turn = _PAGE_S + decoding + computing
    return 3600 * at_once / (turn * work.turns)


def _hours(weights: Weights, gpus: int, operations: float) -> float:
    """Of so many operations for each number of the model."""
    numbers = weights.size_bytes / _BYTES_16_BIT
    return operations * numbers / (_FLOPS * _UTILISATION * gpus) / 3600


def _memory_text(needed: int, available: int) -> str:
    return f"{needed / _GIB:.1f} of {available / _GIB:.1f} GiB each"
