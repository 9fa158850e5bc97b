"""`appliance train`: fine-tunes the agent's model on what attempts have seen."""

from collections.abc import Mapping
from pathlib import Path

import click

from appliance.cli._app import CLEAN, Invocation, Noun, pass_invocation
from appliance.cli._collecting import AttemptSelection, collect_attempts
from appliance.cli._options import collect_options
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.cli._summary import counted
from appliance.cli._train_environment import environment_command
from appliance.cli._train_judge import JUDGING
from appliance.cli._train_phases import phases_command
from appliance.cli._train_plan import plan_command
from appliance.cli._train_promotion import PROMOTION_COMMANDS
from appliance.cli._train_runs import COMMANDS
from appliance.cli._train_updates import UPDATES
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.training.built import SampleSource
from appliance.training.collect import Collected, write_collection
from appliance.training.kinds import PromptForm


@click.group("train", cls=Noun)
def command() -> None:
    """Fine-tune the agent's model on this console: collect, train, measure, promote."""


_COMMANDS = (
    *COMMANDS, *UPDATES, *JUDGING,
    phases_command, plan_command, environment_command, *PROMOTION_COMMANDS,
)  # fmt: skip
for subcommand in _COMMANDS:
    command.add_command(subcommand)


@command.command("collect")
@click.option("--console", metavar="NAME", help="Console of the settings.")
@click.option("--run", "runs", multiple=True, metavar="ID", help="Only attempts of this run.")
@click.option(
    "--form",
    "forms",
    multiple=True,
    type=click.Choice([form.value for form in PromptForm]),
    help="How questions are put: as the agent asks them, or short, for small models. [both]",
)
@click.option(
    "--built",
    multiple=True,
    type=click.Choice([kind.value for kind in SampleSource]),
    help="Also what is built by rule from all pages that were seen: what a page is, single"
    " operations, which element is meant.",
)
@click.option(
    "--outcomes",
    is_flag=True,
    help="Also whether attempts got there, of which the audit log said so: for `train judge`.",
)
@click.option("--roles", is_flag=True, help="Also what planner and grounder are asked, each apart.")
@click.option(
    "--held-out",
    multiple=True,
    metavar="GLOB",
    help="Names of documents that are only asked about. [a fifth of them, always the same]",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="A new folder [default: training/datasets/DATE in the data folder]",
)
@json_option
@pass_invocation
@collect_options(AttemptSelection)
def collect_command(
    invocation: Invocation,
    selection: AttemptSelection,
    held_out: tuple[str, ...],
    out: Path | None,
    as_json: bool,
) -> int:
    """Make a dataset of the attempts that were kept (`training.keep_attempts`).

    Kept is what reached its goal by the word of audit log or judges, and what found an untruth that
    people confirmed: single steps with the question exactly as the agent asks it. The card beside
    the files says what was left out, and why.
    """
    settings = invocation.settings()
    name = settings.console_name(selection.console)
    now = SystemClock().now()
    folder = out or settings.data_dir / "training" / "datasets" / f"{now:%Y%m%d-%H%M%S}"
    if folder.exists():
        raise SetupError(f"{folder} is there already: a dataset is never changed. Name a new one.")
    attempts = collect_attempts(settings, name, selection)
    _tell(attempts)
    facts = write_collection(attempts, folder, console=name, held_out=held_out, now=now)
    if as_json:
        write_json({"folder": str(folder), **facts})
    else:
        _show(facts)
    talk(f"Written: {folder}")
    return CLEAN


def _tell(attempts: Collected) -> None:
    talk(f"{counted(attempts.attempts, 'attempt')} of which {attempts.kept} are fit to learn from.")
    for why, count in (*attempts.left_out.most_common(), *attempts.steps_left_out.most_common()):
        talk(f"left out, {count}: {why}")


def _show(facts: Mapping[str, object]) -> None:
    samples = facts["samples"]
    assert isinstance(samples, dict)  # noqa: S101 - for the type checker: we wrote it
    print_table(
        ("file", "samples", "untrue", "tokens", "longest"),
        [
            (
                name,
                figures["count"],
                figures["untrue"],
                figures["tokens"]["median"],
                figures["tokens"]["longest"],
            )
            for name, figures in samples.items()
        ],
        right=("samples", "untrue", "tokens", "longest"),
    )
