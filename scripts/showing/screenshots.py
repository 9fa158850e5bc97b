"""`scripts/screenshots`: what every page of the dashboard looks like, filled by a real short run.

Starts `appliance serve` with the embedded default in a folder of its own, verifies some documents
of the practice cloud, and looks at every page, light and dark, wide and narrow, in both languages.
"""

import asyncio
import json
import sys
import tempfile
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from secrets import token_bytes

import click
import httpx
from playwright.async_api import Browser, Page

from appliance.browser._browser import start_browser
from appliance.browser._chromium import find_executable, not_started
from appliance.browser._driver import start_driver
from appliance.cli._app import run
from appliance.cli._output import talk
from appliance.config import BrowserSettings
from appliance.core.errors import SetupError
from appliance.inference.scripted import serving
from appliance.system.child_environment import Child, child_environment
from tests.benchmarks.agent.answers import Turn, playing

DOCUMENTS = ("buckets.md", "networks.zh.md")
"""Verified for the pictures: something in each is untrue."""
SCREENS = {1280: 900, 390: 844}
"""Height by width, in pixels."""
THEMES = ("light", "dark")
LANGUAGES = {"en": "en-GB", "zh": "zh-CN"}
SETTINGS = """\
webhooks:
  chat:
    url: http://127.0.0.1:9/appliance
    secret_file: {secret}
model:
  endpoint: {model}
judges:
  count: 0
"""
"""The embedded default, a receiver that does not answer, and a model that hands over."""
QUESTION_DOCUMENT = """\
# Accounts

## Sign in with a second factor

1. Enter the code of your authenticator.
"""
HANDS_OVER: Turn = {
    "step": "1",
    "action": {
        "kind": "hand_over",
        "what": "Enter the code of the second factor.",
        "element": None,
    },
}
"""What the model says to every question."""
_START_S = 120.0
_RUN_S = 600.0
_LOOK_S = 30.0


@dataclass(frozen=True, slots=True)
class PageToShow:
    """A page to look at."""

    name: str
    """Of the picture's file."""
    path: str


FIXED = (
    PageToShow("overview", "/"),
    PageToShow("findings", "/findings"),
    PageToShow("findings-patch", "/findings/patch"),
    PageToShow("documents", "/documents"),
    PageToShow("procedures", "/procedures"),
    PageToShow("search", "/search?query=bucket"),
    PageToShow("runs", "/runs"),
    PageToShow("runs-compare", "/runs/compare"),
    PageToShow("verify", "/verify"),
    PageToShow("schedules", "/schedules"),
    PageToShow("schedule", "/schedules/edit?name=nightly"),
    PageToShow("consoles", "/consoles"),
    PageToShow("console", "/consoles/edit?name=practice"),
    PageToShow("accounts", "/accounts"),
    PageToShow("resources", "/resources"),
    PageToShow("webhooks", "/webhooks"),
    PageToShow("questions", "/questions"),
    PageToShow("models", "/models"),
    PageToShow("benchmarks", "/benchmarks"),
    PageToShow("training", "/training"),
    PageToShow("keys", "/keys"),
    PageToShow("activity", "/activity"),
    PageToShow("login", "/login"),
    PageToShow("not-found", "/runs/none"),
)
LINKED_PAGES = {
    "finding": ("/findings", "main a[href^='/findings/']:not([href*='patch'])"),
    "document": ("/documents", "main a[href^='/documents/view']"),
    "procedure": ("/procedures?verdict=drifted", "main a[href^='/procedures/']"),
}
"""Pages that another page leads to: where, and by which link."""


