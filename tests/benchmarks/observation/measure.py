"""Looks at a page again and again, and holds what was listed against what is there."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from statistics import median, quantiles

import psutil

from appliance.browser import BrowserPool, Page
from appliance.core.page import Observation
from tests.benchmarks.observation.ours import bare_call, nodes, shown, view_form
from tests.benchmarks.observation.pages import Sample
from tests.benchmarks.observation.tokens import count
from tests.benchmarks.observation.truth import Truth

BLOCK = 5  # looks between two looks of the peer, so that both see the same load of the machine
PEER_S = 12.0  # longest time spent on the peer of one page


@dataclass(frozen=True, slots=True)
class Taken:
    """How long something took, and what of the processors."""

    ms: float
    ms_p95: float
    cpu_ms: float
    """Of the browser's processes and ours, each time."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the view form offers, against the page's own truth."""

    listed: int
    """Elements in the observation, also out of view."""
    offered: int
    """Numbers in the view form."""
    true: int
    """Controls in view that a person can act on."""
    recall: float
    noise: int
    """Numbers that stand for nothing."""
    duplicates: int
    missed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One page."""

    page: str
    nodes: int
    frames: int
    look: Taken
    bare: Taken
    """One round trip of the protocol that does nothing."""
    peer: Taken
    """Playwright's own snapshot for models."""
    tokens: int
    chars: int
    peer_tokens: int
    found: Found

    @property
    def of_peer(self) -> float:
        """Our time as a part of the peer's."""
        return self.look.ms / self.peer.ms


async def measured(pool: BrowserPool, sample: Sample, reps: int) -> Row:
    """One page, opened anew."""
    async with pool.page(sample.hosts, sample.locale) as page:
        await sample.open(page)
        seen = await page.look()
        text = view_form(seen)
        peer_text = await page.raw.aria_snapshot(mode="ai", timeout=120_000)
        look, peer = await _in_turns(page, reps)
        bare = await _taken(lambda: bare_call(page), max(reps, 20))
        truth = await Truth.of(page.raw)
        seen = await page.look()
        return Row(
            page=sample.name,
            nodes=truth.nodes,
            frames=truth.frames,
            look=look,
            bare=bare,
            peer=peer,
            tokens=count(text),
            chars=len(text),
            peer_tokens=count(peer_text),
            found=await held_against(page, seen, truth),
        )


async def held_against(page: Page, seen: Observation, truth: Truth) -> Found:
    """Every number of the view form, against the true controls."""
    offered = sorted(shown(seen, view_form(seen)))
    matches = [await truth.matched(node) for node in await nodes(page, offered)]
    hit = {(c.frame, c.index) for c in matches if c is not None}
    due = [c for c in truth.controls if c.is_in_view and c.counts]
    missed = [c.text for c in due if (c.frame, c.index) not in hit]
    return Found(
        listed=len(seen.elements),
        offered=len(offered),
        true=len(due),
        recall=round(1 - len(missed) / max(1, len(due)), 3),
        noise=matches.count(None),
        duplicates=len(matches) - matches.count(None) - len(hit),
        missed=tuple(missed),
    )


async def _in_turns(page: Page, reps: int) -> tuple[Taken, Taken]:
    ours: list[tuple[list[float], float]] = []
    theirs: list[tuple[list[float], float]] = []
    began = time.perf_counter()
    for _ in range(max(1, reps // BLOCK)):
        ours.append(await _block(lambda: _look(page), BLOCK))
        if time.perf_counter() - began < PEER_S or not theirs:
            theirs.append(await _block(lambda: _snapshot(page), 1 if theirs else 2))
    return _summed(ours), _summed(theirs)


async def _look(page: Page) -> None:
    view_form(await page.look())


async def _snapshot(page: Page) -> None:
    await page.raw.aria_snapshot(mode="ai", timeout=120_000)


async def _taken(what: Callable[[], Awaitable[object]], reps: int) -> Taken:
    return _summed([await _block(what, reps)])


async def _block(what: Callable[[], Awaitable[object]], reps: int) -> tuple[list[float], float]:
    """The time of each, and the processor time of all."""
    before = _cpu_s()
    times = []
    for _ in range(reps):
        began = time.perf_counter()
        await what()
        times.append((time.perf_counter() - began) * 1000)
    return times, _cpu_s() - before


def _summed(blocks: list[tuple[list[float], float]]) -> Taken:
    times = [ms for block, _ in blocks for ms in block]
    cpu_s = sum(cpu for _, cpu in blocks)
    p95 = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    return Taken(
        ms=round(median(times), 2), ms_p95=round(p95, 2), cpu_ms=round(cpu_s * 1000 / len(times), 2)
    )


def _cpu_s() -> float:
    """Processor time of this process, the browser's and Playwright's, in seconds."""
    own = psutil.Process()
    total = 0.0
    for process in (own, *own.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total
