"""Keys that end by themselves, and keys that give way to the next, by real requests."""

import httpx
import pytest

from appliance.server.logins import COOKIE
from appliance.store.keys import Role
from appliance.store.paging import Paging

PROBE = "/metrics"
KEYS = "/api/v1/keys"
DAY_S = 86_400


def _with(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _deeds(service) -> list[tuple[str, str, str, str]]:
    entries = reversed(service.store.activity.page(Paging()).items)
    return [(one.deed, one.who, one.outcome.value, one.detail) for one in entries]


@pytest.fixture
async def made(local):
    answer = await local.post(KEYS, json={"name": "ci", "role": "operator", "expires_days": 90})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_an_expired_key_is_refused_and_only_its_holder_is_told(
    stranger, service, clock, made
):
    clock.passed_s += 90 * DAY_S - 1
    assert (await stranger.get(PROBE, headers=_with(made["key"]))).status_code == 200
    clock.passed_s += 1
    for _ in range(2):
        refused = await stranger.get(PROBE, headers=_with(made["key"]))
        assert refused.status_code == 401
        assert refused.json()["type"].endswith(":expired-key")
        assert refused.json()["detail"].startswith("The key 'ci' expired on 2027-02-")
    guessed = await stranger.get(PROBE, headers=_with(made["key"][:-5] + "xxxxx"))
    assert guessed.json()["type"].endswith(":unknown-key")
    assert "expired" not in guessed.text
    assert ("log-in", "ci", "refused", "expired key") in _deeds(service)


async def test_a_session_ends_with_its_key_and_the_form_says_why(asking, clock, made):
    browser = asking()
    clock.passed_s += 90 * DAY_S - 60
    await browser.post("/login", data={"key": made["key"]})
    assert COOKIE in browser.cookies
    assert (await browser.get(PROBE)).status_code == 200
    clock.passed_s += 60
    assert (await browser.get(PROBE)).status_code == 401
    again = await browser.post("/login", data={"key": made["key"]})
    assert again.headers["location"].startswith("/login?failed=expired")
    page = await browser.get(again.headers["location"], headers={"Accept": "text/html"})
    assert "This key has expired." in page.text


async def test_somebody_is_warned_before(stranger, local, service, clock, made):
    clock.passed_s += 75 * DAY_S
    await stranger.get(PROBE, headers=_with(made["key"]))
    assert "key-expires" not in {deed for deed, *_ in _deeds(service)}
    for _ in range(3):
        clock.passed_s += DAY_S
        for _ in range(3):
            clock.passed_s += 100
            await stranger.get(PROBE, headers=_with(made["key"]))
    warned = [one for one in _deeds(service) if one[0] == "key-expires"]
    assert len(warned) == 3 and warned[0][1:3] == ("ci", "done"), warned
    page = (await local.get("/keys", headers={"Accept": "text/html"})).text
    assert "expires soon" in page and "in 11 days" in page


async def test_a_rotated_key_goes_on_for_the_grace(stranger, local, service, clock, made):
    clock.passed_s += 80 * DAY_S
    assert (await stranger.get(PROBE, headers=_with(made["key"]))).status_code == 200
    answer = await local.post(f"{KEYS}/ci/rotate", json={"grace_hours": 2})
    assert answer.status_code == 201 and answer.headers["cache-control"] == "no-store"
    new = answer.json()
    assert (new["name"], new["role"]) == ("ci", "operator")
    for key in (made, new):
        assert (await stranger.get(PROBE, headers=_with(key["key"]))).status_code == 200
    clock.passed_s += 2 * 3600
    assert (await stranger.get(PROBE, headers=_with(made["key"]))).status_code == 401
    assert (await stranger.get(PROBE, headers=_with(new["key"]))).status_code == 200
    rows = {row["id"]: row for row in (await local.get(KEYS)).json()["items"]}
    assert rows[made["id"]]["replaced_by"] == new["id"]
    clock.passed_s += 90 * DAY_S - 2 * 3600 - 1
    assert (await stranger.get(PROBE, headers=_with(new["key"]))).status_code == 200, "90 days, too"
    clock.passed_s += 1
    assert (await stranger.get(PROBE, headers=_with(new["key"]))).status_code == 401
    deeds = [(deed, detail) for deed, *_, detail in _deeds(service)]
    assert ("rotate-key", "in place of ci") in deeds


async def test_without_a_grace_it_ends_at_once_though_it_was_just_used(stranger, local, made):
    assert (await stranger.get(PROBE, headers=_with(made["key"]))).status_code == 200
    await local.post(f"{KEYS}/{made['id']}/rotate", json={"grace_hours": 0})
    assert (await stranger.get(PROBE, headers=_with(made["key"]))).status_code == 401
    again = await local.post(f"{KEYS}/{made['id']}/rotate", json={})
    assert again.status_code == 422
    assert "was rotated to" in again.json()["detail"]


async def test_the_name_is_the_newest_key_s(local, service, made):
    new = (await local.post(f"{KEYS}/ci/rotate", json={})).json()
    assert (await local.post(f"{KEYS}/ci/revoke")).json()["id"] == new["id"]
    old = service.keys.get(made["id"])
    assert old.revoked_at is None, "the old one ends by itself"


async def test_it_is_rotated_in_the_dashboard(asking, service, made):
    admin = asking(Role.ADMIN, Accept="text/html")
    page = await admin.post(f"/keys/{made['id']}/rotate", data={"hours": "1"})
    assert page.status_code == 200
    key = page.text.split('id="key">')[1].partition("<")[0]
    assert (await service.keys.recognise(key)).name == "ci"
    assert f"replaced by {key.split('_')[1]}" in page.text
    created = await admin.post("/keys", data={"name": "short", "role": "viewer", "days": "30"})
    assert "in 4 weeks" in created.text
    chinese = await admin.get("/keys", headers={"Accept-Language": "zh"})
    assert "轮换" in chinese.text and "已由" in chinese.text


async def test_how_many_are_about_to_expire_is_a_number(local, service, clock, made):
    from appliance.telemetry.gauges import watch_engine

    watch_engine(service.metrics, service.engine)
    clock.passed_s += 80 * DAY_S
    text = (await local.get(PROBE)).text
    assert 'appliance_keys{state="expiring"} 1.0' in text
    clock.passed_s += 10 * DAY_S
    assert 'appliance_keys{state="expired"} 1.0' in (await local.get(PROBE)).text


def test_over_a_socket(address, service, clock):
    key = service.keys.create("ci", Role.VIEWER, "test", lasts=service.stale_after).text
    assert httpx.get(f"{address}{PROBE}", headers=_with(key)).status_code == 200
    clock.passed_s += 7 * DAY_S
    assert httpx.get(f"{address}{PROBE}", headers=_with(key)).status_code == 401
