"""The limit: the same actions by Playwright alone, and the same questions without our client."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass

import httpx
from playwright.async_api import Page as RawPage

from appliance.benchmark.agent.stepping import Step
from appliance.core.page import ActionKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Bare:
    """What one turn takes without us, in milliseconds."""

    look: float
    """Playwright's own snapshot of the page."""
    do: float
    ask: float
    """The model's answer over a bare connection."""

    @property
    def wall(self) -> float:
        """All of it."""
        return self.look + self.do + self.ask


async def bare_turns(raw: RawPage, url: str, done: Sequence[Step]) -> list[Bare]:
    """What an attempt did, done again on a fresh page of the same address."""
    fields, made = [f"Field {n}" for n in range(1, 7)], []
    body = raw.locator("body")
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=30) as client:
        for n, step in enumerate(done):
            began = time.perf_counter()
            await body.aria_snapshot()
            looked = time.perf_counter()
            action = step.decision.action
            if action.kind is ActionKind.TYPE:
                await raw.get_by_label(fields[n // 2 % len(fields)]).fill(action.text)
            else:
                await raw.get_by_role("button", name="Add", exact=True).click()
            acted = time.perf_counter()
            question = {"model": "scripted", "messages": step.decision.exchanges[-1].messages}
            answer = await client.post("/chat/completions", json=question)
            json.loads(answer.json()["choices"][0]["message"]["content"])
            made.append(
                Bare(
                    look=(looked - began) * 1000,
                    do=(acted - looked) * 1000,
                    ask=(time.perf_counter() - acted) * 1000,
                )
            )
    return made
