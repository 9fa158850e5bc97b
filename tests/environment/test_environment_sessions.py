"""Log-ins that are used again, with the real practice cloud in a real browser."""

import json
import os
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import httpx
import pytest
import pytest_asyncio
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from structlog.testing import capture_logs

from appliance.browser import BrowserPool
from appliance.config import AccountSettings, BrowserSettings, ConsoleSettings
from appliance.consoles import open_console
from appliance.consoles import write_sealed as _write_file
from appliance.core.errors import ConsoleError
from appliance.core.secrets import MASK, without_secrets
from appliance.environment.sessions import (
    Sessions,
    _earliest_expiry,
    _read_file,
    forget_unencrypted,
)
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Clock:
    def __init__(self):
        self.ahead = timedelta()

    def now(self):
        return datetime.now(UTC) + self.ahead

    def monotonic(self):
        return self.now().timestamp()


@pytest.fixture(scope="module")
def cloud():
    with serving(PracticeSettings(release="2025.1", password="correct-horse")) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool():
    async with BrowserPool(BrowserSettings(pool_size=2, spare_pages=1)) as opened:
        yield opened


@pytest.fixture
def lab(cloud, pool, tmp_path):
    """A console with alice and her password, and attempts that log in."""
    password = tmp_path / "password"
    password.write_text(cloud.password + "\n")
    users = {name: AccountSettings(username=name, password_file=password) for name in NAMES}
    settings = ConsoleSettings(kind="practice", url=cloud.url, accounts=users)
    console, clock = open_console("cloud", settings), Clock()
    own = {"base_url": cloud.url, "auth": ("alice", cloud.password), "trust_env": False}

    def sessions(**more):
        known = {"session_minutes": 60, "attempt_s": 240, "clock": clock, "key": KEY}
        return Sessions(tmp_path / "data", **(known | more))

    @asynccontextmanager
    async def attempt(kept, locale="en", account="alice"):
        async with pool.page(console.hosts, locale) as page:
            was_kept = await kept.log_in(console, page, console.accounts(account)[0], locale)
            assert page.url == f"{cloud.url}/console"
            assert await page.raw.locator("#main h1").count() == 1
            yield page, was_kept

    def log_ins():
        with httpx.Client(**own) as alice:
            events = alice.get("/api/audit").json()["events"]
        return sum(event["name"] == "ConsoleLogin" for event in events)

    def sign_out():
        with httpx.Client(**own) as alice:
            alice.post("/api/accounts/alice/sign-out").raise_for_status()

    yield SimpleNamespace(
        console=console, clock=clock, sessions=sessions, attempt=attempt, log_ins=log_ins,
        sign_out=sign_out, folder=tmp_path / "data" / "sessions", password=password,
    )  # fmt: skip


NAMES = ("alice", "bob/../carol")
KEY = bytes(range(32))


async def test_one_log_in_serves_many_attempts_and_processes(lab):
    before, ways = lab.log_ins(), []
    for _ in range(2):
        kept = lab.sessions()  # as after a restart
        for _ in range(2):
            async with lab.attempt(kept) as (_, was_kept):
                ways.append(was_kept)
    assert ways == [False, True, True, True]
    assert lab.log_ins() == before + 1


async def test_what_opens_the_console_is_a_secret(lab):
    async with lab.attempt(lab.sessions()) as (page, _):
        guarded = [one for one in await page.raw.context.cookies() if one["httpOnly"]]
    assert guarded
    for cookie in guarded:
        assert (
            without_secrets(f"the session {cookie['value']} is yours")
            == f"the session {MASK} is yours"
        )


async def test_what_an_attempt_does_to_the_page_stays_with_it(lab, cloud):
    kept = lab.sessions()
    async with lab.attempt(kept) as (page, _):
        await page.raw.evaluate("localStorage.setItem('collapsed', 'yes')")
        await page.raw.evaluate("document.cookie = 'practice_region=eu-2; path=/'")
    async with lab.attempt(kept) as (page, was_kept):
        assert was_kept
        assert await page.raw.evaluate("localStorage.getItem('collapsed')") is None
        assert "practice_region" not in await page.raw.evaluate("document.cookie")


