"""Carries out what was decided: in the page, in the cloud, or by a person."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple

from appliance.browser import Page
from appliance.core.page import Action, ActionKind, Observation, Performed
from appliance.policy import Decision
from appliance.verification.guard import Guard, Ruling
from appliance.verification.person import Person

Supplier = Callable[[str], Awaitable[Performed]]
"""Makes a resource that is asked for in words, while the attempt waits."""


async def nothing(request: str) -> Performed:
    """Where nobody makes anything."""
    return Performed(ok=False, error=f"{request!r} cannot be made here")


class Deed(NamedTuple):
    """What came of a decision."""

    performed: Performed
    refused: str = ""
    """Why an action that could do harm was not carried out."""
    by_person: bool = False
    """Whether a person, or a setting, refused it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """Of one attempt."""

    page: Page
    guard: Guard
    person: Person
    supply: Supplier = nothing

    async def perform(self, view: Observation, decision: Decision) -> Deed:
        """Do it. What is refused or fails is data: the policy sees it.

        Raises:
            PersonError: A person is needed, and none comes.
        """
        self.guard.see(view)
        self.page.heed(self.guard.objects)
        match decision.action.kind:
            case ActionKind.REQUEST_RESOURCE:
                return Deed(await self.supply(decision.action.text))
            case ActionKind.HAND_OVER:
                return Deed(await self.person.take_over(self.page, view, decision))
        ruling = self.guard.judge(view, decision)
        if ruling is not None and (refused := await self._refusal(ruling, decision)):
            return _not_allowed(refused, by_person=ruling.rule in ("ask", "refuse"))
        performed, refused = await self._do(view, decision, ruling)
        if refused:
            return _not_allowed(refused)
        self.guard.note(view, decision.action)
        if self.guard.dismissed:
            return _not_allowed(self.guard.dismissed)
        return Deed(performed)

    async def _do(
        self, view: Observation, decision: Decision, ruling: Ruling | None
    ) -> tuple[Performed, str]:
        """What came of it, and why not: what could do harm is looked at once more just before."""
        if ruling is None and not _may_turn(view, decision.action):
            return await self.page.perform(decision.action), ""
        refused = ""

        def still(now: Observation) -> str:
            nonlocal refused
            self.guard.forgo()
            refused = _since(ruling, self.guard.judge(now, decision))
            if not refused:
                self.guard.begin(ruling)
            return refused

        return await self.page.perform(decision.action, still=still), refused

    async def _refusal(self, ruling: Ruling, decision: Decision) -> str:
        """Why it is not done; empty: it may be."""
        if ruling.is_refused:
            return ruling.why_not
        if ruling.rule == "ask":
            return await self.person.consent(self.page, decision, ruling.question)
        return ""


def _not_allowed(why: str, *, by_person: bool = False) -> Deed:
    return Deed(Performed(ok=False, error=f"not allowed: {why}"), why, by_person)


def _shown(ruling: Ruling) -> tuple[object, ...]:
    hazard = ruling.hazard
    in_dialog = hazard.element is not None and hazard.element.dialog is not None
    return hazard.names, hazard.title, ruling.things, hazard.texts if in_dialog else ()


def _may_turn(view: Observation, action: Action) -> bool:
    """Whether it may do harm by the time it is done: it answers what is asked just then."""
    e = None if action.element is None else view.element(action.element)
    is_aimed = action.kind is ActionKind.CLICK
    return action.kind is ActionKind.PRESS or (is_aimed and (e is None or e.dialog is not None))


def _since(before: Ruling | None, now: Ruling | None) -> str:
    """What is against it now that was not when it was allowed; empty: nothing."""
    if before is None:
        return f"the page changed just before: {now.why_not}" if now else ""
    if now is None or _shown(now) != _shown(before):
        return f"{before.hazard.what}, and the page changed just before it was to be done"
    return now.why_not if now.objection != before.objection else ""
