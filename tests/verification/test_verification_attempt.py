"""The loop, with policies that misbehave, on a real page."""

from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from appliance.browser import BrowserPool, Page, Person
from appliance.config import BrowserSettings, VerificationSettings
from appliance.config.model_settings import SensitiveSettings
from appliance.core import actions
from appliance.core.actions import ActionKind
from appliance.core.clock import SystemClock
from appliance.core.page import Observation, Performed
from appliance.core.people import Nobody, People
from appliance.documents import parse_document
from appliance.policy.base import Decision
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.verification.attempt import attempt
from appliance.verification.guard import Guard
from appliance.verification.performer import Performer
from appliance.verification.trajectory import Limits, Recorder, StopReason, Trajectory
from tests.evidence import Evidence


class Scripted:
    """Does the same thing again and again, or fails."""

    name = "scripted"

    def __init__(self, kind: ActionKind, failure: Exception | None = None) -> None:
        self.kind, self.failure = kind, failure
        self.seen: list[Performed | None] = []

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        self.seen.append(last)
        if self.failure:
            raise self.failure
        return Decision(action=actions.build(self.kind, element=4711, argument="x"), step="1")


@pytest_asyncio.fixture
async def page() -> AsyncIterator[Page]:
    with serving(PracticeSettings(release="2025.1")) as cloud:
        hosts = frozenset({urlsplit(cloud.url).netloc})
        async with BrowserPool(BrowserSettings()) as pool, pool.page(hosts) as page:
            await page.goto(cloud.url)
            yield page


def hands_on(page: Page, people: People | None = None) -> Performer:
    person = Person(
        people=people or Nobody(), run_id="r", procedure_id="p", wait_s=5, clock=SystemClock()
    )
    procedure = parse_document("# T\n\n1. Click **Look**.\n", "t.md", "markdown").procedures[0]
    return Performer(
        page=page, guard=Guard(procedure=procedure, settings=SensitiveSettings()), person=person
    )


async def run(page: Page, policy: Scripted, folder: Path) -> Trajectory:
    clock = SystemClock()
    limits = Limits.start(VerificationSettings(max_actions=8), clock)
    procedure = parse_document("# T\n\n1. Click **Look**.\n", "t.md", "markdown").procedures[0]
    recorder = Recorder(Evidence(folder), "r", procedure, 1)
    return await attempt(policy, hands_on(page), limits, recorder, clock)


async def test_a_fault_of_the_policy_is_data(page: Page, tmp_path: Path) -> None:
    ended = await run(page, Scripted(ActionKind.CLICK, ValueError("boom")), tmp_path)
    assert ended.stop is StopReason.ERROR
    assert str(ended.problem) == "policy: choosing the next action: ValueError: boom"


async def test_an_element_that_is_not_there_is_told_to_the_policy(
    page: Page, tmp_path: Path
) -> None:
    policy = Scripted(ActionKind.CLICK)
    ended = await run(page, policy, tmp_path)
    assert ended.stop is StopReason.LOOP
    assert policy.seen[0] is None
    assert policy.seen[1] is not None
    assert not policy.seen[1].ok
    assert "4711" in policy.seen[1].error


@pytest.mark.parametrize(
    ("kind", "stop"),
    [
        (ActionKind.COMPLETE, StopReason.ANSWERED),
        (ActionKind.UNACHIEVABLE, StopReason.GAVE_UP),
    ],
)
async def test_the_last_word_ends_it(
    page: Page, tmp_path: Path, kind: ActionKind, stop: StopReason
) -> None:
    ended = await run(page, Scripted(kind), tmp_path)
    assert ended.stop is stop
    assert len(ended.turns) == 1
    assert ended.final is not None
