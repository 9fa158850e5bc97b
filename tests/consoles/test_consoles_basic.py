"""Consoles whose log-in the browser does itself."""

import pytest

from appliance.browser import BrowserPool
from appliance.config import AccountSettings, BrowserSettings, ConsoleSettings
from appliance.consoles import open_console
from tests.doors import BasicDoor
from tests.tag_console import tag_console

SECRET = "only-alice-knows"


@pytest.fixture
def account(tmp_path):
    def made(password: str) -> AccountSettings:
        file = tmp_path / password
        file.write_text(password)
        return AccountSettings(username="alice", password_file=file)

    return made


async def test_https_own_log_in_is_for_the_consoles_origin_alone(account):
    door, other = BasicDoor("alice", SECRET), BasicDoor("alice", SECRET)
    with tag_console(door) as tags, tag_console(other) as elsewhere:
        hosts = (elsewhere.url.split("/")[2],)
        known = {"alice": account(SECRET), "mallory": account("not-so")}
        settings = ConsoleSettings(
            kind="generic", url=tags.url, hosts=hosts, log_in="basic", accounts=known
        )
        console = open_console("tags", settings)
        alice, mallory = (console.accounts(name)[0] for name in known)
        credentials = console.credentials(alice)
        assert SECRET not in repr(credentials)
        async with (
            BrowserPool(BrowserSettings(pool_size=1, spare_pages=0)) as pool,
            pool.page(console.hosts, credentials=credentials) as page,
        ):
            await console.log_in(page, alice)
            assert "Welcome" in await page.raw.inner_text("body")
            await page.goto(elsewhere.url)
            assert await page.status() == 401
        assert other.seen and not any(other.seen), "no other host is told the password"
        assert (await console.health(alice)).can_log_in
        refused = await console.health(mallory)
    assert refused.problem == "the console refuses the log-in of user alice: it answers 401"


async def test_where_the_browser_has_a_certificate_nothing_is_filled_in():
    accounts = {"alice": AccountSettings(username="alice")}
    with tag_console() as tags, tag_console(BasicDoor("alice", SECRET)) as guarded:
        for url, is_in in ((tags.url, True), (guarded.url, False)):
            settings = ConsoleSettings(
                kind="generic", url=url, log_in="certificate", accounts=accounts
            )
            console = open_console("tags", settings)
            health = await console.health(console.accounts(None)[0])
            assert health.can_log_in == is_in, health
