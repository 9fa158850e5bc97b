"""The widgets of rich consoles: what is seen of them, and that they can be operated."""

from pathlib import Path

import pytest
import pytest_asyncio

from appliance.core import actions

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True


@pytest_asyncio.fixture(loop_scope="session", autouse=True)
async def rich(page, site):
    await page.goto(f"{site.url}/rich.html")


@pytest.mark.parametrize(
    ("kind", "name", "text", "says"),
    [
        ("select", "Zone", "zone b", "zone zone b"),
        ("select", "Storage tier", "Archive", "tier Archive"),
        ("type", "Nodes", "5", "nodes 5"),
        ("type", "Threshold", "50", "threshold 50"),
        ("type", "Start time", "03:30", "time 03:30"),
        ("type", "Policy document", '{"a": 1}', 'code {"a": 1}'),
        ("type", "Policy document", '{\n  "a": [1]\n}', 'code {\n  "a": [1]\n}'),
    ],
)
async def test_values_are_set_by_what_the_widget_is(act, page, out, kind, name, text, says):
    done = await act(kind, name, text=text)
    assert done.ok, done.error
    await page.perform(actions.Press("Tab"))
    assert await out() == says


async def test_a_date_is_typed_or_clicked(act, page, out):
    assert (await act("type", "Expires on", text="2026-12-01")).ok
    await page.perform(actions.Press("Tab"))
    assert await out() == "date 2026-12-01"
    assert (await act("click", "Open calendar")).ok
    assert (await act("click", "Wednesday, 2 December 2026")).ok
    assert await out() == "date 2026-12-02"


async def test_a_bare_drop_down_is_a_combobox_with_a_value(act, page, find):
    tier = find(await page.observe(), "Storage tier")
    assert (tier.role, tier.value, tier.placeholder) == ("combobox", "", "Choose one")
    done = await act("select", "Storage tier", text="Gold")
    assert not done.ok
    assert "'Standard', 'Cold', 'Archive'" in done.error
    assert (await act("select", "Storage tier", text="Cold")).ok
    assert find(await page.observe(), "Storage tier").value == "Cold"


async def test_a_typeahead_says_what_it_offers(act):
    done = await act("select", "Zone", text="zone x")
    assert not done.ok
    assert "'zone a', 'zone b', 'zone c'" in done.error


async def test_entries_are_moved_between_two_lists(act, page, find, out):
    view = await page.observe()
    assert find(view, "ssh").role == "option"
    assert find(view, "ssh").group == "Available"
    assert "unselected" not in find(view, "ssh").states
    assert (await act("click", "ssh")).ok
    assert (await act("click", "web")).ok
    assert "selected" in find(await page.observe(), "web").states
    assert (await act("click", "Add")).ok
    assert await out() == "selected ssh,web"
    assert find(await page.observe(), "web").group == "Selected"


async def test_boxes_and_buttons_of_a_group(act, page, find, out):
    view = await page.observe()
    assert find(view, "Memory").group == "Metrics"
    assert find(view, "Large").group == "Plan"
    assert (await act("check", "Memory")).ok
    assert await out() == "mem true"
    assert (await act("check", "Large")).ok
    assert await out() == "l true"


async def test_a_web_component_is_looked_into(act, out):
    assert (await act("click", "Increase")).ok
    assert await out() == "nodes 3"


async def test_a_drop_zone_takes_a_file(act, page, out, tmp_path: Path):
    path = tmp_path / "cert.pem"
    path.write_text("x")
    view = await page.observe()
    zone = next(e for e in view.elements if e.type == "file")
    assert "Certificate" in zone.name
    done = await page.perform(actions.Upload(zone.id, path=str(path)))
    assert done.ok, done.error
    assert await out() == "file cert.pem"


async def test_a_slider_says_its_value_and_takes_no_nonsense(act, page, find):
    assert find(await page.observe(), "Threshold").value == "80"
    done = await act("type", "Threshold", text="150")
    assert not done.ok
    assert "100" in done.error


async def test_what_a_filter_a_password_and_a_copy_button_are_called(act, page, find, out):
    view = await page.observe()
    assert find(view, "Status", role="combobox").options == ("All", "Running", "Stopped")
    assert find(view, "Password").type == "password"
    copies = [e for e in view.elements if e.name == "Copy ID"]
    assert [e.row for e in copies] == ["web-1 | Running | i-0", "web-2 | Running | i-1"]
    assert copies[0].column == "ID"
    done = await page.perform(actions.Click(copies[1].id))
    assert done.ok
    assert (await out()).startswith("copied i-1")


async def test_a_tooltip_is_read_when_hovered(act, page):
    view = await page.observe()
    assert not any("records are kept" in t.text for t in view.texts)
    assert any(e.name == "Help for Retention" for e in view.elements)
    assert (await act("hover", "Help for Retention")).ok
    assert any("records are kept" in t.text for t in (await page.observe()).texts)
