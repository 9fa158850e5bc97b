"""The page in a real browser: nothing is loaded, nothing overflows, everything can be used."""

import io
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Protocol, cast

import pytest
import pytest_asyncio
from PIL import Image as Picture
from playwright.async_api import Browser, Locator, Page

from appliance.core.result import ArtifactRef, Evidence, RunResult
from appliance.reports import html_report
from tests.chromium import chromium

pytestmark = pytest.mark.slow  # a browser

MakeRun = Callable[..., RunResult]


class Folder(Protocol):
    def put(self, data: bytes, media_type: str) -> ArtifactRef: ...
    def get(self, ref: ArtifactRef) -> bytes: ...


@pytest.fixture
def file(night: RunResult, documents: dict[str, str], folder: Folder, tmp_path: Path) -> Path:
    path = tmp_path / "report.html"
    path.write_text(html_report(night, documents.get, folder.get), encoding="utf-8")
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
    assert await dialog.locator(".picture svg").get_attribute("viewBox") == "0 0 64 45"
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


async def test_a_picture_that_lies_over_another_is_seen_whole(
    browser: Browser, one_finding: MakeRun, folder: Folder, tmp_path: Path
) -> None:
    before = Picture.new("RGB", (640, 480), "white")
    after = before.copy()
    after.paste("blue", (320, 240, 480, 400))
    evidence = []
    for kind, picture in (("before", before), ("after", after)):
        written = io.BytesIO()
        picture.save(written, "PNG")
        ref = folder.put(written.getvalue(), "image/png")
        evidence.append(Evidence(kind=kind, caption=kind, artifact=ref))
    file = tmp_path / "report.html"
    report = html_report(one_finding(evidence=tuple(evidence)), lambda _: None, folder.get)
    file.write_text(report, encoding="utf-8")
    page = await browser.new_page(viewport={"width": 1280, "height": 900})
    await page.goto(file.as_uri())
    thumbnail = page.locator("#finding-1").get_by_role("button", name="Enlarge").last
    small = await seen(thumbnail.locator("svg"))
    await thumbnail.click()
    large = await seen(page.get_by_role("dialog").locator(".picture svg"))
    for picture in (small, large):
        colours = {
            place: picture.getpixel((int(picture.width * x), int(picture.height * y)))
            for place, x, y in (("inside", 0.625, 0.66), ("beside", 0.4, 0.66), ("above", 0.6, 0.4))
        }
        assert colours["beside"] == colours["above"] == (255, 255, 255)
        red, green, blue = cast("tuple[int, int, int]", colours["inside"])
        assert max(red, green) < 20 and blue > 235
    assert large.width > small.width * 2


async def seen(svg: Locator) -> Picture.Image:
    return Picture.open(io.BytesIO(await svg.screenshot(animations="disabled"))).convert("RGB")


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
