"""Models, their training, and benchmarks."""

from typing import Any

from pydantic import Field

from appliance.server.api.shapes.base import Moment, Shown


class Model(Shown):
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


class Models(Shown):
    """Models that are configured: one, or none."""

    items: tuple[Model, ...]
    """Empty: procedures are carried out by their text alone."""


class TrainingRun(Shown):
    """A training of a model on this machine."""

    id: str
    """Of the training."""
    state: str
    """How it stands with it."""


class TrainingRuns(Shown):
    """Trainings of models on this machine."""

    items: tuple[TrainingRun, ...]
    """None: this build trains no models."""


class Benchmark(Shown):
    """Results of a benchmark."""

    name: str = Field(examples=["drift-2026-11-21"])
    """Name of its file in `benchmarks` of the data folder, without the ending."""
    made_at: Moment
    """When the file was written."""
    size: int
    """Bytes."""


class Benchmarks(Shown):
    """Results of benchmarks."""

    items: tuple[Benchmark, ...]
    """Newest first."""


class BenchmarkResult(Benchmark):
    """Results of a benchmark with all that its file says."""

    result: dict[str, Any]  # Any: each benchmark has its own
    """The file."""
