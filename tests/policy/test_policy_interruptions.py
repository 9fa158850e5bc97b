"""Pop-ups are closed, what the text or its own click is about is not, and a session may end."""

import pytest

from appliance.core.actions import ActionKind
from appliance.core.errors import ConsoleError
from appliance.core.page import Element, Observation, Performed
from appliance.documents import parse_document
from appliance.policy.base import Decision, Task
from appliance.policy.literal import LiteralPolicy

TEXT = "# Disks\n\n1. Click **Create disk**.\n2. Click **Save**.\n"
DONE = Performed(ok=True)


def page(*elements: Element, dialogs: tuple[str, ...] = (), url: str = "http://c/") -> Observation:
    return Observation(url=url, title="Disks", elements=elements, dialogs=dialogs)


def button(number: int, name: str, dialog: str | None = None, **more: object) -> Element:
    return Element(id=number, role="button", name=name, tag="button", dialog=dialog, **more)


PAGE = (button(1, "Create disk"), button(2, "Save"))


def policy(text: str = TEXT) -> LiteralPolicy:
    procedure = parse_document(text, "docs/a.md", "markdown").procedures[0]
    return LiteralPolicy(Task(procedure=procedure))


async def first(view: Observation, text: str = TEXT) -> Decision:
    return await policy(text).choose(view, None)


@pytest.mark.parametrize("name", ["Got it", "Skip tour", "Not now", "Close", "×", "知道了", "跳过"])
async def test_a_pop_up_is_closed_and_no_divergence(name: str) -> None:
    reader = policy()
    view = page(*PAGE, button(3, name, "Welcome"), dialogs=("Welcome",))
    closing = await reader.choose(view, None)
    assert (closing.action.kind, closing.action.element) == (ActionKind.CLICK, 3)
    assert closing.divergences == ()
    assert "Welcome" in closing.thought
    assert (await reader.choose(page(*PAGE), DONE)).action.element == 1


@pytest.mark.parametrize("name", ["Continue", "OK", "Get started", "继续"])
async def test_a_message_with_nothing_but_one_button_is_taken_note_of(name: str) -> None:
    """As consoles greet who logs in for the first time."""
    alone = page(*PAGE, button(3, name, "Welcome"), dialogs=("Welcome",))
    assert (await first(alone)).action.element == 3
    others = (button(3, name, "Welcome"), button(4, "Cancel", "Welcome"))
    assert (await first(page(*PAGE, *others, dialogs=("Welcome",)))).action.element != 3
    field = Element(id=5, role="textbox", name="Name", tag="input", dialog="Welcome")
    asks = page(*PAGE, button(3, name, "Welcome"), field, dialogs=("Welcome",))
    assert (await first(asks)).action.element != 3


async def test_a_message_after_the_texts_own_click_is_left_to_the_text() -> None:
    reader = policy("# Disks\n\n1. Click **Archive**.\n2. Click **Save**.\n")
    await reader.choose(page(button(1, "Archive"), button(2, "Save")), None)
    opened = page(*PAGE, button(5, "Continue", "Archive disk"), dialogs=("Archive disk",))
    assert (await reader.choose(opened, DONE)).action.element != 5


async def test_a_late_pop_up_does_not_swallow_what_the_script_did() -> None:
    reader = policy()
    assert (await reader.choose(page(*PAGE), None)).action.element == 1
    late = page(*PAGE, button(3, "Skip", "Tour"), dialogs=("Tour",))
    failed = Performed(ok=False, error="element 1 is covered by <div>")
    assert (await reader.choose(late, failed)).action.element == 3
    assert (await reader.choose(page(*PAGE), DONE)).action.element == 1  # what failed, once more
    assert (await reader.choose(page(*PAGE), DONE)).action.element == 2


async def test_a_question_of_the_steps_own_click_is_not_put_off() -> None:
    reader = policy("# Disks\n\n1. Click **Delete**.\n2. Click **Save**.\n")
    opened = (button(4, "Delete", "Delete disk", is_submit=True), button(5, "Close", "Delete disk"))
    await reader.choose(page(button(1, "Delete"), button(2, "Save")), None)
    asked = await reader.choose(page(*PAGE, *opened, dialogs=("Delete disk",)), DONE)
    assert asked.action.element != 5


async def test_a_dialog_that_the_text_speaks_of_is_left_to_the_text() -> None:
    text = "# Disks\n\n1. In the **Welcome** dialog, click **Got it**.\n2. Click **Save**.\n"
    view = page(*PAGE, button(3, "Got it", "Welcome"), dialogs=("Welcome",))
    decision = await first(view, text)
    assert decision.action.element == 3
    assert "does not speak of" not in decision.thought


async def test_a_form_with_a_skip_button_is_no_pop_up() -> None:
    field = Element(
        id=6, role="textbox", name="Name", tag="input", dialog="New disk",
        states=frozenset({"required"}),
    )  # fmt: skip
    skip = button(7, "Skip", "New disk")
    decision = await first(page(*PAGE, field, skip, dialogs=("New disk",)))
    assert decision.action.element != 7


async def test_a_form_is_not_put_off_while_a_tab_without_fields_shows() -> None:
    text = "# Images\n\n1. Click **New**.\n2. In **Owner**, enter `a`.\n3. Click **Save**.\n"
    reader, title = policy(text), "New image"
    tabs = tuple(
        Element(id=n, role="tab", name=name, tag="a", dialog=title, states=frozenset({state}))
        for n, name, state in ((8, "Details", "selected"), (9, "Metadata", ""))
    )
    field = Element(id=6, role="textbox", name="Size", tag="input", dialog=title)
    close = button(7, "Close", title)
    await reader.choose(page(button(1, "New")), None)
    opened = page(*tabs, field, close, dialogs=(title,))
    looked = [await reader.choose(opened, DONE) for _ in range(2)]
    assert looked[-1].action.element == 9  # the other tab
    decision = await reader.choose(page(*tabs, close, dialogs=(title,)), DONE)
    assert "does not speak of" not in decision.thought


@pytest.mark.parametrize("title", ["Your session has expired", "登录已过期", "会话已超时"])
async def test_the_end_of_the_session_is_the_consoles(title: str) -> None:
    view = page(*PAGE, button(3, "Sign in again", title), dialogs=(title,))
    with pytest.raises(ConsoleError, match="session"):
        await first(view)


async def test_a_text_about_signing_out_may_end_the_session() -> None:
    title = "You were signed out"
    reader = policy("# Leave\n\n1. Click **Sign out**.\n2. Click **Sign in again**.\n")
    assert (await reader.choose(page(button(1, "Sign out")), None)).action.element == 1
    over = page(*PAGE, button(3, "Sign in again", title), dialogs=(title,))
    decision = await reader.choose(over, DONE)
    assert (decision.action.element, decision.divergences) == (3, ())
    assert (await reader.choose(page(*PAGE), DONE)).action.kind is ActionKind.COMPLETE
