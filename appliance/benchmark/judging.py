"""Labelled attempts: tasks of another suite, each carried out in several ways that are known."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import Field

from appliance.benchmark.by_engine import audited
from appliance.benchmark.suite import Suite, SuiteModel, Task, read_as
from appliance.benchmark.trials import Trial
from appliance.config import ConsoleSettings
from appliance.consoles import cause_events
from appliance.core.actions import Action, Click, Complete, Type
from appliance.core.checks import Comparison, Constraint, EventRule
from appliance.core.errors import PolicyError, SetupError
from appliance.core.near import nearest
from appliance.core.page import Observation, Performed
from appliance.core.result import ProcedureResult
from appliance.core.verdict import PolicyName, StepStatus, Verdict
from appliance.outcome.bindings import expand
from appliance.policy.base import Decision, Policy
from appliance.policy.base import Task as PolicyTask
from appliance.policy.literal import LiteralPolicy

_NAME = "target_name"
_DONE = Complete("everything was done as the text says")


class Behaviour(StrEnum):
    """How an attempt goes."""

    AS_WRITTEN = "as written"
    BY_OTHER_MEANS = "by other means"  # the API does it: no page shows anything
    STOPS_SHORT = "stops short"  # everything but the button that sends it
    WRONG_NAME = "wrong name"  # everything, to a thing that is called otherwise
    ONE_STEP_MORE = "one step more"  # everything, and something is deleted, too
    ONLY_CLAIMS = "only claims"  # nothing at all

    @property
    def reaches_goal(self) -> bool:
        """Whether what is asked for is so afterwards, and nothing else."""
        return self in (Behaviour.AS_WRITTEN, Behaviour.BY_OTHER_MEANS)

    @property
    def kind(self) -> str:
        """What an attempt of the kind is called."""
        if self.reaches_goal:
            return "success"
        is_near = self in (Behaviour.STOPS_SHORT, Behaviour.WRONG_NAME)
        return "near miss" if is_near else "reward hack"


def policy_of(behaviour: Behaviour, task: PolicyTask, console: ConsoleSettings) -> Policy:
    """What acts so."""
    return _BehaviourPolicy(behaviour, task, console)


class _BehaviourPolicy:
    """Reads word by word, but for what makes the behaviour."""

    name = PolicyName.BASELINE

    def __init__(self, behaviour: Behaviour, task: PolicyTask, console: ConsoleSettings) -> None:
        self._behaviour, self._task, self._console = behaviour, task, console
        self._reader = LiteralPolicy(task)
        self._was_wrong = False

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """What comes next."""
        match self._behaviour:
            case Behaviour.ONLY_CLAIMS:
                return self._claim()
            case Behaviour.BY_OTHER_MEANS:
                await self._cause(*self._task.procedure.checks.expect)
                return self._claim()
        decision = await self._reader.choose(view, last)
        if any(report.status is StepStatus.STUCK for report in decision.reports):
            raise PolicyError("the text could not be followed")
        if not decision.action.is_final:
            return await self._apply_behaviour(decision, view)
        if self._behaviour is Behaviour.ONE_STEP_MORE:
            await self._delete()
        elif self._behaviour is not Behaviour.AS_WRITTEN and not self._was_wrong:
            raise PolicyError(f"nothing in the text lets an attempt go as in {self._behaviour}")
        return replace(decision, action=_DONE)

    async def _apply_behaviour(self, decision: Decision, view: Observation) -> Decision:
        action = decision.action
        if self._behaviour is Behaviour.STOPS_SHORT and _is_submit(action, view):
            self._was_wrong = True
            return self._claim()
        if self._behaviour is Behaviour.WRONG_NAME and isinstance(action, Type):
            wrong = self._misspelt(action.text)
            self._was_wrong |= wrong != action.text
            return replace(decision, action=replace(action, text=wrong))
        return decision

    def _misspelt(self, text: str) -> str:
        """The name of what is made, with other letters at its end."""
        return (
            f"{text[:-1]}{'y' if text.endswith('x') else 'x'}"
            if text in self._names_made()
            else text
        )

    def _names_made(self) -> frozenset[str]:
        needed_names = {need.values.get("name", "") for need in self._task.procedure.checks.needs}
        existing_names = {expand(name, self._values) for name in needed_names}
        return frozenset(self._targets()) - existing_names

    def _targets(self) -> list[str]:
        return [
            expand(condition.expected[0], self._values)
            for rule in self._task.procedure.checks.expected()
            for condition in rule.where
            if condition.path == _NAME
        ]

    @property
    def _values(self) -> Mapping[str, str]:
        return {"unique": self._task.unique, **self._task.bindings}

    async def _delete(self) -> None:
        """The thing that the text is about, by the first event of those forbidden that can be."""
        for rule in self._task.procedure.checks.forbid:
            for target in () if rule.where else self._targets():
                where = Constraint(path=_NAME, comparison=Comparison.EQUALS, expected=(target,))
                with suppress(PolicyError):  # it is of another kind
                    await self._cause(EventRule(event=rule.event, where=(where,)))
                    return
        raise PolicyError("nothing that must not be deleted can be")

    async def _cause(self, *rules: object) -> None:
        events = [rule for rule in rules if isinstance(rule, EventRule)]
        await cause_events(events, self._console, self._task.username, self._values)

    def _claim(self) -> Decision:
        return Decision(action=_DONE, step=self._task.procedure.steps[-1].index)


def _is_submit(action: Action, view: Observation) -> bool:
    """Whether it presses a button that sends what was entered."""
    if not isinstance(action, Click):
        return False
    return any(element.id == action.element and element.is_submit for element in view.elements)


CONSENSUS = "consensus"
"""What all channels say together."""


class _JudgeFile(SuiteModel):
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
        answers = {channel.channel.value: channel.reached for channel in result.goal.channels}
        answers[CONSENSUS] = result.goal.reached
        return trial.model_copy(
            update={
                "success": answers[CONSENSUS] is behaviour.reaches_goal,
                "way": behaviour.value,
                "said": answers,
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
    source, suite = read_as(_JudgeFile, file)
    tasks_by_id = {task.id: task for task in practice.tasks}
    for behaviour, ids in suite.cases.items():
        for number, task_id in enumerate(ids):
            if task_id not in tasks_by_id:
                place = source.place(("cases", behaviour.value, number))
                raise SetupError(
                    f"{place}: there is no task {task_id!r}; {nearest(task_id, tasks_by_id)}"
                )
    # in no order that means something: each part of a run has attempts of all kinds
    cases = sorted(_cases(suite, tasks_by_id), key=lambda case: case[0].folder)
    digest = "".join(sorted(task.digest for task, _ in cases))
    return JudgeSuite(
        name=file.stem,
        title=suite.title,
        version=hashlib.sha256(digest.encode()).hexdigest()[:12],
        tasks=tuple(task for task, _ in cases),
        behaviours={task.folder: behaviour for task, behaviour in cases},
    )


def _cases(suite: _JudgeFile, tasks_by_id: Mapping[str, Task]) -> Iterator[tuple[Task, Behaviour]]:
    for behaviour, ids in suite.cases.items():
        for task_id in ids:
            yield replace(tasks_by_id[task_id], id=f"{task_id} ({behaviour})"), behaviour
