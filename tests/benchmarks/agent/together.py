"""Attempts at the same time, sharing one model; one of them waits long for every answer."""

import asyncio
import time
from dataclasses import dataclass
from statistics import median

from appliance.browser import BrowserPool
from appliance.config import BrowserSettings
from appliance.config.model_settings import AgentSettings
from appliance.inference.client import ModelClient
from appliance.policy.model import ModelPolicy
from tests.benchmarks.agent.form import SLOW, address, task
from tests.benchmarks.agent.stepping import Step, steps

_SETTINGS = AgentSettings(screenshots=False, budget_tokens=100_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """How attempts did beside one that waits."""

    attempts: int
    slow_s: float
    """How long the one waited for its answer."""
    least_meanwhile: int
    """Fewest turns that any of the others made meanwhile."""
    most_waited_ms: float
    """Longest that any of the others waited for an answer, connection and all."""
    median_waited_ms: float

    @property
    def is_free(self) -> bool:
        """Whether nobody waited for the slow one."""
        return self.least_meanwhile > 0 and self.most_waited_ms < self.slow_s * 1000


async def together(client: ModelClient, attempts: int, turns: int) -> Together:
    """Run them; the slow one makes one turn, the others so many each."""
    ends: dict[int, list[float]] = {n: [] for n in range(attempts)}
    waited: list[float] = []
    is_open, has_begun = asyncio.Barrier(attempts), asyncio.Event()
    slow = [0.0, 0.0]

    async def one(pool: BrowserPool, n: int) -> None:
        async def told(step: Step) -> None:
            ends[n].append(time.perf_counter())
            waited.append(step.decision.spent.model_s * 1000)

        async with pool.page(frozenset()) as page:
            await page.goto(address())
            await is_open.wait()
            if n == 0:
                slow[0] = time.perf_counter()
                has_begun.set()
                (step,) = await steps(ModelPolicy(task(SLOW), client, _SETTINGS), page, 1)
                slow[1] = slow[0] + (step.look.wall + step.choose.wall) / 1000
                return
            await has_begun.wait()
            await steps(ModelPolicy(task(f"quick-{n}"), client, _SETTINGS), page, turns, told)

    browsers = BrowserSettings(pool_size=attempts, quiet_ms=0)
    async with BrowserPool(browsers) as pool, asyncio.TaskGroup() as group:
        for n in range(attempts):
            group.create_task(one(pool, n))
    return Together(
        attempts=attempts,
        slow_s=slow[1] - slow[0],
        least_meanwhile=min(sum(at < slow[1] for at in ends[n]) for n in range(1, attempts)),
        most_waited_ms=max(waited),
        median_waited_ms=median(waited),
    )
