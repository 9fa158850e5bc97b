"""`appliance bench list`, `run`, `show`, `compare`, `export`: how policies do on suites."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import count
from pathlib import Path

import click
from rich.table import Table

from appliance.benchmark.comparison import compare
from appliance.benchmark.report import as_html, as_markdown, comparison_text, json_lines
from appliance.benchmark.runner import Baseline, Runner, sample, setup_of
from appliance.benchmark.suite import Split, Suite, Task, load_suite, suite_files
from appliance.benchmark.summary import summarise
from appliance.benchmark.trials import (
    BenchmarkPolicy,
    BenchmarkResult,
    Trial,
    all_results,
    find_result,
)
from appliance.cli._app import CLEAN, Invocation, pass_invocation
from appliance.cli._bench_runs import on_practice
from appliance.cli._local import benchmark_here
from appliance.cli._options import collect_options
from appliance.cli._output import as_the_user_wants, data_console, json_option, talk, write_json
from appliance.cli._progress import counting_bar
from appliance.config import ConsoleSettings, Settings
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.events import Subscriber
from appliance.core.jsonable import json_object, to_jsonable
from appliance.core.result import ProcedureResult
from appliance.core.verdict import PolicyChoice
from appliance.engine.engine import EngineOptions
from appliance.engine.request import RunRequest
from appliance.store.artifacts import ArtifactStore
from appliance.verification import check_policy

RESULTS = "benchmarks"
"""Folder in the data folder: REST and the dashboard show what is there."""


class _Practice:
    """Carries out requests, each in a practice cloud that is started for it."""

    def __init__(self, settings: Settings, folder: Path, jobs: int | None) -> None:
        self._settings, self._folder, self._jobs = settings, folder, jobs

    def __call__(
        self,
        request: RunRequest,
        release: str,
        run_id: str,
        baseline: Baseline | None,
        kept: Callable[[str], None],
        subscriber: Subscriber,
    ) -> Sequence[ProcedureResult]:
        console = ConsoleSettings(kind="practice", release=release)
        settings = on_practice(self._settings, self._folder, self._jobs, console)
        options = EngineOptions(
            subscribers=(subscriber,), warn=lambda _: None, is_open=True, baseline=baseline
        )
        return benchmark_here(settings, request, options, run_id, kept).procedures


_suites_option = click.option(
    "--suites",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    multiple=True,
    help="A folder with suites of your own.",
)


@click.command("list")
@_suites_option
@json_option
def list_command(suites: tuple[Path, ...], as_json: bool) -> int:
    """Show the suites that there are."""
    loaded = [load_suite(name, suites) for name in suite_files(suites)]
    if as_json:
        write_json([_described(suite) for suite in loaded])
        return CLEAN
    table = Table("suite", "version", "tasks", "held out", "", box=None, pad_edge=False)
    for suite in loaded:
        held_out = sum(task.split is Split.HELD_OUT for task in suite.tasks)
        table.add_row(suite.name, suite.version, str(len(suite.tasks)), str(held_out), suite.title)
    data_console().print(table)
    return CLEAN


def _described(suite: Suite) -> dict[str, object]:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """What is measured."""

    suite: str
    suites: tuple[Path, ...]
    policy: str
    runs: int
    seed: int
    tasks: int | None
    task: str
    split: str | None

    def suite_and_tasks(self) -> tuple[Suite, tuple[Task, ...]]:
        """The suite, and those of its tasks that are tried; `SetupError`: there are none."""
        suite = load_suite(self.suite, self.suites)
        tasks = [
            task
            for task in suite.tasks
            if fnmatchcase(task.id, self.task) and self.split in (None, task.split)
        ]
        if not tasks:
            raise SetupError(
                f"suite {suite.name} has no task {self.task!r}"
                f"{f' in split {self.split}' if self.split else ''};"
                " `appliance bench list --json` names all"
            )
        return suite, sample(tasks, self.tasks, self.seed)


@click.command("run")
@click.option("--suite", default="practice", show_default=True, metavar="NAME")
@_suites_option
@click.option(
    "--policy",
    type=click.Choice([one.value for one in BenchmarkPolicy]),
    default="literal",
    show_default=True,
    help="What chooses the actions; `random` and `oracle` are the bounds to compare with.",
)
@click.option("--runs", default=3, show_default=True, type=click.IntRange(1), help="Of each task.")
@click.option("--seed", default=1, show_default=True, help="Of samples and the random policy.")
@click.option("--tasks", type=click.IntRange(1), help="Only so many, drawn at random.")
@click.option("--task", default="*", metavar="GLOB", help="Only these, by their id.")
@click.option("--split", type=click.Choice([one.value for one in Split]), help="Only its tasks.")
@click.option("--jobs", type=click.IntRange(1, 32), help="Tasks under way at the same time.")
@json_option
@pass_invocation
@collect_options(_Chosen)
def run_command(invocation: Invocation, chosen: _Chosen, jobs: int | None, as_json: bool) -> int:
    """Try every task of a suite, several times, and say how many succeed.

    Only the audit log says whether a task succeeded. Asked for again, a benchmark that was
    interrupted goes on where it was.
    """
    settings = invocation.settings()
    policy = BenchmarkPolicy(chosen.policy)
    if policy is BenchmarkPolicy.MODEL:
        check_policy(PolicyChoice.MODEL, settings.model)
    suite, tasks = chosen.suite_and_tasks()
    model = ""
    if policy is BenchmarkPolicy.MODEL:
        model = "+".join(filter(None, (settings.model.name, settings.agent.adapter)))
    setup = setup_of(suite, tasks, policy, model=model, runs=chosen.runs, seed=chosen.seed)
    folder, work = settings.data_dir / RESULTS, settings.data_dir / "bench" / "suites"
    runner = Runner(tasks, setup, folder, work / "tasks", SystemClock().now())
    known = len(runner.result.trials)
    talk(f"{runner.result.id}: {known} of {len(tasks) * chosen.runs} trials are there.")
    with _told(len(tasks) * chosen.runs, known) as finished:
        runner.run(_Practice(settings, work, jobs), finished)
    result = runner.end(SystemClock().now())
    talk(f"Written: {folder / result.id}.json")
    return _shown(result, as_json=as_json)


@contextmanager
def _told(total: int, known: int) -> Iterator[Callable[[Trial], None]]:
    """A bar at a terminal, elsewhere a line for every trial."""
    with counting_bar() as bar:
        row, done = bar.add_task("Trials", total=total, completed=known), count(known + 1)

        def finished(trial: Trial) -> None:
            bar.advance(row)
            number = next(done)
            if bar.disable:
                how = "success" if trial.success else f"failure ({trial.blame}): {trial.reason}"
                talk(f"[{number}/{total}] run {trial.run}: {trial.task}: {how}")

        yield finished


def _shown(result: BenchmarkResult, *, as_json: bool) -> int:
    summary = summarise(result)
    if as_json:
        write_json(to_jsonable(summary))
    else:
        click.echo(as_markdown(result, summary))
    return CLEAN


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
    return _shown(result, as_json=as_json)


def _list_results(results: Sequence[BenchmarkResult], *, as_json: bool) -> int:
    rows = [
        {
            "id": one.id, "suite": one.setup.suite, "policy": one.setup.policy,
            "trials": len(one.trials), "successes": sum(t.success for t in one.trials),
            "is_over": one.is_over,
        }
        for one in results
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
@pass_invocation
def export_command(invocation: Invocation, wanted: str) -> int:
    """Write every trial with its trajectory to standard output, one JSON object a line."""
    data_dir = invocation.settings().data_dir
    artifacts = ArtifactStore(data_dir / "bench" / "suites" / "data" / "artifacts")
    for line in json_lines(find_result(data_dir / RESULTS, wanted), artifacts.get):
        click.echo(line)
    return CLEAN


COMMANDS = (list_command, run_command, show_command, compare_command, export_command)
