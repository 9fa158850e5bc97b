"""The console in a real Chromium."""

import contextlib

import pytest
import pytest_asyncio
from playwright.async_api import expect

from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

pytestmark = pytest.mark.asyncio(loop_scope="module")
TIMEOUT_MS = 8_000


class Visitor:
    """A page, what it complained about, and how to get in."""

    def __init__(self, page, url, password):
        self.page, self.url, self.password = page, url, password
        self.complaints = []
        page.set_default_timeout(TIMEOUT_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: said.type == "error" and self.complaints.append(said.text))

    def button(self, name, **more):
        return self.page.get_by_role("button", name=name, exact=True, **more)

    async def log_in(self, name="alice"):
        await self.page.goto(f"{self.url}/login")
        await self.page.locator("#username").fill(name)
        await self.page.locator("#password").fill(self.password)
        await self.page.locator("form button").click()
        await self.page.locator("main h1").wait_for()

    async def product(self, menu, entry):
        await self.button(menu).click()
        await self.page.get_by_role("navigation", name=menu).get_by_role("link", name=entry).click()
        await expect(self.page.get_by_role("heading", level=1)).to_have_text(entry)

    async def make(self, service, collection, **values):
        """Make something through the API."""
        headers = {"x-practice-console": "1"}
        address = f"{self.url}/api/{service}/{collection}"
        answer = await self.page.request.post(address, data=values, headers=headers)
        assert answer.status == 201, await answer.text()

    async def rows(self):
        return await self.page.locator("tbody tr th").all_inner_texts()


@pytest_asyncio.fixture(loop_scope="module")
async def visit(browser):
    """`await visit(locale, release)` gives a visitor who is not logged in yet."""
    async with contextlib.AsyncExitStack() as stack:
        visitors = []

        async def open_page(locale="en-US", release="2025.1"):
            running = stack.enter_context(serving(PracticeSettings(release=release, settle_s=0.8)))
            page = await browser.new_page(locale=locale)
            stack.push_async_callback(page.close)
            visitors.append(Visitor(page, running.url, running.password))
            return visitors[-1]

        yield open_page
        assert [v.complaints for v in visitors if v.complaints] == []


async def test_a_wrong_password_is_said(visit):
    visitor = await visit()
    page = visitor.page
    await page.goto(visitor.url)
    await page.get_by_label("User name").fill("alice")
    await page.get_by_label("Password").fill("wrong")
    await visitor.button("Sign in").click()
    await expect(page.get_by_role("alert")).to_have_text("The user name or password is wrong.")
    assert page.url.endswith("/login")
    visitor.complaints.clear()  # Chromium calls the answer 401 an error
    await page.get_by_label("Password").fill(visitor.password)
    await visitor.button("Sign in").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Welcome, alice")


async def test_a_bucket_from_its_creation_to_its_end(visit):
    visitor = await visit()
    page, button = visitor.page, visitor.button
    await visitor.log_in()
    await visitor.product("Products", "Buckets")
    await button("Create bucket").click()
    dialog = page.get_by_role("dialog", name="Create bucket")
    await dialog.get_by_role("button", name="Create", exact=True).click()
    await expect(dialog.get_by_role("alert")).to_have_text("Bucket name is required.")
    await dialog.get_by_label("Bucket name").fill("photos")
    await expect(dialog.get_by_role("alert")).to_have_count(0)
    await dialog.get_by_role("radio", name="Archive").check()
    await dialog.get_by_role("switch", name="Versioning").click()
    await dialog.get_by_role("button", name="Create", exact=True).click()
    await expect(page.get_by_role("status").filter(has_text="Bucket created")).to_be_visible()
    row = page.get_by_role("row", name="photos")
    await expect(row).to_contain_text("Creating")
    await expect(row).to_contain_text("Available")
    await expect(row).to_contain_text("Archive")

    await row.get_by_role("button", name="More").click()
    assert await button("More").get_attribute("aria-expanded") == "true"
    await page.get_by_role("menuitem", name="Delete").click()
    dialog = page.get_by_role("dialog", name="Delete bucket")
    delete = dialog.get_by_role("button", name="Delete", exact=True)
    await expect(delete).to_be_disabled()
    await dialog.get_by_label("To confirm, type photos").fill("photo")
    await expect(delete).to_be_disabled()
    await dialog.get_by_label("To confirm, type photos").fill("photos")
    await delete.click()
    await expect(page.get_by_text("You have no buckets yet.")).to_be_visible()


