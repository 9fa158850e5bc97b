"""Carries out what was decided: in the page, in the cloud, or by a person."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple

from appliance.browser import Page, Person
from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.blocking import in_thread
from appliance.core.page import Observation, Performed
from appliance.policy.base import Decision
from appliance.verification.guard import Guard, Ruling

_ENTRIES = frozenset(("textbox", "searchbox", "combobox", "spinbutton"))
"""What is clicked into for a person; anything else they click themselves."""

Supplier = Callable[[str], Awaitable[Performed]]
"""Makes a resource that is asked for in words, while the attempt waits."""


async def nothing(request: str) -> Performed:
    """Where nobody makes anything."""
    return Performed(ok=False, error=f"{request!r} cannot be made here")


class ActionResult(NamedTuple):
    """What came of a decision."""

    performed: Performed
    refused: str = ""
    """Why an action that could do harm was not carried out."""
    by_person: bool = False
    """Whether a person, or a setting, refused it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Performer:
    """Of one attempt."""

    page: Page
    guard: Guard
    person: Person
    supply: Supplier = nothing

    async def perform(self, view: Observation, decision: Decision) -> ActionResult:
        """Do it. What is refused or fails is data: the policy sees it.

        Raises:
            PersonError: A person is needed, and none comes.
        """
        await in_thread(self.guard.see, view)
        self.page.heed(self.guard.objects)
        match decision.action:
            case actions.RequestResource(what):
                return ActionResult(await self.supply(what))
            case actions.HandOver():
                return ActionResult(await self._hand_over(view, decision))
        ruling = self.guard.judge(view, decision)
        if ruling is not None and (refused := await self._refusal(ruling, decision)):
            return _not_allowed(refused, by_person=ruling.rule in ("ask", "refuse"))
        performed, refused = await self._do(view, decision, ruling)
        if refused:
            return _not_allowed(refused)
        self.guard.note(view, decision.action)
        if self.guard.dismissed:
            return _not_allowed(self.guard.dismissed)
        return ActionResult(performed)

    async def _do(
        self, view: Observation, decision: Decision, ruling: Ruling | None
    ) -> tuple[Performed, str]:
        """What came of it, and why not: what could do harm is looked at once more just before."""
        if ruling is None and not _may_turn(view, decision.action):
            return await self.page.perform(decision.action), ""
        refused = ""

        def look_again(now: Observation) -> str:
            self.guard.forgo()
            refused = _since(ruling, self.guard.judge(now, decision))
            if not refused:
                self.guard.begin(ruling)
            return refused

        async def still(now: Observation) -> str:
            nonlocal refused
            refused = await in_thread(look_again, now)  # what is begun is in the store first
            return refused

        return await self.page.perform(decision.action, still=still), refused

    async def _refusal(self, ruling: Ruling, decision: Decision) -> str:
        """Why it is not done; empty: it may be."""
        if ruling.is_refused:
            return ruling.why_not
        if ruling.rule == "ask":
            return await self.person.consent(self.page, ruling.question, decision.step)
        return ""

    async def _hand_over(self, view: Observation, decision: Decision) -> Performed:
        wanted = decision.action.argument or "something that only a person can do"
        element = view.element(decision.action.element or 0)
        if element is not None and element.role in _ENTRIES:
            await self.page.perform(actions.Click(element.id))
        return await self.person.take_over(self.page, wanted, decision.step)


def _not_allowed(why: str, *, by_person: bool = False) -> ActionResult:
    return ActionResult(Performed(ok=False, error=f"not allowed: {why}"), why, by_person)


def _shown(ruling: Ruling) -> tuple[object, ...]:
    """What must be as it was: a person consented to the words, a rule judges new words afresh."""
    hazard = ruling.hazard
    in_dialog = hazard.element is not None and hazard.element.dialog is not None
    consented_texts = hazard.texts if in_dialog and ruling.rule == "ask" else ()
    return hazard.names, hazard.title, ruling.things, consented_texts


def _may_turn(view: Observation, action: Action) -> bool:
    """Whether it may do harm by the time it is done: it answers what is asked just then."""
    match action:
        case actions.Press() | actions.ClickAt():
            return True
        case actions.Click():
            element = view.element(action.element)
            return element is None or element.dialog is not None
        case _:
            return False


def _since(before: Ruling | None, now: Ruling | None) -> str:
    """What is against it now that was not when it was allowed; empty: nothing."""
    if before is None:
        return f"the page changed just before: {now.why_not}" if now else ""
    if now is None or _shown(now) != _shown(before):
        return f"{before.hazard.what}, and the page changed just before it was to be done"
    return now.why_not if now.objection != before.objection else ""
