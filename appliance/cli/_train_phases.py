"""`appliance train phases`: phases of attempts, tasks made of what failed, and training."""

from dataclasses import dataclass
from pathlib import Path

import click

from appliance.cli._app import CLEAN, Invocation, pass_invocation
from appliance.cli._options import base_option, collect_options
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.cli._phase_operations import LocalOperations, check_form_of_update, options_of_update
from appliance.cli._phase_plan import plan_command
from appliance.cli._summary import counted
from appliance.cli._train_runs import base_of, percent
from appliance.config import Settings
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.training.phases.record import (
    PhaseRecord,
    Series,
    Stage,
    all_series,
    find_series,
    new_series,
)
from appliance.training.phases.runner import PhaseRunner
from appliance.training.phases.shown import series_facts
from appliance.training.runs import facts_of
from appliance.training.supervision import trainer_python


@click.group("phases")
def phases_command() -> None:
    """Train in phases: attempts, tasks made of what failed, an update, validation.

    `training.phases` of the settings says which parts a phase has, and how large it is.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class _Arguments:
    dataset: Path
    base: Path | None
    begin_with: Path | None
    count: int | None


@phases_command.command("run")
@click.option(
    "--dataset",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="As `appliance train collect` writes it: its held-out questions are asked on the way.",
)
@base_option
@click.option(
    "--begin-with",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the adapter that the first phase begins with.",
)
@click.option("--count", type=click.IntRange(1), help="Phases. [training.phases.count]")
@json_option
@pass_invocation
@collect_options(_Arguments)
def run_command(invocation: Invocation, arguments: _Arguments, as_json: bool) -> int:
    """Begin, and carry on to the end or until Ctrl-C; `resume` goes on."""
    settings = invocation.settings()
    settings_of_phases = settings.training.phases
    if arguments.count:
        settings_of_phases = settings_of_phases.model_copy(update={"count": arguments.count})
    weights = base_of(arguments.base, settings)
    adapter = _adapter(arguments.begin_with)
    check_form_of_update(options_of_update(settings_of_phases, adapter), settings)
    facts_of(arguments.dataset)
    if settings_of_phases.update != "rehearsal":
        trainer_python(settings)  # before anything is written
    series = new_series(
        settings.data_dir,
        settings_of_phases,
        weights,
        arguments.dataset,
        adapter,
        SystemClock().now(),
    )
    talk(f"Phases {series.file.id}; their folder is {series.folder}")
    return _carry_on(series, settings, as_json=as_json)


@phases_command.command("resume")
@click.argument("series", default="")
@json_option
@pass_invocation
def resume_command(invocation: Invocation, series: str, as_json: bool) -> int:
    """Go on with the stage that was not ended: of the newest, where none is named."""
    settings = invocation.settings()
    series_to_resume = find_series(settings.data_dir, series)
    if series_to_resume.is_over:
        raise SetupError(f"{series_to_resume.file.id} is over: there is nothing to go on with")
    return _carry_on(series_to_resume, settings, as_json=as_json)


@phases_command.command("show")
@click.argument("series", default="")
@json_option
@pass_invocation
def show_command(invocation: Invocation, series: str, as_json: bool) -> None:
    """Show phases with their figures, and every task that was made: kept, or why not."""
    _show(find_series(invocation.settings().data_dir, series), as_json=as_json)


@phases_command.command("list")
@json_option
@pass_invocation
def list_command(invocation: Invocation, as_json: bool) -> None:
    """List all trainings in phases, newest first."""
    series = all_series(invocation.settings().data_dir)
    if as_json:
        write_json([series_facts(entry) for entry in series])
        return
    rows = [(entry.file.id, len(entry.phases()), entry.file.settings.count) for entry in series]
    print_table(("phases", "begun", "of"), rows, right=("begun", "of"))


phases_command.add_command(plan_command)


def _adapter(folder: Path | None) -> str:
    if folder is None:
        return ""
    if not (folder / "adapter_config.json").is_file():
        raise SetupError(f"--begin-with {folder}: there is no adapter")
    return str(folder.resolve())


def _carry_on(series: Series, settings: Settings, *, as_json: bool) -> int:
    def tell(number: int, stage: Stage) -> None:
        talk(f"Phase {number} of {series.file.settings.count}: {stage.replace('_', ' ')}")

    PhaseRunner(series, LocalOperations(series, settings), SystemClock(), tell).run()
    _show(series, as_json=as_json)
    return CLEAN


def _show(series: Series, *, as_json: bool) -> None:
    if as_json:
        write_json(series_facts(series))
        return
    for phase in series.phases():
        click.echo(f"Phase {phase.number}: {_how_far(phase)}")
        rows = [
            (
                task.how,
                task.id,
                percent(task.estimate.share if task.estimate else None),
                task.left_out,
            )
            for task in phase.made
        ]
        if rows:
            print_table(("made", "task", "right", "left out"), rows, right=("right",))
        kept_count = sum(not task.left_out for task in phase.made)
        made = counted(len(phase.made), "task")
        talk(f"{made} made, {kept_count} kept; learnt from: {len(phase.kept)}.")


def _how_far(record: PhaseRecord) -> str:
    decision = record.decision
    if decision is None:
        return f"at {record.stage}".replace("_", " ")
    summary = f"pass@1 {decision.pass_before:.1%} → {decision.pass_after:.1%}; {decision.sentence}"
    if decision.untruths:
        found = f"{decision.found_before} → {decision.found_after}"
        summary += f" Untruths found: {found} of {decision.untruths}."
    against = "; ".join(decision.against)
    return f"{summary} {f'Not better: {against}' if against else 'It is better.'}"
