"""Each action says what it changed, and nothing when it changed nothing."""

import pytest
import pytest_asyncio

from appliance.core import actions
from appliance.core.actions import ActionKind
from appliance.core.page import ChangeKind

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def page(pool, site):
    async with pool.page(frozenset({site.host})) as opened:
        await opened.goto(f"{site.url}/changes.html")
        yield opened


@pytest.fixture
def act(page, find):
    """Act on a control and tell the changes: kind, text, and the name of the control meant."""

    async def acted(kind, name, *, text="", **attributes):
        view = await page.observe()
        element = find(view, name, **attributes)
        argument = "True" if kind == "check" else text
        action = actions.build(ActionKind(kind), element=element.id, argument=argument)
        done = await page.perform(action)
        assert done.ok, done.error
        names = {e.id: e.name for e in view.elements}
        return [(str(c.kind), c.text, names.get(c.element, "")) for c in done.changes]

    return acted


async def test_what_does_nothing_changes_nothing(act, page):
    assert await act("click", "Dead") == []
    assert await act("hover", "Dead") == []


async def test_addresses_and_titles(act, page):
    ((kind, url, _),) = await act("click", "Route")
    assert (kind, url.endswith("changes.html?step=2")) == ("url", True)
    assert await act("click", "Title") == [("title", "Renamed", "")]


async def test_dialogs_that_open_and_close(act):
    changes = await act("click", "Open")
    assert ("dialog_opened", "Delete disk", "") in changes
    changes = await act("click", "Cancel")
    assert ("dialog_closed", "Delete disk", "") in changes
    assert not [c for c in changes if c[0] == "dialog_opened"]


async def test_notices(act):
    assert await act("click", "Toast") == [("notice", "Disk created", "")]


async def test_the_focus_that_moves_elsewhere(act):
    assert await act("click", "Focus") == [("focus", "Name", "Name")]


async def test_values_of_the_field_and_of_others(act):
    assert await act("type", "Name", text="web-1") == [("value", "web-1", "Name")]
    assert await act("click", "Suggest") == [("value", "made up", "Name")]
    assert await act("select", "Region", text="West") == [("value", "West", "Region")]


async def test_secrets_are_masked(act, page):
    assert await act("type", "Password", text="hunter2") == [("value", "••••", "Password")]


async def test_states(act):
    assert await act("check", "Backup") == [("state", "checked", "Backup")]
    assert await act("click", "Advanced") == [("state", "expanded", "Advanced")]
    assert await act("click", "Advanced") == [("state", "collapsed", "Advanced")]
    assert sorted(await act("click", "Two")) == [
        ("state", "not selected", "One"),
        ("state", "selected", "Two"),
    ]
    assert await act("click", "Agree") == [("state", "enabled", "Next")]


async def test_changes_in_a_frame(act):
    assert await act("check", "Inner") == [("state", "checked", "Inner")]


async def test_another_tab(act, page):
    ((kind, url, _),) = await act("click", "Window")
    assert kind == ChangeKind.TAB
    assert url.endswith("widgets.html")


async def test_a_page_that_is_left(act, page):
    changes = await act("click", "Leave")
    assert [c for c in changes if c[0] == "url"] in (
        [],  # the other page has not answered yet: the next observation shows it
        [("url", page.url.replace("changes", "widgets"), "")],
    )


async def test_what_is_done_in_vain_changes_nothing(page, find):
    view = await page.observe()
    failed = await page.perform(actions.Click(find(view, "Next").id))
    assert not failed.ok
    assert failed.changes == ()
