"""The suite of labelled attempts: tasks of another suite, each carried out in several ways."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import Field

from appliance.benchmark.by_engine import audited
from appliance.benchmark.judging.behaviours import Behaviour, policy_of
from appliance.benchmark.suite import Suite, SuiteModel, Task, read_as
from appliance.benchmark.trials import Trial
from appliance.config import ConsoleSettings
from appliance.core.errors import SetupError
from appliance.core.result import ProcedureResult
from appliance.core.verdict import Verdict
from appliance.policy.base import Policy
from appliance.policy.base import Task as PolicyTask
from appliance.practice.loading import nearest

CONSENSUS = "consensus"
"""What all channels say together."""


class _File(SuiteModel):
    schema_version: Literal[1]
    kind: Literal["judge"]
    title: str
    cases: dict[Behaviour, tuple[str, ...]] = Field(min_length=1)
    """Ids of tasks of the suite `practice`, by the way in which they are carried out."""


@dataclass(frozen=True, kw_only=True)
class JudgeSuite:
    """Labelled attempts by the name of their file."""

    name: str
    title: str
    version: str
    tasks: tuple[Task, ...]
    """One for each attempt."""
    behaviours: Mapping[str, Behaviour]
    """By the folder of the task."""

    def policy_of(self, task: PolicyTask, console: ConsoleSettings) -> Policy:
        """What carries out an attempt."""
        folder = task.procedure.id.partition("/")[0]
        return policy_of(self.behaviours[folder], task, console)

    def trial_of(self, task: Task, run: int, result: ProcedureResult) -> Trial:
        """Who is right of an attempt; nobody is where it did not come about."""
        behaviour = self.behaviours[task.folder]
        trial = audited(task, run, result)
        if result.verdict is Verdict.BLOCKED or not result.goal.channels:
            return trial.model_copy(update={"success": False, "way": behaviour.value})
        said = {one.channel.value: one.reached for one in result.goal.channels}
        said[CONSENSUS] = result.goal.reached
        return trial.model_copy(
            update={
                "success": said[CONSENSUS] is behaviour.reaches_goal,
                "way": behaviour.value,
                "said": said,
                "label": behaviour.reaches_goal,
                "blame": None,
                "shape": None,
            }
        )


def read_judge_suite(file: Path, practice: Suite) -> JudgeSuite:
    """Read a suite of labelled attempts.

    Raises:
        SetupError: Its file is wrong; with file and line.
    """
    source, suite = read_as(_File, file)
    known = {task.id: task for task in practice.tasks}
    for behaviour, ids in suite.cases.items():
        for number, one in enumerate(ids):
            if one not in known:
                place = source.place(("cases", behaviour.value, number))
                raise SetupError(f"{place}: there is no task {one!r}; {nearest(one, known)}")
    # in no order that means something: each part of a run has attempts of all kinds
    cases = sorted(_cases(suite, known), key=lambda case: case[0].folder)
    digest = "".join(sorted(task.digest for task, _ in cases))
    return JudgeSuite(
        name=file.stem,
        title=suite.title,
        version=hashlib.sha256(digest.encode()).hexdigest()[:12],
        tasks=tuple(task for task, _ in cases),
        behaviours={task.folder: behaviour for task, behaviour in cases},
    )


def _cases(suite: _File, known: Mapping[str, Task]) -> Iterator[tuple[Task, Behaviour]]:
    for behaviour, ids in suite.cases.items():
        for one in ids:
            yield replace(known[one], id=f"{one} ({behaviour})"), behaviour
