"""`appliance bench list`, `show`, `compare`, `export`: suites, and how policies did on them."""

from collections.abc import Sequence
from pathlib import Path

import click
from rich.table import Table

from appliance.benchmark.comparison import compare
from appliance.benchmark.finding import AnySuite, load_suite, suite_files
from appliance.benchmark.inspect_log import inspect_log
from appliance.benchmark.measured import Measured, version
from appliance.benchmark.report import as_html, comparison_text, json_lines
from appliance.benchmark.summary import summarise
from appliance.benchmark.trials import BenchmarkResult, Split, all_results, find_result
from appliance.cli._app import CLEAN, Invocation, pass_invocation
from appliance.cli._bench_run import RESULTS, print_result, run_command, suites_option
from appliance.cli._output import as_the_user_wants, data_console, json_option, write_json
from appliance.core.jsonable import json_object
from appliance.store.artifacts import ArtifactStore


@click.command("list")
@suites_option
@json_option
def list_command(suites: tuple[Path, ...], as_json: bool) -> int:
    """Show the suites that there are."""
    loaded = [load_suite(name, suites) for name in suite_files(suites)]
    drawn_suites = [(measured.value, version(), measured.about) for measured in Measured]
    if as_json:
        rows = [{"name": n, "version": v, "title": t, "tasks": []} for n, v, t in drawn_suites]
        write_json([*(_described(suite) for suite in loaded), *rows])
        return CLEAN
    table = Table("suite", "version", "tasks", "held out", "", box=None, pad_edge=False)
    for suite in loaded:
        held_out = sum(task.split is Split.HELD_OUT for task in suite.tasks)
        table.add_row(suite.name, suite.version, str(len(suite.tasks)), str(held_out), suite.title)
    for name, its_version, about in drawn_suites:
        table.add_row(name, its_version, "drawn", "", about)
    data_console().print(table)
    return CLEAN


def _described(suite: AnySuite) -> dict[str, object]:
    return {
        "name": suite.name,
        "version": suite.version,
        "title": suite.title,
        "tasks": [
            {
                "id": task.id, "release": task.release, "level": task.level, "split": task.split,
                "product": task.product, "language": task.language,
            }
            for task in suite.tasks
        ],
    }  # fmt: skip


@click.command("show")
@click.argument("wanted", metavar="[ID]", required=False)
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write a page with plots, too.")  # fmt: skip
@json_option
@pass_invocation
def show_command(
    invocation: Invocation, wanted: str | None, html: Path | None, as_json: bool
) -> int:
    """Show a result with its intervals; without an ID, list all."""
    folder = invocation.settings().data_dir / RESULTS
    if wanted is None:
        return _list_results(all_results(folder), as_json=as_json)
    result = find_result(folder, wanted)
    if html is not None:
        with as_the_user_wants():
            html.write_text(as_html(result, summarise(result)), encoding="utf-8")
    return print_result(result, as_json=as_json)


def _list_results(results: Sequence[BenchmarkResult], *, as_json: bool) -> int:
    rows = [
        {
            "id": result.id, "suite": result.setup.suite, "policy": result.setup.policy,
            "trials": len(result.trials), "successes": sum(t.success for t in result.trials),
            "is_over": result.is_over,
        }
        for result in results
    ]  # fmt: skip
    if as_json:
        write_json(rows)
        return CLEAN
    table = Table("id", "trials", "successes", "over", box=None, pad_edge=False)
    for row in rows:
        values = (row["id"], row["trials"], row["successes"], "yes" if row["is_over"] else "no")
        table.add_row(*map(str, values))
    data_console().print(table)
    return CLEAN


@click.command("compare")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@json_option
@pass_invocation
def compare_command(invocation: Invocation, first: str, second: str, as_json: bool) -> int:
    """Say whether B is really better or worse than A, on the tasks that both tried."""
    folder = invocation.settings().data_dir / RESULTS
    comparison = compare(find_result(folder, first), find_result(folder, second))
    if as_json:
        write_json(json_object(comparison) | {"sentence": comparison.sentence})
    else:
        click.echo(comparison_text(comparison))
    return CLEAN


@click.command("export")
@click.argument("wanted", metavar="ID")
@click.option("--json", is_flag=True, expose_value=False, help="As without: it is always JSON.")
@click.option(
    "--format",
    "as_what",
    type=click.Choice(["jsonl", "inspect"]),
    default="jsonl",
    show_default=True,
    help="A JSON object for each trial and line, or an eval log that inspect_ai reads.",
)
@pass_invocation
def export_command(invocation: Invocation, wanted: str, as_what: str) -> int:
    """Write every trial with its trajectory to standard output."""
    data_dir = invocation.settings().data_dir
    artifacts = ArtifactStore(data_dir / "bench" / "suites" / "data" / "artifacts")
    result = find_result(data_dir / RESULTS, wanted)
    if as_what == "inspect":
        write_json(inspect_log(result, summarise(result), artifacts.get))
        return CLEAN
    for line in json_lines(result, artifacts.get):
        click.echo(line)
    return CLEAN


COMMANDS = (list_command, run_command, show_command, compare_command, export_command)
