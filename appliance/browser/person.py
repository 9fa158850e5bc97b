"""A person who sees a page by its picture, and says what is to be done in it."""

import asyncio
from dataclasses import dataclass
from typing import assert_never

import structlog

from appliance.browser.page import Page
from appliance.core import actions
from appliance.core.clock import Clock
from appliance.core.errors import BrowserError, PersonError
from appliance.core.page import Performed
from appliance.core.people import People, Question, QuestionKind, Reply, ReplyKind
from appliance.core.secrets import learn

_FOCUSED = "input:focus, textarea:focus, [contenteditable]:focus"
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

    async def consent(self, page: Page, what: str, step: str) -> str:
        """Whether they allow it: why not; empty: they do."""
        text = f"{what}. May it be done?"
        reply = await self._ask(page, QuestionKind.CONSENT, step, text, self.wait_s)
        if reply is None:
            return f"{what}, and nobody allowed it"
        return "" if reply.kind is ReplyKind.ALLOW else f"{what}, and {_name(reply)} refused it"

    async def take_over(self, page: Page, wanted: str, step: str = "") -> Performed:
        """Let them do what only they can; what they type is a secret.

        Args:
            page: Where; a field that they are to type into has the focus.
            wanted: What they are to do, as a sentence.
            step: The documented step.

        Raises:
            PersonError: Nobody answers in time, or they refuse.
        """
        ends = self.clock.monotonic() + self.wait_s
        actions_done, note = list[str](), ""
        for _ in range(_MOST_REPLIES):
            left_s = ends - self.clock.monotonic()
            text = f"{wanted}{note}"
            reply = await self._ask(page, QuestionKind.TAKE_OVER, step, text, left_s)
            if reply is None:
                raise PersonError(f"nobody came to do it: {wanted}")
            match reply.kind:
                case ReplyKind.DONE | ReplyKind.ALLOW:
                    return Performed(ok=True, report=_describe_reply(reply, actions_done))
                case ReplyKind.REFUSE:
                    raise PersonError(f"{_name(reply)} refused to do it: {wanted}")
                case ReplyKind.TYPE:
                    problem = await _type(page, reply)
                    actions_done.append("typed something secret")
                case ReplyKind.CLICK:
                    at = actions.ClickAt(point=(reply.x, reply.y))
                    problem = (await page.perform(at)).error
                    actions_done.append("clicked")
                case _:
                    assert_never(reply.kind)
            note = f" ({problem})" if problem else f" ({actions_done[-1]}; is it done?)"
        raise PersonError(f"{_MOST_REPLIES} answers did not do it: {wanted}")

    async def _ask(
        self, page: Page, kind: QuestionKind, step: str, text: str, wait_s: float
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
            step=step,
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


def _describe_reply(reply: Reply, actions_done: list[str]) -> str:
    did = f" ({', '.join(dict.fromkeys(actions_done))})" if actions_done else ""
    return f"{_name(reply)} says that it is done{did}"
