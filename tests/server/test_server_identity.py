"""Logging in at an identity provider: what it may say, and what is said of what it may not."""

from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc.jwk import OctKey

from appliance.cli._service_checks import identity_checks
from appliance.config import Settings
from appliance.server.app import make_app
from appliance.server.logins import COOKIE
from appliance.server.trust import digest
from appliance.store.keys import Role
from appliance.store.paging import Paging
from tests.server.forged_provider import challenge_of, forged_provider, rsa_key
from tests.server.served import served

PROBE = "/metrics"
OIDC = {
    "client_id": "appliance",
    "client_secret_env": "OIDC_SECRET",
    "name": "Example ID",
    "roles": {"docs-admins": "admin", "docs": "operator", "readers": "viewer"},
}
SECRET = "s3cret/with:signs"


@pytest.fixture
def provider():
    with forged_provider() as forged:
        yield forged


@pytest.fixture
def settings(tmp_path, provider, monkeypatch):
    monkeypatch.setenv("OIDC_SECRET", SECRET)
    return Settings.model_validate(
        {"data_dir": tmp_path, "server": {"oidc": {"issuer": provider.issuer, **OIDC}}}
    )


class Browser:
    """Somebody's browser, and how far they are."""

    def __init__(self, client, provider, clock) -> None:
        self.client = client
        self.provider = provider
        now = int(clock.now().timestamp())
        self.claims = {
            "iss": provider.issuer,
            "aud": "appliance",
            "sub": "248289761001",
            "email": "alice@example.org",
            "groups": ["readers", "docs", "others"],
            "iat": now,
            "exp": now + 300,
        }
        self.asked: dict[str, str] = {}
        provider.userinfo = {"sub": self.claims["sub"]}

    async def begin(self, next: str = "/runs?state=done") -> None:
        answer = await self.client.get("/login/oidc", params={"next": next})
        assert answer.status_code == 303, answer.text
        self.cookie = answer.headers["set-cookie"]
        asked = parse_qs(urlsplit(answer.headers["location"]).query)
        self.asked = {name: values[0] for name, values in asked.items()}
        self.claims["nonce"] = self.asked["nonce"]

    async def come_back(self, **told: str):
        self.provider.claims = {k: v for k, v in self.claims.items() if v is not None}
        parameters = {"state": self.asked["state"], "code": "the-code"} | told
        return await self.client.get(
            "/login/oidc/callback", params=parameters, headers={"Accept": "text/html"}
        )

    async def log_in(self, next: str = "/runs?state=done"):
        await self.begin(next)
        return await self.come_back()


@pytest.fixture
def browser(asking, provider, clock):
    return Browser(asking(), provider, clock)


def _kept(service):
    entries = reversed(service.store.activity.page(Paging()).items)
    return [(one.deed, one.who, one.key_id, one.outcome.value, one.detail) for one in entries]


async def test_somebody_comes_in_and_goes_out(browser, provider, service):
    page = await browser.client.get("/login?next=/runs", headers={"Accept": "text/html"})
    assert "Sign in with Example ID" in page.text and 'name="key"' in page.text
    answer = await browser.log_in()
    assert answer.status_code == 200, answer.text
    assert 'content="0; url=/runs?state=done"' in answer.text
    assert browser.asked["response_type"] == "code"
    assert browser.asked["redirect_uri"] == "http://127.0.0.1:8080/login/oidc/callback"
    (exchanged,) = provider.exchanged
    assert exchanged["code"] == "the-code"
    assert exchanged["redirect_uri"] == browser.asked["redirect_uri"]
    assert challenge_of(exchanged["code_verifier"]) == browser.asked["code_challenge"]
    assert provider.authorizations == ["Basic YXBwbGlhbmNlOnMzY3JldCUyRndpdGglM0FzaWducw=="]
    state = browser.cookie.lower()
    assert "samesite=lax" in state and "httponly" in state and "path=/login/oidc" in state
    assert "samesite=strict" in answer.headers["set-cookie"].lower()

    assert (await browser.client.get(PROBE)).status_code == 200
    assert (await browser.client.post("/api/v1/store/checkpoint")).status_code == 403
    assert (await browser.client.post("/api/v1/sweeps/plan", json={})).status_code != 403
    token = browser.client.cookies[COOKIE]
    assert (await browser.client.post("/logout")).status_code == 303
    gone = await browser.client.get(PROBE, headers={"Cookie": f"{COOKIE}={token}"})
    assert gone.status_code == 401
    who = ("alice@example.org", "oidc:248289761001")
    assert _kept(service) == [
        ("log-in", *who, "done", ""),
        ("checkpoint-store", *who, "refused", "answered 403"),
        ("log-out", *who, "done", ""),
    ]


async def test_what_they_do_is_kept_with_their_name(browser, provider, service):
    browser.claims |= {"email": None, "preferred_username": "alice", "groups": "docs-admins"}
    await browser.log_in()
    assert (await browser.client.post("/api/v1/store/checkpoint")).status_code == 200
    assert _kept(service)[-1][:4] == ("checkpoint-store", "alice", "oidc:248289761001", "done")


