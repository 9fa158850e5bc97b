"""Groups of attempts by the policy in training, carried out in the live console by the engine."""

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
from appliance.training.outcomes import OutcomeModel, OutcomeTurn, question
from appliance.training.rewards import (
    AttemptScore,
    advantages,
    attempt_reward,
    has_spread,
    step_credits,
)
from appliance.training.rollouts import RolledOutAttempt, RolloutRequest, Rollouts, TokenExchange

CarryOut = Callable[[RunRequest, str, Baseline], Awaitable[Sequence[ProcedureResult]]]
"""Has an engine carry out a request in a freshly reset practice cloud of the given release."""
OUTCOME_NAME = "outcome"
"""The name under which the outcome model is served."""
_TRUSTED_CHANNELS = frozenset({GoalChannel.AUDIT, GoalChannel.JUDGES})
_AGENT_CAUSES = frozenset({CauseKind.POLICY, CauseKind.NOT_TRIED, CauseKind.NOT_ALLOWED})


class RecordedPolicy:
    """Wraps a policy and records what it was asked and what it answered."""

    name = PolicyName.BASELINE

    def __init__(
        self, policy: ModelPolicy | ShortPolicy, task: PolicyTask, own_names: Iterable[str]
    ) -> None:
        self._policy, self.task, self._own_names = policy, task, tuple(own_names)
        self.exchanges: list[Exchange] = []
        self.states: list[str] = []
        """The state of the page before each exchange, as `state_of` computes it."""
        self.done: list[OutcomeTurn] = []
        """The turns so far, for the outcome model."""
        self.noted: set[str] = set()
        """Steps that the policy has reported as untrue."""

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """Delegate to the wrapped policy."""
        try:
            decision = await self._policy.choose(view, last)
        finally:
            self.exchanges += self._policy.exchanges
            self.states += [state_of(view, self._own_names)] * len(self._policy.exchanges)
        self.done.append(OutcomeTurn(view=view, action=decision.action, step=decision.step))
        self.noted |= {divergence.step for divergence in decision.divergences}
        self.noted -= {
            withdrawn.step
            for withdrawn in decision.withdrawn
            if withdrawn not in decision.divergences
        }
        return decision


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptMaker:
    """Makes groups of attempts at tasks."""

    tasks: Sequence[Task]
    options: LiveOptions
    truth: Mapping[str, Sequence[Untruth]]
    """Known untrue sentences of the documentation, by release."""
    client: ModelClient
    agent: AgentSettings
    """Settings of the agent; they name the adapter in training."""
    carry_out: CarryOut
    work: Path
    """Folder into which documents are written for the engine."""
    validation: Sequence[Task] = ()
    """Tasks tried once each with greedy decoding, to measure the policy."""
    outcomes: OutcomeModel | None = None
    """Decides the outcome where no audit log does; None: the judges do, if there are any."""
    _policies: dict[str, RecordedPolicy] = field(default_factory=dict)

    async def make(self, request: RolloutRequest) -> Rollouts:
        """Make the groups of a step, preferring groups whose rewards differ."""
        self._policies.clear()
        if request.validates:
            return await self._run_validation(request)
        tasks = tasks_of_step(self.tasks, self.options, request.step)
        attempts_made = [
            attempt async for attempt in self._run_attempts(tasks, self.options.group, self.agent)
        ]
        groups = [
            [attempt for attempt in attempts_made if attempt.task == task.id] for task in tasks
        ]
        if all(attempt.reward is None for attempt in attempts_made):
            why = attempts_made[0].why if attempts_made else "the engine made none"
            raise TrainingError(f"no attempt of step {request.step} counts: {why}")
        chosen = with_spread(groups, self.options.questions)
        advantages_by_group = advantages([[one.reward for one in group] for group in chosen])
        attempts = [
            replace(attempt, advantage=advantage)
            for group, group_advantages in zip(chosen, advantages_by_group, strict=True)
            for attempt, advantage in zip(
                with_step_credits(group, self.options), group_advantages, strict=True
            )
        ]
        return Rollouts(
            step=request.step,
            digest=request.digest,
            attempts=attempts,
            figures=figures_of(attempts_made, groups),
        )

    async def attempt(self, task: Task) -> RolledOutAttempt:
        """Make a single attempt at a task, rewarded without a group to compare it with."""
        (attempt,) = [rollout async for rollout in self._run_attempts([task], 1, self.agent)]
        return attempt

    async def _run_validation(self, request: RolloutRequest) -> Rollouts:
        greedy = self.agent.model_copy(update={"temperature": 0.0})
        attempts = [attempt async for attempt in self._run_attempts(self.validation, 1, greedy)]
        outcomes = [attempt.reached for attempt in attempts if attempt.reached is not None]
        if not outcomes:
            raise TrainingError(f"no attempt of the validation after step {request.step} counts")
        return Rollouts(
            step=request.step,
            digest=request.digest,
            validates=True,
            attempts=attempts,
            figures={
                "validation_success": fmean(outcomes),
                "validation_left_out": float(len(attempts) - len(outcomes)),
            },
        )

    async def _run_attempts(
        self, tasks: Sequence[Task], times: int, agent: AgentSettings
    ) -> AsyncIterator[RolledOutAttempt]:
        copies = {
            copy.folder: (task, copy)
            for task in tasks
            for copy in (replace(task, id=f"{task.id}#{n}") for n in range(times))
        }
        for release in dict.fromkeys(task.release for task in tasks):
            release_copies = [copy for _, copy in copies.values() if copy.release == release]
            root = self.work / release
            request = await asyncio.to_thread(request_of, release_copies, root, PolicyChoice.AUTO)
            for result in await self.carry_out(
                request, release, partial(self._recorded_policy, agent)
            ):
                task, _ = copies[result.id.partition("/")[0]]
                yield await self._rollout_of(task, result)

    def _recorded_policy(
        self, agent: AgentSettings, task: PolicyTask, _: ConsoleSettings
    ) -> RecordedPolicy:
        own_names = (task.unique, *task.bindings.values())
        policy = RecordedPolicy(agent_policy(task, self.client, agent), task, own_names)
        self._policies[task.procedure.id] = policy
        return policy

    async def _judge_outcome(
        self, policy: RecordedPolicy | None, result: ProcedureResult
    ) -> tuple[bool | None, str]:
        """Decide by the audit log; where it is silent, by the outcome model, else by the judges."""
        by_model = self.outcomes is not None and not is_blocked(result) and not is_audited(result)
        if not by_model or policy is None or not policy.done:
            return outcome_of(result)
        assert self.outcomes is not None  # noqa: S101 - for the type checker: it was looked at
        text = question(policy.task.procedure, policy.task.unique, policy.done)
        reached = await self.outcomes.reached(self.client, OUTCOME_NAME, text)
        return reached, "the outcome model says so" if reached is not None else "nobody can tell"

    async def _rollout_of(self, task: Task, result: ProcedureResult) -> RolledOutAttempt:
        policy = self._policies.get(result.id)
        exchanges = policy.exchanges if policy else []
        reached, why = await self._judge_outcome(policy, result)
        if not exchanges or any(exchange.trace is None for exchange in exchanges):
            reached, why = None, why if reached is None else "the server told no tokens"
        untrue, allowed = untrue_steps(task, self.truth.get(task.release, ()))
        noted_steps = policy.noted if policy else set()
        score = AttemptScore(
            reached=reached,
            is_usable=not any(exchange.problem for exchange in exchanges),
            noted=frozenset(noted_steps - (allowed - untrue)),
            untrue=untrue,
            length=len(exchanges) / self.options.max_actions,
        )
        return RolledOutAttempt(
            task=task.id,
            reward=attempt_reward(score),
            advantage=0.0,
            why=why,
            reached=reached,
            exchanges=[
                _token_exchange(exchange, state)
                for exchange, state in zip(exchanges, policy.states if policy else (), strict=True)
                if exchange.trace
            ],
            asked=[str(exchange.messages[-1]["content"]) for exchange in exchanges],
        )


