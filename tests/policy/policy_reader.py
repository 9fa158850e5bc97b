"""Follows a text on a page of a test's own."""

from pathlib import Path
from urllib.parse import quote

from appliance.browser import Page, Person
from appliance.config import VerificationSettings
from appliance.config.model_settings import SensitiveSettings
from appliance.core.clock import SystemClock
from appliance.core.people import Nobody
from appliance.documents import parse_document
from appliance.policy.base import Task
from appliance.policy.literal import LiteralPolicy
from appliance.verification.attempt import attempt
from appliance.verification.guard import Guard
from appliance.verification.performer import Performer
from appliance.verification.trajectory import Limits, Recorder, Trajectory
from tests.evidence import Evidence


class Reader:
    """The literal policy in a real browser."""

    def __init__(self, page: Page, folder: Path, *, start_is_known: bool = True) -> None:
        self.page, self.folder, self.start_is_known = page, folder, start_is_known
        self.title = "T"
        self.patience_s = 0.3  # what comes at all is there at once, where a test says nothing else

    async def follow(self, html: str, steps: str, **bindings: str) -> Trajectory:
        """What came of following `steps` on a page with that body."""
        whole = f"<!doctype html><title>Page</title><body>{html}</body>"
        await self.page.goto(f"data:text/html;charset=utf-8,{quote(whole)}")
        document = parse_document(f"# {self.title}\n\n{steps}\n", "docs/a.md", "markdown")
        names = {name.replace("_", " "): value for name, value in bindings.items()}
        task = Task(
            procedure=document.procedures[0],
            bindings=names,
            unique="u1",
            patience_s=self.patience_s,
            start_is_known=self.start_is_known,
        )
        clock = SystemClock()
        limits = Limits.start(VerificationSettings(max_actions=40), clock)
        recorder = Recorder(Evidence(self.folder / "kept"), "r", task.procedure, 1)
        person = Person(people=Nobody(), run_id="", procedure_id="p", wait_s=0, clock=clock)
        guard = Guard(
            procedure=task.procedure,
            settings=SensitiveSettings(),
            bound=task.bindings,
            unique=task.unique,
        )
        hands = Performer(page=self.page, guard=guard, person=person)
        return await attempt(LiteralPolicy(task), hands, limits, recorder, clock)

    async def value(self, expression: str) -> object:
        """What the page says of itself."""
        return await self.page.raw.evaluate(expression)


def told(done: Trajectory) -> list[tuple[str, str]]:
    """Kind and quote of what was reported."""
    return [(d.kind.value, d.quote) for _, d in done.divergences()]


def thoughts(done: Trajectory) -> list[str]:
    """What the reader did, in its own words."""
    return [turn.decision.thought for turn in done.turns]
