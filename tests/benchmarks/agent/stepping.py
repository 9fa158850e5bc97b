"""One attempt of ours, measured part by part: look, choose, do."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from appliance.browser import Page
from appliance.core.errors import SetupError
from appliance.core.page import Performed
from appliance.policy.base import Decision, Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a part of a step took, in milliseconds."""

    wall: float
    cpu: float
    """Of this process; the browser's and the model's are processes of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One turn."""

    look: Part
    choose: Part
    """With the model's answer."""
    do: Part
    decision: Decision

    @property
    def wall(self) -> float:
        """All of it."""
        return self.look.wall + self.choose.wall + self.do.wall

    @property
    def cpu(self) -> float:
        """Of this process."""
        return self.look.cpu + self.choose.cpu + self.do.cpu


class Stopwatch:
    """Tells what passed since it was asked last."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def lap(self) -> Part:
        """Since then."""
        wall, cpu = time.perf_counter(), time.process_time()
        part = Part(wall=(wall - self._wall) * 1000, cpu=(cpu - self._cpu) * 1000)
        self._wall, self._cpu = wall, cpu
        return part


After = Callable[[Step], Awaitable[None]]


async def nothing(step: Step) -> None:
    """Between two turns."""


async def steps(policy: Policy, page: Page, count: int, after: After = nothing) -> list[Step]:
    """So many turns; what is done after each of them is not counted.

    Raises:
        SetupError: An action failed, or the policy ended: what is measured is not what was meant.
    """
    made: list[Step] = []
    last: Performed | None = None
    for _ in range(count):
        watch = Stopwatch()
        view = await page.observe()
        look = watch.lap()
        decision = await policy.choose(view, last)
        choose = watch.lap()
        last = await page.perform(decision.action)
        step = Step(look=look, choose=choose, do=watch.lap(), decision=decision)
        if decision.action.is_final or not last.ok:
            raise SetupError(f"turn {len(made) + 1}: {decision.action.argument} {last.error}")
        made.append(step)
        await after(step)
    return made