def _token_exchange(exchange: Exchange, state: str) -> TokenExchange:
    trace = exchange.trace
    assert trace is not None  # noqa: S101 - for the type checker: the others were left out
    return TokenExchange(
        prompt=trace.prompt,
        answer=trace.answer,
        logprobs=trace.logprobs,
        said=exchange.answer,
        state=state,
    )


def state_of(view: Observation, own_names: Iterable[str]) -> str:
    """Digest a page so that attempts of a group on the same page with the same controls agree.

    Args:
        view: The page. Its address is left out: it may name what the attempt has made.
        own_names: Names unique to one attempt; they are masked.
    """
    controls = (f"{e.role} {e.name} {e.value} {sorted(e.states)}" for e in view.elements)
    text = "\n".join((view.title, *view.dialogs, *controls))
    for name in sorted(filter(None, own_names), key=len, reverse=True):
        text = text.replace(name, "*")
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def with_step_credits(
    group: Sequence[RolledOutAttempt], options: LiveOptions
) -> list[RolledOutAttempt]:
    """Return the attempts at a task with the step credit of each turn filled in."""
    states = [[turn.state for turn in attempt.exchanges] for attempt in group]
    credits = step_credits([attempt.reward for attempt in group], states, options.discount)
    return [
        replace(
            attempt,
            exchanges=[
                replace(turn, credit=options.step_credit * credit)
                for turn, credit in zip(attempt.exchanges, turn_credits, strict=True)
            ],
        )
        for attempt, turn_credits in zip(group, credits, strict=True)
    ]


