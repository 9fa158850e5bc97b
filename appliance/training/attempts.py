"""Attempts of the policy that is trained, in the live console, through the engine: in groups."""

import asyncio
import hashlib
import math
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean

from appliance.benchmark.by_engine import Baseline, request_of
from appliance.benchmark.suite import Task
from appliance.benchmark.truth import Untruth
from appliance.config import AgentSettings, ConsoleSettings
from appliance.core.causes import CauseKind
from appliance.core.page import Observation, Performed
from appliance.core.result import ProcedureResult
from appliance.core.verdict import GoalChannel, PolicyChoice, PolicyName, Verdict
from appliance.engine.request import RunRequest
from appliance.inference.client import ModelClient
from appliance.policy.base import Decision, Exchange
from appliance.policy.base import Task as PolicyTask
from appliance.policy.model import ModelPolicy, ShortPolicy, agent_policy
from appliance.training.errors import TrainingError
from appliance.training.options import LiveOptions
from appliance.training.outcomes import Done, OutcomeModel, question
from appliance.training.rewards import (
    AttemptScore,
    advantages,
    attempt_reward,
    has_spread,
    step_credits,
)
from appliance.training.rollouts import Asked, Exchanged, RolledOut, Rollouts

CarryOut = Callable[[RunRequest, str, Baseline], Awaitable[Sequence[ProcedureResult]]]
"""Has an engine carry out a request in a practice cloud of that release, in its first state."""
OUTCOME_NAME = "outcome"
"""Under which the outcome model is served."""
_WITNESSES = frozenset({GoalChannel.AUDIT, GoalChannel.JUDGES})
_OF_THE_AGENT = frozenset({CauseKind.POLICY, CauseKind.NOT_TRIED, CauseKind.NOT_ALLOWED})