async def test_a_network_a_subnet_and_an_instance(visit):
    visitor = await visit()
    page, button = visitor.page, visitor.button
    await visitor.log_in()
    await visitor.product("Products", "Virtual networks")
    await button("Create network").click()
    await page.get_by_role("textbox", name="Name", exact=True).fill("prod")
    await page.get_by_label("Enable DNS host names").uncheck()
    await button("Create network").click()
    await page.get_by_role("link", name="prod").click()
    await page.get_by_role("tab", name="Subnets").click()
    await button("Add subnet").click()
    dialog = page.get_by_role("dialog", name="Add subnet")
    await dialog.get_by_label("Subnet name").fill("prod-a")
    await dialog.get_by_label("Address range").fill("10.7.0.0/24")
    await dialog.get_by_role("button", name="Add", exact=True).click()
    visitor_error = dialog.get_by_role("alert")
    await expect(visitor_error).to_have_text("Address range must lie within 10.0.0.0/16.")
    visitor.complaints.clear()  # Chromium calls the answer 400 an error
    await dialog.get_by_label("Address range").fill("10.0.7.0/24")
    await dialog.get_by_role("button", name="Add", exact=True).click()
    await expect(page.get_by_role("row", name="prod-a")).to_contain_text("10.0.7.0/24")

    await visitor.make("networking", "security-groups", name="open")
    await visitor.make("compute", "key-pairs", name="mine")
    await visitor.product("Products", "Instances")
    await button("Launch instance").click()
    await button("Next").click()
    await expect(page.get_by_role("alert")).to_have_text(
        ["Instance name is required.", "Choose a value for Image."]
    )
    await page.get_by_role("textbox", name="Instance name").fill("web")
    await page.get_by_role("combobox", name="Image").select_option("Debian 12")
    await page.get_by_role("combobox", name="Size").click()
    await page.get_by_role("option", name="Large").click()
    await button("Next").click()
    await expect(page.get_by_role("combobox", name="Subnet")).to_be_disabled()
    await page.get_by_role("combobox", name="Network").select_option("prod")
    await page.get_by_role("combobox", name="Subnet").select_option("prod-a")
    await page.get_by_role("checkbox", name="open").check()
    await button("Next").click()
    await page.get_by_role("combobox", name="Key pair").select_option("mine")
    await button("Add tag").click()
    await page.get_by_label("Key", exact=True).fill("env")
    await page.get_by_label("Value", exact=True).fill("test")
    await button("Back").click()
    await expect(page.get_by_role("combobox", name="Subnet")).to_contain_text("prod-a")
    await button("Next").click()
    await expect(page.get_by_label("Key", exact=True)).to_have_value("env")
    await button("Next").click()
    await button("Next").click()
    await expect(page.locator("dl").filter(has_text="prod-a")).to_be_visible()
    await button("Launch").click()
    row = page.get_by_role("row", name="web")
    await expect(row).to_contain_text("Running")
    await row.get_by_role("checkbox").check()
    await page.get_by_role("toolbar").get_by_role("button", name="Stop").click()
    await page.get_by_role("dialog").get_by_role("button", name="Stop instance").click()
    await expect(row).to_contain_text("Stopping")
    await expect(row).to_contain_text("Stopped")
    await expect(row.get_by_role("button", name="Stop")).to_be_disabled()


