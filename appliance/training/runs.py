"""Runs of a training: a folder each, which says all about it."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance import __version__
from appliance.core.build import commit
from appliance.core.errors import SetupError
from appliance.engine.promoted import base_digest
from appliance.system.files import try_lock, write_whole
from appliance.training.card import format_counts
from appliance.training.child.folder import ADAPTER, CURVES, RUN, STATUS, STOP
from appliance.training.dataset import FACTS
from appliance.training.update_options import KlOptions, UpdateOptions

SCHEMA_VERSION: Literal[1] = 1
LOCK = "lock"
_PUT_OFF = "put-off"
T = TypeVar("T")
RUNS = Path("training", "runs")
"""In the data folder."""

Kind = Literal["sft", "grpo", "live", "kl", "dpo", "judge", "rehearsal"]
State = Literal["waiting", "running", "stopped", "done", "failed", "died"]


class RunFile(BaseModel):
    """What is to be done: `run.json`."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    schema_version: Literal[1] = SCHEMA_VERSION
    id: str
    kind: Kind
    base: str
    """Folder of weights."""
    base_digest: str
    """Of what it says of itself: another model in its place is not gone on with."""
    dataset: str
    """Its folder."""
    dataset_files: dict[str, str]
    """SHA-256 of its files."""
    settings: dict[str, Any]  # Any: options of its kind
    begun_at: datetime
    appliance: str
    commit: str


