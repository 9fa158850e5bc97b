"""Logging in at an identity provider: what is said of what is not as it should be."""

from joserfc.jwk import OctKey

from appliance.server.logins import COOKIE
from tests.server.identity.conftest import SECRET, Browser, kept
from tests.server.identity.forged_provider import rsa_key

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
    "expired": (lambda b: b.dates(iat=-400, exp=-61), "differ too much", "has expired"),
    "of the future": (
        lambda b: b.dates(exp=600, iat=62),
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
    for what, (damage, shown, told) in TOKENS.items():
        browser.claims = dict(right)
        provider.key, provider.token, provider.algorithm = key, token, "RS256"
        await browser.begin()
        damage(browser)
        answer = await browser.come_back()
        assert answer.status_code == 403, what
        assert shown in answer.text, what
        assert COOKIE not in browser.client.cookies
        entry = kept(service)[-1]
        assert entry[3] == "refused" and told in entry[4], what
    assert len(kept(service)) == len(TOKENS)


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
    assert len([one for one in kept(service) if one[3] == "refused"]) == 4


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
    for what, (given, shown, told) in REFUSALS.items():
        await browser.begin()
        answer = await browser.come_back(**given)
        assert answer.status_code == 403 and shown in answer.text, what
        assert "<b>x" not in answer.text
        assert told in kept(service)[-1][4], what


async def test_a_provider_that_is_another_or_away_is_said(browser, provider, service, clock):
    provider.issuer = "https://other.example"
    answer = await browser.client.get("/login/oidc", headers={"Accept": "text/html"})
    assert answer.status_code == 403 and "do not fit together" in answer.text
    assert "calls itself 'https://other.example'" in kept(service)[-1][4]
    provider.issuer = provider.url
    await browser.begin()
    provider.refuses = "invalid_client"
    assert "do not fit together" in (await browser.come_back()).text
    assert kept(service)[-1][4].endswith("answers 401 at /token invalid_client")
    provider.refuses = "temporarily_unavailable"
    assert "does not answer as it should" in (await browser.log_in()).text
    zh = {"Accept": "text/html", "Accept-Language": "zh"}
    clock.passed_s += 3600
    provider.discovery = lambda: {}
    answer = await browser.client.get("/login/oidc", headers=zh)
    assert "不匹配" in answer.text and "Example ID" in answer.text
