"""What comes before every route."""

import asyncio

import pytest

from appliance.config import ServerSettings, Settings
from appliance.core.errors import SetupError
from appliance.server.front import LOCAL
from appliance.server.hosts import is_loopback
from appliance.server.keys import check_keys
from appliance.store.keys import Role

PROBE = "/metrics"
"""Needs somebody who may look."""


async def test_nobody_needs_a_key_at_this_machine_only(asking):
    assert (await asking(client="127.0.0.1").get(PROBE)).status_code == 200
    assert (await asking(client="::1", at="http://[::1]:8080").get(PROBE)).status_code == 200
    assert (await asking(client="127.0.0.1", at="http://localhost:8080").get(PROBE)).is_success

    elsewhere = await asking().get(PROBE)
    assert elsewhere.status_code == 401
    assert elsewhere.headers["www-authenticate"] == "Bearer"
    assert elsewhere.json()["type"] == "urn:appliance:problem:key-needed"
    # Connected to this machine from itself, but not through its loopback.
    assert (await asking(client="127.0.0.1", at="http://192.0.2.1").get(PROBE)).status_code == 401


async def test_a_proxy_at_this_machine_is_not_who_asks(local):
    for header in ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"):
        assert (await local.get(PROBE, headers={header: "192.0.2.9"})).status_code == 401, header


class TestListeningToAll:
    @pytest.fixture
    def settings(self, tmp_path):
        return Settings(data_dir=tmp_path, server=ServerSettings(host="0.0.0.0"))

    async def test_then_everybody_needs_a_key(self, local):
        assert (await local.get(PROBE)).status_code == 401


class TestKeysRequired:
    @pytest.fixture
    def settings(self, tmp_path):
        return Settings(data_dir=tmp_path, server=ServerSettings(keys="required"))

    async def test_then_this_machine_does_too(self, local, asking):
        assert (await local.get(PROBE)).status_code == 401
        assert (await asking(Role.VIEWER, client="127.0.0.1").get(PROBE)).status_code == 200


class TestNames:
    @pytest.fixture
    def settings(self, tmp_path):
        server = ServerSettings(hosts=("Docs.example",), public_url="https://watch.example/x")
        return Settings(data_dir=tmp_path, server=server)

    async def test_only_to_its_own_names_does_it_answer(self, local):
        async def status(host):
            return (await local.get("/healthz", headers={"Host": host})).status_code

        for ours in (
            "docs.example",
            "DOCS.EXAMPLE.:8080",
            "watch.example",
            "localhost:1",
            "a.localhost",
            "127.0.0.1:8080",
            "[::1]:8080",
            "192.0.2.1",
        ):
            assert await status(ours) == 200, ours
        for other in (
            "evil.example",
            "docs.example.evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
        ):
            assert await status(other) == 421, other
        for none in ("", "[::1", ":8080"):
            assert await status(none) == 400, none

    async def test_another_name_of_this_machine_is_nobodys_without_a_key(self, local):
        """What a web page sees after it let its own name point here (DNS rebinding)."""
        rebound = await local.get(PROBE, headers={"Host": "evil.example"})
        assert rebound.status_code == 421
        assert "server.hosts" in rebound.json()["detail"]
        proxied = await local.get(PROBE, headers={"Host": "docs.example"})
        assert proxied.status_code == 401, "a proxy of that name stands before it"


