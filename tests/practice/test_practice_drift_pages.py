"""Every kind of change, on the pages and in the API of a running cloud: what it says, no more."""

import json
from collections import Counter
from pathlib import Path

import pytest

from appliance.practice.overlay import KINDS
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

pytestmark = pytest.mark.asyncio(loop_scope="module")
BUCKET, INSTANCE = "storage.resources.bucket", "compute.resources.instance"
BUCKETS, WIZARD = "/console/storage/buckets", "/console/compute/instances/create"
_SHOWN = """() => {
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode;
    const isShown = parentElement.checkVisibility() && !parentElement.closest("option, script");
    if (isShown && data.trim()) lines.push(data.trim());
  }
  for (const e of document.querySelectorAll("input, select, textarea")) {
    if (e.placeholder) lines.push(`placeholder ${e.placeholder}`);
    if (e.tagName === "SELECT" && e.value) lines.push(`chosen ${e.value}`);
    if (e.type === "radio" && e.checked) lines.push(`chosen ${e.value}`);
    if (e.type === "checkbox" && e.checked) lines.push(`ticked ${e.id.replace(/\\d+/, "")}`);
    if (e.getAttribute("aria-required") === "true") lines.push("required field");
  }
  for (const e of document.querySelectorAll("[role=switch]")) lines.push(e.ariaChecked);
  return lines;
}"""


class Reader:
    """A signed-in page that tells what it shows."""

    def __init__(self, page, url):
        self.page, self.url = page, url

    async def at(self, address):
        await self.page.goto(self.url + address)
        await self.page.locator("#app[aria-busy=false]").wait_for()
        await self.page.locator("main h1").wait_for()
        if "/create" not in address and "gone" not in address:
            await self.page.locator("tbody tr:not(.skeleton)").first.wait_for()
            await self.page.locator("table[aria-busy=true]").wait_for(state="detached")

    async def click(self, name, role="button"):
        await self.page.get_by_role(role, name=name, exact=True).first.click()

    async def lines(self):
        return Counter(await self.page.evaluate(_SHOWN))

    async def answer(self, method, address, data=None):
        sent = await self.page.request.fetch(
            self.url + address, method=method, data=data, headers={"x-practice-console": "1"}
        )
        return sent.status, await sent.json()


@pytest.fixture
def read(browser, clock, tmp_path):
    """What a way through the console shows with a change, by comparison with none."""

    async def shown(way, drift=None):
        settings = PracticeSettings(release="2025.1", settle_s=0.0, drift=drift)
        with serving(settings, clock) as cloud:
            context = await browser.new_context(locale="en-US")
            try:
                page = await context.new_page()
                page.set_default_timeout(8_000)
                reader = Reader(page, cloud.url)
                await page.goto(f"{cloud.url}/login")
                await page.locator("#username").fill("alice")
                await page.locator("#password").fill(cloud.password)
                await page.locator("form button").click()
                await page.locator("main h1").wait_for()
                values = {"name": "abc", "access": "private"}  # refused where more is required
                await reader.answer("POST", "/api/storage/buckets", values)
                return await way(reader)
            finally:
                await context.close()

    async def compared(change, way):
        file = tmp_path / "drift.yaml"
        file.write_text(json.dumps({"changes": [change]}), encoding="utf-8")
        before, after = await shown(way), await shown(way, file)
        if isinstance(before, Counter):
            return sorted((before - after).elements()), sorted((after - before).elements())
        return before, after

    return compared


async def the_list(reader):
    await reader.at(BUCKETS)
    return await reader.lines()


async def the_menu_of_the_row(reader):
    await reader.at(BUCKETS)
    await reader.click("More")
    return await reader.lines()


async def the_form(reader):
    await reader.at(BUCKETS)
    await reader.click("Create bucket")
    await reader.page.get_by_role("dialog").wait_for()
    return await reader.lines()


async def the_labels(reader):
    await the_form(reader)
    labels = reader.page.get_by_role("dialog").locator("label, legend, .label")
    return Counter(await labels.all_inner_texts())


async def the_confirmation(reader):
    await reader.at(BUCKETS)
    await reader.click("More")
    await reader.click("Delete", "menuitem")
    await reader.page.get_by_role("dialog").wait_for()
    return await reader.lines()


async def the_first_step(reader):
    await reader.at(WIZARD)
    return await reader.lines()


async def the_order_of_steps(reader):
    await reader.at(WIZARD)
    return await reader.page.locator("ol.steps li").all_inner_texts()


async def the_message(reader):
    await the_form(reader)
    await reader.page.get_by_role("dialog").get_by_label("Bucket name").fill("new-one")
    await reader.click("Create")
    await reader.page.get_by_role("status").filter(has_text="c").first.wait_for()
    await reader.page.get_by_role("link", name="new-one").wait_for()
    return await reader.lines()


async def the_navigation(reader):
    await reader.at(BUCKETS)
    texts = await reader.page.locator("#app nav, #app aside").all_inner_texts()
    return " ".join(" ".join(texts).split())


async def creating_without(reader):
    return await reader.answer("POST", "/api/storage/buckets", {"name": "second"})


def _blamed(problem):
    """The fields that a refusal names."""
    found = problem.get("errors") or problem.get("extra", {}).get("fields") or problem
    return [one["field"] for one in found] if isinstance(found, list) else list(found)


async def opening_access(reader):
    _, found = await reader.answer("GET", "/api/storage/buckets")
    item = f"/api/storage/buckets/{found['items'][0]['id']}"
    changed, answer = await reader.answer("POST", f"{item}/set-access", {"access": "public-read"})
    other, _ = await reader.answer("POST", f"{item}/set-versioning", {"versioning": True})
    return changed, answer.get("code"), other


