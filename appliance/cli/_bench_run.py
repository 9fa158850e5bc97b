"""`appliance bench run`: a suite is tried, by whoever chooses the actions."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import click

from appliance.benchmark.answering import StepTries, policies
from appliance.benchmark.by_engine import Baseline, ByEngine, TaskWork, TrialFactory
from appliance.benchmark.documentation import (
    DocumentationSuite,
    DocumentationWork,
    LabelledProcedure,
)
from appliance.benchmark.finding import AnySuite, load_suite
from appliance.benchmark.grounding import SingleStep, StepSuite
from appliance.benchmark.judging import JudgeSuite
from appliance.benchmark.measured import Measured
from appliance.benchmark.model_check import why_away
from appliance.benchmark.policies.browser_use import BrowserUse, check_agent
from appliance.benchmark.record import Record
from appliance.benchmark.report import as_markdown
from appliance.benchmark.runner import Tries, run, sample
from appliance.benchmark.suite import Suite, Task, drifts_of
from appliance.benchmark.summary import summarise
from appliance.benchmark.trials import (
    MODEL_POLICIES,
    TIERS,
    BenchmarkPolicy,
    BenchmarkResult,
    Setup,
    Split,
    Trial,
)
from appliance.cli._app import CLEAN, Invocation, pass_invocation
from appliance.cli._bench_runs import on_console, on_practice, practice_console
from appliance.cli._local import benchmark_here
from appliance.cli._options import collect_options
from appliance.cli._output import json_option, talk, write_json
from appliance.cli._progress import counting_bar
from appliance.config import Settings
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.events import Subscriber
from appliance.core.jsonable import to_jsonable
from appliance.core.result import ProcedureResult
from appliance.core.verdict import PolicyChoice
from appliance.engine.engine import EngineOptions
from appliance.engine.request import RunRequest
from appliance.policy.model import prompts_version
from appliance.verification import check_policy

RESULTS = "benchmarks"
"""Folder in the data folder: REST and the dashboard show what is there."""
AnyTask = TypeVar("AnyTask", bound=Task | SingleStep | LabelledProcedure)


@dataclass(frozen=True, slots=True)
class _CarryOut:
    """Carries out requests with an engine in this process."""

    settings: Settings
    folder: Path
    jobs: int | None
    provision: str
    drifts: Mapping[str, Path]

    def __call__(
        self,
        request: RunRequest,
        release: str,
        run_id: str,
        baseline: Baseline | None,
        kept: Callable[[str], None],
        subscriber: Subscriber,
    ) -> Sequence[ProcedureResult]:
        """Carry out a request; a release names the practice cloud to start for it."""
        if release:
            console = practice_console(release, self.drifts)
            settings = on_practice(self.settings, self.folder, self.jobs, console)
        else:
            settings = on_console(self.settings, self.folder, self.jobs, request.console)
        environment = settings.environment.model_copy(update={"provision": self.provision})
        settings = settings.model_copy(update={"environment": environment})
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
class Chosen:
    """The suite, tasks and policy that the command line chose."""

    suite: str
    suites: tuple[Path, ...]
    policy: str
    runs: int
    seed: int
    tasks: int | None
    task: str
    split: str | None
    provision: str
    documents: tuple[Path, ...]
    checks: tuple[Path, ...]
    agent_python: Path | None

    def of(self, suite: str, tasks: Sequence[AnyTask]) -> tuple[AnyTask, ...]:
        """Return the chosen tasks of a suite; `SetupError` if there are none."""
        matching = [
            task
            for task in tasks
            if fnmatchcase(task.id, self.task) and self.split in (None, task.split)
        ]
        if not matching:
            raise SetupError(
                f"suite {suite} has no task {self.task!r}"
                f"{f' in split {self.split}' if self.split else ''};"
                " `appliance bench list --json` names all"
            )
        return sample(matching, self.tasks, self.seed)


@click.command("run")
@click.option("--suite", default="practice", show_default=True, metavar="NAME")
@suites_option
@click.option(
    "--policy",
    type=click.Choice([choice.value for choice in BenchmarkPolicy]),
    default="literal",
    show_default=True,
    help="What chooses the actions; `random` and `oracle` are the bounds to compare with.",
)
@click.option("--runs", default=3, show_default=True, type=click.IntRange(1), help="Of each task.")
@click.option("--seed", default=1, show_default=True, help="Of samples and the random policy.")
@click.option("--tasks", type=click.IntRange(1), help="Only so many, drawn at random.")
@click.option("--task", default="*", metavar="GLOB", help="Only these, by their id.")
@click.option(
    "--split", type=click.Choice([choice.value for choice in Split]), help="Only its tasks."
)
@click.option(
    "--provision",
    type=click.Choice(["auto", "off"]),
    default="auto",
    show_default=True,
    help="`off`: nothing is made of what tasks need; `bench compare` says what it is worth.",
)
@click.option(
    "--documents",
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    multiple=True,
    help="Of a suite of real documentation that has none of its own (`horizon`).",
)
@click.option(
    "--checks",
    type=click.Path(path_type=Path, exists=True),
    metavar="DIR",
    multiple=True,
    help="Their NAME.checks.yaml files.",
)
@click.option(
    "--agent-python",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="For `--policy browser-use`: a Python that has this package.",
)
@click.option("--jobs", type=click.IntRange(1, 32), help="Tasks under way at the same time.")
@json_option
@pass_invocation
@collect_options(Chosen)
def run_command(invocation: Invocation, chosen: Chosen, jobs: int | None, as_json: bool) -> int:
    """Try every task of a suite, several times, and say how many succeed.

    Only the audit log says whether a task succeeded. Asked for again, a benchmark that was
    interrupted goes on where it was.
    """
    settings = invocation.settings()
    policy = BenchmarkPolicy(chosen.policy)
    if policy is BenchmarkPolicy.MODEL:
        check_policy(PolicyChoice.MODEL, settings.model)
    if chosen.suite in [choice.value for choice in Measured]:
        return _run_drawn_suite(Measured(chosen.suite), chosen, jobs, as_json=as_json)
    result = Bench(settings, policy, chosen, jobs).run(load_suite(chosen.suite, chosen.suites))
    talk(f"Written: {settings.data_dir / RESULTS / result.id}.json")
    return print_result(result, as_json=as_json)


def _run_drawn_suite(suite: Measured, chosen: Chosen, jobs: int | None, *, as_json: bool) -> int:
    """Run a drawn suite through the command of its own name, which has more options."""
    if chosen.policy != BenchmarkPolicy.LITERAL.value or chosen.split or chosen.task != "*":
        raise SetupError(
            f"suite {suite} is drawn, and verified without a model: --policy, --split and --task"
            f" mean nothing for it; `appliance bench {suite} --help` shows what does"
        )
    group = click.get_current_context().parent
    assert group is not None and isinstance(group.command, click.Group)  # noqa: S101 - types
    passed_on = {suite.how_many: chosen.tasks, "--jobs": jobs}
    passed_on |= {"--seed": chosen.seed} if suite is Measured.DRIFT else {}
    words = [str(word) for pair in passed_on.items() if pair[1] is not None for word in pair]
    command = group.command.commands[suite]
    with command.make_context(suite, [*words, *(["--json"] if as_json else [])], group) as inner:
        return int(command.invoke(inner) or CLEAN)


@dataclass(frozen=True, slots=True)
class Bench:
    """A benchmark with its settings, policy and choice of tasks."""

    settings: Settings
    policy: BenchmarkPolicy
    chosen: Chosen
    jobs: int | None
    trial_of: TrialFactory | None = None
    """Turns a verdict on a task into a trial; None: by what the audit rules say."""

    def run(self, suite: AnySuite) -> BenchmarkResult:
        """Run the benchmark, or resume the unfinished one with the same setup."""
        if isinstance(suite, DocumentationSuite):
            suite = suite.over(self.chosen.documents, self.chosen.checks)
        agent = self._foreign_agent()
        if why := asyncio.run(self._why_away()):
            raise SetupError(why)
        tasks = self.chosen.of(suite.name, suite.tasks)
        setup = self.setup(suite, tasks)
        releases, tries = self._tries(suite, tasks, setup, agent)
        now = SystemClock().now
        record = Record(setup, releases, self.settings.data_dir / RESULTS, now())
        with _progress(record.result, len(tasks) * self.chosen.runs) as finished:
            run(record, tries, finished)
        return record.end(now())

    def _tries(
        self,
        suite: AnySuite,
        tasks: Sequence[Any],  # Any: those of its kind of suite
        setup: Setup,
        agent: Baseline | None,
    ) -> tuple[Sequence[str], Tries]:
        """Return the releases of the practice cloud to start, and how tasks are tried."""
        work = self.settings.data_dir / "bench" / "suites"
        drifts = drifts_of(tasks) if isinstance(suite, Suite) else {}
        carry_out = _CarryOut(self.settings, work, self.jobs, self.chosen.provision, drifts)
        match suite:
            case StepSuite():
                open_policies = partial(policies, self.policy, self.settings, self.chosen.seed)
                return [""], StepTries(tasks, open_policies, self._why_away)
            case DocumentationSuite():
                if self.policy not in TIERS:
                    raise SetupError(
                        f"suite {suite.name} measures the appliance: --policy {' or '.join(TIERS)}"
                    )
                return [""], ByEngine(
                    DocumentationWork(suite, tasks, setup), carry_out, self._why_away
                )
            case JudgeSuite():
                if self.policy is not BenchmarkPolicy.LITERAL:
                    raise SetupError(
                        f"suite {suite.name} says itself what acts, and measures who judges it:"
                        " leave --policy out"
                    )
                judged_tasks = TaskWork(
                    tasks, setup, work / "tasks", suite.policy_of, suite.trial_of
                )
                return judged_tasks.releases, ByEngine(judged_tasks, carry_out)
            case Suite():
                task_work = TaskWork(tasks, setup, work / "tasks", agent, self.trial_of)
                return task_work.releases, ByEngine(task_work, carry_out, self._why_away)

    async def _why_away(self) -> str:
        return await why_away(self.settings, self.policy)

    def _foreign_agent(self) -> Baseline | None:
        """Return the third-party agent to measure; None: one of our own policies is measured."""
        if self.policy is not BenchmarkPolicy.BROWSER_USE:
            return None
        python = check_agent(self.chosen.agent_python, self.settings.model)
        return partial(BrowserUse, python, self.settings)

    def setup(self, suite: AnySuite, tasks: Sequence[AnyTask]) -> Setup:
        """Describe what is measured, so that results of the same setup are found again."""
        is_ours = self.policy is BenchmarkPolicy.MODEL
        names = (self.settings.model.name, self.settings.agent.adapter if is_ours else "")
        return Setup(
            suite=suite.name,
            suite_version=suite.version,
            policy=self.policy,
            model="+".join(filter(None, names)) if self.policy in MODEL_POLICIES else "",
            prompts=prompts_version() if is_ours else "",
            provision=self.chosen.provision,
            runs=self.chosen.runs,
            seed=self.chosen.seed,
            tasks=tuple(task.id for task in tasks),
        )


@contextmanager
def _progress(result: BenchmarkResult, total: int) -> Iterator[Callable[[Trial], None]]:
    """Report finished trials: a progress bar at a terminal, elsewhere a line each."""
    finished_before = len(result.trials)
    talk(f"{result.id}: {finished_before} of {total} trials are there.")
    with counting_bar() as bar:
        row, numbers = (
            bar.add_task("Trials", total=total, completed=finished_before),
            count(finished_before + 1),
        )

        def finished(trial: Trial) -> None:
            bar.advance(row)
            number = next(numbers)
            if bar.disable:
                blame = f" ({trial.blame})" if trial.blame else ""
                how = "success" if trial.success else f"failure{blame}: {trial.reason}"
                talk(f"[{number}/{total}] run {trial.run}: {trial.task}: {how}")

        yield finished


def print_result(result: BenchmarkResult, *, as_json: bool) -> int:
    """Print the table, or its figures as JSON."""
    summary = summarise(result)
    if as_json:
        write_json(to_jsonable(summary))
    else:
        click.echo(as_markdown(result, summary))
    return CLEAN
