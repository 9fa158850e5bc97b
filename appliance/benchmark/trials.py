"""What became of a benchmark: one trial a task and run, kept in one file."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.benchmark.attribution import Blame, Shape
from appliance.core.errors import SetupError
from appliance.core.result import ArtifactRef, Cost
from appliance.core.verdict import Verdict
from appliance.system.files import write_whole


class Level(StrEnum):
    """How much a task asks for."""

    STANDARD = "standard"
    HARD = "hard"


class Split(StrEnum):
    """What a task may be used for; a document is in one of them with all its tasks."""

    TRAIN = "train"
    VALIDATION = "validation"
    HELD_OUT = "held-out"


class BenchmarkPolicy(StrEnum):
    """What may be measured."""

    LITERAL = "literal"
    REPLAY = "replay"
    MODEL = "model"
    RANDOM = "random"
    ORACLE = "oracle"
    BROWSER_USE = "browser-use"


TIERS = (BenchmarkPolicy.LITERAL, BenchmarkPolicy.REPLAY, BenchmarkPolicy.MODEL)
"""What the appliance itself may be asked for."""
MODEL_POLICIES = (BenchmarkPolicy.MODEL, BenchmarkPolicy.BROWSER_USE)
"""Those that ask a model."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Setup(_Model):
    """What is measured; only results of the same suite version compare."""

    suite: str
    suite_version: str
    policy: BenchmarkPolicy
    model: str = ""
    """Name of the model, with its adapter; empty: none is asked."""
    prompts: str = ""
    """Version of those that the model is asked with."""
    provision: str = "auto"
    """`off`: nothing is made of what tasks need."""
    runs: int
    seed: int
    tasks: tuple[str, ...]
    """Ids, in order."""


class Trial(_Model):
    """One task, once."""

    task: str
    run: int
    """From 1."""
    release: str
    product: str
    language: str
    level: Level | None = None
    split: Split | None = None
    """None, of both: what is tried has none."""
    needs: bool | None = None
    """Whether something has to be made for it; None: nobody knows."""
    success: bool
    """Whether the audit log has what the rules want, and nothing else counts."""
    verdict: Verdict | None = None
    """None: it was a single step."""
    reason: str
    """What the audit rules say, or why there was nothing to ask."""
    blame: Blame | None = None
    """None: it succeeded."""
    shape: Shape | None = None
    way: str = ""
    """In which way it was carried out, where that is what is measured."""
    label: bool | None = None
    """Whether it is known to have reached the goal; None: that is what is asked."""
    said: dict[str, bool | None] = {}
    """Of a labelled attempt: whether the goal was reached, by who says so; None: cannot tell."""
    counts: dict[str, int] = {}
    """What else is counted, where sums say something."""
    cost: Cost = Cost()
    trajectory: ArtifactRef | None = None


class Part(_Model):
    """One run over the tasks of one release: what the engine carries out."""

    run: int
    release: str
    run_id: str = ""
    """The engine's; empty: not begun."""
    is_over: bool = False


class BenchmarkResult(_Model):
    """All that is kept of a benchmark."""

    schema_version: Literal[1] = 1
    id: str
    figures: dict[str, float] = {}
    """The chief ones once it is over: what pages show that know nothing of benchmarks."""
    appliance_version: str
    commit: str
    setup: Setup
    started_at: datetime
    ended_at: datetime | None = None
    was_interrupted: bool = False
    """Whether it went on in another process: its time then says nothing."""
    parts: tuple[Part, ...]
    trials: tuple[Trial, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether every task was tried in every run."""
        return all(part.is_over for part in self.parts)

    def of_run(self, run: int) -> tuple[Trial, ...]:
        """The trials of one run."""
        return tuple(trial for trial in self.trials if trial.run == run)

    def write(self, folder: Path) -> Path:
        """Write the result and return its file."""
        folder.mkdir(parents=True, exist_ok=True)
        return write_whole(folder / f"{self.id}.json", self.model_dump_json(indent=1) + "\n")


def read_result(file: Path) -> BenchmarkResult:
    """A result that was kept; `SetupError` where the file holds none."""
    try:
        return BenchmarkResult.model_validate_json(file.read_bytes())
    except OSError as exc:
        raise SetupError(f"cannot read {file}: {exc.strerror or exc}") from exc
    except ValidationError as exc:
        raise SetupError(
            f"{file} is no result of `appliance bench run`: {_first_problem(exc)}"
        ) from exc


def result_in(content: object) -> BenchmarkResult | None:
    """A result in JSON that was read; None: it is none."""
    try:
        return BenchmarkResult.model_validate(content)
    except ValidationError:
        return None


def all_results(folder: Path) -> tuple[BenchmarkResult, ...]:
    """Those in a folder, newest first; results of other benchmarks there are left out."""
    results = []
    for file in folder.glob("*.json"):
        try:
            results.append(read_result(file))
        except SetupError:
            continue
    return tuple(sorted(results, key=lambda result: result.started_at, reverse=True))


def find_result(folder: Path, id_or_file: str) -> BenchmarkResult:
    """The result whose id begins so, or that a file holds.

    Raises:
        SetupError: There is none, or more than one.
    """
    if (file := Path(id_or_file)).suffix == ".json":
        return read_result(file)
    results = all_results(folder)
    matches = [result for result in results if result.id == id_or_file] or [
        result for result in results if result.id.startswith(id_or_file)
    ]
    if len(matches) == 1:
        return matches[0]
    ids = ", ".join(result.id for result in (matches or results)[:5]) or "none yet"
    how_many = f"{len(matches)} results begin with" if matches else "there is no result"
    raise SetupError(f"{how_many} {id_or_file!r}; `appliance bench show` lists them: {ids}")


def unfinished(folder: Path, setup: Setup) -> BenchmarkResult | None:
    """An interrupted benchmark of the same setup: it goes on."""
    same_setup: Sequence[BenchmarkResult] = [
        result for result in all_results(folder) if result.setup == setup
    ]
    return next((one for one in same_setup if not one.is_over), None)


def _first_problem(error: ValidationError) -> str:
    problem = error.errors()[0]
    return f"{'.'.join(map(str, problem['loc'])) or 'the file'}: {problem['msg']}"