class RunStatus(BaseModel):
    """How far it is: `status.json`."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    state: State = "waiting"
    step: int = 0
    of: int = 0
    best: float | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """One run."""

    folder: Path
    file: RunFile

    @property
    def status(self) -> RunStatus:
        """How far it is now; `died`: nobody works on it, and it did not end."""
        try:
            status = RunStatus.model_validate_json((self.folder / STATUS).read_bytes())
        except (FileNotFoundError, ValidationError):
            status = RunStatus()
        if status.state == "waiting" and self.is_put_off:
            return status
        is_open = status.state in ("waiting", "running")
        return (
            status.model_copy(update={"state": "died"}) if is_open and self._is_unlocked else status
        )

    @property
    def is_put_off(self) -> bool:
        """Whether schedules of job `training` carry it on."""
        return (self.folder / _PUT_OFF).exists()

    def put_off(self) -> None:
        """Have schedules of job `training` carry it on, until it is done."""
        write_whole(self.folder / _PUT_OFF, "")

    def put_off_no_longer(self) -> None:
        """Stop schedules from carrying it on."""
        (self.folder / _PUT_OFF).unlink(missing_ok=True)

    @property
    def _is_unlocked(self) -> bool:
        with (self.folder / LOCK).open("a") as file:
            return try_lock(file)

    @property
    def adapter(self) -> Path:
        """Where the best adapter is, once it is done."""
        return self.folder / ADAPTER

    def curves(self) -> list[Mapping[str, float]]:
        """What was measured on the way, a line a step and kind."""
        file = self.folder / CURVES
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [json.loads(line) for line in lines]

    def tell(self, status: RunStatus) -> None:
        """Write the status on behalf of a trainer process that is gone."""
        write_whole(self.folder / STATUS, status.model_dump_json())

    def keep_decision(self, decision: Mapping[str, object]) -> None:
        """Why its adapter was promoted, or was not."""
        text = json.dumps(decision, ensure_ascii=False, indent=1)
        write_whole(self.folder / "decision.json", text)

    def ask_to_stop(self) -> None:
        """Ask the trainer to write a checkpoint and stop after the current step."""
        write_whole(self.folder / STOP, "")

    def forget_stop(self) -> None:
        """Withdraw a request to stop."""
        (self.folder / STOP).unlink(missing_ok=True)


def new_run(
    data_dir: Path,
    *,
    kind: Kind,
    base: Path,
    dataset: Path,
    settings: BaseModel,
    threads: int,
    now: datetime,
) -> TrainingRun:
    """Lay out the folder of a new run.

    Raises:
        SetupError: Base or dataset is not there, or there is nothing to learn from.
    """
    facts = facts_of(dataset)
    run_id = f"{now:%Y%m%d-%H%M%S}-{kind}"
    file = RunFile(
        id=run_id,
        kind=kind,
        base=str(base.resolve()),
        base_digest=base_digest(base),
        dataset=str(dataset.resolve()),
        dataset_files=facts["files"],
        settings={**settings.model_dump(mode="json"), "threads": threads},
        begun_at=now,
        appliance=__version__,
        commit=commit(),
    )
    folder = data_dir / RUNS / run_id
    try:
        folder.mkdir(parents=True)
        write_whole(folder / RUN, file.model_dump_json(indent=1))
    except FileExistsError:
        raise SetupError(f"a training was begun in this very second: {folder}") from None
    except OSError as exc:
        raise SetupError(f"{folder} cannot be written: {exc.strerror or exc}") from exc
    return TrainingRun(folder, file)


def all_runs(data_dir: Path) -> tuple[TrainingRun, ...]:
    """All of them, newest first."""
    folders = sorted((data_dir / RUNS).glob(f"*/{RUN}"), reverse=True)
    return tuple(_read_run(file.parent) for file in folders)


def find_run(data_dir: Path, id_prefix: str) -> TrainingRun:
    """The one whose id begins with `id_prefix`; the newest if that is empty.

    Raises:
        SetupError: There is none, or more than one.
    """
    return find_by_id(all_runs(data_dir), id_prefix, lambda run: run.file.id, "trainings")


def find_by_id(
    newest_first: Sequence[T], id_prefix: str, id_of: Callable[[T], str], kind: str
) -> T:
    """The only item whose id begins with `id_prefix`; the newest if that is empty.

    Args:
        newest_first: The items to search.
        id_prefix: The beginning of an id.
        id_of: Returns the id of an item.
        kind: Plural noun for the items, for messages.

    Raises:
        SetupError: There is none, or more than one.
    """
    matches = [item for item in newest_first if id_of(item).startswith(id_prefix)]
    if len(matches) == 1 or (matches and not id_prefix):
        return matches[0]
    names = ", ".join(map(id_of, newest_first[:5])) or "none yet"
    raise SetupError(f"{len(matches)} {kind} begin with {id_prefix!r}; there are {names}")


def _read_run(folder: Path) -> TrainingRun:
    try:
        return TrainingRun(folder, RunFile.model_validate_json((folder / RUN).read_bytes()))
    except ValidationError as exc:
        first_error = exc.errors()[0]
        raise SetupError(f"{folder / RUN}: {first_error['loc']}: {first_error['msg']}") from None


def check_unchanged(run: TrainingRun) -> None:
    """Raise where what the run was begun with is not there any more.

    Raises:
        SetupError: Another base, or another dataset.
    """
    if base_digest(Path(run.file.base)) != run.file.base_digest:
        raise SetupError(f"{run.file.base} is not the base that {run.file.id} was begun with")
    if facts_of(Path(run.file.dataset))["files"] != run.file.dataset_files:
        raise SetupError(f"{run.file.dataset} is not the dataset that {run.file.id} was begun with")


def facts_of(dataset: Path) -> Mapping[str, Any]:  # Any: JSON
    """What a dataset says of itself.

    Raises:
        SetupError: It is none.
    """
    try:
        facts: Mapping[str, Any] = json.loads((dataset / FACTS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise SetupError(
            f"{dataset} is no dataset: it has no {FACTS}. `appliance train collect` makes one."
        ) from None
    return facts


def check_samples(facts: Mapping[str, Any], form: str, role: str) -> None:
    """Raise where a dataset has nothing of what is wanted."""
    for name, counts in facts["samples"].items():
        if not counts["form"].get(form) or not counts["role"].get(role):
            raise SetupError(
                f"{name} has no sample of form {form} for the {role}: it has"
                f" {format_counts(counts['form'], 'nothing')};"
                f" {format_counts(counts['role'], 'nothing')}"
            )


def check_form(options: UpdateOptions, served: str, option_prefix: str) -> None:
    """Raise where what is learnt, examined and served is not of one form of questions.

    Attempts are kept as tokens, which do not tell their form; a training in the live console does.

    Args:
        options: Of the update.
        served: The form in which the agent asks (`agent.form`).
        option_prefix: How the option is said (`--set form=`), up to its value.

    Raises:
        SetupError: It is not.
    """
    form = options.form.value
    folders = (*options.rollouts, *(options.replay if isinstance(options, KlOptions) else ()))
    for folder, attempts_form in ((path, _form_of(Path(path))) for path in folders):
        if attempts_form and {attempts_form} != {form, served}:
            raise SetupError(
                f"{folder} has attempts of form {attempts_form}, form is {form}, and agent.form is"
                f" {served}: what is learnt, examined and served has to be of one form. Say"
                f" {option_prefix}{attempts_form}, and agent.form: {attempts_form} in the settings;"
                f" or name attempts of form {served}"
            )
    if form != served:
        raise SetupError(
            f"form is {form}, and agent.form is {served}: the adapter would be asked in a form that"
            f" it has not learnt. Say {option_prefix}{served}, or agent.form: {form} in the"
            " settings"
        )


def _form_of(folder: Path) -> str:
    """Of the questions in a training's attempts; empty: nobody says, as of those of a phase."""
    has_run_file = (folder / RUN).is_file()
    return str(_read_run(folder).file.settings.get("form", "")) if has_run_file else ""


def best_of(curves: Sequence[Mapping[str, float]], name: str) -> tuple[float, float] | None:
    """First and best value of a figure; None: it was not measured."""
    values = [line[name] for line in curves if name in line]
    return (values[0], max(values)) if values else None
