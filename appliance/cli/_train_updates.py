"""`appliance train kl`, `dpo`: updates on attempts that were made already."""

from pathlib import Path
from typing import Literal, TypeVar

import click

from appliance.cli._app import Invocation, pass_invocation
from appliance.cli._options import collect_options
from appliance.cli._train_runs import TrainingArguments, adapter_at, begin, training_options
from appliance.core.errors import SetupError
from appliance.training.enough import why_not_enough
from appliance.training.options import options_of
from appliance.training.rollouts import kept_attempts
from appliance.training.runs import check_form
from appliance.training.update_options import DpoOptions, KlOptions, UpdateOptions

Options = TypeVar("Options", bound=UpdateOptions)


@click.command("kl")
@training_options
@pass_invocation
@collect_options(TrainingArguments)
def kl_command(invocation: Invocation, arguments: TrainingArguments) -> int:
    """Fit the policy to what its attempts were worth, near the last phase's: WebRL's update.

    An alternative to `live` that makes no attempts of its own: `rollouts` names trainings in the
    live console whose attempts are learnt from, `begin_with` the policy that made them, `replay`
    trainings of earlier phases whose successes are not to be forgotten.
    """
    options = _with_resolved_folders("kl", options_of(KlOptions, arguments.said))
    replay = tuple(map(_require_rollouts, options.replay))
    options = options.model_copy(update={"replay": replay})
    return _begin(invocation, "kl", arguments, options)


@click.command("dpo")
@training_options
@pass_invocation
@collect_options(TrainingArguments)
def dpo_command(invocation: Invocation, arguments: TrainingArguments) -> int:
    """Prefer what led to the goal to what did not, from the same page at the same task.

    `rollouts` names trainings in the live console whose attempts are compared, `begin_with` the
    policy to begin with.
    """
    options = _with_resolved_folders("dpo", options_of(DpoOptions, arguments.said))
    return _begin(invocation, "dpo", arguments, options)


UPDATES = (kl_command, dpo_command)


def _begin(
    invocation: Invocation,
    kind: Literal["kl", "dpo"],
    arguments: TrainingArguments,
    options: UpdateOptions,
) -> int:
    settings = invocation.settings()
    check_form(options, settings.agent.form, "--set form=")
    return begin(settings, kind, arguments, options)


def _with_resolved_folders(kind: Literal["kl", "dpo"], options: Options) -> Options:
    """Resolve the adapter and roll-out folders to absolute paths."""
    adapter, rollouts = (
        adapter_at(options.begin_with),
        tuple(map(_require_rollouts, options.rollouts)),
    )
    attempts = [attempt for folder in rollouts for attempt in kept_attempts(Path(folder))]
    if why := why_not_enough(kind, attempts):
        raise SetupError(f"rollouts: {why}")
    return options.model_copy(update={"begin_with": adapter, "rollouts": rollouts})


def _require_rollouts(folder: str) -> str:
    if not kept_attempts(Path(folder)):
        raise SetupError(f"{folder} is no folder of a training that has made attempts which count")
    return str(Path(folder).resolve())
