"""`appliance bench run`: a suite is tried, by whoever chooses the actions."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import count
from pathlib import Path
from typing import TypeVar

import click

from appliance.benchmark.finding import AnySuite, load_suite
from appliance.benchmark.grounding import SingleStep, StepSuite, run_steps
from appliance.benchmark.judging.cases import JudgeSuite
from appliance.benchmark.measured import Measured
from appliance.benchmark.policies.wanderer import RandomPolicy
from appliance.benchmark.record import Record
from appliance.benchmark.report import as_markdown
from appliance.benchmark.runner import Baseline, Runner, sample, setup_of
from appliance.benchmark.suite import Split, Suite, Task
from appliance.benchmark.summary import summarise
from appliance.benchmark.trials import BenchmarkPolicy, BenchmarkResult, Setup, Trial
from appliance.cli._app import CLEAN, Invocation, pass_invocation
from appliance.cli._bench_runs import SETTLE_S, on_practice
from appliance.cli._local import benchmark_here
from appliance.cli._options import collect_options
from appliance.cli._output import json_option, talk, write_json
from appliance.cli._progress import counting_bar
from appliance.config import ConsoleSettings, Settings
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.events import Subscriber
from appliance.core.jsonable import to_jsonable
from appliance.core.result import ProcedureResult
from appliance.core.verdict import PolicyChoice
from appliance.engine.engine import EngineOptions
from appliance.engine.request import RunRequest
from appliance.inference.client import ModelClient
from appliance.policy.literal import LiteralPolicy
from appliance.policy.model import agent_policy
from appliance.verification import check_policy

RESULTS = "benchmarks"
"""Folder in the data folder: REST and the dashboard show what is there."""
Anything = TypeVar("Anything", Task, SingleStep)


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
        console = ConsoleSettings(kind="practice", release=release, settle_s=SETTLE_S)
        settings = on_practice(self._settings, self._folder, self._jobs, console)
        options = EngineOptions(
            subscribers=(subscriber,), warn=lambda _: None, is_open=True, baseline=baseline
        )
        return benchmark_here(settings, request, options, run_id, kept).procedures


suites_option = click.option(
    "--suites",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    multiple=True,
    help="A folder with suites of your own.",
)


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

    def of(self, suite: str, tasks: Sequence[Anything]) -> tuple[Anything, ...]:
        """Those of a suite that are tried; `SetupError`: there are none."""
        wanted = [
            task
            for task in tasks
            if fnmatchcase(task.id, self.task) and self.split in (None, task.split)
        ]
        if not wanted:
            raise SetupError(
                f"suite {suite} has no task {self.task!r}"
                f"{f' in split {self.split}' if self.split else ''};"
                " `appliance bench list --json` names all"
            )
        return sample(wanted, self.tasks, self.seed)


@click.command("run")
@click.option("--suite", default="practice", show_default=True, metavar="NAME")
@suites_option
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
    if chosen.suite in [one.value for one in Measured]:
        return _drawn(Measured(chosen.suite), chosen, jobs, as_json=as_json)
    suite = load_suite(chosen.suite, chosen.suites)
    bench = _Bench(settings, policy, chosen, jobs)
    result = bench.steps(suite) if isinstance(suite, StepSuite) else bench.tasks(suite)
    talk(f"Written: {settings.data_dir / RESULTS / result.id}.json")
    return shown(result, as_json=as_json)


def _drawn(suite: Measured, chosen: _Chosen, jobs: int | None, *, as_json: bool) -> int:
    """By the command of its name, which has more options."""
    if chosen.policy != BenchmarkPolicy.LITERAL.value or chosen.split or chosen.task != "*":
        raise SetupError(
            f"suite {suite} is drawn, and verified without a model: --policy, --split and --task"
            f" mean nothing for it; `appliance bench {suite} --help` shows what does"
        )
    group = click.get_current_context().parent
    assert group is not None and isinstance(group.command, click.Group)  # noqa: S101 - types
    given = {suite.how_many: chosen.tasks, "--jobs": jobs}
    given |= {"--seed": chosen.seed} if suite is Measured.DRIFT else {}
    words = [str(word) for pair in given.items() if pair[1] is not None for word in pair]
    command = group.command.commands[suite]
    with command.make_context(suite, [*words, *(["--json"] if as_json else [])], group) as inner:
        return int(command.invoke(inner) or CLEAN)


@dataclass(frozen=True, slots=True)
class _Bench:
    """A benchmark as it was asked for."""

    settings: Settings
    policy: BenchmarkPolicy
    chosen: _Chosen
    jobs: int | None

    def tasks(self, suite: Suite | JudgeSuite) -> BenchmarkResult:
        """In a console, by the engine."""
        judged = suite if isinstance(suite, JudgeSuite) else None
        if judged and self.policy is not BenchmarkPolicy.LITERAL:
            raise SetupError(
                f"suite {suite.name} says itself what acts, and measures who judges it: leave"
                " --policy out"
            )
        tasks = self.chosen.of(suite.name, suite.tasks)
        folder, work = self.settings.data_dir / RESULTS, self.settings.data_dir / "bench" / "suites"
        setup = self._setup(suite, tasks)
        now = SystemClock().now
        runner = Runner(tasks, setup, folder, work / "tasks", now(), judged)
        with _told(runner.result, len(tasks) * self.chosen.runs) as finished:
            runner.run(_Practice(self.settings, work, self.jobs), finished)
        return runner.end(now())

    def steps(self, suite: StepSuite) -> BenchmarkResult:
        """On pages as they were kept: no console takes part, so no engine does."""
        steps = self.chosen.of(suite.name, suite.tasks)
        now = SystemClock().now
        folder = self.settings.data_dir / RESULTS
        record = Record(self._setup(suite, steps), [""], folder, now())
        with _told(record.result, len(steps) * self.chosen.runs) as finished:
            asyncio.run(self._answer(steps, record, finished))
        return record.end(now())

    async def _answer(
        self, steps: Sequence[SingleStep], record: Record, finished: Callable[[Trial], None]
    ) -> None:
        match self.policy:
            case BenchmarkPolicy.LITERAL:
                await run_steps(steps, record, lambda task, _: LiteralPolicy(task), finished)
            case BenchmarkPolicy.RANDOM:
                seed = self.chosen.seed
                await run_steps(
                    steps, record, lambda t, run: RandomPolicy(t, f"{seed}/{run}"), finished
                )
            case BenchmarkPolicy.MODEL:
                agent = self.settings.agent
                async with ModelClient(self.settings.model) as client:
                    await run_steps(
                        steps, record, lambda t, _: agent_policy(t, client, agent), finished
                    )
            case _:
                raise SetupError(
                    f"policy {self.policy} needs a console: single steps are pages that were kept;"
                    " choose literal, model or random"
                )

    def _setup(self, suite: AnySuite, tasks: Sequence[Task | SingleStep]) -> Setup:
        asked = self.settings.model.name, self.settings.agent.adapter
        model = "+".join(filter(None, asked)) if self.policy is BenchmarkPolicy.MODEL else ""
        runs, seed = self.chosen.runs, self.chosen.seed
        return setup_of(suite, tasks, self.policy, model=model, runs=runs, seed=seed)


@contextmanager
def _told(begun: BenchmarkResult, total: int) -> Iterator[Callable[[Trial], None]]:
    """A bar at a terminal, elsewhere a line for every trial."""
    known = len(begun.trials)
    talk(f"{begun.id}: {known} of {total} trials are there.")
    with counting_bar() as bar:
        row, done = bar.add_task("Trials", total=total, completed=known), count(known + 1)

        def finished(trial: Trial) -> None:
            bar.advance(row)
            number = next(done)
            if bar.disable:
                blame = f" ({trial.blame})" if trial.blame else ""
                how = "success" if trial.success else f"failure{blame}: {trial.reason}"
                talk(f"[{number}/{total}] run {trial.run}: {trial.task}: {how}")

        yield finished


def shown(result: BenchmarkResult, *, as_json: bool) -> int:
    """Print the table, or its figures as JSON."""
    summary = summarise(result)
    if as_json:
        write_json(to_jsonable(summary))
    else:
        click.echo(as_markdown(result, summary))
    return CLEAN
