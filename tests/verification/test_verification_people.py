"""What an attempt asks a person, on a real page: consent, and what only they can do."""

import asyncio
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
from appliance.core.people import Question, QuestionKind, Reply, ReplyKind
from appliance.core.secrets import without_secrets
from appliance.documents import parse_document
from appliance.policy.base import Decision
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.verification.attempt import attempt
from appliance.verification.guard import Guard
from appliance.verification.performer import Performer
from appliance.verification.trajectory import Limits, Recorder, StopReason, Trajectory
from tests.evidence import Evidence

K, R = ActionKind, ReplyKind
TEXT = "# T\n\n1. Look.\n2. Click **Log in**.\n"


class Answering:
    """People who say this, one after the other; then nobody answers."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.asked: list[Question] = []

    async def ask(self, question: Question) -> Reply | None:
        self.asked.append(question)
        await asyncio.sleep(0.05)
        return self.replies.pop(0) if self.replies else None


class Doing:
    """Does these things to the control of that name, and then is done."""

    name = "model"

    def __init__(self, *deeds: tuple[ActionKind, str]) -> None:
        self.deeds = list(deeds)
        self.came: list[Performed | None] = []
        self.views: list[Observation] = []

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        self.views.append(view)
        self.came.append(last)
        if not self.deeds:
            return Decision(action=actions.Complete(seen="done"), step="2")
        kind, name = self.deeds.pop(0)
        number = next((e.id for e in view.elements if e.name == name), None)
        text = "type the code of the second factor" if kind is K.HAND_OVER else ""
        action = actions.build(kind, element=number, argument=text)
        return Decision(action=action, step="2")


@pytest.fixture(scope="module")
def address() -> AsyncIterator[str]:
    with serving(PracticeSettings(release="2025.1")) as cloud:
        yield cloud.url


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[BrowserPool]:
    async with BrowserPool(BrowserSettings()) as pool:
        yield pool


class Bench:
    """A page, and one attempt on it."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self.folder = page, folder

    async def run(
        self, policy: Doing, people: Answering, delete: str = "documented", wait_s: float = 60
    ) -> Trajectory:
        clock = SystemClock()
        limits = Limits.start(VerificationSettings(max_actions=8), clock)
        procedure = parse_document(TEXT, "t.md", "markdown").procedures[0]
        recorder = Recorder(Evidence(self.folder), "r", procedure, 1)
        person = Person(people=people, run_id="r", procedure_id="p", wait_s=wait_s, clock=clock)
        settings = SensitiveSettings.model_validate({"delete": delete})
        guard = Guard(procedure=procedure, settings=settings)
        return await attempt(
            policy, Performer(page=self.page, guard=guard, person=person), limits, recorder, clock
        )


@pytest_asyncio.fixture(loop_scope="module")
async def bench(pool: BrowserPool, address: str, tmp_path: Path) -> AsyncIterator[Bench]:
    hosts = frozenset({urlsplit(address).netloc})
    async with pool.page(hosts) as page:
        await page.goto(address)
        yield Bench(page, tmp_path)


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_what_a_person_types_is_seen_by_nobody(bench: Bench) -> None:
    code = "914-secret-733"
    people = Answering(Reply(kind=R.TYPE, text=code, by="eve"), Reply(kind=R.DONE, by="eve"))
    policy = Doing((K.HAND_OVER, "User name"))
    ended = await bench.run(policy, people)
    assert ended.stop is StopReason.ANSWERED
    assert ended.waited_s >= 0.1
    assert await bench.page.raw.locator(":focus").input_value() == code
    first, second = people.asked
    assert (first.kind, first.step) == (QuestionKind.TAKE_OVER, "2")
    assert first.text == "type the code of the second factor" and first.picture[:2] == b"\xff\xd8"
    assert "is it done?" in second.text and second.wait_s < first.wait_s
    told = policy.came[1]
    assert told is not None and told.ok and told.report.startswith("eve says that it is done")
    assert code not in str(policy.views[1]) + str(told) + ended.as_json_lines() + str(people.asked)
    assert without_secrets(f"the code {code}") == "the code ***"


async def test_a_person_clicks_in_the_picture(bench: Bench) -> None:
    field = await bench.page.raw.locator("input").first.bounding_box()
    assert field is not None
    middle = {"x": field["x"] + field["width"] / 2, "y": field["y"] + field["height"] / 2}
    await bench.page.raw.evaluate("document.activeElement.blur()")
    people = Answering(
        Reply(kind=R.TYPE, text="nowhere-yet"),
        Reply(kind=R.CLICK, **middle),
        Reply(kind=R.TYPE, text="alice-typed"),
        Reply(kind=R.DONE),
    )
    ended = await bench.run(Doing((K.HAND_OVER, "")), people)
    assert ended.stop is StopReason.ANSWERED
    assert "click into one first" in people.asked[1].text
    assert await bench.page.raw.locator("input").first.input_value() == "alice-typed"


@pytest.mark.parametrize(
    ("people", "words"),
    [
        (Answering(), "nobody came to do it: type the code"),
        (Answering(Reply(kind=R.REFUSE, by="eve")), "eve refused to do it: type the code"),
    ],
)
async def test_without_a_person_it_is_blocked(bench: Bench, people: Answering, words: str) -> None:
    ended = await bench.run(Doing((K.HAND_OVER, "")), people)
    assert ended.stop is StopReason.ERROR
    assert str(ended.problem).startswith(f"person: {words}")


async def test_nobody_is_asked_who_has_no_time(bench: Bench) -> None:
    people = Answering(Reply(kind=R.DONE))
    ended = await bench.run(Doing((K.HAND_OVER, "")), people, wait_s=0)
    assert str(ended.problem).startswith("person: ") and not people.asked


async def _with_a_delete_button(bench: Bench) -> None:
    await bench.page.raw.evaluate(
        "() => { const b = document.createElement('button'); b.textContent = 'Delete all';"
        " b.onclick = () => { document.body.dataset.is = 'gone'; }; document.body.prepend(b); }"
    )


@pytest.mark.parametrize(
    ("rule", "people", "is_done", "words"),
    [
        ("documented", Answering(), False, "the step does not say to"),
        ("refuse", Answering(), False, "agent.sensitive.delete is refuse"),
        ("ask", Answering(), False, "nobody allowed it"),
        ("ask", Answering(Reply(kind=R.REFUSE, by="eve")), False, "eve refused it"),
        ("ask", Answering(Reply(kind=R.ALLOW)), True, ""),
        ("allow", Answering(), False, "the text does not name it so"),
    ],
)
async def test_what_hurts_is_done_as_the_settings_say(
    bench: Bench, rule: str, people: Answering, is_done: bool, words: str
) -> None:
    await _with_a_delete_button(bench)
    policy = Doing((K.CLICK, "Delete all"))
    ended = await bench.run(policy, people, rule)
    assert (await bench.page.raw.evaluate("document.body.dataset.is") == "gone") is is_done
    came = policy.came[1]
    assert came is not None and came.ok is is_done and words in came.error
    assert any(turn.refused for turn in ended.turns) is not is_done
    assert [q.kind for q in people.asked] == [QuestionKind.CONSENT] * (rule == "ask")
    if people.asked:
        assert people.asked[0].text == (
            "'Delete all' deletes or releases something, and the step does not say to."
            " May it be done?"
        )
