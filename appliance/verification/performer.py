"""Carries out what was decided: in the page, in the cloud, or by a person."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple, assert_never

import structlog

from appliance.browser import Page
from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.blocking import in_thread
from appliance.core.clock import Clock
from appliance.core.errors import BrowserError, PersonError
from appliance.core.page import Observation, Performed
from appliance.core.people import People, Question, QuestionKind, Reply, ReplyKind
from appliance.core.secrets import learn
from appliance.policy.base import Decision
from appliance.verification.guard import Guard, Ruling

_FOCUSED = "input:focus, textarea:focus, [contenteditable]:focus"
_ENTRIES = frozenset(("textbox", "searchbox", "combobox", "spinbutton"))
"""What is clicked into for them; anything else they click themselves."""
_MOST_REPLIES = 60
"""To one question: a captcha of many pictures takes some."""
_GRACE_S = 10.0
"""Beyond the time that whoever asks keeps by themselves."""

_log = structlog.get_logger()


@dataclass(slots=True, kw_only=True)
class Person:
    """Whoever can be asked in one attempt."""

    people: People
    run_id: str
    procedure_id: str
    wait_s: float
    """How long one question waits."""
    clock: Clock
    waited_s: float = 0.0
    """For answers, in all."""

    async def consent(self, page: Page, decision: Decision, what: str) -> str:
        """Whether they allow it: why not; empty: they do."""
        text = f"{what}. May it be done?"
        reply = await self._ask(page, QuestionKind.CONSENT, decision, text, self.wait_s)
        if reply is None:
            return f"{what}, and nobody allowed it"
        return "" if reply.kind is ReplyKind.ALLOW else f"{what}, and {_name(reply)} refused it"

    async def take_over(self, page: Page, view: Observation, decision: Decision) -> Performed:
        """Let them do what only they can; what they type is a secret.

        Raises:
            PersonError: Nobody answers in time, or they refuse.
        """
        wanted = decision.action.argument or "something that only a person can do"
        ends = self.clock.monotonic() + self.wait_s
        element = view.element(decision.action.element or 0)
        if element is not None and element.role in _ENTRIES:
            await page.perform(actions.Click(element.id))
        done, note = list[str](), ""
        for _ in range(_MOST_REPLIES):
            left_s = ends - self.clock.monotonic()
            text = f"{wanted}{note}"
            reply = await self._ask(page, QuestionKind.TAKE_OVER, decision, text, left_s)
            if reply is None:
                raise PersonError(f"nobody came to do it: {wanted}")
            match reply.kind:
                case ReplyKind.DONE | ReplyKind.ALLOW:
                    return Performed(ok=True, report=_told(reply, done))
                case ReplyKind.REFUSE:
                    raise PersonError(f"{_name(reply)} refused to do it: {wanted}")
                case ReplyKind.TYPE:
                    problem = await _type(page, reply)
                    done.append("typed something secret")
                case ReplyKind.CLICK:
                    at = actions.ClickAt(point=(reply.x, reply.y))
                    problem = (await page.perform(at)).error
                    done.append("clicked")
                case _:
                    assert_never(reply.kind)
            note = f" ({problem})" if problem else f" ({done[-1]}; is it done?)"
        raise PersonError(f"{_MOST_REPLIES} answers did not do it: {wanted}")

    async def _ask(
        self, page: Page, kind: QuestionKind, decision: Decision, text: str, wait_s: float
    ) -> Reply | None:
        if wait_s <= 0:
            return None
        question = Question(
            kind=kind,
            run_id=self.run_id,
            procedure_id=self.procedure_id,
            text=text,
            picture=await page.screenshot(),
            url=page.url,
            step=decision.step,
            wait_s=wait_s,
        )
        began = self.clock.monotonic()
        try:
            async with asyncio.timeout(wait_s + _GRACE_S):
                return await self.people.ask(question)
        except TimeoutError:
            return None
        finally:
            self.waited_s += self.clock.monotonic() - began
            _log.info("person_asked", kind=kind, waited_s=round(self.waited_s, 1))


async def _type(page: Page, reply: Reply) -> str:
    """Why it could not be typed; empty: it was."""
    try:
        await page.type_secret(_FOCUSED, learn(reply.text))
    except BrowserError:
        return "no field has the focus: click into one first"
    return ""


def _name(reply: Reply) -> str:
    return reply.by or "a person"


def _told(reply: Reply, done: list[str]) -> str:
    did = f" ({', '.join(dict.fromkeys(done))})" if done else ""
    return f"{_name(reply)} says that it is done{did}"


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
                return ActionResult(await self.person.take_over(self.page, view, decision))
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
            return await self.person.consent(self.page, decision, ruling.question)
        return ""


def _not_allowed(why: str, *, by_person: bool = False) -> ActionResult:
    return ActionResult(Performed(ok=False, error=f"not allowed: {why}"), why, by_person)


def _shown(ruling: Ruling) -> tuple[object, ...]:
    hazard = ruling.hazard
    in_dialog = hazard.element is not None and hazard.element.dialog is not None
    return hazard.names, hazard.title, ruling.things, hazard.texts if in_dialog else ()


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
