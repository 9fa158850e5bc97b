"""The pages that are measured: generated ones, and the practice cloud's."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files

import httpx
from playwright.async_api import Page as RawPage

from appliance.browser import Page
from appliance.practice.serving import Running, serving
from appliance.practice.settings import PracticeSettings
from tests.benchmarks.observation import generated
from tests.benchmarks.observation.site import served

BUCKETS = 40

Opener = Callable[[Page], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Sample:
    """A page to look at: which hosts it needs, and how it is opened."""

    name: str
    hosts: frozenset[str]
    locale: str
    open: Opener


@asynccontextmanager
async def samples() -> AsyncIterator[list[Sample]]:
    """All pages, served while the block runs."""
    with ExitStack() as stack:
        site = stack.enter_context(served(_generated(), {"/frames": generated.frames("OTHER")}))
        cloud = stack.enter_context(serving(PracticeSettings(settle_s=0.1)))
        _fill(cloud)
        paths = [*_NAMES, "frames"]
        made = [Sample(p, site.hosts, "en", _at(f"{site.url}/{p}")) for p in paths]
        yield [*_practice(cloud), *made]


_NAMES = (
    "widgets", "shadow", "modal", "virtual", "index", "crowded", "table_1000", "table_10000",
)  # fmt: skip


def _generated() -> dict[str, str]:
    return {
        "/widgets": files(__package__).joinpath("widgets.html").read_text("utf-8"),
        "/shadow": generated.shadow(),
        "/modal": generated.modal(),
        "/virtual": generated.virtual(),
        "/index": generated.index(3500),
        "/crowded": generated.crowded(),
        "/table_1000": generated.table(1000),
        "/table_10000": generated.table(10_000),
        "/leaf": generated.inner("leaf"),
        "/middle": generated.inner("middle", "<iframe src=/leaf width=500 height=110></iframe>"),
    }


def _at(url: str) -> Opener:
    async def opened(page: Page) -> None:
        await page.goto(url)

    return opened


def _fill(cloud: Running) -> None:
    auth = ("alice", cloud.password)
    with httpx.Client(base_url=cloud.url, auth=auth, trust_env=False) as client:
        for number in range(BUCKETS):
            body = {"name": f"bench-{number:03d}"}
            client.post("/api/storage/buckets", json=body).raise_for_status()


def _practice(cloud: Running) -> list[Sample]:
    """A list, a form, a wizard and an item, and the form in Chinese."""
    hosts = frozenset({httpx.URL(cloud.url).netloc.decode()})

    def sample(name: str, path: str, button: str = "", locale: str = "en") -> Sample:
        async def opened(page: Page) -> None:
            await _log_in(page.raw, cloud, locale)
            await page.goto(f"{cloud.url}/console/{path}")
            await page.raw.locator("main h1").wait_for()
            if button:
                await page.raw.locator("main").get_by_text(button, exact=True).first.click()
            await page.observe()  # waits until it is quiet

        return Sample(f"practice_{name}", hosts, locale, opened)

    return [
        sample("list", "storage/buckets"),
        sample("detail", "storage/buckets", f"bench-{BUCKETS - 1:03d}"),
        sample("form", "storage/buckets", "Create bucket"),
        sample("wizard", "compute/instances", "Launch instance"),
        sample("chinese", "storage/buckets", "创建存储桶", "zh"),
    ]


async def _log_in(raw: RawPage, cloud: Running, locale: str) -> None:
    await raw.goto(f"{cloud.url}/login?lang={locale}")
    await raw.locator("#username").fill("alice")
    await raw.locator("#password").fill(cloud.password)
    await raw.locator("form button").click()
    await raw.locator("main h1").wait_for()
