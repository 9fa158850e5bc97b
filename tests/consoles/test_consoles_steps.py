"""A log-in that somebody wrote down, a part of which only a person can do."""

import pytest

from appliance.browser import BrowserPool, Person
from appliance.config import AccountSettings, BrowserSettings, ConsoleSettings
from appliance.consoles import open_console
from appliance.core.clock import SystemClock
from appliance.core.errors import PersonError, SetupError
from appliance.core.people import Nobody, Question, Reply, ReplyKind
from tests.doors import BUTTON_AT, FormDoor
from tests.tag_console import tag_console

STEPS = """
- Enter the user name.
- 输入密码。
- Ask a person to press the button that moves about.
"""


class Alice:
    """Clicks on the button in the picture, and says that it is done."""

    def __init__(self) -> None:
        self.asked: list[Question] = []

    async def ask(self, question: Question) -> Reply:
        self.asked.append(question)
        if len(self.asked) > 1:
            return Reply(kind=ReplyKind.DONE, by="alice")
        x, y = BUTTON_AT
        return Reply(kind=ReplyKind.CLICK, x=x, y=y, by="alice")


async def test_a_step_that_only_a_person_can_do_is_handed_over(tmp_path):
    (tmp_path / "pw").write_text("only-alice-knows")
    alice, door = Alice(), FormDoor("alice", "only-alice-knows")
    known = AccountSettings(username="alice", password_file=tmp_path / "pw")
    with tag_console(door) as tags:
        settings = ConsoleSettings(
            kind="generic",
            url=tags.url,
            log_in="steps",
            log_in_steps=STEPS,
            accounts={"alice": known},
        )
        console = open_console("tags", settings)
        account = console.accounts(None)[0]
        async with (
            BrowserPool(BrowserSettings(pool_size=1, spare_pages=0)) as pool,
            pool.page(console.hosts) as page,
        ):
            with pytest.raises(PersonError, match="nobody came to do it: Ask a person to press"):
                await console.log_in(page, account, _person(Nobody()))
            await console.log_in(page, account, _person(alice))
            assert "Welcome" in await page.raw.inner_text("body")
    assert (alice.asked[0].step, alice.asked[0].procedure_id) == ("3", "p")
    assert alice.asked[0].picture


def _person(people) -> Person:
    return Person(people=people, run_id="r", procedure_id="p", wait_s=30, clock=SystemClock())


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ("Click **Sign in**.\nMind the gap.", 'step 2 of log_in_steps ("Mind the gap.")'),
        ("- \n", "is not understood|has no steps"),
    ],
)
def test_what_is_not_understood_is_said_at_once(steps, why):
    settings = ConsoleSettings(
        kind="generic", url="http://127.0.0.1:9", log_in="steps", log_in_steps=steps
    )
    with pytest.raises(SetupError) as caught:
        open_console("tags", settings)
    assert any(one in str(caught.value) for one in why.split("|"))
