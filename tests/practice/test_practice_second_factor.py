import time
from datetime import UTC, datetime

import httpx
import pyotp
import pytest
from playwright.async_api import expect

from appliance.core.errors import SetupError
from appliance.practice.accounts import ACCOUNTS
from appliance.practice.second_factor import SecondFactor
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
"""`12345678901234567890`, the secret of RFC 6238's own examples."""
ALICE, BOB = ACCOUNTS[0], ACCOUNTS[1]


class Clock:
    def __init__(self, seconds):
        self.seconds = seconds

    def now(self):
        return datetime.fromtimestamp(self.seconds, UTC)

    def monotonic(self):
        return self.seconds


@pytest.mark.parametrize(
    ("seconds", "code"),  # RFC 6238, appendix B, SHA1, the last six of eight digits
    [(59, "287082"), (1111111109, "081804"), (1234567890, "005924"), (20000000000, "353130")],
)
def test_codes_are_those_of_the_standard(seconds, code):
    assert SecondFactor(SECRET, Clock(seconds)).accepts(ALICE, code)
    assert not SecondFactor(SECRET, Clock(seconds + 90)).accepts(ALICE, code)


def test_a_code_is_of_use_once_for_each_account():
    clock = Clock(1111111109)
    second = SecondFactor(SECRET, clock)
    assert second.accepts(ALICE, "081804")
    assert not second.accepts(ALICE, "081804")
    assert second.accepts(BOB, "081804")
    older = pyotp.HOTP(SECRET).at(1111111109 // 30 - 1)
    assert not second.accepts(ALICE, older), "older than one that was used"
    clock.seconds += 30
    assert second.accepts(ALICE, pyotp.HOTP(SECRET).at(1111111139 // 30))


def test_a_reader_has_five_tries_and_five_minutes():
    clock = Clock(1_000_000)
    second = SecondFactor(SECRET, clock)
    token = second.ask(ALICE)
    assert second.account_of("another") is None
    for _ in range(5):
        assert second.account_of(token) == ALICE
        assert not second.answer(token, "nonsense")
    assert second.account_of(token) is None
    token = second.ask(ALICE)
    clock.seconds += 301
    assert second.account_of(token) is None


def test_a_secret_that_is_none_is_refused():
    with pytest.raises(SetupError, match="base 32"):
        SecondFactor("not base 32 at all 1!")


@pytest.fixture(scope="module")
def guarded():
    with serving(PracticeSettings(second_factor=SECRET)) as running:
        yield running


def code_now():
    """A code that is good for a moment still."""
    if (left_s := 30 - time.time() % 30) < 2:
        time.sleep(left_s)
    return pyotp.TOTP(SECRET).now()


def test_programs_tell_the_code_in_a_header(guarded):
    plain = {"base_url": guarded.url, "trust_env": False}
    with httpx.Client(auth=("bob", guarded.password), **plain) as bob:
        refusal = bob.get("/api/quotas")
        assert refusal.status_code == 401
        assert refusal.json()["detail"].startswith("The code is wrong or was used before.")
        code = {"x-practice-code": code_now()}
        token = bob.post("/api/tokens", headers=code).json()["token"]
        assert bob.post("/api/tokens", headers=code).status_code == 401
    with httpx.Client(headers={"authorization": f"Bearer {token}"}, **plain) as bob:
        assert bob.get("/api/quotas").status_code == 200


def test_a_wrong_password_is_not_asked_for_a_code(guarded):
    form = {"username": "alice", "password": "wrong"}
    answer = httpx.post(f"{guarded.url}/login", data=form, trust_env=False)
    assert answer.status_code == 401
    assert "practice_code" not in answer.cookies
    page = httpx.get(f"{guarded.url}/login/code", trust_env=False)
    assert page.headers["location"] == "/login"


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("locale", "title", "label", "button", "said"),
    [
        ("en-US", "Enter the code of your authenticator", "Six-digit code", "Sign in", "The code"),
        ("zh-CN", "请输入身份验证器动态码", "6 位动态码", "登录", "动态码错误"),
    ],
)
async def test_a_reader_is_asked_on_a_second_page(
    guarded, browser, locale, title, label, button, said
):
    user = "carol" if locale == "en-US" else "dave"
    context = await browser.new_context(locale=locale)
    page = await context.new_page()
    try:
        await page.goto(f"{guarded.url}/login?next=/console/disks/disks")
        await page.locator("#username").fill(user)
        await page.locator("#password").fill(guarded.password)
        await page.locator("main form button").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text(title)
        await page.get_by_label(label).fill("000000")
        await page.get_by_role("button", name=button).click()
        await expect(page.get_by_role("alert")).to_contain_text(said)
        await page.get_by_label(label).fill(code_now())
        await page.get_by_role("button", name=button).click()
        await page.wait_for_url("**/console/disks/disks")
    finally:
        await context.close()


def test_it_is_served_from_a_file(tmp_path):
    from appliance.practice.accounts import second_factor_in

    file = tmp_path / "secret"
    file.write_text(f"{SECRET}\n")
    assert second_factor_in(file) == SECRET
    file.write_text("\n")
    with pytest.raises(SetupError, match="the second factor is empty: set the file"):
        second_factor_in(file)
