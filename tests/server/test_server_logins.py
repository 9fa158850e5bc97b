"""Logging in to the dashboard with a key, and out."""

import re

import pytest

from appliance.config import ServerSettings, Settings
from appliance.server.app import make_app
from appliance.server.logins import COOKIE, local
from appliance.store.keys import Role

PROBE = "/metrics"


@pytest.fixture
def key(service):
    return service.keys.create("desk", Role.OPERATOR, "test").text


async def _log_in(client, key, **more):
    return await client.post("/login", data={"key": key, "next": "/runs?state=done"} | more)


async def test_a_key_opens_the_dashboard_until_the_log_out(asking, service, key):
    client = asking()
    answer = await _log_in(client, f" {key}\n")
    assert (answer.status_code, answer.headers["location"]) == (303, "/runs?state=done")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "path=/" in cookie
    assert "max-age=43200" in cookie and "secure" not in cookie
    assert key not in cookie
    assert (await client.get(PROBE)).status_code == 200

    token = client.cookies[COOKIE]
    out = await client.post("/logout")
    assert (out.status_code, out.headers["location"]) == (303, "/login")
    assert COOKIE not in client.cookies
    assert (await client.get(PROBE, headers={"Cookie": f"{COOKIE}={token}"})).status_code == 401
    kept = service.settings.data_dir.joinpath("store.duckdb").read_bytes()
    assert token.encode() not in kept


async def test_a_wrong_key_opens_nothing(stranger):
    answer = await _log_in(stranger, "cda_000000000000_" + "x" * 43)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/login?failed=1&next=%2Fruns%3Fstate%3Ddone"
    assert "set-cookie" not in answer.headers
    assert (await _log_in(stranger, "")).headers["location"].startswith("/login?failed=1")
    assert (await stranger.get(PROBE, headers={"Cookie": f"{COOKIE}=x"})).status_code == 401


async def test_it_ends_with_its_time_and_with_its_key(asking, service, clock, key):
    client = asking()
    await _log_in(client, key)
    clock.passed_s += 12 * 3600 - 1
    assert (await client.get(PROBE)).status_code == 200
    clock.passed_s += 1
    assert (await client.get(PROBE)).status_code == 401

    await _log_in(client, key)
    assert (await client.get(PROBE)).status_code == 200
    service.keys.revoke("desk", "test")
    assert (await client.get(PROBE)).status_code == 401
    assert (await _log_in(client, key)).headers["location"].startswith("/login?failed")


async def test_it_outlives_a_restart(asking, service, key):
    client = asking()
    await _log_in(client, key)
    client._transport.app = make_app(service)
    assert (await client.get(PROBE)).status_code == 200


async def test_a_page_of_another_site_logs_nobody_in(stranger, key):
    answer = await stranger.post(
        "/login", data={"key": key}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert answer.status_code == 403


class TestBehindTls:
    @pytest.fixture
    def settings(self, tmp_path):
        server = ServerSettings(public_url="https://docs.example", session_hours=1)
        return Settings(data_dir=tmp_path, server=server)

    async def test_the_cookie_never_goes_in_the_clear(self, stranger, key):
        cookie = (await _log_in(stranger, key)).headers["set-cookie"].lower()
        assert "secure" in cookie and "max-age=3600" in cookie


def test_nobody_is_sent_elsewhere_after_a_log_in():
    for ours in ("/", "/runs?x=1&y=%2F", "/findings#a"):
        assert local(ours) == ours
    for other in (
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "/runs\\evil.example",
        "https://evil.example",
        "",
        "runs",
        "/a\r\nSet-Cookie: b",
        "/\t/evil.example",
    ):
        assert local(other) == "/", other


async def test_the_form_is_there_for_who_has_not_logged_in(stranger):
    form = await stranger.get("/login?next=/runs", headers={"Accept": "text/html"})
    assert form.status_code == 200
    assert 'action="/login"' in form.text and 'name="key"' in form.text
    wanted = re.findall(r'(?:href|src)="(/static/[^"]+)"', form.text)
    assert wanted
    for path in wanted:
        answer = await stranger.get(path)
        assert answer.status_code == 200, path
        assert "immutable" in answer.headers["cache-control"], path
