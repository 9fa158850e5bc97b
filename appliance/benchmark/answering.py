"""Single steps are answered by a policy: who does the right thing on a page that was kept."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

from appliance.benchmark.grounding import SingleStep
from appliance.benchmark.model_check import WhyAway, none_is_asked
from appliance.benchmark.policies.bounds import RandomPolicy
from appliance.benchmark.trials import BenchmarkPolicy, Part, Trial
from appliance.config import Settings
from appliance.core.actions import Action, build
from appliance.core.errors import AttemptError, SetupError
from appliance.core.page import Observation, Performed
from appliance.core.result import Cost
from appliance.core.verdict import PolicyName
from appliance.inference.client import ModelClient
from appliance.policy.base import Decision, Policy, Spent, Task
from appliance.policy.literal import LiteralPolicy
from appliance.policy.model import agent_policy

PolicyOfStep: TypeAlias = Callable[[SingleStep, Task], Policy]


@dataclass(frozen=True, slots=True)
class StepTries:
    """Has single steps answered: their pages were kept, so no console and no engine takes part."""

    steps: Sequence[SingleStep]
    opened: Callable[[int], AbstractAsyncContextManager[PolicyOfStep]]
    """Makes the policies of a run."""
    why_away: WhyAway = none_is_asked

    def __call__(
        self,
        part: Part,
        known: Collection[str],
        kept: Callable[[str], None],
        add: Callable[[Trial], None],
    ) -> None:
        """Answer those that nobody has answered.

        Raises:
            SetupError: The model is away.
        """

        async def answer() -> None:
            async with self.opened(part.run) as policy_of:
                for step in self.steps:
                    if step.id in known:
                        continue
                    trial = await answer_step(step, policy_of, part.run)
                    if trial.cost.model_calls == 0 and (why_not := await self.why_away()):
                        raise SetupError(f"{why_not} The same command goes on.")
                    add(trial)

        asyncio.run(answer())


@asynccontextmanager
async def policies(
    policy: BenchmarkPolicy, settings: Settings, seed: int, run: int
) -> AsyncIterator[PolicyOfStep]:
    """Who answers the steps of a run.

    Raises:
        SetupError: It does nothing on a page that was kept.
    """
    match policy:
        case BenchmarkPolicy.LITERAL:
            yield lambda _, policy_task: LiteralPolicy(policy_task)
        case BenchmarkPolicy.RANDOM:
            yield lambda _, policy_task: RandomPolicy(policy_task, f"{seed}/{run}")
        case BenchmarkPolicy.ORACLE:
            yield lambda step, _: _AcceptedAnswers(step)
        case BenchmarkPolicy.MODEL:
            async with ModelClient(settings.model, network=settings.outward) as client:
                yield lambda _, policy_task: agent_policy(policy_task, client, settings.agent)
        case _:
            raise SetupError(
                f"policy {policy} needs a console: single steps are pages that were kept; choose"
                " literal, model, random or oracle"
            )


class _AcceptedAnswers:
    """Does what is accepted: a step at which it fails cannot be answered."""

    name = PolicyName.BASELINE

    def __init__(self, step: SingleStep) -> None:
        self._step = step

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """The first of what is accepted."""
        first = self._step.line.accepted[0]
        action = build(first.action, element=first.element, argument=first.argument or "")
        return Decision(action=action, step=self._step.procedure.steps[0].index)


async def answer_step(step: SingleStep, policy_of: PolicyOfStep, run: int) -> Trial:
    """What the policy that is made for a step does with it."""
    line, began = step.line, time.monotonic()
    spent = Spent()
    try:
        task = Task(procedure=step.procedure, bindings=line.bindings, start_is_known=False)
        decision = await policy_of(step, task).choose(step.view, None)
        action, spent = decision.action, decision.spent
        is_right = any(accepted.is_met_by(action) for accepted in line.accepted)
        reason = _describe(action, step.view)
    except AttemptError as exc:
        is_right, reason = False, str(exc)
    cost = Cost(
        wall_s=time.monotonic() - began,
        model_s=spent.model_s,
        model_calls=spent.calls,
        tokens=spent.tokens,
    )
    return Trial(
        task=step.id,
        run=run,
        release=step.release,
        product=step.product,
        language=step.language,
        level=step.level,
        split=step.split,
        success=is_right,
        reason=reason,
        cost=cost,
    )


def _describe(action: Action, view: Observation) -> str:
    names = {element.id: f" {element.role} “{element.name}”" for element in view.elements}
    return f"{action.kind}{names.get(action.element or 0, '')} {action.argument}".strip()
