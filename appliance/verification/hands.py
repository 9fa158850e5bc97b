"""Carries out what was decided: in the page, in the cloud, or by a person."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple

from appliance.browser import Page
from appliance.core.page import ActionKind, Observation, Performed
from appliance.policy import Decision
from appliance.verification.person import Person
from appliance.verification.sensitive import Gate

Supplier = Callable[[str], Awaitable[Performed]]
"""Makes a resource that is asked for in words, while the attempt waits."""


async def nothing(request: str) -> Performed:
    """Where nobody makes anything."""
    return Performed(ok=False, error=f"{request!r} cannot be made here")


class Deed(NamedTuple):
    """What came of a decision."""

    performed: Performed
    refused: str = ""
    """Why a sensitive action was not carried out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """Of one attempt."""

    page: Page
    gate: Gate
    person: Person
    supply: Supplier = nothing

    async def perform(self, view: Observation, decision: Decision) -> Deed:
        """Do it. What is refused or fails is data: the policy sees it.

        Raises:
            PersonError: A person is needed, and none comes.
        """
        match decision.action.kind:
            case ActionKind.REQUEST_RESOURCE:
                return Deed(await self.supply(decision.action.text))
            case ActionKind.HAND_OVER:
                return Deed(await self.person.take_over(self.page, view, decision))
        if refused := await self._refusal(view, decision):
            return Deed(Performed(ok=False, error=f"not allowed: {refused}"), refused)
        return Deed(await self.page.perform(decision.action))

    async def _refusal(self, view: Observation, decision: Decision) -> str:
        """Why it is not done; empty: it may be."""
        passage = self.gate.passage(view, decision)
        if passage is None:
            return ""
        if passage.is_refused:
            return passage.why_not
        if passage.rule == "ask":
            return await self.person.consent(self.page, decision, passage.what)
        return ""
