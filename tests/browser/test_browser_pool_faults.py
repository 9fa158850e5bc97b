"""Worn, crashed and stuck browsers, contexts and pages: one attempt suffers, the others go on."""

import asyncio
import contextlib
import gc
import os
import signal

import psutil
import pytest
import pytest_asyncio
from playwright.async_api import Error

from appliance.browser import BrowserPool, _browser, _world
from appliance.browser._chromium import find_executable
from appliance.config import BrowserSettings
from appliance.core import actions
from appliance.core.errors import BrowserError

FAST = {"quiet_ms": 50, "settle_timeout_s": 2.0, "action_timeout_s": 4.0, "spare_pages": 1}

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool():
    async with BrowserPool(BrowserSettings(pool_size=4, **FAST)) as opened:
        yield opened


@pytest.fixture
def hosts(site):
    return frozenset({site.host})


@contextlib.asynccontextmanager
async def pool_of(**settings):
    async with BrowserPool(BrowserSettings(**FAST, **settings)) as opened:
        yield opened


def pid(pool):
    return pool._fleet.current.process.pid


async def title(page, site):
    await page.goto(f"{site.url}/inner.html")
    return (await page.observe()).title


@pytest.mark.parametrize(
    "limit",
    [
        {"recycle_after_attempts": 1},
        {"recycle_after_minutes": 1e-6},
        {"recycle_over_mib": 100},
    ],
    ids=["attempts", "age", "memory"],
)
async def test_a_worn_browser_gives_way(site, hosts, limit):
    async with pool_of(**limit) as pool:
        first = psutil.Process(pid(pool))
        await pool._fleet.check()
        assert pid(pool) == first.pid  # unused, it is not worn
        async with pool.page(hosts) as page:
            assert await title(page, site) == "Inner"
            await pool._fleet.check()
            second = pid(pool)
            assert second != first.pid
            assert await title(page, site) == "Inner"  # nobody is interrupted
            async with pool.page(hosts) as other:
                assert pid(pool) == second
                assert await title(other, site) == "Inner"
        await pool._fleet._ending.finish()
        assert not first.is_running() or first.status() == psutil.STATUS_ZOMBIE
        assert len(pool._fleet.browsers) == 1


async def test_a_browser_within_its_limits_stays(site, hosts):
    async with pool_of(recycle_after_attempts=2) as pool:
        first = pid(pool)
        async with pool.page(hosts):
            await pool._fleet.check()
        assert pid(pool) == first


async def test_a_killed_browser_is_replaced(pool, site, hosts):
    async with pool.page(hosts) as one, pool.page(hosts) as two:
        await title(one, site)
        os.kill(pid(pool), signal.SIGKILL)
        for page in (one, two):
            with pytest.raises(BrowserError):
                await page.observe()
        with pytest.raises(BrowserError):
            await one.goto(f"{site.url}/inner.html")
        with pytest.raises(BrowserError):
            await two.perform(actions.OpenUrl(url=f"{site.url}/inner.html"))
    async with pool.page(hosts) as page:
        assert await title(page, site) == "Inner"


async def test_a_stuck_browser_is_replaced(pool, site, hosts, monkeypatch):
    monkeypatch.setattr(_browser, "ANSWER_TIMEOUT_S", 0.3)
    async with pool.page(hosts) as page:
        stuck = pid(pool)
        await title(page, site)
        os.kill(stuck, signal.SIGSTOP)
        await pool._fleet.check()
        assert pool._fleet.current.process.is_running  # once may be a busy machine
        await pool._fleet.check()
        with pytest.raises(BrowserError):
            await page.observe()
    async with pool.page(hosts) as page:
        assert await title(page, site) == "Inner"
    assert pid(pool) != stuck


