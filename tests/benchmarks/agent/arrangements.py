"""One model that names elements by number, beside a planner and a grounder: what each asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from appliance.browser import BrowserPool
from appliance.config.model_settings import AgentSettings
from appliance.inference.client import ModelClient
from appliance.policy.model import ModelPolicy
from tests.benchmarks.agent.form import VAGUE, address, task
from tests.benchmarks.agent.stepping import Step, steps

_WARM_UP = 3
_BUDGET = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """What one way of asking takes in a step."""

    name: str
    calls: float
    """Questions, on average."""
    tokens_in: float
    """Of prompts, as the scripted server counts them (words), on average."""
    tokens_out: float
    ms: float
    """Median of choosing, with answers that come at once."""


async def arrangements(
    client: ModelClient, pool: BrowserPool, count: int
) -> tuple[Arrangement, ...]:
    """The same steps in each arrangement.

    Raises:
        SetupError: An action failed.
    """
    alone = AgentSettings(screenshots=False, budget_tokens=_BUDGET)
    apart = AgentSettings(screenshots=False, budget_tokens=_BUDGET, planner_grounder=True)
    made = []
    for name, settings, marker in (
        ("agent", alone, "alone"),
        ("planner, text finds", apart, "apart"),
        ("planner, model finds", apart, VAGUE),
    ):
        async with pool.page(frozenset()) as page:
            await page.goto(address())
            taken = await steps(ModelPolicy(task(marker), client, settings), page, count)
        made.append(_of(name, taken[_WARM_UP:]))
    return tuple(made)


def _of(name: str, taken: Sequence[Step]) -> Arrangement:
    spent = [step.decision.spent for step in taken]
    return Arrangement(
        name=name,
        calls=round(sum(s.calls for s in spent) / len(spent), 2),
        tokens_in=round(sum(s.tokens_in for s in spent) / len(spent)),
        tokens_out=round(sum(s.tokens_out for s in spent) / len(spent)),
        ms=round(median([step.choose.wall for step in taken]), 1),
    )