async def test_each_language_has_its_own(lab):
    kept = lab.sessions()
    for locale, word in (("en", "Products"), ("zh", "产品"), ("en", "Products")):
        async with lab.attempt(kept, locale) as (page, _):
            assert word in [element.name for element in (await page.observe()).elements]


async def test_a_session_that_the_console_ended_is_followed_by_a_log_in(lab):
    kept = lab.sessions()
    async with lab.attempt(kept):
        pass
    lab.sign_out()
    before, ways = lab.log_ins(), []
    for _ in range(2):
        async with lab.attempt(kept) as (_, was_kept):
            ways.append(was_kept)
    assert ways == [False, True]
    assert lab.log_ins() == before + 1


async def test_a_session_is_made_anew_before_it_ends(lab):
    kept = lab.sessions()
    for ahead, is_kept in ((0, False), (55, True), (57, False), (58, True)):
        lab.clock.ahead = timedelta(minutes=ahead)  # an attempt takes up to four
        async with lab.attempt(kept) as (_, was_kept):
            assert was_kept is is_kept, ahead


@pytest.mark.parametrize("minutes", [0, 3])
async def test_a_session_for_less_than_an_attempt_is_not_kept(lab, minutes):
    kept = lab.sessions(session_minutes=minutes)
    for _ in range(2):
        async with lab.attempt(kept) as (_, was_kept):
            assert not was_kept
    assert not lab.folder.exists()


async def test_only_the_owner_can_read_it_and_no_log_shows_it(lab):
    with capture_logs() as logs:
        kept = lab.sessions()
        async with lab.attempt(kept), lab.attempt(kept):
            pass
        lab.sign_out()
        async with lab.attempt(kept):
            pass
    [file] = [path for path in lab.folder.rglob("*") if path.is_file()]
    assert file.stat().st_mode & 0o777 == 0o600
    folders = [lab.folder, *(path for path in lab.folder.rglob("*") if path.is_dir())]
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o700}
    cookies = _read_file(file, AESGCM(KEY)).cookies
    [session] = [cookie["value"] for cookie in cookies if cookie["name"] == "practice_session"]
    assert "session_ended_early" in str(logs)
    assert session not in str(logs)
    for secret in (session, lab.password.read_text().strip(), "practice_session", lab.console.url):
        assert secret.encode() not in file.read_bytes()


async def test_names_of_accounts_make_no_paths(lab):
    kept = lab.sessions()
    account = lab.console.accounts(NAMES[1])[0]
    with pytest.raises(ConsoleError):  # the cloud has no such account
        async with lab.attempt(kept, account=account.name):
            raise AssertionError
    place = kept._path_of(lab.console, account, "en")
    assert place.relative_to(lab.folder).parts == ("c-cloud", "a-bob%2F..%2Fcarol", "en.session")


async def test_a_file_that_does_not_fit_is_as_good_as_none(lab):
    async with lab.attempt(lab.sessions()):
        pass
    [file] = lab.folder.rglob("*.session")
    good = json.loads(_read_file(file, AESGCM(KEY)).model_dump_json())
    sealed = file.read_bytes()
    for change in (
        {"username": "bob"},
        {"console_url": "http://127.0.0.1:9"},
        {"schema_version": 99},
        {"more": 1},
        {"logged_in_at": "2999-01-01T00:00:00Z"},
    ):
        _write_file(file, json.dumps(good | change), AESGCM(KEY))
        assert await _is_refused(lab), change
    _write_file(file, "{", AESGCM(KEY))
    assert await _is_refused(lab)
    _write_file(file, json.dumps(good), AESGCM(KEY))
    assert not await _is_refused(lab)
    middle = len(sealed) // 2
    for torn in (
        b"", sealed[:5], sealed[:-1], b"2" + sealed[1:], json.dumps(good).encode(),
        sealed[:middle] + bytes([sealed[middle] ^ 1]) + sealed[middle + 1 :],
    ):  # fmt: skip
        file.write_bytes(torn)
        with capture_logs() as logs:
            assert await _is_refused(lab), torn
        assert [log["event"] for log in logs] == ["session_unreadable"]
    file.write_bytes(sealed)
    assert not await _is_refused(lab)