async def test_lists_are_searched_sorted_and_turned(visit):
    visitor = await visit()
    page = visitor.page
    await visitor.log_in()
    for number in range(11):
        await visitor.make("storage", "buckets", name=f"b-{number:02d}")
    await visitor.product("Products", "Buckets")
    await expect(page.locator("tbody tr")).to_have_count(10)
    await page.get_by_role("button", name="Next page").click()
    await expect(page.locator("tbody tr")).to_have_count(1)
    await page.get_by_role("columnheader", name="Bucket name").get_by_role("button").click()
    await page.get_by_role("button", name="Page 1").click()
    await expect(page.locator("tbody tr").first).to_contain_text("b-00")
    heading = page.get_by_role("columnheader", name="Bucket name")
    assert await heading.get_attribute("aria-sort") == "ascending"
    await page.get_by_role("searchbox", name="Search by bucket name").fill("-10")
    await expect(page.locator("tbody tr")).to_have_count(1)
    assert await visitor.rows() == ["b-10"]


async def test_the_whole_console_speaks_chinese(visit):
    visitor = await visit(locale="zh-CN")
    page, button = visitor.page, visitor.button
    await visitor.log_in()
    await visitor.product("产品", "存储桶")
    await button("创建存储桶").click()
    dialog = page.get_by_role("dialog", name="创建存储桶")
    await dialog.get_by_label("存储桶名称").fill("tupian")
    await dialog.get_by_role("radio", name="低频访问").check()
    await dialog.get_by_role("button", name="确定").click()
    await expect(page.get_by_role("status").filter(has_text="存储桶已创建")).to_be_visible()
    await expect(page.get_by_role("row", name="tupian")).to_contain_text("可用")
    await page.get_by_role("link", name="tupian").click()
    await page.get_by_role("tab", name="操作记录").click()
    await expect(page.get_by_role("row", name="CreateBucket")).to_contain_text("成功")
    assert await page.locator("html").get_attribute("lang") == "zh"


async def test_the_language_is_switched_and_kept(visit):
    visitor = await visit()
    page = visitor.page
    await visitor.log_in()
    await page.get_by_role("button", name="Language: English").click()
    await page.get_by_role("menuitemradio", name="中文").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("欢迎，alice")
    assert "lang=" not in page.url
    await visitor.product("产品", "虚拟网络")
    await page.reload()
    await expect(page.get_by_role("heading", level=1)).to_have_text("虚拟网络")


async def test_the_side_navigation_collapses(visit):
    visitor = await visit()
    page = visitor.page
    await visitor.log_in()
    await visitor.product("Products", "Virtual networks")
    group = visitor.button("Networks")
    assert await group.get_attribute("aria-expanded") == "true"
    await group.click()
    await expect(page.get_by_role("link", name="Subnets")).to_be_hidden()
    await group.click()
    await page.get_by_role("link", name="Subnets").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Subnets")


async def test_a_viewer_is_told(visit):
    visitor = await visit()
    page = visitor.page
    await visitor.log_in("viewer")
    await visitor.product("Products", "Buckets")
    await visitor.button("Create bucket").click()
    await page.get_by_role("textbox", name="Bucket name").fill("photos")
    await visitor.button("Create").click()
    said = page.get_by_role("dialog").get_by_role("alert")
    await expect(said).to_have_text("The account viewer may only read.")
    visitor.complaints.clear()  # Chromium calls the answer 403 an error


async def test_drift_is_what_a_reader_sees(visit):
    visitor = await visit(release="2025.2")
    page = visitor.page
    await visitor.log_in()
    await visitor.make("storage", "buckets", name="logs")
    await visitor.product("Products", "Buckets")
    row = page.get_by_role("row", name="logs")
    await expect(row.get_by_role("button")).to_have_text(["More"])
    await row.get_by_role("button", name="More").click()
    await expect(page.get_by_role("menuitem")).to_have_text(
        ["Versioning settings", "Edit tags", "Delete", "Change access"]
    )