class RecordedPolicy:
    """Another policy, and what it was asked and answered."""

    name = PolicyName.BASELINE

    def __init__(
        self, policy: ModelPolicy | ShortPolicy, task: PolicyTask, own_names: Iterable[str]
    ) -> None:
        self._policy, self.task, self._own_names = policy, task, tuple(own_names)
        self.exchanges: list[Exchange] = []
        self.states: list[str] = []
        """Of the page before each of them."""
        self.done: list[Done] = []
        """What it did, and where."""
        self.noted: set[str] = set()
        """Steps of which it said that they are not true."""

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """As the other does."""
        try:
            decision = await self._policy.choose(view, last)
        finally:
            self.exchanges += self._policy.exchanges
            self.states += [state_of(view, self._own_names)] * len(self._policy.exchanges)
        self.done.append(Done(view=view, action=decision.action, step=decision.step))
        self.noted |= {one.step for one in decision.divergences}
        self.noted -= {one.step for one in decision.withdrawn if one not in decision.divergences}
        return decision


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptMaker:
    """Makes groups of attempts at tasks."""

    tasks: Sequence[Task]
    options: LiveOptions
    truth: Mapping[str, Sequence[Untruth]]
    """What is untrue of the documentation, by release."""
    client: ModelClient
    agent: AgentSettings
    """With the adapter that acts."""
    carry_out: CarryOut
    work: Path
    """Where documents are written for the engine."""
    validation: Sequence[Task] = ()
    """What is tried once, greedily, to see how well a policy does."""
    outcomes: OutcomeModel | None = None
    """Who says whether an attempt got there where no audit log does; none: judges, if any."""
    _recorded: dict[str, RecordedPolicy] = field(default_factory=dict)

    async def make(self, asked: Asked) -> Rollouts:
        """All groups of a step; those without spread are left out where there are enough others."""
        self._recorded.clear()
        if asked.validates:
            return await self._validated(asked)
        tasks = drawn(self.tasks, self.options, asked.step)
        made = [one async for one in self._made(tasks, self.options.group, self.agent)]
        groups = [[one for one in made if one.task == task.id] for task in tasks]
        if all(one.reward is None for one in made):
            why = made[0].why if made else "the engine made none"
            raise TrainingError(f"no attempt of step {asked.step} counts: {why}")
        chosen = with_spread(groups, self.options.questions)
        worths = advantages([[one.reward for one in group] for group in chosen])
        attempts = [
            replace(one, advantage=worth)
            for group, of in zip(chosen, worths, strict=True)
            for one, worth in zip(credited(group, self.options), of, strict=True)
        ]
        return Rollouts(
            step=asked.step,
            digest=asked.digest,
            attempts=attempts,
            figures=figures_of(made, groups),
        )

    async def attempt(self, task: Task) -> RolledOut:
        """One at a task, and what it is worth by itself."""
        (made,) = [one async for one in self._made([task], 1, self.agent)]
        return made

    async def _validated(self, asked: Asked) -> Rollouts:
        greedy = self.agent.model_copy(update={"temperature": 0.0})
        made = [one async for one in self._made(self.validation, 1, greedy)]
        known = [one.reached for one in made if one.reached is not None]
        if not known:
            raise TrainingError(f"no attempt of the validation after step {asked.step} counts")
        return Rollouts(
            step=asked.step,
            digest=asked.digest,
            validates=True,
            attempts=made,
            figures={
                "validation_success": fmean(known),
                "validation_left_out": float(len(made) - len(known)),
            },
        )

    async def _made(
        self, tasks: Sequence[Task], times: int, agent: AgentSettings
    ) -> AsyncIterator[RolledOut]:
        copies = {
            copy.folder: (task, copy)
            for task in tasks
            for copy in (replace(task, id=f"{task.id}#{n}") for n in range(times))
        }
        for release in dict.fromkeys(task.release for task in tasks):
            ours = [copy for _, copy in copies.values() if copy.release == release]
            root = self.work / release
            request = await asyncio.to_thread(request_of, ours, root, PolicyChoice.AUTO)
            for result in await self.carry_out(request, release, partial(self._policy, agent)):
                task, _ = copies[result.id.partition("/")[0]]
                yield await self._rolled_out(task, result)

    def _policy(self, agent: AgentSettings, task: PolicyTask, _: ConsoleSettings) -> RecordedPolicy:
        own_names = (task.unique, *task.bindings.values())
        made = RecordedPolicy(agent_policy(task, self.client, agent), task, own_names)
        self._recorded[task.procedure.id] = made
        return made

    async def _outcome(
        self, acted: RecordedPolicy | None, result: ProcedureResult
    ) -> tuple[bool | None, str]:
        """By the audit log; where it says nothing, by the outcome model, else by judges."""
        by_model = self.outcomes is not None and not is_blocked(result) and not is_audited(result)
        if not by_model or acted is None or not acted.done:
            return outcome_of(result)
        assert self.outcomes is not None  # noqa: S101 - for the type checker: it was looked at
        text = question(acted.task.procedure, acted.task.unique, acted.done)
        reached = await self.outcomes.reached(self.client, OUTCOME_NAME, text)
        return reached, "the outcome model says so" if reached is not None else "nobody can tell"

    async def _rolled_out(self, task: Task, result: ProcedureResult) -> RolledOut:
        acted = self._recorded.get(result.id)
        exchanges = acted.exchanges if acted else []
        reached, why = await self._outcome(acted, result)
        if not exchanges or any(one.trace is None for one in exchanges):
            reached, why = None, why if reached is None else "the server told no tokens"
        untrue, allowed = untrue_steps(task, self.truth.get(task.release, ()))
        noted = acted.noted if acted else set()
        score = AttemptScore(
            reached=reached,
            is_usable=not any(one.problem for one in exchanges),
            noted=frozenset(noted - (allowed - untrue)),
            untrue=untrue,
            length=len(exchanges) / self.options.max_actions,
        )
        return RolledOut(
            task=task.id,
            reward=attempt_reward(score),
            advantage=0.0,
            why=why,
            reached=reached,
            exchanges=[
                _exchanged(one, state)
                for one, state in zip(exchanges, acted.states if acted else (), strict=True)
                if one.trace
            ],
            asked=[str(one.messages[-1]["content"]) for one in exchanges],
        )


def _exchanged(one: Exchange, state: str) -> Exchanged:
    trace = one.trace
    assert trace is not None  # noqa: S101 - for the type checker: the others were left out
    return Exchanged(
        prompt=trace.prompt,
        answer=trace.answer,
        logprobs=trace.logprobs,
        said=one.answer,
        state=state,
    )