def tasks_of_step(tasks: Sequence[Task], options: LiveOptions, step: int) -> list[Task]:
    """Draw the tasks of a step; every task is tried once before any is tried again."""
    count = min(len(tasks), math.ceil(options.oversampling * options.questions))
    chosen = list[Task]()
    for number in range(step * count, (step + 1) * count):
        round_number, position = divmod(number, len(tasks))
        order = list(range(len(tasks)))
        Random(f"{options.seed}/{round_number}").shuffle(order)  # noqa: S311 - repeatable, no secret
        chosen.append(tasks[order[position]])
    return list({task.id: task for task in chosen}.values())


def with_spread(
    groups: Sequence[list[RolledOutAttempt]], count: int
) -> list[list[RolledOutAttempt]]:
    """Return at most `count` groups, all with differing rewards."""
    return [group for group in groups if has_spread([attempt.reward for attempt in group])][:count]


def outcome_of(result: ProcedureResult) -> tuple[bool | None, str]:
    """Return whether an attempt reached its goal, and why; None: unknown, or not the agent's fault.

    Evidence from the page is ignored, because the agent itself may have produced it.
    """
    if is_blocked(result):
        return None, result.blocked_by or "blocked"
    decided_channels = [
        channel
        for channel in result.goal.channels
        if channel.channel in _TRUSTED_CHANNELS and channel.reached is not None
    ]
    if len({channel.reached for channel in decided_channels}) != 1:
        return None, "those who were asked disagree" if decided_channels else "nobody can tell"
    return decided_channels[0].reached, decided_channels[0].reason


def is_blocked(result: ProcedureResult) -> bool:
    """Whether something other than the agent blocked the attempt."""
    return result.verdict is Verdict.BLOCKED and result.cause not in _AGENT_CAUSES


def is_audited(result: ProcedureResult) -> bool:
    """Whether the audit log decided the outcome."""
    return any(
        channel.channel is GoalChannel.AUDIT and channel.reached is not None
        for channel in result.goal.channels
    )


def untrue_steps(task: Task, truth: Sequence[Untruth]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the steps that are known to be untrue, and those that may be reported as such."""
    steps = list(task.draft.procedure.walk())

    def steps_at(line: int) -> Iterator[str]:
        around = [s for s in steps if s.span.line <= line <= s.span.end_line]
        yield from (s.index for s in around[-1:])  # the innermost: it is walked to last

    untruths = [untruth for untruth in truth if untruth.document == task.draft.name]
    must = {step for one in untruths if not one.is_optional for step in steps_at(one.line)}
    may = {step for one in untruths for line in (one.line, *one.instead) for step in steps_at(line)}
    return frozenset(must), frozenset(must | may)


def figures_of(
    attempts: Sequence[RolledOutAttempt], groups: Sequence[Sequence[RolledOutAttempt]]
) -> dict[str, float]:
    """Return the figures that are plotted as curves."""
    rewards = [attempt.reward for attempt in attempts if attempt.reward is not None]
    figures = {
        "live_attempts": float(len(attempts)),
        "live_left_out": float(len(attempts) - len(rewards)),
        "live_spread": fmean(has_spread([attempt.reward for attempt in group]) for group in groups),
        "live_turns": fmean(len(attempt.exchanges) for attempt in attempts) if attempts else 0.0,
    }
    return figures | ({"live_reward": fmean(rewards)} if rewards else {})