ROLES = {
    "the highest": (["readers", "docs-admins", "docs"], Role.ADMIN),
    "a text": ("readers", Role.VIEWER),
    "no list of texts": ([{"name": "docs-admins"}, 3, "docs"], Role.OPERATOR),
}


async def test_a_role_follows_from_the_claim(browser, service):
    for what, (groups, role) in ROLES.items():
        browser.claims["groups"] = groups
        await browser.log_in()
        login = service.store.logins.get(digest(browser.client.cookies[COOKIE]))
        assert login.role is role, what


async def test_a_claim_that_only_userinfo_has(browser, provider):
    browser.claims["groups"] = None
    provider.userinfo["groups"] = ["docs-admins"]
    await browser.log_in()
    assert provider.authorizations[-1] == "Bearer opaque-access"
    assert (await browser.client.get("/api/v1/keys")).status_code == 200

    provider.userinfo["sub"] = "somebody else"
    other = await browser.log_in()
    assert other.status_code == 403 and "not genuine" in other.text


async def test_without_a_role_nobody_comes_in_and_the_claim_is_named(browser, service):
    browser.claims["groups"] = ["others"]
    answer = await browser.log_in()
    assert answer.status_code == 403
    assert "You have no role here" in answer.text and "<code>groups</code>" in answer.text
    assert COOKIE not in browser.client.cookies
    (kept,) = _kept(service)
    assert kept[3] == "refused"
    assert "alice@example.org (oidc:248289761001)" in kept[4] and "'groups'" in kept[4]


async def test_the_default_role_and_a_claim_inside_another(browser, service, settings):
    oidc = settings.server.oidc.model_copy(
        update={"roles_claim": "realm_access.roles", "default_role": "viewer"}
    )
    server = settings.server.model_copy(update={"oidc": oidc})
    service.engine.settings = settings.model_copy(update={"server": server})
    browser.client._transport.app = make_app(service)
    await browser.log_in()
    assert (await browser.client.get("/api/v1/keys")).status_code == 403
    browser.claims["realm_access"] = {"roles": ["docs-admins"]}
    await browser.log_in()
    assert (await browser.client.get("/api/v1/keys")).status_code == 200


def _ago(browser, **claims: int) -> None:
    browser.claims |= {name: browser.claims["iat"] + seconds for name, seconds in claims.items()}


TOKENS = {
    "another issuer": (lambda b: b.claims.update(iss="https://evil.example"), "not genuine", "iss"),
    "another audience": (lambda b: b.claims.update(aud="other"), "not genuine", "aud"),
    "several audiences": (
        lambda b: b.claims.update(aud=["appliance", "other"], azp="other"),
        "not genuine",
        "azp",
    ),
    "another log-in": (lambda b: b.claims.update(nonce="other"), "not genuine", "nonce"),
    "nobody": (lambda b: b.claims.update(sub=""), "not genuine", "sub"),
    "expired": (lambda b: _ago(b, iat=-400, exp=-61), "differ too much", "has expired"),
    "of the future": (
        lambda b: _ago(b, exp=600, iat=62),
        "differ too much",
        "in the future",
    ),
    "not signed": (lambda b: _unsigned(b), "not genuine", "cannot be read"),
    "signed by us": (lambda b: _signed_by_us(b), "not genuine", "cannot be read"),
    "signed by another": (lambda b: _forge(b), "not genuine", "signature is wrong"),
    "unknown key": (lambda b: _hide(b), "it does not name", "does not name"),
}


def _unsigned(browser) -> None:
    browser.provider.token = lambda: "eyJhbGciOiJub25lIn0.e30."


def _signed_by_us(browser) -> None:
    browser.provider.key = OctKey.import_key(SECRET.ljust(32, "x"), {"kid": "one"})
    browser.provider.algorithm = "HS256"


def _forge(browser) -> None:
    browser.provider.key = rsa_key("one", "forged")


def _hide(browser) -> None:
    browser.provider.key = rsa_key("two")


async def test_a_token_that_is_not_right_opens_nothing(browser, provider, service):
    right, key, token = dict(browser.claims), provider.key, provider.token
    for what, (damage, shown, kept) in TOKENS.items():
        browser.claims = dict(right)
        provider.key, provider.token, provider.algorithm = key, token, "RS256"
        await browser.begin()
        damage(browser)
        answer = await browser.come_back()
        assert answer.status_code == 403, what
        assert shown in answer.text, what
        assert COOKIE not in browser.client.cookies
        entry = _kept(service)[-1]
        assert entry[3] == "refused" and kept in entry[4], what
    assert len(_kept(service)) == len(TOKENS)


async def test_clocks_may_differ_a_little(browser):
    await browser.begin()
    _ago(browser, iat=59, exp=360)
    assert (await browser.come_back()).status_code == 200
    await browser.begin()
    _ago(browser, iat=-400, exp=-59)
    assert (await browser.come_back()).status_code == 200


async def test_a_new_key_of_the_provider_is_asked_for(browser, provider, clock):
    await browser.log_in()
    provider.key = rsa_key("two")
    provider.published = [provider.key]
    clock.passed_s += 30
    assert (await browser.log_in()).status_code == 200


