"""Runs a suite: a request to the engine for each run and release, a trial for each verdict."""

import shutil
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Protocol, TypeVar

from appliance.benchmark.policies.oracle import OraclePolicy
from appliance.benchmark.policies.wanderer import RandomPolicy
from appliance.benchmark.record import Record
from appliance.benchmark.suite import Task
from appliance.benchmark.trials import (
    BenchmarkPolicy,
    BenchmarkResult,
    Part,
    Setup,
    Trial,
    trial_of,
)
from appliance.config import ConsoleSettings
from appliance.core.events import Event, ProcedureFinished, Subscriber
from appliance.core.result import ProcedureResult
from appliance.core.verdict import PolicyChoice
from appliance.engine.request import RunKind, RunRequest
from appliance.policy.base import Policy
from appliance.policy.base import Task as PolicyTask

Something = TypeVar("Something")
Baseline = Callable[[PolicyTask, ConsoleSettings], Policy]


class CarryOut(Protocol):
    """Has an engine carry out a request in a practice cloud of its own, in its first state."""

    def __call__(
        self,
        request: RunRequest,
        release: str,
        run_id: str,
        baseline: Baseline | None,
        kept: Callable[[str], None],
        subscriber: Subscriber,
    ) -> Sequence[ProcedureResult]:
        """All verdicts of the run.

        Args:
            request: What is to be done.
            release: Of the practice cloud.
            run_id: Of the run where it was begun earlier; it goes on.
            baseline: What acts in place of the policy that the request names.
            kept: Told the run's id before anything is done.
            subscriber: Told of everything.
        """
        ...


class Named(Protocol):
    """A suite, whatever is in it."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def version(self) -> str:
        """Changes with anything in it."""


class Tried(Protocol):
    """What is tried, and succeeds or fails."""

    @property
    def id(self) -> str:
        """Of the task or step."""


def setup_of(
    suite: Named,
    tasks: Sequence[Tried],
    policy: BenchmarkPolicy,
    *,
    model: str,
    runs: int,
    seed: int,
) -> Setup:
    """What is measured."""
    return Setup(
        suite=suite.name,
        suite_version=suite.version,
        policy=policy,
        model=model,
        runs=runs,
        seed=seed,
        tasks=tuple(task.id for task in tasks),
    )


def sample(tasks: Sequence[Something], count: int | None, seed: int) -> tuple[Something, ...]:
    """So many of them, always the same for a seed; None: all."""
    if count is None or count >= len(tasks):
        return tuple(tasks)
    numbers = Random(f"sample/{seed}").sample(range(len(tasks)), count)  # noqa: S311 - repeatable
    return tuple(tasks[number] for number in sorted(numbers))


class Judged(Protocol):
    """Labelled attempts."""

    def policy_of(self, task: PolicyTask, console: ConsoleSettings) -> Policy:
        """What carries out an attempt."""

    def trial_of(self, task: Task, run: int, result: ProcedureResult) -> Trial:
        """Who is right of it."""


class Runner:
    """One benchmark, from its setup to its result; what was interrupted goes on."""

    def __init__(
        self,
        tasks: Sequence[Task],
        setup: Setup,
        folder: Path,
        work: Path,
        now: datetime,
        judged: Judged | None = None,
    ) -> None:
        """Begin a benchmark, or go on with the one of the same setup that is not over.

        Args:
            tasks: Those of the setup.
            setup: What is measured.
            folder: Where results are kept.
            work: Where documents are written for the engine.
            now: When it begins.
            judged: What acts, and what is made of it, where attempts are labelled.
        """
        self._judged = judged
        self._tasks, self._work = tasks, work
        self._by_folder = {task.folder: task for task in tasks}
        releases = list(dict.fromkeys(task.release for task in tasks))
        self._record = Record(setup, releases, folder, now)

    @property
    def result(self) -> BenchmarkResult:
        """As far as it is."""
        return self._record.result

    def run(self, carry_out: CarryOut, finished: Callable[[Trial], None]) -> BenchmarkResult:
        """Carry out what is left. The engine keeps every verdict; the file follows part by part."""
        try:
            for number, part in enumerate(self.result.parts):
                if not part.is_over:
                    self._run_part(number, part, carry_out, finished)
        finally:
            self._record.keep()
        return self.result

    def end(self, now: datetime) -> BenchmarkResult:
        """It is over."""
        return self._record.end(now)

    def _run_part(
        self, number: int, part: Part, carry_out: CarryOut, finished: Callable[[Trial], None]
    ) -> None:
        def kept(run_id: str) -> None:
            self._record.change(number, run_id=run_id)

        def hear(event: Event) -> None:
            if isinstance(event, ProcedureFinished):
                finished(self._add(part.run, event.result))

        judged = self._judged
        baseline = judged.policy_of if judged else _baseline(self.result.setup, part.run)
        results = carry_out(self._request(part), part.release, part.run_id, baseline, kept, hear)
        for result in results:  # those of an earlier process are in the store only
            self._add(part.run, result)
        self._record.change(number, is_over=True)

    def _request(self, part: Part) -> RunRequest:
        tasks = [task for task in self._tasks if task.release == part.release]
        policy = self.result.setup.policy
        is_ours = self._judged or policy in (BenchmarkPolicy.RANDOM, BenchmarkPolicy.ORACLE)
        chosen = PolicyChoice.AUTO if is_ours else PolicyChoice(policy.value)
        return request_of(tasks, self._work / part.release, chosen)

    def _add(self, run: int, result: ProcedureResult) -> Trial:
        task = self._by_folder[result.id.partition("/")[0]]
        trial = (self._judged.trial_of if self._judged else trial_of)(task, run, result)
        self._record.add(trial)
        return trial


def request_of(tasks: Sequence[Task], root: Path, policy: PolicyChoice) -> RunRequest:
    """What an engine is asked for: each task once, written into the folder."""
    shutil.rmtree(root, ignore_errors=True)
    return RunRequest(
        kind=RunKind.BENCHMARK,
        documents=tuple(task.write(root) for task in tasks),
        patterns=tuple(task.pattern for task in tasks),
        policy=policy,
        tries_patches=False,
    )


def _baseline(setup: Setup, run: int) -> Baseline | None:
    match setup.policy:
        case BenchmarkPolicy.RANDOM:
            return lambda task, _: RandomPolicy(task, f"{setup.seed}/{run}")
        case BenchmarkPolicy.ORACLE:
            return OraclePolicy
        case _:
            return None
