"""`appliance train sft`, `grpo`, `resume`, `stop`, `status`, `list`: trainings, a folder each."""

import asyncio
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import click

from appliance.benchmark.by_engine import Baseline
from appliance.benchmark.suite import drifts_of
from appliance.cli._app import CLEAN, COULD_NOT_RUN, Invocation, pass_invocation
from appliance.cli._bench_runs import on_practice, practice_console
from appliance.cli._local import carry_out_run
from appliance.cli._options import base_option, collect_options, options
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.config import ConsoleSettings, ModelSettings, Settings
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.jsonable import json_object
from appliance.core.result import ProcedureResult
from appliance.engine.engine import EngineOptions
from appliance.engine.request import RunRequest
from appliance.training.attempts import CarryOut
from appliance.training.live import (
    live_tasks,
    open_rollout_service,
    options_of_run,
    validation_tasks,
)
from appliance.training.options import (
    CommonOptions,
    GrpoOptions,
    LiveOptions,
    SftOptions,
    options_of,
)
from appliance.training.outcomes import OutcomeModel
from appliance.training.runs import (
    Kind,
    RunStatus,
    TrainingRun,
    all_runs,
    best_of,
    check_samples,
    check_unchanged,
    facts_of,
    find_run,
    new_run,
)
from appliance.training.supervision import train, trainer_python

EXACT = "eval_exact_action"
_LATER = "Only when a schedule of job `training` says so, while the server has nothing else to do."

