"""`appliance train promote`, `rollback`, `promoted`: which adapter is served."""

from pathlib import Path

import click

from appliance.benchmark.finding import load_suite
from appliance.benchmark.suite import Suite
from appliance.benchmark.trials import BenchmarkResult, find_result
from appliance.cli._activity_log import user_name
from appliance.cli._app import CLEAN, COULD_NOT_RUN, Invocation, pass_invocation
from appliance.cli._bench_run import RESULTS
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.jsonable import json_object
from appliance.engine.promoted import Promotions, read_promotions
from appliance.training.promotion import (
    MAX_PRODUCT_LOSS,
    Decision,
    decide,
    promote,
    promoted_adapter,
    roll_back,
)
from appliance.training.runs import TrainingRun, find_run


@click.command("promote")
@click.argument("run", default="")
@click.option("--before", required=True, metavar="ID", help="Benchmark of what is served now.")
@click.option("--after", required=True, metavar="ID", help="Benchmark of the new adapter.")
@click.option(
    "--most-loss",
    default=MAX_PRODUCT_LOSS,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="By how much one product may do worse.",
)
@json_option
@pass_invocation
def promote_command(
    invocation: Invocation, run: str, before: str, after: str, most_loss: float, as_json: bool
) -> int:
    """Have a training's adapter served from the next run on, if it proved to be better.

    Held-out tasks of two benchmarks of three runs each decide: the interval of the gain must be
    above zero, no product may fall by more than it may, and false alarms must not rise. Exit code
    2: it is not promoted, and why.
    """
    data_dir = invocation.settings().data_dir
    training = find_run(data_dir, run)
    _check_is_done(training)
    old, new = find_result(data_dir / RESULTS, before), find_result(data_dir / RESULTS, after)
    _check_measures(training, new)
    suite = load_suite(new.setup.suite)
    if not isinstance(suite, Suite):
        raise SetupError(f"{new.id} is of single steps: only tasks in a console prove a gain")
    untrue = {task.id for task in suite.tasks if task.is_untrue}
    decision = decide(old, new, untrue, most_loss)
    training.keep_decision(json_object(decision))
    if decision.is_promoted:
        serve_adapter(data_dir, training, decision)
    if as_json:
        write_json(json_object(decision) | {"is_promoted": decision.is_promoted})
    else:
        click.echo(decision.comparison.sentence)
        click.echo(
            "\n".join(decision.against) or f"Served from the next run on: {training.file.id}"
        )
    return CLEAN if decision.is_promoted else COULD_NOT_RUN


@click.command("rollback")
@json_option
@pass_invocation
def rollback_command(invocation: Invocation, as_json: bool) -> int:
    """Have served, from the next run on, what was served before the last promotion."""
    promotions = roll_back(invocation.settings().data_dir)
    if as_json:
        write_json({"serving": _serving(promotions)})
    else:
        talk(f"Served from the next run on: {_serving(promotions) or 'the model itself'}")
    return CLEAN


@click.command("promoted")
@json_option
@pass_invocation
def promoted_command(invocation: Invocation, as_json: bool) -> None:
    """List the adapters that were promoted, and say which is served."""
    promotions = read_promotions(invocation.settings().data_dir)
    if as_json:
        write_json(promotions.model_dump(mode="json") | {"current": _serving(promotions)})
        return
    rows = [
        (
            promotion.name,
            "served" if promotion.name == _serving(promotions) else "",
            promotion.promoted_at,
        )
        for promotion in promotions.history
    ]
    print_table(("adapter", "", "promoted"), rows)
    talk(f"Served: {_serving(promotions) or 'the model itself, or what the settings name'}")


PROMOTION_COMMANDS = (promote_command, rollback_command, promoted_command)


def serve_adapter(data_dir: Path, run: TrainingRun, decision: Decision) -> None:
    """Have a training's adapter served from the next run on."""
    adapter = promoted_adapter(
        run.file.id,
        run.adapter,
        run.file.base_digest,
        decision,
        by=user_name(),
        now=SystemClock().now(),
    )
    promote(data_dir, adapter)


def _serving(promotions: Promotions) -> str | None:
    return promotions.current.name if promotions.current else None


def _check_is_done(run: TrainingRun) -> None:
    if run.status.state != "done":
        raise SetupError(f"{run.file.id} is {run.status.state}: only what is done is promoted")


def _check_measures(run: TrainingRun, result: BenchmarkResult) -> None:
    name = run.file.id
    if result.setup.model.split("+")[-1] != name:
        raise SetupError(
            f"{result.id} did not measure {name}, but {result.setup.model or 'no adapter'}. Set"
            f" model.adapters: {{{name}: {run.adapter}}} and agent.adapter: {name}, then"
            f" `appliance bench run {result.setup.suite} --policy model --split held-out`"
        )
