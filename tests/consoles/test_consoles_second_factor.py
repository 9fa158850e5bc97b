"""Codes of the second factor, and the practice cloud that asks for them."""

import asyncio
import time
from datetime import UTC, datetime

import httpx
import pyotp
import pytest

from appliance.browser import BrowserPool
from appliance.config import AccountSettings, BrowserSettings, ConsoleSettings
from appliance.consoles import open_console
from appliance.consoles.base import Account
from appliance.consoles.credentials import SecondFactors
from appliance.core.errors import ConsoleError
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
"""`12345678901234567890`, the secret of RFC 6238's own examples."""


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self, seconds):
        self.seconds, self.slept = seconds, []

    def now(self):
        return datetime.fromtimestamp(self.seconds, UTC)

    def monotonic(self):
        return self.seconds

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.seconds += seconds
        await asyncio.sleep(0)


@pytest.fixture
def account(tmp_path):
    file = tmp_path / "totp"
    file.write_text("gezd gnbv gy3t qojq gezd gnbv gy3t qojq\nnot this\n")
    return Account(name="one", settings=AccountSettings(username="u", totp_file=file))


@pytest.mark.parametrize(
    ("seconds", "code"),  # RFC 6238, appendix B, SHA1, the last six of eight digits
    [(1111111111, "050471"), (1234567890, "005924"), (2000000000, "279037")],
)
async def test_codes_are_those_of_the_standard(account, seconds, code):
    clock = Clock(seconds)
    assert await SecondFactors(clock, clock.sleep).code_of(account) == code
    assert clock.slept == []


async def test_a_code_that_is_about_to_end_is_waited_out(account):
    clock = Clock(1111111109.5)  # half a second before the next one
    assert await SecondFactors(clock, clock.sleep).code_of(account) == "050471"
    assert clock.slept == [0.5]


async def test_no_code_is_given_twice(account):
    clock = Clock(1111111111)
    codes = SecondFactors(clock, clock.sleep)
    given = await asyncio.gather(*(codes.code_of(account) for _ in range(3)))
    assert len(set(given)) == 3
    assert clock.slept == [29, 30]
    other = Account(name="two", settings=account.settings)
    assert await codes.code_of(other) == given[-1], "another account has codes of its own"


async def test_the_secret_is_read_anew_for_each_code(account):
    clock = Clock(1111111111)
    codes = SecondFactors(clock, clock.sleep)
    await codes.code_of(account)
    account.settings.totp_file.write_text("")
    with pytest.raises(ConsoleError, match=f"is empty: set the file {account.settings.totp_file}"):
        await codes.code_of(account)


async def test_what_is_wrong_with_a_secret_is_said_without_it(tmp_path, monkeypatch):
    async def said(**settings):
        with pytest.raises(ConsoleError) as caught:
            account = Account(name="one", settings=AccountSettings(username="u", **settings))
            await SecondFactors().code_of(account)
        return str(caught.value)

    monkeypatch.setenv("WRONG", "top-secret-189")
    message = await said(totp_env="WRONG")
    assert "not in base 32" in message and "variable WRONG" in message
    assert "secret-189" not in message.lower()
    assert "is empty: set the environment variable NONE" in await said(totp_env="NONE")
    assert "cannot read the second factor of account one" in await said(totp_file=tmp_path / "no")
    assert "names no totp_env and no totp_file" in await said()


@pytest.fixture(scope="module")
def guarded():
    with serving(PracticeSettings(release="2025.1", second_factor=SECRET)) as running:
        yield running


@pytest.fixture
def console(guarded, tmp_path, monkeypatch):
    monkeypatch.setenv("TOTP", SECRET)
    password = tmp_path / "password"
    password.write_text(guarded.password + "\n")
    accounts = {
        name: AccountSettings(
            username=name, password_file=password, totp_env=None if name == "dave" else "TOTP"
        )
        for name in ("alice", "bob", "carol", "dave")
    }
    settings = ConsoleSettings(kind="practice", url=guarded.url, accounts=accounts)
    return open_console("practice", settings)


async def test_calls_share_a_token(console):
    alice = console.accounts("alice")[0]
    try:
        async with asyncio.timeout(5):  # a second code would take longer, nearly always
            found = await asyncio.gather(*(console.inventory(alice) for _ in range(4)))
            access = await console.terraform(alice)
    finally:
        await console.close()
    assert [len(inventory.things) for inventory in found] == [0] * 4
    assert "password_file" not in access.arguments
    assert access.environment["PRACTICE_TOKEN"]


async def test_a_token_that_has_ended_is_followed_by_another(console, guarded):
    carol = console.accounts("carol")[0]
    console._codes = codes = Codes(console._codes)
    try:
        await console.inventory(carol)
        await console._api(carol).call(ConsoleError, "POST", "/api/accounts/carol/sign-out")
        await console.inventory(carol)
    finally:
        await console.close()
    assert codes.asked == ["carol", "carol"]


async def test_a_code_that_another_process_used_up_is_followed_by_the_next(console):
    [alice] = console.accounts("alice")
    if (left_s := 30 - time.time() % 30) < 4:
        await asyncio.sleep(left_s)  # all of it is about one and the same code
    code = await Codes(console._codes).code_of(alice)
    async with httpx.AsyncClient(base_url=console.url, trust_env=False) as other:
        password = alice.settings.password_file.read_text().strip()
        headers = {"x-practice-code": code}
        await other.post("/api/tokens", auth=("alice", password), headers=headers)
    console._codes = codes = Codes(console._codes)
    assert (await console.health(alice)).can_log_in
    assert len(codes.asked) == 2


class Codes:
    """The clock's next code without the wait: the cloud takes one step ahead."""

    def __init__(self, real):
        self.real, self.asked = real, []

    async def code_of(self, account):
        step = int(time.time()) // 30 + len(self.asked)
        self.asked.append(account.name)
        return pyotp.HOTP(SECRET).at(step)


async def test_an_account_without_its_secret_is_unhealthy(console):
    [dave] = console.accounts("dave")
    health = await console.health(dave)
    assert not health.can_log_in
    assert health.problem.startswith("The code is wrong or was used before.")


async def test_the_log_in_types_the_code(console):
    [bob], [dave] = console.accounts("bob"), console.accounts("dave")
    async with BrowserPool(BrowserSettings(pool_size=1, spare_pages=0)) as pool:
        async with pool.page(console.hosts, locale="zh") as page:
            await console.log_in(page, bob)
            view = await page.observe()
        assert "产品" in [element.name for element in view.elements]
        async with pool.page(console.hosts) as page:
            with pytest.raises(ConsoleError, match="account dave names no totp_env"):
                await console.log_in(page, dave)