Reinforced = TypeVar("Reinforced", bound=GrpoOptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingArguments:
    """The options that all kinds of training share."""

    dataset: Path
    base: Path | None
    said: tuple[str, ...]
    later: bool
    as_json: bool


training_options = options(
    click.option(
        "--dataset",
        required=True,
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="As `appliance train collect` writes it.",
    ),
    base_option,
    click.option("--set", "said", multiple=True, metavar="NAME=VALUE", help="An option."),
    click.option("--later", is_flag=True, help=_LATER),
    json_option,
)
"""The options of `TrainingArguments`."""


@click.command("sft")
@training_options
@pass_invocation
@collect_options(TrainingArguments)
def sft_command(invocation: Invocation, arguments: TrainingArguments) -> int:
    """Fine-tune on the answers of a dataset, until its end or Ctrl-C; `resume` goes on.

    The loss is on the answers only. Held-out questions are asked on the way: the adapter that
    answers the most of them with exactly the right action is the one that is kept.
    """
    options = options_of(SftOptions, arguments.said)
    return begin(invocation.settings(), "sft", arguments, options)


@click.command("grpo")
@training_options
@pass_invocation
@collect_options(TrainingArguments)
def grpo_command(invocation: Invocation, arguments: TrainingArguments) -> int:
    """Reinforce right answers to the questions of a dataset, until its end or Ctrl-C.

    Groups of answers to each question are rewarded: for exactly the right action, for untruths that
    are noted, against false ones; the better ones of a group become likelier. `begin_with` names
    the adapter of an earlier training.
    """
    options = _with_resolved_adapter(options_of(GrpoOptions, arguments.said))
    return begin(invocation.settings(), "grpo", arguments, options)


@click.command("live")
@training_options
@pass_invocation
@collect_options(TrainingArguments)
def live_command(invocation: Invocation, arguments: TrainingArguments) -> int:
    """Reinforce attempts in the live console that the audit log says reached their goal.

    Groups of attempts at the same tasks of a benchmark, in a practice cloud that is in its first
    state for every step; the policy is pushed to a policy server before each. The dataset's
    held-out questions say which adapter is the best. `begin_with` names the one to begin with.
    """
    options = _with_resolved_adapter(options_of(LiveOptions, arguments.said))
    live_tasks(options)  # before anything is written
    if options.outcome_model:
        OutcomeModel.of(Path(options.outcome_model))
        resolved = {"outcome_model": str(Path(options.outcome_model).resolve())}
        options = options.model_copy(update=resolved)
    return begin(invocation.settings(), "live", arguments, options)


def _with_resolved_adapter(options: Reinforced) -> Reinforced:
    """Resolve the adapter to begin with to an absolute path."""
    if not options.begin_with:
        return options
    return options.model_copy(update={"begin_with": adapter_at(options.begin_with)})


def adapter_at(begin_with: str) -> str:
    """Return the absolute path of an adapter's folder.

    Raises:
        SetupError: There is none.
    """
    folder = Path(begin_with)
    if not (folder / "adapter_config.json").is_file():
        raise SetupError(f"begin_with={begin_with}: there is no adapter")
    return str(folder.resolve())


@click.command("resume")
@click.argument("run", default="")
@click.option("--later", is_flag=True, help=_LATER)
@json_option
@pass_invocation
def resume_command(invocation: Invocation, run: str, later: bool, as_json: bool) -> int:
    """Go on with a training from its last checkpoint: the newest, where none is named."""
    settings = invocation.settings()
    training = find_run(settings.data_dir, run)
    if training.status.state == "done":
        raise SetupError(f"{training.file.id} is done: there is nothing to go on with")
    return _carry_on(training, settings, later=later, as_json=as_json)


@click.command("stop")
@click.argument("run", default="")
@json_option
@pass_invocation
def stop_command(invocation: Invocation, run: str, as_json: bool) -> int:
    """Have a training end with a checkpoint after its step; what was put off waits no longer."""
    training = find_run(invocation.settings().data_dir, run)
    state = training.status.state
    if state not in ("waiting", "running") and not training.is_put_off:
        raise SetupError(f"{training.file.id} does not run: it is {state}")
    training.put_off_no_longer()
    training.ask_to_stop()
    if as_json:
        write_json({"id": training.file.id})
    else:
        effect = "ends after the step that it is at" if state == "running" else "waits no longer"
        talk(f"{training.file.id} {effect}.")
    return CLEAN


@click.command("status")
@click.argument("run", default="")
@json_option
@pass_invocation
def status_command(invocation: Invocation, run: str, as_json: bool) -> None:
    """Say how far a training is, and what was measured."""
    training = find_run(invocation.settings().data_dir, run)
    if as_json:
        write_json(_as_json(training) | {"curves": training.curves()})
    else:
        _show(training)


@click.command("list")
@json_option
@pass_invocation
def list_command(invocation: Invocation, as_json: bool) -> None:
    """List all trainings, newest first."""
    runs = all_runs(invocation.settings().data_dir)
    if as_json:
        write_json([_as_json(run) for run in runs])
        return
    states = [(run, run.status) for run in runs]
    rows = [(r.file.id, s.state, f"{s.step}/{s.of}", percent(s.best)) for r, s in states]
    print_table(("training", "state", "step", "exact"), rows, right=("step", "exact"))


COMMANDS = (
    sft_command,
    grpo_command,
    live_command,
    resume_command,
    stop_command,
    status_command,
    list_command,
)


def base_of(weights_option: Path | None, settings: Settings) -> Path:
    """Return the folder of the weights to train.

    Raises:
        SetupError: Neither the option nor the settings name any.
    """
    weights = weights_option or settings.model.weights
    if weights is None:
        raise SetupError("there is no base to train: name one with --base, or set model.weights")
    return weights


def begin(
    settings: Settings, kind: Kind, arguments: TrainingArguments, options: CommonOptions
) -> int:
    """Create a training and run it to its end, unless it is put off."""
    weights = base_of(arguments.base, settings)
    check_samples(facts_of(arguments.dataset), options.form, options.role)
    trainer_python(settings)  # before anything is written
    run = new_run(
        settings.data_dir,
        kind=kind,
        base=weights,
        dataset=arguments.dataset,
        settings=options,
        threads=settings.training.threads,
        now=SystemClock().now(),
    )
    return _carry_on(run, settings, later=arguments.later, as_json=arguments.as_json)


def _carry_on(run: TrainingRun, settings: Settings, *, later: bool, as_json: bool) -> int:
    if later:
        run.put_off()
        talk(f"Training {run.file.id} waits for its time; its folder is {run.folder}")
        if not any(
            schedule.job == "training" and schedule.is_enabled
            for schedule in settings.schedules.values()
        ):
            talk("No schedule has the job `training` yet: docs/training.md shows one.")
    else:
        talk(f"Training {run.file.id}; its folder is {run.folder}")
        asyncio.run(until_stopped(run, settings))
    if as_json:
        write_json(_as_json(run))
    else:
        _show(run)
    return CLEAN if later or run.status.state == "done" else COULD_NOT_RUN


async def until_stopped(run: TrainingRun, settings: Settings) -> None:
    """Train until the end; SIGTERM and Ctrl-C end it with a checkpoint."""
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - for the type checker: asyncio.run made one
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await carry_on(run, settings, lambda status: talk(f"step {status.step} of {status.of}"))


async def carry_on(
    run: TrainingRun, settings: Settings, tell: Callable[[RunStatus], None]
) -> RunStatus:
    """Train until the end, or until it is asked to stop or cancelled; see `train`."""
    if run.file.kind == "rehearsal":  # needs nothing of what trains
        return await train(run, settings, Path(sys.executable), tell)
    python = await asyncio.to_thread(trainer_python, settings)
    if run.file.kind != "live":
        return await train(run, settings, python, tell)
    check_unchanged(run)
    options = options_of_run(run)
    drifts = drifts_of((*live_tasks(options), *validation_tasks(options)))
    carry_out = in_practice(settings, run.folder, drifts, options)
    async with open_rollout_service(run, settings, carry_out) as service:
        return await train(run, settings, python, tell, service)


def in_practice(
    settings: Settings, folder: Path, drifts: Mapping[str, Path], options: LiveOptions
) -> CarryOut:
    """Return a function that makes attempts in new practice clouds, with data in `folder`."""

    async def carry_out(
        request: RunRequest, release: str, baseline: Baseline
    ) -> Sequence[ProcedureResult]:
        practice = practice_of(settings, folder, practice_console(release, drifts), options)
        engine = EngineOptions(warn=lambda _: None, is_open=True, baseline=baseline)
        return (await carry_out_run(practice, request, engine)).procedures

    return carry_out


def practice_of(
    settings: Settings, folder: Path, console: ConsoleSettings, options: LiveOptions
) -> Settings:
    """Settings of attempts in a practice cloud that is started for them."""
    in_practice_cloud = on_practice(settings, folder, options.jobs, console)
    limited = in_practice_cloud.verification.model_copy(update={"max_actions": options.max_actions})
    no_model = ModelSettings()  # the one that acts is asked by the attempts themselves
    return in_practice_cloud.model_copy(update={"verification": limited, "model": no_model})


def _show(run: TrainingRun) -> None:
    status = run.status
    click.echo(f"{run.file.id}: {status.state}, step {status.step} of {status.of}")
    if status.why:
        click.echo(status.why)
    for name, meaning in (("eval_loss", "held-out loss"), (EXACT, "exact actions")):
        values = [line[name] for line in run.curves() if name in line]
        if values:
            click.echo(f"{meaning}: {' → '.join(f'{value:.3f}' for value in values)}")
    if status.state == "done":
        click.echo(f"adapter: {run.adapter}")


def _as_json(run: TrainingRun) -> dict[str, object]:
    best = best_of(run.curves(), EXACT)
    return {
        "id": run.file.id,
        "folder": str(run.folder),
        "run": run.file.model_dump(mode="json"),
        "status": json_object(run.status.model_dump()),
        "exact_action": {"first": best[0], "best": best[1]} if best else None,
        "adapter": str(run.adapter) if run.adapter.is_dir() else None,
    }


def percent(share: float | None) -> str:
    """`42%`; empty: there is none."""
    return "" if share is None else f"{share:.0%}"
