"""What is kept of a training in phases: a folder, a file for what was asked, one for each phase."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance import __version__
from appliance.config import PhaseSettings
from appliance.core.build import commit
from appliance.core.errors import SetupError
from appliance.system.files import try_lock, unlock, write_whole
from appliance.training.runs import find_by_id

FOLDER = Path("training", "phases")
"""In the data folder."""
_SERIES, _PHASE, _LOCK = "series.json", "phase.json", "lock"


class Stage(StrEnum):
    """What a phase does, in this order."""

    PLAN = "plan"
    ROLL_OUT = "roll_out"
    LABEL = "label"
    GENERATE = "generate"
    FILTER = "filter"
    TRAIN = "train"
    VALIDATE = "validate"
    DECIDE = "decide"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


RecordModel = TypeVar("RecordModel", bound=_Model)


class Estimate(_Model):
    """How often a task was got right."""

    right: int
    tried: int
    """That count."""
    left_out: int = 0
    """In which the environment was in the way, or nobody knows."""

    @property
    def share(self) -> float | None:
        """None: none of them counts."""
        return self.right / self.tried if self.tried else None


class MadeTask(_Model):
    """A task that a phase made, and what became of it."""

    id: str
    how: str
    """Which rule made it."""
    made_from: tuple[str, ...]
    """Ids of tasks."""
    note: str = ""
    left_out: str = ""
    """Why; empty: it is learnt from."""
    estimate: Estimate | None = None


class PhaseDecision(_Model):
    """Whether a phase is better than what it began with."""

    against: tuple[str, ...]
    """Why it is not; empty: it is."""
    sentence: str
    """The paired interval of pass@1, in words."""
    pass_before: float
    """Share of held-out tasks that the old policy does."""
    pass_after: float
    """The same, of the new policy."""
    low: float
    """Lower bound of the difference: the paired interval of 95 %."""
    high: float
    """Its upper bound."""
    untruths: int
    """Untrue sentences in the held-out tasks, over all runs."""
    found_before: int
    """Of them found by the old policy."""
    found_after: int
    """Of them found by the new one."""
    alarms_before: int
    """False findings of the old policy."""
    alarms_after: int
    """False findings of the new one."""
    stops: bool
    """Whether no further phase follows."""
    is_promoted: bool
    """Whether it is served from then on."""


class PhaseRecord(_Model):
    """One phase, as far as it is."""

    schema_version: Literal[1] = 1
    number: int
    adapter: str
    """Folder of that which it begins with; empty: the base itself."""
    ended: dict[Stage, datetime] = {}
    """Stages that are over."""
    seeds: tuple[str, ...] = ()
    """Ids of the tasks that are tried first."""
    estimates: dict[str, Estimate] = {}
    """Of these."""
    made: tuple[MadeTask, ...] = ()
    kept: tuple[str, ...] = ()
    """Tasks that are learnt from."""
    training: str = ""
    """Id of its run."""
    trained: str = ""
    """Folder of the adapter that came of it."""
    decision: PhaseDecision | None = None

    @property
    def stage(self) -> Stage | None:
        """What it is at; None: it is over."""
        return next((stage for stage in Stage if stage not in self.ended), None)


class SeriesFile(_Model):
    """What was asked for."""

    schema_version: Literal[1] = 1
    id: str
    begun_at: datetime
    base: str
    """Folder of weights."""
    dataset: str
    """Whose held-out questions are asked on the way."""
    adapter: str
    """Folder of that which the first phase begins with; empty: none."""
    settings: PhaseSettings
    appliance: str
    commit: str


@dataclass(frozen=True, slots=True)
class Series:
    """Phases, one after the other."""

    folder: Path
    file: SeriesFile

    def folder_of(self, number: int) -> Path:
        """Where a phase keeps what it makes."""
        return self.folder / str(number)

    def phases(self) -> tuple[PhaseRecord, ...]:
        """Those that were begun, in order."""
        files = sorted(self.folder.glob(f"*/{_PHASE}"), key=lambda one: int(one.parent.name))
        return tuple(_read(PhaseRecord, file) for file in files)

    def keep(self, record: PhaseRecord) -> None:
        """Write down how far a phase is."""
        folder = self.folder_of(record.number)
        folder.mkdir(exist_ok=True)
        write_whole(folder / _PHASE, record.model_dump_json(indent=1) + "\n")

    @property
    def is_over(self) -> bool:
        """Whether no phase is left."""
        phases = self.phases()
        last = phases[-1].decision if phases else None
        return last is not None and (last.stops or len(phases) >= self.file.settings.count)

    @property
    def is_running(self) -> bool:
        """Whether a process works on it."""
        with (self.folder / _LOCK).open("a") as file:
            return not try_lock(file)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else works on it; `SetupError`: somebody does."""
        with (self.folder / _LOCK).open("a") as file:
            if not try_lock(file):
                raise SetupError(f"{self.file.id} runs already")
            try:
                yield
            finally:
                unlock(file)


def new_series(
    data_dir: Path, settings: PhaseSettings, base: Path, dataset: Path, adapter: str, now: datetime
) -> Series:
    """Lay out the folder.

    Raises:
        SetupError: It cannot be written.
    """
    file = SeriesFile(
        id=f"{now:%Y%m%d-%H%M%S}-phases",
        begun_at=now,
        base=str(base.resolve()),
        dataset=str(dataset.resolve()),
        adapter=adapter,
        settings=settings,
        appliance=__version__,
        commit=commit(),
    )
    folder = data_dir / FOLDER / file.id
    try:
        folder.mkdir(parents=True)
        write_whole(folder / _SERIES, file.model_dump_json(indent=1) + "\n")
    except OSError as exc:
        raise SetupError(f"{folder} cannot be written: {exc.strerror or exc}") from exc
    return Series(folder, file)


def all_series(data_dir: Path) -> tuple[Series, ...]:
    """All of them, newest first."""
    files = sorted((data_dir / FOLDER).glob(f"*/{_SERIES}"), reverse=True)
    return tuple(Series(file.parent, _read(SeriesFile, file)) for file in files)


def find_series(data_dir: Path, id_prefix: str) -> Series:
    """The one whose id begins with `id_prefix`; the newest if that is empty.

    Raises:
        SetupError: There is none, or more than one.
    """
    known_series = all_series(data_dir)
    return find_by_id(known_series, id_prefix, lambda series: series.file.id, "trainings in phases")


def _read(kind: type[RecordModel], file: Path) -> RecordModel:
    try:
        return kind.model_validate_json(file.read_bytes())
    except ValidationError as exc:
        first_error = exc.errors()[0]
        raise SetupError(f"{file}: {first_error['loc']}: {first_error['msg']}") from None
