"""Logging in at an identity provider: who comes in, in which role, and who went out."""

import pytest

from appliance.cli._service_checks import identity_checks
from appliance.server.app import make_app
from appliance.server.logins import COOKIE
from appliance.server.trust import digest
from appliance.store.keys import Role
from tests.server.identity.conftest import OIDC, kept
from tests.server.identity.forged_provider import challenge_of, rsa_key
from tests.server.served import served

PROBE = "/metrics"


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
    assert kept(service) == [
        ("log-in", *who, "done", ""),
        ("checkpoint-store", *who, "refused", "answered 403"),
        ("log-out", *who, "done", ""),
    ]


async def test_what_they_do_is_kept_with_their_name(browser, provider, service):
    browser.claims |= {"email": None, "preferred_username": "alice", "groups": "docs-admins"}
    await browser.log_in()
    assert (await browser.client.post("/api/v1/store/checkpoint")).status_code == 200
    assert kept(service)[-1][:4] == ("checkpoint-store", "alice", "oidc:248289761001", "done")


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
    (entry,) = kept(service)
    assert entry[3] == "refused"
    assert "alice@example.org (oidc:248289761001)" in entry[4] and "'groups'" in entry[4]


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


async def test_clocks_may_differ_a_little(browser):
    await browser.begin()
    browser.dates(iat=59, exp=360)
    assert (await browser.come_back()).status_code == 200
    await browser.begin()
    browser.dates(iat=-400, exp=-59)
    assert (await browser.come_back()).status_code == 200


async def test_a_new_key_of_the_provider_is_asked_for(browser, provider, clock):
    await browser.log_in()
    provider.key = rsa_key("two")
    provider.published = [provider.key]
    clock.passed_s += 30
    assert (await browser.log_in()).status_code == 200


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
    assert status == "fail" and "is empty: set the environment variable OIDC_SECRET" in says


def test_without_its_secret_the_server_does_not_start(tmp_path, provider):
    oidc = {"issuer": provider.issuer, **OIDC}
    with (
        pytest.raises(AssertionError, match="is empty: set the environment variable OIDC_SECRET"),
        served(tmp_path, {"oidc": oidc}, OIDC_SECRET=""),
    ):
        pass
