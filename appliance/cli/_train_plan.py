"""`appliance train plan`: whether a training fits this machine."""

from collections.abc import Mapping
from pathlib import Path

import click

from appliance.cli._app import CLEAN, COULD_NOT_RUN, Invocation, pass_invocation
from appliance.cli._options import base_option
from appliance.cli._output import json_option, talk, write_json
from appliance.cli._train_runs import base_of
from appliance.core.jsonable import json_object
from appliance.inference.server import Gpu, find_gpus, read_weights
from appliance.training.options import SftOptions, options_of
from appliance.training.plan import Planned, advice, training_plan
from appliance.training.update_options import DpoOptions, KlOptions, UpdateOptions

_GIB = 1 << 30
_UPDATES: Mapping[str, type[UpdateOptions]] = {"kl": KlOptions, "dpo": DpoOptions}
"""On attempts that were made already."""
_NOT_ASKED = ("begin_with=.", "rollouts=.")
"""What they have to be told, and what a plan does not need."""

gpu_option = click.option(
    "--gpu", "wanted", multiple=True, type=float, metavar="GIB", help="As if there were such a GPU."
)


@click.command("plan")
@click.option(
    "--kind",
    type=click.Choice(["sft", *_UPDATES]),
    default="sft",
    show_default=True,
    help="Of `appliance train`: kl and dpo train on one GPU.",
)
@base_option
@gpu_option
@click.option("--tokens", default=4096, show_default=True, help="Of the longest sample.")
@click.option("--answer", default=400, show_default=True, help="Tokens of its answer.")
@click.option(
    "--set", "said", multiple=True, metavar="NAME=VALUE", help="An option, as of that training."
)
@json_option
@pass_invocation
def plan_command(
    invocation: Invocation,
    kind: str,
    base: Path | None,
    wanted: tuple[float, ...],
    tokens: int,
    answer: int,
    said: tuple[str, ...],
    as_json: bool,
) -> int:
    """Say what a training takes of each GPU; exit code 2, and what to change: no room."""
    settings = invocation.settings()
    weights, options = read_weights(base_of(base, settings)), _options(kind, said)
    gpus = gpus_as_if(wanted) or find_gpus(settings.model.server.environment)[: options.gpus]
    if kind in _UPDATES:
        gpus = gpus[:1]
    plan = training_plan(weights, gpus, options, tokens, answer)
    change = advice(weights, gpus, options, tokens, answer)
    if as_json:
        write_json(
            json_object(plan)
            | {"needed_bytes": plan.needed_bytes, "fits": plan.fits, "advice": change}
        )
    else:
        click.echo("\n".join(plan.lines()))
        if change:
            talk(change)
    return CLEAN if plan.fits else COULD_NOT_RUN


def _options(kind: str, assignments: tuple[str, ...]) -> Planned:
    update = _UPDATES.get(kind)
    return (
        options_of(update, (*_NOT_ASKED, *assignments))
        if update
        else options_of(SftOptions, assignments)
    )


def gpus_as_if(memory_gib: tuple[float, ...]) -> tuple[Gpu, ...]:
    """GPUs of so many GiB each."""
    return tuple(
        Gpu(
            index=n,
            uuid="",
            name="as if",
            total_bytes=int(size * _GIB),
            free_bytes=int(size * _GIB),
        )
        for n, size in enumerate(memory_gib)
    )
