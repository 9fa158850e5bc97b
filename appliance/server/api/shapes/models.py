"""Models, their training, and benchmarks."""

from typing import Any

from pydantic import Field

from appliance.inference.server import ServerState
from appliance.server.api.shapes.base import Items, Moment, ResponseShape
from appliance.training.phases.record import PhaseDecision as OurDecision


class PolicyServer(ResponseShape):
    """What serves a folder of weights on this machine."""

    state: ServerState
    """What it is doing."""
    why: str
    """Why it is not ready; empty: it is."""
    started_at: Moment | None
    """When it was ready last, after a start."""
    restarts: int
    """How often it was started again."""
    adapters: tuple[str, ...]
    """LoRA adapters that it serves."""
    memory: str = Field(examples=["33.2 GiB weights (33.2 GiB in 7 files, fp8); …"])
    """What it takes of the GPUs, as arithmetic; empty before the first start."""


class Model(ResponseShape):
    """A model that actions may be chosen with."""

    name: str
    """As its endpoint calls it; empty: the first that the endpoint serves."""
    endpoint: str
    """Scheme, host, port and path, without a key."""
    is_reachable: bool
    """Whether the endpoint answers."""
    problem: str
    """Why not."""
    served: tuple[str, ...]
    """What the endpoint says that it serves."""
    server: PolicyServer | None
    """What serves it here; null: it is served elsewhere."""


class Models(Items[Model]):
    """Models that are configured: one; or none, and procedures are carried out by their text."""


class TrainingRun(ResponseShape):
    """A training of a model on this machine."""

    id: str
    """Of the training."""
    kind: str
    """`sft`, `grpo`, `live` (in the live console), `kl`, `dpo`, or `judge`."""
    begun_at: Moment
    """When it was begun."""
    state: str
    """`waiting`, `running`, `stopped`, `done`, `failed`, or `died`: nobody works on it."""
    step: int
    """How far it is."""
    steps: int
    """How many it will have."""
    best: float | None
    """Share of held-out questions that the best adapter answers exactly right; null: not yet."""
    why: str
    """Why it failed; empty: it did not."""


class TrainingRuns(Items[TrainingRun]):
    """Trainings of models on this machine, newest first."""


class TrainingCurves(TrainingRun):
    """A training with all that was measured on the way."""

    curves: tuple[dict[str, float], ...]
    """Figures by name, in lines that each say their `step`."""


class MadeTask(ResponseShape):
    """A task that a phase of training made."""

    id: str
    """Of the task, in the phase's suite."""
    how: str = Field(examples=["values"])
    """Which rule made it."""
    made_from: tuple[str, ...]
    """Ids of tasks."""
    left_out: str
    """Why it is not learnt from; empty: it is."""
    success: float | None
    """Share of attempts at it that were right; null: none counts."""


class PhaseDecision(OurDecision, ResponseShape):
    """Whether a phase is better than what it began with."""

    is_better: bool
    """Whether nothing speaks against it."""


class TrainingPhase(ResponseShape):
    """One phase."""

    number: int
    """Counted from 1."""
    stage: str | None = Field(examples=["filter"])
    """What it is at; null: it is over."""
    tried: int
    """Tasks that were tried first."""
    success: float | None
    """Share of the attempts at them that were right."""
    made: tuple[MadeTask, ...]
    """Tasks that were made of what failed."""
    learnt_from: int
    """Tasks."""
    training: str
    """Id of the training run; empty: not begun."""
    decision: PhaseDecision | None
    """Null: not yet."""


class TrainingSeries(ResponseShape):
    """A training in phases."""

    id: str
    """Name of its folder."""
    begun_at: Moment
    """When its first phase began."""
    is_over: bool
    """Whether no phase is left."""
    is_running: bool
    """Whether a process works on it now."""
    count: int
    """Phases that it has at most."""
    update: str = Field(examples=["live"])
    """How each of them trains: a kind of training."""
    phases: tuple[TrainingPhase, ...]
    """As far as they are, the first one first."""


class TrainingSeriesList(Items[TrainingSeries]):
    """Trainings in phases on this machine, newest first."""


class MeasuredPolicy(ResponseShape):
    """What `appliance bench run` measured."""

    suite: str
    """Name of the suite."""
    policy: str
    """What chose the actions."""
    model: str
    """What it asked; empty: none."""
    trials: int
    """That are there."""
    planned: int
    """Of all runs."""
    is_over: bool
    """Whether all were tried."""
    figures: dict[str, float]
    """The chief ones, once it is over: pass@1 with its deviation and interval, and more."""


class Benchmark(ResponseShape):
    """Results of a benchmark."""

    name: str = Field(examples=["drift-2026-11-21"])
    """Name of its file in `benchmarks` of the data folder, without the ending."""
    made_at: Moment
    """When the file was written."""
    size: int
    """Bytes."""
    about: MeasuredPolicy | None
    """What was measured; null: it is no result of `appliance bench run`."""


class Benchmarks(Items[Benchmark]):
    """Results of benchmarks, newest first."""


class BenchmarkResult(Benchmark):
    """Results of a benchmark with all that its file says."""

    result: dict[str, Any]  # Any: each benchmark has its own
    """The file."""
