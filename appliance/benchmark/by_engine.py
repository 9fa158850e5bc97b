"""Tasks that need a console: requests to the engine, and a trial for each verdict."""

import asyncio
import shutil
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from appliance.benchmark.attribution import attribute
from appliance.benchmark.model_check import WhyAway, none_is_asked
from appliance.benchmark.policies.bounds import OraclePolicy, RandomPolicy
from appliance.benchmark.suite import Task
from appliance.benchmark.trials import BenchmarkPolicy, Part, Setup, Trial
from appliance.config import ConsoleSettings
from appliance.core.causes import CauseKind
from appliance.core.errors import SetupError
from appliance.core.events import Event, ProcedureFinished, Subscriber
from appliance.core.result import ProcedureResult
from appliance.core.verdict import GoalChannel, PolicyChoice
from appliance.engine.request import RunKind, RunRequest
from appliance.policy.base import Policy
from appliance.policy.base import Task as PolicyTask

Baseline = Callable[[PolicyTask, ConsoleSettings], Policy]
TrialFactory = Callable[[Task, int, ProcedureResult], Trial]
"""What is made of the verdict on a task, in a run."""


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


class CarryOut(Protocol):
    """Has an engine carry out a request."""

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
            release: Of the practice cloud, which is in its first state; empty: another console.
            run_id: Of the run where it was begun earlier; it goes on.
            baseline: What acts in place of the policy that the request names.
            kept: Told the run's id before anything is done.
            subscriber: Told of everything.
        """
        ...


class Work(Protocol):
    """What a suite has an engine do."""

    def request(self, part: Part, known: Collection[str]) -> RunRequest:
        """For one run on a release, but for what is known."""

    def baseline(self, part: Part) -> Baseline | None:
        """What acts in place of the policy that the request names."""

    def trial(self, part: Part, result: ProcedureResult) -> Trial | None:
        """What a verdict says; None: nothing is known of the procedure."""

    def missing(self, part: Part, told: Collection[str]) -> Iterable[Trial]:
        """Of what there are no verdicts of."""


@dataclass(frozen=True, slots=True)
class ByEngine:
    """Has an engine try a part. The engine keeps every verdict, so that it may be asked again."""

    work: Work
    carry_out: CarryOut
    why_away: WhyAway = none_is_asked

    def __call__(
        self,
        part: Part,
        known: Collection[str],
        kept: Callable[[str], None],
        add: Callable[[Trial], None],
    ) -> None:
        """Try what is left of it: the engine's run goes on, or one is begun with the rest.

        Raises:
            SetupError: The model is away. What it was not asked is left.
        """
        known_tasks, unasked = set(known), dict[str, Trial]()

        def tell(result: ProcedureResult) -> None:
            trial = self.work.trial(part, result)
            if trial is None:
                return
            if result.cause is CauseKind.MODEL:
                unasked[trial.task] = trial
            else:
                known_tasks.add(trial.task)
                add(trial)

        def hear(event: Event) -> None:
            if isinstance(event, ProcedureFinished):
                tell(event.result)

        request = self.work.request(part, () if part.run_id else known)
        baseline = self.work.baseline(part)
        results = self.carry_out(request, part.release, part.run_id, baseline, kept, hear)
        for result in results:  # those of an earlier process are in the store only
            tell(result)
        if unasked and (why := asyncio.run(self.why_away())):
            kept("")
            raise SetupError(
                f"{why} {len(unasked)} tasks were not asked; the same command goes on with them."
            )
        known_tasks |= unasked.keys()
        for trial in (*unasked.values(), *self.work.missing(part, known_tasks)):
            add(trial)


class TaskWork:
    """Tasks of the practice cloud."""

    def __init__(
        self,
        tasks: Sequence[Task],
        setup: Setup,
        folder: Path,
        acting_policy: Baseline | None = None,
        make_trial: TrialFactory | None = None,
    ) -> None:
        """Nothing is done yet.

        Args:
            tasks: Those of the setup.
            setup: What is measured.
            folder: Where documents are written for the engine.
            acting_policy: What acts in place of the setup's policy.
            make_trial: What is made of a verdict; None: what the audit rules say.
        """
        self._tasks, self._setup, self._folder = tasks, setup, folder
        self._acting_policy, self._make_trial = acting_policy, make_trial or audited
        self._by_folder = {task.folder: task for task in tasks}

    @property
    def releases(self) -> Sequence[str]:
        """Each has a practice cloud of its own."""
        return list(dict.fromkeys(task.release for task in self._tasks))

    def request(self, part: Part, known: Collection[str]) -> RunRequest:
        """With the tasks of its release that are not known."""
        tasks = [
            task for task in self._tasks if task.release == part.release and task.id not in known
        ]
        replaces_policy = self.baseline(part) is not None
        policy = PolicyChoice.AUTO if replaces_policy else PolicyChoice(self._setup.policy.value)
        return request_of(tasks, self._folder / part.release, policy)

    def baseline(self, part: Part) -> Baseline | None:
        """What acts, where that is no tier of ours."""
        match self._setup.policy:
            case _ if self._acting_policy:
                return self._acting_policy
            case BenchmarkPolicy.RANDOM:
                return lambda task, _: RandomPolicy(task, f"{self._setup.seed}/{part.run}")
            case BenchmarkPolicy.ORACLE:
                return OraclePolicy
            case _:
                return None

    def trial(self, part: Part, result: ProcedureResult) -> Trial:
        """Of the task that a verdict is about."""
        return self._make_trial(self._by_folder[result.id.partition("/")[0]], part.run, result)

    def missing(self, part: Part, known: Collection[str]) -> Iterable[Trial]:
        """None: the engine refuses a task that it does not find."""
        return ()


def audited(task: Task, run: int, result: ProcedureResult) -> Trial:
    """What became of a task, by the audit rules alone."""
    audit = next(
        (channel for channel in result.goal.channels if channel.channel is GoalChannel.AUDIT), None
    )
    success = bool(audit and audit.reached)
    blame, shape = (None, None) if success else attribute(result, is_untrue=task.is_untrue)
    return Trial(
        task=task.id,
        run=run,
        release=task.release,
        product=task.product,
        language=task.language,
        level=task.level,
        split=task.split,
        needs=bool(task.draft.procedure.checks.needs),
        success=success,
        verdict=result.verdict,
        reason=result.blocked_by or (audit.reason if audit else "the audit log was not asked"),
        blame=blame,
        shape=shape,
        cost=result.cost,
        trajectory=result.trajectory,
    )
