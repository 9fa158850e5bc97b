"""The operations phases delegate: attempts, trainings, questions to a model, promotion."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from appliance.benchmark.suite import Suite, Task
from appliance.benchmark.trials import BenchmarkPolicy, BenchmarkResult
from appliance.training.phases.candidates import Candidate
from appliance.training.phases.from_documents import Library
from appliance.training.promotion import Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptsRequest:
    """A request for attempts at the tasks of a suite."""

    suite: Suite
    runs: int
    seed: int
    """Tells one question from another of the same tasks."""
    policy: BenchmarkPolicy = BenchmarkPolicy.MODEL
    adapter: str = ""
    """Folder of that which acts; empty: the base itself."""
    temperature: float | None = None
    """None: as the settings of the agent say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateRequest:
    """A request for a training."""

    suite: Path
    """The file of the tasks that are learnt from."""
    adapter: str
    """Folder of that which it begins with."""
    roll_outs: tuple[BenchmarkResult, ...]
    """Attempts of this phase, whose pages were kept."""
    kept: tuple[str, ...]
    """Of the tasks in these, what is learnt from."""
    replay: tuple[Path, ...]
    """Folders of earlier phases whose successes may be learnt from again, oldest first."""
    folder: Path
    """Of the phase."""


class PhaseOperations(Protocol):
    """Carries the operations out; a repeated request resumes or returns the earlier result."""

    def attempt(self, request: AttemptsRequest) -> BenchmarkResult:
        """Have all of it tried; trials say what `labelled` says."""
        ...

    def begin(self, update: UpdateRequest) -> str:
        """Create a training and return its id."""
        ...

    def carry_on(self, training: str) -> str:
        """Train to the end and return the folder of the resulting adapter."""
        ...

    def think(self, tasks: Sequence[Task], library: Library, count: int) -> list[Candidate]:
        """Have a model invent tasks."""
        ...

    def explore(self, folder: Path, pages: int) -> list[Candidate]:
        """Tasks found by trying what entry pages offer."""
        ...

    def promote(self, training: str, decision: Decision) -> None:
        """Have the training's adapter served from then on."""
        ...