async def following_the_entry(reader):
    await reader.at(BUCKETS)
    await reader.page.get_by_role("link", name="Overview", exact=True).first.click()
    await reader.page.locator("#app[aria-busy=false]").wait_for()
    await reader.page.locator("main h1").wait_for()
    return await reader.page.locator("main h1").inner_text()


FIELD = {"label": {"en": "Ticket", "zh": "工单"}, "required": True}
LINES = {
    "rename_label": (
        {"target": f"{BUCKET}.actions.create", "label": {"en": "New bucket"}},
        the_list, (["Create bucket"], ["New bucket"]),
    ),
    "change_text": (
        {"target": f"{BUCKET}.list.search_label", "text": {"en": "Find"}},
        the_list, (["placeholder Search by bucket name"], ["placeholder Find"]),
    ),
    "change_message": (
        {"target": f"{BUCKET}.actions.create", "text": {"en": "Accepted"}},
        the_message, (["Bucket created"], ["Accepted"]),
    ),
    "change_confirmation": (
        {"target": f"{BUCKET}.actions.delete", "title": {"en": "Really?"},
         "acknowledge": {"en": "I know", "zh": "我已知晓"}},
        the_confirmation, (["Delete bucket"], ["I know", "Really?"]),
    ),
    "move_control": (
        {"target": f"{BUCKET}.actions.set-access", "from": "list.row", "to": "list.more"},
        the_list, (["Change access"], []),
    ),
    "remove_control": (
        {"target": f"{BUCKET}.actions.set-versioning"},
        the_menu_of_the_row, (["Edit versioning"], []),
    ),
    "remove_field": (
        {"target": f"{BUCKET}.fields.class"},
        the_list, (["Standard", "Storage class"], []),
    ),
    "change_default": (
        {"target": f"{BUCKET}.fields.access", "default": "public-read"},
        the_form, (["chosen private"], ["chosen public-read"]),
    ),
}  # fmt: skip
ANSWERS = {
    "require_permission": (
        {"target": f"{BUCKET}.actions.set-access", "permission": "security"},
        opening_access, (200, None, 200), (403, "AccessDenied", 200),
    ),
    "dead_link": (
        {"target": "storage.navigation.top.entries.overview"},
        following_the_entry, "Object Storage", "404",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", LINES)
async def test_a_change_shows_on_the_page_and_nothing_else_does(read, kind):
    change, way, expected = LINES[kind]
    gone, new = await read({"kind": kind, **change}, way)
    assert (sorted(set(gone)), sorted(set(new))) == expected


@pytest.mark.parametrize("kind", ANSWERS)
async def test_a_change_shows_in_what_is_answered(read, kind):
    change, way, before, after = ANSWERS[kind]
    assert await read({"kind": kind, **change}, way) == (before, after)


async def test_move_menu_entry_moves_it_in_the_navigation(read):
    change = {"target": "storage.navigation.data.entries.buckets", "to": "monitoring"}
    before, after = await read({"kind": "move_menu_entry", **change}, the_navigation)
    assert Counter(before.split()) - Counter(after.split()) <= Counter(["Data"])
    assert before.index("Buckets") < before.index("Activity log") < after.rindex("Buckets")


async def test_add_field_asks_for_it_on_the_page_and_in_the_api(read):
    change = {"kind": "add_field", "target": BUCKET, "name": "ticket", "step": "settings"}
    change |= {"field": FIELD}
    before, after = await read(change, creating_without)
    assert (before[0], after[0], _blamed(after[1])) == (201, 400, ["ticket"])
    gone, new = await read(change, the_labels)
    assert (gone, new) == ([], ["Ticket"])


async def test_require_field_shows_in_the_api_by_name(read):
    change = {"kind": "require_field", "target": f"{BUCKET}.fields.tags"}
    before, after = await read(change, creating_without)
    assert (before[0], after[0], _blamed(after[1])) == (201, 400, ["tags"])


async def test_move_field_moves_it_to_another_step(read):
    change = {"kind": "move_field", "target": f"{INSTANCE}.fields.size", "to": "access"}
    gone, new = await read(change, the_first_step)
    assert any("Size" in line for line in gone) and new == []
    assert not any("Image" in line for line in gone)


async def test_reorder_steps_exchanges_what_comes_first(read):
    order = ["network", "machine", "access", "advanced", "review"]
    change = {"kind": "reorder_steps", "target": f"{INSTANCE}.actions.create", "order": order}
    before, after = await read(change, the_order_of_steps)
    names = [line.splitlines()[-1] for line in before]
    assert [line.splitlines()[-1] for line in after] == [names[1], names[0], *names[2:]]


async def test_change_options_offers_others(read):
    options = [{"value": "private", "label": {"en": "Private", "zh": "私有"}},
               {"value": "public-read", "label": {"en": "Everybody", "zh": "公共读"}}]  # fmt: skip
    change = {"kind": "change_options", "target": f"{BUCKET}.fields.access", "options": options}

    async def offered(reader):
        await the_form(reader)
        box = reader.page.get_by_role("dialog").get_by_label("Access control")
        return await box.locator("option").all_inner_texts()

    before, after = await read(change, offered)
    assert before == ["Private", "Public read", "Public read and write"]
    assert after == ["Private", "Everybody"]


async def test_every_kind_is_shown_here():
    text = Path(__file__).read_text(encoding="utf-8")
    assert [kind for kind in KINDS if f'"{kind}"' not in text] == []