async def test_a_stuck_page_costs_its_own_attempt_only(pool, site, hosts, monkeypatch):
    monkeypatch.setattr(_world, "CALL_TIMEOUT_S", 1.0)
    browser = pid(pool)
    async with pool.page(hosts) as good:
        await title(good, site)
        async with pool.page(hosts) as stuck:
            await title(stuck, site)
            await stuck.raw.evaluate("void setTimeout(() => { for (;;); })")
            with pytest.raises(BrowserError, match="did not answer"):
                await stuck.observe()
            assert (await good.observe()).title == "Inner"
        assert (await good.observe()).title == "Inner"
    async with pool.page(hosts) as page:
        assert await title(page, site) == "Inner"
    assert pid(pool) == browser
    assert not list(_busy(browser))


def _busy(group):
    """Processes of a browser that use up a processor."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if os.getpgid(process.pid) == group and process.cpu_percent(0.2) > 60:
                yield process


async def test_a_crashed_page_costs_its_own_attempt_only(pool, site, hosts):
    browser = pid(pool)
    async with pool.page(hosts) as good, pool.page(hosts) as bad:
        await title(good, site)
        await title(bad, site)
        with contextlib.suppress(Error):
            await bad.raw.goto("chrome://crash", timeout=3000)
        with pytest.raises(BrowserError, match="crashed"):
            await bad.observe()
        assert (await good.observe()).title == "Inner"
    assert pid(pool) == browser


async def test_a_closed_context_costs_its_own_attempt_only(pool, site, hosts):
    async with pool.page(hosts) as good, pool.page(hosts) as bad:
        await title(good, site)
        await title(bad, site)
        await bad.raw.context.close()
        with pytest.raises(BrowserError, match="closed"):
            await bad.observe()
        assert (await good.observe()).title == "Inner"


async def test_an_attempt_that_is_given_up_leaves_nothing(pool, site, hosts):
    async with pool.page(hosts):
        await pool._fleet.current.contexts.ready()
    browser = pool._fleet.current

    async def attempt(within_s):
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s), pool.page(hosts) as page:
                await page.goto(f"{site.url}/inner.html?delay=9")

    # Given up while it is asked for, made, opened, in use.
    for within_s in (0.0, 0.001, 0.003, 0.005, 0.01, 0.02, 0.05, 0.1, 0.3):
        await asyncio.gather(attempt(within_s), attempt(within_s))
    await browser.contexts.ready()
    there = await browser._connection.session("").send("Target.getBrowserContexts")
    assert len(there["browserContextIds"]) == browser.contexts.spare_count
    assert browser.users == 0


async def test_an_attempt_without_a_browser_is_blocked_not_the_run(site, hosts, open_path):
    script = open_path / "browser"
    program = f'#!/bin/sh\nexec {find_executable(BrowserSettings(), open_path)} "$@"\n'
    script.write_text(program)
    script.chmod(0o755)
    async with pool_of(executable=script) as pool:
        async with pool.page(hosts) as page:
            assert await title(page, site) == "Inner"
            os.kill(pid(pool), signal.SIGKILL)
            script.write_text("#!/bin/sh\nexit 1\n")
        with pytest.raises(BrowserError, match="cannot start a browser"):
            async with pool.page(hosts):
                pass
        script.write_text(program)
        async with pool.page(hosts) as page:
            assert await title(page, site) == "Inner"


async def test_a_lost_driver_is_replaced(site, hosts):
    """Playwright's driver is a program too; that it is gone is told to who asks, and once."""
    noise = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: noise.append(told))
    before = _drivers()
    async with pool_of() as pool:
        (driver,) = _drivers() - before
        async with pool.page(hosts) as page:
            await title(page, site)
            driver.kill()
            with pytest.raises(BrowserError):
                async with asyncio.timeout(10):
                    await page.goto(f"{site.url}/inner.html")
        async with pool.page(hosts) as page:
            assert await title(page, site) == "Inner"
    gc.collect()
    assert noise == []


def _drivers():
    return {
        process
        for process in psutil.process_iter(["ppid", "cmdline"])
        if process.info["ppid"] == os.getpid() and "run-driver" in (process.info["cmdline"] or ())
    }