def state_of(view: Observation, own_names: Iterable[str]) -> str:
    """The same for attempts of a group that are on the same page with the same controls.

    Args:
        view: The page. Its address is left out: it may name what the attempt has made.
        own_names: What one attempt's things are called, and another's are not.
    """
    controls = (f"{e.role} {e.name} {e.value} {sorted(e.states)}" for e in view.elements)
    text = "\n".join((view.title, *view.dialogs, *controls))
    for name in sorted(filter(None, own_names), key=len, reverse=True):
        text = text.replace(name, "*")
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def credited(group: Sequence[RolledOut], options: LiveOptions) -> list[RolledOut]:
    """The attempts at a task, with what each turn is worth beside its attempt."""
    states = [[turn.state for turn in one.exchanges] for one in group]
    worths = step_credits([one.reward for one in group], states, options.discount)
    return [
        replace(
            one,
            exchanges=[
                replace(turn, credit=options.step_credit * credit)
                for turn, credit in zip(one.exchanges, own, strict=True)
            ],
        )
        for one, own in zip(group, worths, strict=True)
    ]


def drawn(tasks: Sequence[Task], options: LiveOptions, step: int) -> list[Task]:
    """The tasks of a step: each is tried before any comes again."""
    count = min(len(tasks), math.ceil(options.oversampling * options.questions))
    found = list[Task]()
    for number in range(step * count, (step + 1) * count):
        turn, place = divmod(number, len(tasks))
        order = list(range(len(tasks)))
        Random(f"{options.seed}/{turn}").shuffle(order)  # noqa: S311 - repeatable, no secret
        found.append(tasks[order[place]])
    return list({task.id: task for task in found}.values())


def with_spread(groups: Sequence[list[RolledOut]], count: int) -> list[list[RolledOut]]:
    """So many of the groups at most, all of which teach something."""
    return [group for group in groups if has_spread([one.reward for one in group])][:count]


def outcome_of(result: ProcedureResult) -> tuple[bool | None, str]:
    """Whether an attempt reached its goal, and why; None: nobody knows, or it was not the agent's.

    What the page says counts for nothing: the agent may have it say so.
    """
    if is_blocked(result):
        return None, result.blocked_by or "blocked"
    said = [c for c in result.goal.channels if c.channel in _WITNESSES and c.reached is not None]
    if len({c.reached for c in said}) != 1:
        return None, "those who were asked disagree" if said else "nobody can tell"
    return said[0].reached, said[0].reason


def is_blocked(result: ProcedureResult) -> bool:
    """Whether something was in the way that was not the agent's."""
    return result.verdict is Verdict.BLOCKED and result.cause not in _OF_THE_AGENT


def is_audited(result: ProcedureResult) -> bool:
    """Whether the audit log says anything of it."""
    return any(
        one.channel is GoalChannel.AUDIT and one.reached is not None for one in result.goal.channels
    )


def untrue_steps(task: Task, truth: Sequence[Untruth]) -> tuple[frozenset[str], frozenset[str]]:
    """Steps of a task that are known to be untrue, and those that may be called so."""
    steps = list(task.draft.procedure.walk())

    def of(line: int) -> Iterator[str]:
        around = [s for s in steps if s.span.line <= line <= s.span.end_line]
        yield from (s.index for s in around[-1:])  # the innermost: it is walked to last

    ours = [one for one in truth if one.document == task.draft.name]
    must = {step for one in ours if not one.is_optional for step in of(one.line)}
    may = {step for one in ours for line in (one.line, *one.instead) for step in of(line)}
    return frozenset(must), frozenset(must | may)


def figures_of(
    made: Sequence[RolledOut], groups: Sequence[Sequence[RolledOut]]
) -> dict[str, float]:
    """For the curves."""
    known = [one.reward for one in made if one.reward is not None]
    figures = {
        "live_attempts": float(len(made)),
        "live_left_out": float(len(made) - len(known)),
        "live_spread": fmean(has_spread([one.reward for one in group]) for group in groups),
        "live_turns": fmean(len(one.exchanges) for one in made) if made else 0.0,
    }
    return figures | ({"live_reward": fmean(known)} if known else {})