async def test_a_log_in_is_finished_once_by_the_browser_that_began(browser, asking, service, clock):
    await browser.begin()
    stranger = Browser(asking(), browser.provider, clock)
    stranger.asked, stranger.claims = browser.asked, browser.claims
    for refused in (await stranger.come_back(), await browser.come_back(state="other")):
        assert refused.status_code == 403 and "This sign-in is over" in refused.text
    assert (await browser.log_in()).status_code == 200
    cookie = f"appliance_login={browser.asked['state']}"
    again = await browser.client.get(
        "/login/oidc/callback",
        params={"state": browser.asked["state"], "code": "the-code"},
        headers={"Cookie": cookie},
    )
    assert again.status_code == 403, "replayed with the cookie, too"
    await browser.begin()
    clock.passed_s += 601
    assert (await browser.come_back()).status_code == 403
    assert len([one for one in _kept(service) if one[3] == "refused"]) == 4


REFUSALS = {
    "consent": (
        {"error": "access_denied", "code": ""},
        "was refused",
        "access_denied",
    ),
    "error": ({"error": "server_error", "code": ""}, "reports an error", "server_error"),
    "markup": ({"error": "<b>x</b>", "code": ""}, "reports an error", "an error"),
    "nothing": ({"code": ""}, "reports an error", "without a code"),
    "another provider": (
        {"iss": "https://evil.example"},
        "do not fit",
        "another identity provider",
    ),
}


async def test_what_the_provider_refuses_is_said(browser, service):
    for what, (told, shown, kept) in REFUSALS.items():
        await browser.begin()
        answer = await browser.come_back(**told)
        assert answer.status_code == 403 and shown in answer.text, what
        assert "<b>x" not in answer.text
        assert kept in _kept(service)[-1][4], what


async def test_a_provider_that_is_another_or_away_is_said(browser, provider, service, clock):
    provider.issuer = "https://other.example"
    answer = await browser.client.get("/login/oidc", headers={"Accept": "text/html"})
    assert answer.status_code == 403 and "do not fit together" in answer.text
    assert "calls itself 'https://other.example'" in _kept(service)[-1][4]
    provider.issuer = provider.url
    await browser.begin()
    provider.refuses = "invalid_client"
    assert "do not fit together" in (await browser.come_back()).text
    assert _kept(service)[-1][4].endswith("answers 401 at /token invalid_client")
    provider.refuses = "temporarily_unavailable"
    assert "does not answer as it should" in (await browser.log_in()).text
    zh = {"Accept": "text/html", "Accept-Language": "zh"}
    clock.passed_s += 3600
    provider.discovery = lambda: {}
    answer = await browser.client.get("/login/oidc", headers=zh)
    assert "不匹配" in answer.text and "Example ID" in answer.text


HOSTILE = ("//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)")


async def test_it_leads_to_pages_of_ours_only(browser):
    for where in HOSTILE:
        assert 'content="0; url=/"' in (await browser.log_in(where)).text


async def test_a_public_address_is_the_one_to_come_back_to(browser, service, settings):
    server = settings.server.model_copy(update={"public_url": "https://docs.example/"})
    service.engine.settings = settings.model_copy(update={"server": server})
    browser.client._transport.app = make_app(service)
    await browser.begin()
    assert browser.asked["redirect_uri"] == "https://docs.example/login/oidc/callback"
    assert "secure" in browser.cookie.lower()


async def test_sessions_end_where_the_settings_name_no_provider_any_more(
    browser, service, settings
):
    await browser.log_in()
    assert (await browser.client.get(PROBE)).status_code == 200
    server = settings.server.model_copy(update={"oidc": type(settings.server.oidc)()})
    service.engine.settings = settings.model_copy(update={"server": server})
    browser.client._transport.app = make_app(service)
    assert (await browser.client.get(PROBE)).status_code == 401
    assert (await browser.client.get("/login/oidc")).status_code == 404


async def test_at_this_machine_too_somebody_has_to_log_in(asking):
    assert (await asking(client="127.0.0.1").get(PROBE)).status_code == 401


async def test_doctor_asks_the_provider(settings, provider, monkeypatch):
    async def said() -> list[tuple[str, str]]:
        return [(one.status.value, one.says) async for one in identity_checks(settings)]

    assert await said() == [("ok", f"{provider.issuer} answers")]
    provider.issuer = "https://other.example"
    ((status, says),) = await said()
    assert status == "warn" and "calls itself 'https://other.example'" in says
    monkeypatch.delenv("OIDC_SECRET")
    ((status, says),) = await said()
    assert status == "fail" and "the environment variable OIDC_SECRET is empty" in says


def test_without_its_secret_the_server_does_not_start(tmp_path, provider):
    oidc = {"issuer": provider.issuer, **OIDC}
    with (
        pytest.raises(AssertionError, match="the environment variable OIDC_SECRET is empty"),
        served(tmp_path, {"oidc": oidc}, OIDC_SECRET=""),
    ):
        pass
