"""`appliance sweep simulate`: a night played through ahead."""

from typing import TYPE_CHECKING

import click

from appliance.cli._app import Invocation, pass_invocation
from appliance.cli._history import store_if_any
from appliance.cli._options import Selection, collect_options, selection_options
from appliance.cli._output import data_console, json_option, print_table, talk, write_json
from appliance.cli._progress import lasting
from appliance.cli._summary import counted
from appliance.engine.forecast import Wish
from appliance.engine.request import RunKind

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.engine.forecast import NightForecast

_AT_LEAST_ONE = click.IntRange(min=1)


@click.command("simulate")
@selection_options("Only these. May be repeated.")
@click.option("--nodes", type=_AT_LEAST_ONE, default=1, show_default=True, help="Machines.")
@click.option(
    "--procedures",
    type=_AT_LEAST_ONE,
    metavar="NUMBER",
    help="So many, as long as those of the documentation [default: those].",
)
@click.option(
    "--accounts",
    type=_AT_LEAST_ONE,
    metavar="NUMBER",
    help="So many of each role [default: as in the settings].",
)
@click.option("--gpus", type=_AT_LEAST_ONE, default=1, show_default=True, help="For the model.")
@click.option(
    "--hours",
    "deadline_s",
    type=click.FloatRange(min=0, min_open=True),
    callback=lambda _context, _option, hours: hours and hours * 3600,
    help="What would be enough for a night so long? [default: as in the settings, if there]",
)
@json_option
@pass_invocation
@collect_options(Selection, Wish)
def command(invocation: Invocation, selection: Selection, wish: Wish, as_json: bool) -> None:
    """Say when a night would end in which all is due, and what it would wait for.

    From how long procedures took here before. Nothing is run or kept.
    """
    from appliance.cli._local import planner
    from appliance.engine.forecast import forecast

    settings = invocation.settings({"console": selection.console or None})
    with store_if_any(settings) as store, planner(settings, store) as plans:
        night = forecast(plans, selection.request(RunKind.SWEEP, settings.console), wish)
    if as_json:
        write_json(night)
        return
    _print(night)


def _print(night: "NightForecast") -> None:
    say = data_console().print
    machines = f"{counted(night.nodes, 'machine')}, {night.at_a_time} at a time on each"
    say(f"{counted(night.procedures, 'procedure')}, {machines}: {lasting(night.seconds)}.")
    rows = [
        (name, f"{busy:.0%}", lasting(night.waited_s.get(name, 0.0)))
        for name, busy in sorted(night.busy.items(), key=lambda entry: -entry[1])
    ]
    print_table(("Resource", "Used", "Waited for"), rows)
    if night.waits_for:
        say(f"It waits for {night.waits_for} most.")
    if night.deadline_s is not None:
        when = "In time" if night.is_in_time else "Too late"
        say(f"{when} for {lasting(night.deadline_s)}; {_needed(night)}.")
        if night.not_reached:
            say(f"{counted(night.not_reached, 'procedure')} would not be reached.")
    for sentence in night.assumed:
        talk(f"Assumed: {sentence}.")


def _needed(night: "NightForecast") -> str:
    if night.needed is None:
        return "no number of machines is enough: one procedure takes longer"
    parts = [counted(night.needed.nodes, "machine")]
    parts += [
        f"{counted(number, 'account')}{f' {name}' if name else ''}"
        for name, number in night.needed.accounts.items()
    ]
    parts += [counted(night.needed.gpus, "GPU")] if night.needed.gpus else []
    return f"{', '.join(parts)} would be enough"
