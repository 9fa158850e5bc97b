"""The page in a real browser: nothing is loaded, nothing overflows, everything can be used."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from appliance.core.result import RunResult
from appliance.reports import html_report
from tests.chromium import chromium

pytestmark = pytest.mark.slow  # a browser


@pytest.fixture
def file(night: RunResult, documents: dict[str, str], folder: "object", tmp_path: Path) -> Path:
    path = tmp_path / "report.html"
    read = folder.get  # type: ignore[attr-defined]
    path.write_text(html_report(night, documents.get, read), encoding="utf-8")
    return path


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


class Complaints(list[str]):
    """What a page loads, logs or throws beyond itself."""

    def watch(self, page: Page, file: Path) -> None:
        page.on("console", lambda message: self.append(message.text))
        page.on("pageerror", lambda error: self.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith(("data:", file.as_uri()))
                else self.append(request.url)
            ),
        )


DECODED = "image => image.decode().then(() => image.naturalWidth)"


async def visible(page: Page, selector: str) -> int:
    return await page.locator(f"{selector}:visible").count()


async def test_the_page_in_use(browser: Browser, file: Path) -> None:
    complaints = Complaints()
    page = await browser.new_page(viewport={"width": 1280, "height": 900})
    complaints.watch(page, file)
    await page.goto(file.as_uri())

    assert await visible(page, ".finding") == 7
    await page.get_by_role("button", name="1 broken").click()
    assert await visible(page, ".finding") == await visible(page, ".procedure") == 1
    await page.get_by_role("button", name="6 verified").click()
    assert await visible(page, ".finding") == 0
    assert not await page.get_by_role("heading", name="What to change").is_visible()
    await page.get_by_role("button", name="6 verified").click()  # once more: all again
    assert await visible(page, ".finding") == 7

    await page.keyboard.press("j")
    await page.keyboard.press("j")
    assert await page.evaluate("document.activeElement.id") == "finding-6"
    await page.keyboard.press("k")
    assert await page.evaluate("document.activeElement.id") == "finding-5"

    await page.locator("#finding-5").get_by_role("button", name="Enlarge").first.click()
    dialog = page.get_by_role("dialog")
    assert "1 of 2: Before the step" in await dialog.inner_text()
    assert await dialog.locator("img").evaluate(DECODED) == 64
    await page.keyboard.press("ArrowRight")
    assert "2 of 2: After the step" in await dialog.inner_text()
    await dialog.get_by_role("button", name="Next").click()
    assert "1 of 2" in await dialog.inner_text()
    await page.keyboard.press("Escape")
    assert not await dialog.is_visible()

    await page.locator("#finding-5").get_by_role("link", name="Create a network").click()
    await page.locator("#procedure-4 .steps").wait_for()
    await page.emulate_media(media="print")
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert await visible(page, ".procedure .goal") == 14
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert await visible(page, ".procedure .goal") == 1
    assert complaints == []


@pytest.mark.parametrize("width_px", [390, 1280])
async def test_nothing_overflows(browser: Browser, file: Path, width_px: int) -> None:
    page = await browser.new_page(viewport={"width": width_px, "height": 900})
    await page.goto(file.as_uri())
    await page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert await page.evaluate("document.documentElement.scrollWidth") <= width_px


async def test_without_script_the_page_is_whole(browser: Browser, file: Path) -> None:
    context = await browser.new_context(java_script_enabled=False)
    page = await context.new_page()
    await page.goto(file.as_uri())
    assert await visible(page, ".finding") == 7
    assert await visible(page, ".copy") == 0
    assert await page.locator("#procedure-1 summary").is_visible()