def test_loopback_by_any_name():
    for ours in ("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "LOCALHOST", "localhost."):
        assert is_loopback(ours), ours
    for other in ("0.0.0.0", "10.0.0.1", "::", "localhost.example", "", "testclient"):
        assert not is_loopback(other), other


async def test_a_network_of_ipv6_is_one_sender(asking, settings):
    """Who has the line has all its addresses, and could take another for each request."""
    asked = settings.server.requests_per_minute + 1
    told = [(await asking(client=f"2001:db8::{n:x}").get(PROBE)).status_code for n in range(asked)]
    assert (told[-2:]) == [401, 429]
    assert (await asking(client="2001:db8:0:1::1").get(PROBE)).status_code == 401


async def test_a_page_of_another_site_changes_nothing(local):
    ours = (
        {},  # a program
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://127.0.0.1:8080"},
        {"Origin": "https://127.0.0.1:8080"},  # behind a proxy that ends TLS
        {"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"},
    )
    others = (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://127.0.0.1:8081"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://[evil"},
    )
    for headers in ours:
        assert (await local.post("/logout", headers=headers)).status_code == 303, headers
    for headers in others:
        answer = await local.post("/logout", headers=headers)
        assert answer.status_code == 403, headers
        assert answer.json()["type"] == "urn:appliance:problem:other-origin"


async def test_a_page_of_another_site_may_still_link_here(local):
    assert (await local.get(PROBE, headers={"Sec-Fetch-Site": "cross-site"})).status_code == 200


async def test_a_key_is_asked_for_its_role(asking, service):
    for role in Role:
        assert (await asking(role).get(PROBE)).status_code == 200
    assert Role.ADMIN.includes(Role.OPERATOR)
    assert not Role.VIEWER.includes(Role.OPERATOR)
    rows = service.keys.all()
    assert all(row.last_used_at == service.engine.clock.now() for row in rows)


async def test_a_wrong_key_is_refused_even_where_none_is_needed(asking, service):
    good = service.keys.create("good", Role.ADMIN, "test").text
    wrong = [good[:-1] + ("A" if good[-1] != "A" else "B"), "cda_000000000000_" + "x" * 43, "", "x"]
    local = asking(client="127.0.0.1")
    for text in wrong:
        answer = await local.get(PROBE, headers={"Authorization": f"Bearer {text}"})
        assert answer.status_code == 401, text
        assert "invalid_token" in answer.headers["www-authenticate"]
        if text:
            assert text not in answer.text
    assert (await local.get(PROBE, headers={"Authorization": f"bearer {good}"})).status_code == 200


async def test_a_revoked_key_is_good_no_more_at_once(asking, service):
    client = asking(Role.VIEWER)
    assert (await client.get(PROBE)).status_code == 200
    service.keys.revoke("viewer 0", "test")
    assert (await client.get(PROBE)).status_code == 401
    with pytest.raises(SetupError, match="no key 'viewer 0'"):
        service.keys.revoke("viewer 0", "test")


async def test_a_key_is_hashed_once_a_minute(asking, service, clock, monkeypatch):
    client = asking(Role.VIEWER)
    assert (await client.get(PROBE)).status_code == 200
    first = service.keys.all()[0].last_used_at
    clock.passed_s += 30
    assert (await client.get(PROBE)).status_code == 200
    assert service.keys.all()[0].last_used_at == first, "trusted without a look at the store"
    clock.passed_s += 31
    assert (await client.get(PROBE)).status_code == 200
    assert service.keys.all()[0].last_used_at == clock.now()


class TestRates:
    @pytest.fixture
    def settings(self, tmp_path):
        return Settings(data_dir=tmp_path, server=ServerSettings(requests_per_minute=6))

    async def test_who_asks_too_often_waits(self, asking, clock):
        client, other = asking(), asking(client="192.0.2.8")
        assert [(await client.get(PROBE)).status_code for _ in range(7)] == [401] * 6 + [429]
        refused = await client.get(PROBE)
        assert refused.headers["retry-after"] == "10"
        assert refused.headers["content-type"] == "application/problem+json"
        assert (await other.get(PROBE)).status_code == 401
        clock.passed_s += 10
        assert [(await client.get(PROBE)).status_code for _ in range(2)] == [401, 429]

    async def test_a_key_counts_for_itself(self, asking, service):
        key = service.keys.create("ci", Role.VIEWER, "test").text
        first, second = (
            asking(client=address, Authorization=f"Bearer {key}")
            for address in ("192.0.2.8", "192.0.2.9")
        )
        # Until it is recognised, it is anybody's from that address.
        answers = [(await client.get(PROBE)).status_code for client in [first, second] * 4]
        assert answers == [200] * 7 + [429]

    async def test_guessing_keys_is_counted_by_address(self, asking):
        client = asking(Authorization="Bearer cda_000000000000_" + "x" * 43)
        assert [(await client.get(PROBE)).status_code for _ in range(7)] == [401] * 6 + [429]

    async def test_who_looks_whether_it_is_alive_is_not_counted(self, stranger):
        answers = [await stranger.get("/healthz") for _ in range(20)]
        assert {answer.status_code for answer in answers} == {200}


async def test_every_answer_keeps_the_browser_from_doing_more_than_showing_it(local):
    for path in ("/healthz", "/api/v1/nothing", "/metrics"):
        headers = (await local.get(path)).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy and "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"


async def test_a_slow_store_does_not_hold_up_others(asking, service, store):
    """Keys are looked up and hashed beside the loop."""
    client = asking(Role.VIEWER)
    with store.session.transaction("holding the store"):
        waiting = asyncio.create_task(client.get(PROBE))
        for _ in range(5):
            assert (await asking().get("/healthz")).status_code == 200
        assert not waiting.done()
    assert (await waiting).status_code == 200


def test_a_server_that_needs_keys_is_not_started_without_one(service):
    check_keys(ServerSettings(), ())
    for settings in (ServerSettings(host="0.0.0.0"), ServerSettings(keys="required")):
        with pytest.raises(SetupError, match="appliance key create NAME --role admin"):
            check_keys(settings, ())
        made = service.keys.create("boss", Role.ADMIN, "test").row
        check_keys(settings, [made])
        with pytest.raises(SetupError):
            check_keys(settings, [service.keys.revoke("boss", "test")])
    assert LOCAL.role is Role.ADMIN
