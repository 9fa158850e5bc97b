"""Pages of a pool: fresh, apart from each other, soon there, few at a time."""

import asyncio
import time

import pytest
import pytest_asyncio

from appliance.browser import BrowserPool, _contexts
from appliance.browser._contexts import ContextKind
from appliance.config import BrowserSettings
from appliance.core import actions

AT_ONCE_S = 0.05
SMALL_PAGE_MIB = 80
"""Most that a page with a small table may take: 24 in a headless shell, 54 in a full Chromium."""

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool():
    settings = BrowserSettings(
        pool_size=8, spare_pages=2, quiet_ms=50, time_zone="Asia/Shanghai", action_timeout_s=5
    )
    async with BrowserPool(settings) as opened:
        yield opened


@pytest.fixture
def contexts(pool):
    return pool._fleet.current.contexts


@pytest.fixture
def hosts(site):
    return frozenset({site.host})


async def test_a_spare_page_is_there_at_once(pool, contexts, hosts):
    async def took(locale):
        await contexts.ready()
        began = time.perf_counter()
        async with pool.page(hosts, locale):
            return time.perf_counter() - began

    cold = min([await took(locale) for locale in ("de", "fr", "it")])
    await took("en")
    warm = min([await took("en") for _ in range(3)])
    assert warm < max(AT_ONCE_S, cold / 3)  # a third: on a machine that is busy with other things


async def test_a_page_is_never_given_twice(pool, contexts, site, hosts):
    used = []
    for number in range(4):
        await contexts.ready()
        async with pool.page(hosts) as page:
            assert page.raw.context not in used
            used.append(page.raw.context)
            await page.goto(f"{site.url}/inner.html")
            assert await page.raw.evaluate("document.cookie + localStorage.length") == "0"
            await page.raw.evaluate(f"document.cookie = localStorage.a = 'n={number}'")


async def test_storage_of_attempts_is_apart(pool, site, hosts):
    store = (
        "v => new Promise(done => { const o = indexedDB.open('d', 1);"
        "o.onupgradeneeded = () => o.result.createObjectStore('s');"
        "o.onsuccess = () => { const s = o.result.transaction('s', 'readwrite').objectStore('s');"
        "const g = s.get('k');"
        "g.onsuccess = () => { s.put(v, 'k'); done(g.result ?? 'none'); } } })"
    )
    async with pool.page(hosts) as one, pool.page(hosts) as two:
        for page in (one, two):
            await page.goto(f"{site.url}/inner.html")
        await one.raw.evaluate("sessionStorage.a = localStorage.a = document.cookie = 'a=1'")
        seen = "[document.cookie, localStorage.a, sessionStorage.a]"
        assert await two.raw.evaluate(seen) == ["", None, None]
        assert await one.raw.evaluate(store, "mine") == "none"
        assert await two.raw.evaluate(store, "yours") == "none"
        assert await one.raw.evaluate(store, "again") == "mine"


async def test_downloads_of_attempts_are_apart(pool, site, hosts):
    folders = []
    async with pool.page(hosts) as one, pool.page(hosts) as two:
        for page in (one, two):
            folders.append(page._tabs._downloads)
        await one.goto(f"{site.url}/natives.html")
        async with one.raw.expect_download():
            await one.raw.click("text=Download key")
        async with asyncio.timeout(5):
            while not list(folders[0].iterdir()):
                await asyncio.sleep(0.02)
        assert [path.name for path in folders[0].iterdir()] == ["key.pem"]
        assert not list(folders[1].iterdir())
    assert not any(folder.exists() for folder in folders)


async def test_kinds_are_not_mixed(pool, contexts, site, hosts):
    by_name = frozenset({site.host.replace("127.0.0.1", "localhost")})
    said = "[navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone]"
    async with pool.page(hosts) as page:
        await contexts.ready()
        assert await page.raw.evaluate(said) == ["en-US", "Asia/Shanghai"]
    async with pool.page(hosts, "zh") as page:
        assert await page.raw.evaluate(said) == ["zh-CN", "Asia/Shanghai"]
        await page.goto(f"{site.url}/inner.html")
    async with pool.page(by_name) as page:
        opened = actions.OpenUrl(url=f"{site.url}/inner.html")
        assert not (await page.perform(opened)).ok
        await page.goto(f"{site.url.replace('127.0.0.1', 'localhost')}/inner.html")


async def test_spares_are_few_and_of_the_kinds_asked_for_last(pool, contexts, hosts):
    for locale in ("en", "de", "fr", "zh"):
        async with pool.page(hosts, locale):
            await contexts.ready()
            assert contexts.spare_count <= 2
    assert {kind.locale for kind in contexts._spares} == {"fr", "zh"}


async def test_stale_spares_go_and_do_not_come_back(pool, contexts, hosts, monkeypatch):
    async with pool.page(hosts):
        await contexts.ready()
    assert contexts.spare_count > 0
    monkeypatch.setattr(_contexts, "SPARE_LIFE_S", 0.0)
    await contexts.tend()
    await contexts.ready()
    assert contexts.spare_count == 0


async def test_a_spare_that_died_is_not_given(pool, contexts, site, hosts):
    async with pool.page(hosts):
        await contexts.ready()
    for spare in contexts._spares[ContextKind(hosts, "en")]:
        await spare._raw.close()
    async with pool.page(hosts) as page:
        await page.goto(f"{site.url}/inner.html")
        assert (await page.observe()).title == "Inner"


async def test_service_workers_are_not_let_in(pool, site, hosts):
    async with pool.page(hosts) as page:
        await page.goto(f"{site.url}/inner.html")
        await page.raw.evaluate(
            "Promise.race([navigator.serviceWorker.register('/watch.js'),"
            "new Promise(done => setTimeout(done, 200))]).catch(() => 0)"
        )
        found = await page.raw.evaluate(
            "navigator.serviceWorker.getRegistrations().then(r => r.length)"
        )
        assert found == 0
    assert "/watch.js" not in site.seen


async def test_eight_pages_at_once_take_bounded_memory(pool, hosts):
    process = pool._fleet.current.process
    await pool._fleet.current.contexts.tend()
    empty = await process.memory_mib()
    rows = "<tr><td>a<td><button>Delete</button>" * 50
    async with asyncio.TaskGroup() as group:
        inside = asyncio.Barrier(9)

        async def attempt():
            async with pool.page(hosts) as page:
                await page.raw.set_content(f"<table>{rows}</table>")
                assert len((await page.observe()).elements) == 50
                await inside.wait()
                await inside.wait()

        for _ in range(8):
            group.create_task(attempt())
        await inside.wait()
        full = await process.memory_mib()
        await inside.wait()
    assert full - empty < 8 * SMALL_PAGE_MIB
    await pool._fleet.current.contexts.ready()
    assert await process.memory_mib() - empty < 4 * SMALL_PAGE_MIB


async def test_no_more_pages_than_allowed(site):
    async with BrowserPool(BrowserSettings(pool_size=1, spare_pages=0)) as small:
        order = []

        async def attempt(name):
            async with small.page(frozenset()):
                order.append(f"{name} in")
                await asyncio.sleep(0)
                order.append(f"{name} out")

        await asyncio.gather(attempt("one"), attempt("two"))
        assert order == ["one in", "one out", "two in", "two out"]
        assert small.version
        assert small.executable.is_file()
    assert small.version == ""
