"""Everything measured, one after the other: an attempt, the bare limit, attempts together."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median

import httpx

from appliance.browser import BrowserPool, Page
from appliance.config import BrowserSettings
from appliance.config.model_settings import AgentSettings, ModelSettings
from appliance.inference.client import ModelClient
from appliance.policy.model import ModelPolicy
from tests.benchmarks.agent.answering import answering
from tests.benchmarks.agent.arrangements import Arrangement, arrangements
from tests.benchmarks.agent.bare import Bare, BareHands
from tests.benchmarks.agent.form import address, task
from tests.benchmarks.agent.stepping import Part, Step, Stopwatch, steps
from tests.benchmarks.agent.together import Together, together

OVERHEAD_MS = 60
"""Most that a step may take beyond the browser and the model, as a median."""
GROWTH = 1.5
"""Most that the last ten steps may take of the first ten's processor time."""
_ENDS = 10
_PICTURES = 10
_ARRANGED = 17
"""Steps in each arrangement that count."""
_WARM_UP = 3
"""Turns that are not counted: the first of all, when everything is loaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A part of a step: medians in milliseconds."""

    part: str
    ours: float
    bare: float
    cpu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All figures."""

    steps: int
    rows: tuple[Row, ...]
    overhead_ms: float
    """Median of what a step takes beyond the same step by Playwright and a bare question."""
    cpu_ms: float
    """Median processor time of a step in this process."""
    ratio: float
    """Median step, as a multiple of the bare one."""
    first_ms: float
    """Median wall time of the first ten steps."""
    last_ms: float
    first_cpu_ms: float
    last_cpu_ms: float
    together: Together
    arrangements: tuple[Arrangement, ...]
    load: float
    """Average of processes that wanted a processor in the last minute, when it began."""
    processors: int

    @property
    def is_flat(self) -> bool:
        """Whether the last steps cost what the first did."""
        return self.last_cpu_ms <= GROWTH * self.first_cpu_ms

    @property
    def is_fine(self) -> bool:
        """Whether it is as quick as is asked."""
        return self.overhead_ms < OVERHEAD_MS and self.is_flat and self.together.is_free


async def measure(count: int, attempts: int, slow_s: float, say: Callable[[str], None]) -> Found:
    """Measure.

    Raises:
        SetupError: The model does not start, or an action fails.
    """
    load = os.getloadavg()[0]
    with answering(count + _WARM_UP, slow_s) as url:
        async with ModelClient(ModelSettings(endpoint=url)) as client:
            say(f"One attempt of {count} steps, and each step by Playwright alone.")
            ours, bare, picture = await _one_attempt(client, url, count + _WARM_UP)
            say(f"{attempts} attempts at the same time; one waits {slow_s:g} s for its answer.")
            shared = await together(client, attempts, turns=5)
            say("One model, and a planner with a grounder, in the same steps.")
            async with BrowserPool(BrowserSettings(quiet_ms=0)) as pool:
                asked = await arrangements(client, pool, _ARRANGED + _WARM_UP)
    found = _found(ours[_WARM_UP:], bare[_WARM_UP:], shared, asked, load)
    return replace(found, rows=(*found.rows, picture))


async def _one_attempt(
    client: ModelClient, url: str, count: int
) -> tuple[list[Step], list[Bare], Row]:
    settings = AgentSettings(screenshots=False, budget_tokens=100_000_000)
    async with (
        BrowserPool(BrowserSettings(quiet_ms=0)) as pool,
        pool.page(frozenset()) as page,
        pool.page(frozenset()) as other,
        httpx.AsyncClient(base_url=url, trust_env=False, timeout=30) as bare_client,
    ):
        await page.goto(address())
        await other.goto(address())
        bare = BareHands(other.raw, bare_client)  # in turn, so that both find the machine as busy
        policy = ModelPolicy(task("alone"), client, settings)
        ours = await steps(policy, page, count, bare.again)
        return ours, bare.turns, await _pictures(page)


async def _pictures(page: Page) -> Row:
    """What a model is shown besides, where it takes pictures: not in the sum of a step."""
    view, ours, bare = await page.observe(), list[Part](), list[float]()
    for _ in range(_PICTURES):
        watch = Stopwatch()
        await page.screenshot(marks=view)
        ours.append(watch.lap())
        await page.raw.screenshot(type="jpeg", quality=80)
        bare.append(watch.lap().wall)
    return _row("picture", [p.wall for p in ours], bare, [p.cpu for p in ours])


def _found(
    ours: Sequence[Step],
    bare: Sequence[Bare],
    shared: Together,
    asked: tuple[Arrangement, ...],
    load: float,
) -> Found:
    pairs = list(zip(ours, bare, strict=True))
    first, last = ours[:_ENDS], ours[-_ENDS:]
    return Found(
        steps=len(ours),
        rows=(
            _row("look", [s.look.wall for s in ours], [b.look for b in bare],
                 [s.look.cpu for s in ours]),
            _row("choose", [s.choose.wall for s in ours], [b.ask for b in bare],
                 [s.choose.cpu for s in ours]),
            _row("do", [s.do.wall for s in ours], [b.do for b in bare], [s.do.cpu for s in ours]),
        ),
        overhead_ms=_median([s.wall - b.wall for s, b in pairs]),
        cpu_ms=_median([s.cpu for s in ours]),
        ratio=round(median([s.wall for s in ours]) / median([b.wall for b in bare]), 2),
        first_ms=_median([s.wall for s in first]),
        last_ms=_median([s.wall for s in last]),
        first_cpu_ms=_median([s.cpu for s in first]),
        last_cpu_ms=_median([s.cpu for s in last]),
        together=shared,
        arrangements=asked,
        load=round(load, 1),
        processors=os.cpu_count() or 1,
    )  # fmt: skip


def _row(part: str, ours: Sequence[float], bare: Sequence[float], cpu: Sequence[float]) -> Row:
    return Row(part=part, ours=_median(ours), bare=_median(bare), cpu=_median(cpu))


def _median(values: Sequence[float]) -> float:
    return round(median(values), 1)
