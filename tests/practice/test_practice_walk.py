"""A walk through all that the console shows, in both languages, whatever the products are."""

import re
from collections.abc import Iterator

import httpx
import pytest
import pytest_asyncio

from appliance.practice.catalogue import FieldKind
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from tests.chromium import chromium

pytestmark = pytest.mark.asyncio(loop_scope="module")
TIMEOUT_MS = 15_000
CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
OWN_NAME = "中文"
"""The language's name is written in it everywhere."""

LOOK = """async () => {
  const app = document.getElementById("app");
  const isBusy = () => document.querySelector("[aria-busy=true]")
    || (app && app.getAttribute("aria-busy") !== "false");
  while (isBusy()) await new Promise((resolve) => setTimeout(resolve, 5));
  const texts = new Set();
  const add = (text) => text && text.trim() && texts.add(text.trim());
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return add(node.data);
    if (node.matches?.("script, style")) return;
    ["aria-label", "aria-description", "placeholder", "title"]
      .forEach((name) => add(node.getAttribute?.(name)));
    if (node.shadowRoot) visit(node.shadowRoot);
    node.childNodes.forEach(visit);
  };
  visit(document.body);
  return { texts: [...texts], overflow: document.documentElement.scrollWidth - innerWidth };
}"""
"""Waits until nothing is under way; every text, seen or said, and how much wider the page is."""


def pairs_in(value: object) -> Iterator[tuple[str, str]]:
    """All texts of the catalogue in both languages."""
    if isinstance(value, dict):
        if value.keys() == {"en", "zh"}:
            yield value["en"], value["zh"]
        else:
            for inner in value.values():
                yield from pairs_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from pairs_in(inner)


class Items:
    """One item of every kind, made through the API; what it needs is made first."""

    def __init__(self, client: httpx.Client, catalogue) -> None:
        self._client, self._catalogue = client, catalogue
        self.made: dict[str, dict] = {}

    def of(self, kind: str) -> dict:
        if kind not in self.made:
            found = self._catalogue.resource(kind)
            path = f"/api/{found.service}/{found.resource.collection}"
            answer = self._client.post(path, json=self._body(kind, found.resource))
            assert answer.status_code == 201, (kind, answer.text)
            self.made[kind] = answer.json()
        return self.made[kind]

    def _body(self, kind, resource) -> dict:
        body: dict = {}
        for name, field in resource.fields.items():
            condition = field.shown_if
            if condition is not None:
                other = resource.fields[condition.field]
                if body.get(condition.field, other.default) not in condition.values:
                    continue
            if field.kind is FieldKind.TAGS:
                body[name] = {"made-by": "walk"}
            elif field.required and not field.generated and field.default in (None, ""):
                body[name] = self._value(kind, name, field)
        return body

    def _value(self, kind, name, field):
        match field.kind:
            case FieldKind.REFERENCE:
                return self.of(field.refers_to)["id"]
            case FieldKind.REFERENCES:
                return [self.of(field.refers_to)["id"]]
            case FieldKind.CHOICES:
                return [field.options[0].value]
            case FieldKind.CHOICE:
                return field.options[0].value
            case FieldKind.NUMBER:
                return field.min
            case FieldKind.FILE:
                ending = field.accept[0] if field.accept else ".txt"
                return {"name": f"walk{ending}", "size": 4, "content": "d2Fsaw=="}
            case _:
                return field.example or f"{kind}-walk".replace("_", "-")