async def test_another_key_and_the_file_of_another_account_open_nothing(lab):
    async with lab.attempt(lab.sessions()):
        pass
    [file] = lab.folder.rglob("*.session")
    before = lab.log_ins()
    async with lab.attempt(lab.sessions(key=bytes(32))) as (_, was_kept):
        assert not was_kept  # and is kept with the new key from now on
    assert lab.log_ins() == before + 1
    async with lab.attempt(lab.sessions(key=bytes(32))) as (_, was_kept):
        assert was_kept
    others = file.parents[1] / "a-bob" / file.name
    others.parent.mkdir()
    others.write_bytes(file.read_bytes())
    assert _read_file(file, AESGCM(bytes(32))) is not None
    assert _read_file(others, AESGCM(bytes(32))) is None


async def test_without_a_key_nothing_is_written_and_what_was_plain_goes(lab):
    place = lab.folder / "c-cloud" / "a-alice" / "en.json"
    place.parent.mkdir(parents=True)
    place.write_text('{"cookies": []}')
    forget_unencrypted(lab.folder.parent)
    kept = lab.sessions(key=None)
    for is_kept in (False, True):
        async with lab.attempt(kept) as (_, was_kept):
            assert was_kept is is_kept
    assert not [path for path in lab.folder.rglob("*") if path.is_file()]


async def _is_refused(lab):
    account = lab.console.accounts("alice")[0]
    kept = lab.sessions()
    return await kept._find(kept._path_of(lab.console, account, "en"), lab.console, account) is None


async def test_an_account_is_forgotten_in_every_language(lab):
    kept = lab.sessions()
    for locale in ("en", "zh"):
        async with lab.attempt(kept, locale):
            pass
    await kept.forget(lab.console, lab.console.accounts("alice")[0])
    assert list(lab.folder.rglob("*.session")) == []
    async with lab.attempt(kept) as (_, was_kept):
        assert not was_kept


async def test_without_a_folder_nothing_is_written(lab, pool, tmp_path):
    before = set(tmp_path.rglob("*"))
    kept = Sessions(None, session_minutes=60, attempt_s=240, clock=lab.clock)
    for is_kept in (False, True):
        async with lab.attempt(kept) as (_, was_kept):
            assert was_kept is is_kept
    assert set(tmp_path.rglob("*")) == before
    assert not os.path.lexists("c-cloud")


async def test_a_console_whose_cookies_open_nothing_is_soon_left_alone(lab):
    kept, before = lab.sessions(), lab.log_ins()
    with capture_logs() as logs:
        for _ in range(5):
            lab.sign_out()
            async with lab.attempt(kept) as (_, was_kept):
                assert not was_kept
    assert lab.log_ins() == before + 5
    assert sum(log["event"] == "session_ended_early" for log in logs) == 3


async def test_the_first_guarded_cookie_to_end_counts():
    never = datetime(2026, 1, 1, tzinfo=UTC)
    hour = never.timestamp() - 3600

    def cookie(expires, is_guarded):
        return {"expires": expires, "httpOnly": is_guarded}

    soon = datetime.fromtimestamp(hour, UTC)
    assert _earliest_expiry([cookie(hour, True), cookie(hour - 9, False)], never) == soon
    assert _earliest_expiry([cookie(hour, False)], never) == soon
    assert _earliest_expiry([cookie(-1, True)], never) == never
    assert _earliest_expiry([], never) == never
