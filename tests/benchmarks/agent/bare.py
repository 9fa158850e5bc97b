"""The limit: the same actions by Playwright alone, and the same questions without our client."""

import json
import time
from dataclasses import dataclass

import httpx
from playwright.async_api import Page as RawPage

from appliance.core import actions
from appliance.core.actions import Action
from tests.benchmarks.agent.form import field_of
from tests.benchmarks.agent.stepping import Step


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


class BareHands:
    """Does again what an attempt of ours did, on a page of its own of the same address."""

    def __init__(self, raw: RawPage, model: httpx.AsyncClient) -> None:
        self._raw, self._model = raw, model
        self.turns: list[Bare] = []

    async def again(self, step: Step) -> None:
        """The same turn, without us."""
        began = time.perf_counter()
        await self._raw.locator("body").aria_snapshot()
        looked = time.perf_counter()
        await self._act(step.decision.action)
        acted = time.perf_counter()
        question = {"model": "scripted", "messages": step.decision.exchanges[-1].messages}
        answer = await self._model.post("/chat/completions", json=question)
        json.loads(answer.json()["choices"][0]["message"]["content"])
        self.turns.append(
            Bare(
                look=(looked - began) * 1000,
                do=(acted - looked) * 1000,
                ask=(time.perf_counter() - acted) * 1000,
            )
        )

    async def _act(self, action: Action) -> None:
        if not isinstance(action, actions.Type):
            await self._raw.get_by_role("button", name="Add", exact=True).click()
            return
        field = self._raw.get_by_label(field_of(len(self.turns)))
        await field.click()
        await field.fill("")
        await field.press_sequentially(action.text)  # key by key, as we do