class Walker:
    """Goes through the console in one language and writes down what is wrong."""

    def __init__(self, page, language, running, items) -> None:
        self.page, self.language, self.items = page, language, items
        self.catalogue, self.url = running.cloud.catalogue, running.url
        self.password = running.password
        self.where, self.faults, self.seen = "", [], 0
        self.opened: set[tuple[str, str]] = set()
        pairs = set(pairs_in(self.catalogue.model_dump(mode="json")))
        chinese = {zh for _, zh in pairs}
        self.untranslated = {en for en, zh in pairs if en != zh} - chinese
        page.set_default_timeout(TIMEOUT_MS)
        page.on("pageerror", lambda error: self.fault(f"page error: {error}"))
        page.on("console", lambda m: m.type == "error" and self.fault(f"console: {m.text}"))
        page.on("response", lambda r: r.status >= 400 and self.fault(f"{r.status} for {r.url}"))

    def fault(self, text: str) -> None:
        self.faults.append(f"{self.where}: {text}")

    def said(self, text) -> str:
        return text.in_language(self.language)

    def text(self, key: str) -> str:
        return self.said(self.catalogue.text(key))

    async def look(self, where: str, frame=None) -> None:
        """Check every text that is there now."""
        self.where = where
        self.seen += 1
        found = await (frame or self.page).evaluate(LOOK)
        if frame is None and found["overflow"] > 0:
            self.fault(f"the page is {found['overflow']} px too wide")
        for text in found["texts"]:
            if self.language == "en" and CHINESE.search(text.replace(OWN_NAME, "")):
                self.fault(f"Chinese text {text!r}")
            if self.language == "zh" and text in self.untranslated:
                self.fault(f"English text {text!r}")
            if re.search(r"\bundefined\b|\[object |\bNaN\b|\{\w+\}", text):
                self.fault(f"broken text {text!r}")

    async def log_in(self) -> None:
        page = self.page
        await page.goto(f"{self.url}/login?lang={self.language}")
        await page.locator("#username").fill("alice")
        await page.locator("#password").fill(self.password)
        await page.locator("form button").click()
        await page.locator("main h1").wait_for()
        await self.look("home")
        await page.locator("button.products").click()
        await self.look("product menu")

    async def product(self, service, product) -> None:
        entry = self.page.locator(".mega").get_by_role(
            "link", name=self.said(product.menu), exact=True
        )
        if not await entry.is_visible():
            await self.page.locator("button.products").click()
        await entry.click()
        await self.page.evaluate(LOOK)
        if product.onboarding is not None:
            await self.look(f"{service}: onboarding")
            name = self.said(product.onboarding.dismiss)
            await self.page.get_by_role("dialog").get_by_role("button", name=name).click()
        for group in product.navigation:
            for entry in group.entries:
                await self.entry(service, product, entry)

    async def entry(self, service, product, entry) -> None:
        name = self.said(entry.label)
        link = self.page.locator(".navigation").get_by_role("link", name=name, exact=True)
        await link.click()
        await self.look(f"{service}: {entry.id}")
        heading = await self.page.locator("main h1").inner_text()
        if (heading == "404") != entry.is_dead:
            self.fault(f"the heading is {heading!r}")
        if entry.kind == "list" and not entry.is_dead:
            await self.list(service, entry.resource, product.resources[entry.resource])

    async def list(self, service, kind, resource) -> None:
        page, here = self.page, f"{service}: {kind}"
        shown = [
            column
            for column in resource.list.columns
            if column.is_shown and not self.is_hidden(resource, column.field)
        ]
        wanted = [self.column(resource, column) for column in shown]
        heads = await page.locator("main thead th:not(.tick):not(.actions)").all_inner_texts()
        if heads != wanted:
            self.fault(f"columns {heads} instead of {wanted}")
        if resource.list.has_column_settings:
            await page.get_by_role("button", name=self.text("column_settings")).click()
            await self.look(f"{here}: column settings")
            await self.cancel()
        if "create" in resource.list.header:
            name = self.said(resource.actions["create"].label)
            await page.locator("main .toolbar").get_by_role("button", name=name, exact=True).click()
            await self.leave_form(f"{here}: create")
        row = page.locator(f"tr[data-id='{self.items.of(kind)['id']}']")
        for name in (*resource.list.row, *resource.list.more):
            await self.action(here, resource, name, row)
        await row.locator("th a").click()
        await self.detail(here, kind, resource)

    async def detail(self, here, kind, resource) -> None:
        await self.look(f"{here}: detail")
        top = self.page.locator(".title-row")
        for name in (*resource.detail.header, *resource.detail.more):
            await self.action(f"{here}: detail", resource, name, top)
        for tab in resource.detail.tabs:
            name = self.said(tab.label)
            await self.page.get_by_role("tab", name=name, exact=True).click()
            panel = self.page.locator("[role=tabpanel]")
            await self.look(f"{here}: tab {tab.id}")
            await self.tab(here, kind, tab, panel)

    def is_asked(self, resource, field, kind) -> bool:
        """Whether a form with the values of the item would ask for a field."""
        condition = resource.fields[field].shown_if if field in resource.fields else None
        values = self.items.of(kind)["values"]
        return condition is None or values.get(condition.field) in condition.values

    async def tab(self, here, kind, tab, panel) -> None:
        resource = self.catalogue.resource(kind).resource
        match tab.kind:
            case "fields":
                wanted = [
                    self.label(resource, field)
                    for field in tab.fields
                    if not self.is_hidden(resource, field) and self.is_asked(resource, field, kind)
                ]
                labels = await panel.locator("dt").all_inner_texts()
                if labels != wanted:
                    self.fault(f"fields {labels} instead of {wanted}")
            case "frame":
                handle = await panel.locator("iframe").element_handle()
                frame = await handle.content_frame()
                await frame.locator("form").wait_for()
                await self.look(f"{here}: frame {tab.action}", frame)
            case "related":
                return
        for name in tab.header:
            await self.action(f"{here}: tab {tab.id}", resource, name, panel)

    async def action(self, here, resource, name, place) -> None:
        """Open what an action asks, and leave it; once, wherever it stands."""
        action = resource.actions[name]
        if (resource.collection, name) in self.opened:
            return
        asks = action.kind in ("edit", "tags", "spawn") or action.confirm is not None
        label = self.said(action.label)
        direct = place.get_by_role("button", name=label, exact=True)
        if await direct.count():
            if asks and await direct.is_enabled():
                self.opened.add((resource.collection, name))
                await direct.click()
                await self.leave_form(f"{here}: {name}")
            return
        await place.get_by_role("button", name=self.text("more"), exact=True).click()
        await self.look(f"{here}: menu")
        entry = self.page.get_by_role("menuitem", name=label, exact=True)
        if asks and await entry.get_attribute("aria-disabled") is None:
            self.opened.add((resource.collection, name))
            await entry.click()
            await self.leave_form(f"{here}: {name}")
        else:
            await self.page.keyboard.press("Escape")

    async def leave_form(self, where) -> None:
        """Look at a dialog or the page of a form, and leave it."""
        form = self.page.locator("form[role=dialog], main form")
        await form.first.wait_for()
        await self.look(where)
        is_page = await self.page.locator("form[role=dialog]").count() == 0
        await self.cancel()
        if is_page and ": create" not in where:
            await self.page.go_back()
            await self.page.go_back()
            await self.page.evaluate(LOOK)

    async def cancel(self) -> None:
        form = self.page.locator("form[role=dialog], main form").last
        await form.get_by_role("button", name=self.text("cancel"), exact=True).click()
        await form.wait_for(state="detached")
        await self.page.evaluate(LOOK)

    def is_hidden(self, resource, field) -> bool:
        return field in resource.fields and resource.fields[field].is_hidden

    def label(self, resource, field) -> str:
        known = resource.fields.get(field)
        return self.said(known.label) if known else self.text(field)

    def column(self, resource, column) -> str:
        return self.said(column.label) if column.label else self.label(resource, column.field)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world():
    """A cloud with one item of every kind, and a browser."""
    with serving(PracticeSettings(settle_s=0.1)) as running:
        auth = ("alice", running.password)
        with httpx.Client(base_url=running.url, auth=auth, trust_env=False) as client:
            items = Items(client, running.cloud.catalogue)
            for found in running.cloud.catalogue.resources():
                items.of(found.kind)
        async with chromium() as browser:
            yield running, items, browser


@pytest.mark.long
@pytest.mark.timeout(400)  # some 500 pages and dialogs each
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_every_product_is_walked_through(world, language):
    running, items, browser = world
    context = await browser.new_context(reduced_motion="reduce")
    walker = Walker(await context.new_page(), language, running, items)
    await walker.log_in()
    for service, product in running.cloud.catalogue.products.items():
        await walker.product(service, product)
    await context.close()
    assert walker.faults == []
    assert walker.seen > 10 * len(running.cloud.catalogue.products)


@pytest.mark.parametrize(
    ("language", "text"), [("en", "创建存储桶"), ("zh", "Create bucket"), ("en", "undefined disks")]
)
async def test_the_walk_notices_what_is_in_the_wrong_language(world, language, text):
    running, items, browser = world
    context = await browser.new_context()
    walker = Walker(await context.new_page(), language, running, items)
    await walker.log_in()
    assert walker.faults == []
    await walker.page.evaluate("text => document.querySelector('main').append(text)", text)
    await walker.look("home")
    await context.close()
    assert [text in fault for fault in walker.faults] == [True]
