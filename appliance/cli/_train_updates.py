"""`appliance train kl`, `dpo`: updates on attempts that were made already."""

from pathlib import Path
from typing import Literal, TypeVar

import click

from appliance.cli._app import Invocation, pass_invocation
from appliance.cli._options import collect_options
from appliance.cli._train_runs import Told, adapter_at, begin, training_options
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
@collect_options(Told)
def kl_command(invocation: Invocation, told: Told) -> int:
    """Fit the policy to what its attempts were worth, near the last phase's: WebRL's update.

    An alternative to `live` that makes no attempts of its own: `rollouts` names trainings in the
    live console whose attempts are learnt from, `begin_with` the policy that made them, `replay`
    trainings of earlier phases whose successes are not to be forgotten.
    """
    options = _from_there("kl", options_of(KlOptions, told.said))
    replay = tuple(map(_rolled_out, options.replay))
    options = options.model_copy(update={"replay": replay})
    return _begin(invocation, "kl", told, options)


@click.command("dpo")
@training_options
@pass_invocation
@collect_options(Told)
def dpo_command(invocation: Invocation, told: Told) -> int:
    """Prefer what led to the goal to what did not, from the same page at the same task.

    `rollouts` names trainings in the live console whose attempts are compared, `begin_with` the
    policy to begin with.
    """
    options = _from_there("dpo", options_of(DpoOptions, told.said))
    return _begin(invocation, "dpo", told, options)


UPDATES = (kl_command, dpo_command)


def _begin(
    invocation: Invocation, kind: Literal["kl", "dpo"], told: Told, options: UpdateOptions
) -> int:
    settings = invocation.settings()
    check_form(options, settings.agent.form, "--set form=")
    return begin(settings, kind, told, options)


def _from_there(kind: Literal["kl", "dpo"], options: Options) -> Options:
    """With all folders as places that are the same everywhere."""
    adapter, rollouts = adapter_at(options.begin_with), tuple(map(_rolled_out, options.rollouts))
    attempts = [one for folder in rollouts for one in kept_attempts(Path(folder))]
    if why := why_not_enough(kind, attempts):
        raise SetupError(f"rollouts: {why}")
    return options.model_copy(update={"begin_with": adapter, "rollouts": rollouts})


def _rolled_out(folder: str) -> str:
    if not kept_attempts(Path(folder)):
        raise SetupError(f"{folder} is no folder of a training that has made attempts which count")
    return str(Path(folder).resolve())