@click.command("screenshots")
@click.option(
    "--out",
    default=Path("screenshots"),
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the pictures.",
)
def screenshots(out: Path) -> int:
    """Take a picture of every page, and print the names of their files."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        for file in asyncio.run(_take(out, Path(data))):
            click.echo(file)
    return 0


async def _take(out: Path, data: Path) -> list[Path]:
    with serving(playing([HANDS_OVER])) as model:
        return await _take_with(out, data, model.url)


async def _take_with(out: Path, data: Path, model: str) -> list[Path]:
    async with (
        _serving(data, model) as address,
        _browsing() as browser,
        httpx.AsyncClient(base_url=address, timeout=60) as client,
    ):
        files = await _take_pictures(browser, address, out, (PageToShow("empty", "/"),))
        talk("Verifying some documents …")
        run_id = await _begin_run(client)
        files += await _live_pages(browser, client, address, out, run_id)
        await _finish_run(client, run_id)
        files += await _question_pages(browser, client, address, out)
        places = (*FIXED, *await _linked_pages(browser, address, run_id))
        talk(f"Looking at {len(places)} pages …")
        return files + await _take_pictures(browser, address, out, places)


@asynccontextmanager
async def _serving(data: Path, model: str) -> AsyncIterator[str]:
    """The address of an `appliance serve` of our own."""
    talk("Starting `appliance serve` …")
    config, secret = data / "config.yaml", data / "webhook-secret"
    secret.write_text(f"whsec_{b64encode(token_bytes(32)).decode()}\n", encoding="ascii")
    config.write_text(SETTINGS.format(secret=secret, model=model), encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "appliance.cli", "--config", str(config), "serve", "--port", "0", "--json"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=child_environment(Child.PYTHON, {"APPLIANCE_DATA_DIR": str(data)}),
    )
    try:
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        line = await asyncio.wait_for(process.stdout.readline(), _START_S)
        if not line:
            raise SetupError("`appliance serve` did not start: try it, it says why")
        yield json.loads(line)["url"]
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@asynccontextmanager
async def _browsing() -> AsyncIterator[Browser]:
    async with AsyncExitStack() as stack:
        driver = await start_driver()
        stack.push_async_callback(driver.stop)
        executable = find_executable(BrowserSettings(), Path(driver.chromium.executable_path))
        if executable is None:
            raise not_started(None, "")
        process = await start_browser(executable, BrowserSettings(), [])
        stack.push_async_callback(process.close)
        browser = await driver.chromium.connect_over_cdp(process.ws_url)
        stack.push_async_callback(browser.close)
        yield browser


async def _begin_run(client: httpx.AsyncClient) -> str:
    answer = await client.post("/api/v1/sweeps", json={"documents": DOCUMENTS, "policy": "literal"})
    answer.raise_for_status()
    return str(answer.json()["id"])


async def _finish_run(client: httpx.AsyncClient, run_id: str) -> None:
    """Wait for the run, and leave traces of people."""
    async with asyncio.timeout(_RUN_S):
        while (await client.get(f"/api/v1/sweeps/{run_id}")).json()["state"] != "done":
            await asyncio.sleep(1)
    await client.post("/schedules/checkpoint/run")
    await client.post("/keys", data={"name": "ci-pipeline", "role": "operator"})
    await client.post("/accounts/practice/alice/check")
    await client.post("/accounts/practice/dave/quarantine", data={"reason": "Password expires"})


async def _live_pages(
    browser: Browser, client: httpx.AsyncClient, address: str, out: Path, run_id: str
) -> list[Path]:
    """The page of a run while browsers are busy with it."""
    async with asyncio.timeout(_RUN_S):
        while "/artifacts/" not in (await client.get(f"/runs/{run_id}")).text:
            await asyncio.sleep(0.3)
    places = (PageToShow("run-live", f"/runs/{run_id}"), PageToShow("overview-live", "/"))
    return await _take_pictures(browser, address, out, places)


async def _question_pages(
    browser: Browser, client: httpx.AsyncClient, address: str, out: Path
) -> list[Path]:
    """What a person sees who is waited for."""
    document = {"name": "accounts.md", "text": QUESTION_DOCUMENT}
    request = {"documents": [document], "policy": "model"}
    run = (await client.post("/api/v1/verifications", json=request)).raise_for_status()
    async with asyncio.timeout(_RUN_S):
        while not (questions := (await client.get("/api/v1/questions?state=open")).json()["items"]):
            await asyncio.sleep(0.5)
    question = f"/questions/{questions[0]['id']}"
    places = (PageToShow("question", question), PageToShow("waited-for", "/findings"))
    files = await _take_pictures(browser, address, out, places)
    await client.post(f"/api/v1{question}/answer", json={"reply": "refuse"})
    await client.post(f"{run.headers['location']}/cancel")
    return files


async def _linked_pages(browser: Browser, address: str, run_id: str) -> list[PageToShow]:
    """Pages whose addresses other pages have."""
    places = [
        PageToShow("run", f"/runs/{run_id}"),
        PageToShow("results", f"/runs/{run_id}/results"),
    ]
    page = await browser.new_page()
    for name, (path, link) in LINKED_PAGES.items():
        await page.goto(address + path)
        if (href := await page.locator(link).first.get_attribute("href")) is not None:
            places.append(PageToShow(name, href))
    await page.close()
    return places


async def _take_pictures(
    browser: Browser, address: str, out: Path, places: tuple[PageToShow, ...]
) -> list[Path]:
    files: list[Path] = []
    for theme, width, language in product(THEMES, SCREENS, LANGUAGES):
        context = await browser.new_context(
            viewport={"width": width, "height": SCREENS[width]},
            color_scheme=theme,  # type: ignore[arg-type] # one of its words
            locale=LANGUAGES[language],
            reduced_motion="reduce",
        )
        page = await context.new_page()
        for place in places:
            file = out / f"{place.name}-{theme}-{width}-{language}.png"
            await _take_picture(page, address + place.path, file)
            files.append(file)
        await context.close()
    return files


async def _take_picture(page: Page, address: str, file: Path) -> None:
    await page.goto(address, wait_until="load", timeout=_LOOK_S * 1000)
    await page.screenshot(path=file, full_page=True)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], screenshots))
