"""A console whose only way in is another host's: a real identity provider, page by page."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest

from appliance.browser import BrowserPool
from appliance.config import AccountSettings, BrowserSettings, ConsoleSettings
from appliance.consoles import open_console
from appliance.consoles.generic.login import _CONSENT
from appliance.consoles.generic.way_in import is_same_site
from appliance.core.errors import ConsoleError
from tests.doors import WELCOME, SsoDoor
from tests.identity_provider import IdentityProvider, User, identity_provider
from tests.tag_console import tag_console

ALICE = User("alice", "correct-horse-battery")


@pytest.fixture
def settings(tmp_path):
    password, totp = tmp_path / "password", tmp_path / "totp"
    password.write_text(ALICE.password)
    totp.write_text(ALICE.totp_secret)
    return AccountSettings(username="alice", password_file=password, totp_file=totp)


@asynccontextmanager
async def guarded(
    provider: IdentityProvider, *, consents: bool = False, welcome: str = WELCOME
) -> AsyncIterator[tuple[SsoDoor, ConsoleSettings]]:
    """A console behind the provider, and its settings without accounts."""
    door = SsoDoor(provider, welcome)
    with tag_console(door) as tags:
        await door.build(tags.url, consents=consents)
        hosts = (urlsplit(provider.url).netloc,)
        yield door, ConsoleSettings(kind="generic", url=tags.url, hosts=hosts)


async def logged_in(pool: BrowserPool, console: ConsoleSettings, account: AccountSettings) -> str:
    opened = open_console("tags", console.model_copy(update={"accounts": {"alice": account}}))
    async with pool.page(opened.hosts) as page:
        await opened.log_in(page, opened.accounts(None)[0])
        return await page.raw.inner_text("main")


async def refusal(pool, console, account) -> str:
    with pytest.raises(ConsoleError) as caught:
        await logged_in(pool, console, account)
    assert ALICE.password not in str(caught.value)
    return str(caught.value)


async def test_the_form_of_another_host_needs_no_words(settings, tmp_path):
    wrong = settings.model_copy(update={"password_file": tmp_path / "wrong"})
    wrong.password_file.write_text("not-so-at-all")
    async with (
        BrowserPool(BrowserSettings(pool_size=1, spare_pages=0)) as pool,
        identity_provider([ALICE], asks_for_code=True) as provider,
        guarded(provider, consents=True) as (door, console),
    ):
        assert await logged_in(pool, console, settings) == "Welcome"
        assert list(door.sessions.values()) == ["alice"]
        said = await refusal(pool, console, wrong)
        assert said.endswith("refuses the log-in of user alice: Login failed. Please check"
                             " your information.")  # fmt: skip
        nowhere = console.model_copy(update={"hosts": ()})
        said = await refusal(pool, nowhere, settings)
        assert f"goes on at {console.hosts[0]}, which is none of" in said
        bare = settings.model_copy(update={"totp_file": None})
        assert "names no totp_env" in await refusal(pool, console, bare)


async def test_of_several_ways_in_an_organisations_own_is_taken(settings):
    others = "<a href='/a'>Sign in with Git</a> <a href='/b'>Sign in with Mail</a>"
    async with (
        BrowserPool(BrowserSettings(pool_size=1, spare_pages=0)) as pool,
        identity_provider([ALICE]) as provider,
    ):
        async with guarded(provider, welcome=WELCOME + others) as (_, console):
            assert await logged_in(pool, console, settings) == "Welcome"
        async with guarded(provider, welcome=others) as (_, console):
            said = await refusal(pool, console, settings)
            assert "several ways to log in (Sign in with Git, Sign in with Mail)" in said


def test_ports_and_www_of_a_console_are_no_identity_provider():
    assert is_same_site("www.example.com", "example.com")
    assert is_same_site("lab.local:8443", "lab.local")
    assert not is_same_site("localhost:1", "127.0.0.1:2")
    assert not is_same_site("console.example", "signin.other.example")


@pytest.mark.parametrize("yes", ["Accept", "Allow access", "Yes", "同意并继续", "是"])
def test_a_consent_has_many_words(yes):
    assert _CONSENT.search(yes)


@pytest.mark.parametrize("no", ["Deny", "Switch user", "Yesterday", "否", "是否取消"])
def test_what_is_no_consent_is_not_given(no):
    assert not _CONSENT.search(no)
