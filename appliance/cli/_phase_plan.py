"""`appliance train phases plan`: what a phase takes on machines that may not be here."""

from dataclasses import dataclass
from pathlib import Path

import click

from appliance.cli._app import CLEAN, COULD_NOT_RUN, Invocation, pass_invocation
from appliance.cli._options import base_option, collect_options
from appliance.cli._output import json_option, write_json
from appliance.cli._phase_operations import options_of_update
from appliance.cli._train_plan import gpu_option, gpus_as_if
from appliance.cli._train_runs import base_of
from appliance.core.errors import SetupError
from appliance.core.jsonable import json_object
from appliance.inference.server import find_gpus, read_weights
from appliance.training.phases.scale import Workload, phase_plan
from appliance.training.update_options import UpdateOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planned:
    base: Path | None
    wanted: tuple[float, ...]
    jobs: int
    ray: bool
    turns: int
    live_steps: int


@click.command("plan")
@base_option
@gpu_option
@click.option("--jobs", default=64, show_default=True, type=click.IntRange(1), help="Browsers.")
@click.option(
    "--ray",
    is_flag=True,
    help="Another node of the same GPUs trains, and workers without GPUs have the browsers.",
)
@click.option("--turns", default=20, show_default=True, type=click.IntRange(1), help="An attempt.")
@click.option(
    "--live-steps", default=20, show_default=True, type=click.IntRange(1), help="Updates."
)
@json_option
@pass_invocation
@collect_options(_Planned)
def plan_command(invocation: Invocation, planned: _Planned, as_json: bool) -> int:
    """Say what runs where, whether it fits, and about how long; exit code 2: it does not fit."""
    settings = invocation.settings()
    phases, update = settings.training.phases, None
    if phases.update in ("kl", "dpo"):
        options = options_of_update(phases, "any")  # which adapter it begins with is all the same
        update = options if isinstance(options, UpdateOptions) else None
    elif phases.update != "live":
        raise SetupError(
            f"training.phases.update is {phases.update}, and this plan is of phases that train by"
            " live, kl or dpo: `train plan` says whether an adapter fits"
        )
    weights = read_weights(base_of(planned.base, settings))
    gpus = gpus_as_if(planned.wanted) or find_gpus(settings.model.server.environment)
    plan = phase_plan(
        weights,
        gpus,
        phases.model_copy(update={"jobs": planned.jobs}),
        Workload(turns=planned.turns, live_steps=planned.live_steps),
        settings.model,
        update=update,
        trainer_node=planned.ray,
    )
    if as_json:
        write_json(json_object(plan) | {"fits": plan.fits, "hours": plan.hours})
    else:
        click.echo("\n".join(plan.lines()))
    return CLEAN if plan.fits else COULD_NOT_RUN
