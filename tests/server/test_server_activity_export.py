"""The activity log, taken away over REST, from the dashboard and by a command; what it tells."""

import csv
import io
import json

import pytest

from appliance.cli._activity_log import record_settings
from appliance.config import ServerSettings, Settings
from appliance.store.keys import Role
from appliance.store.paging import Paging
from appliance.store.store import Store
from tests.server.served import served

EXPORT = "/api/v1/activity/export"
DAY_S = 86_400


@pytest.fixture
async def done(local, clock):
    """Three deeds, a day between each."""
    for name in ("one", "two", "three"):
        await local.post("/api/v1/keys", json={"name": name, "role": "viewer"})
        clock.passed_s += DAY_S
    listed = (await local.get("/api/v1/activity")).json()["items"]
    return [one["object"] for one in reversed(listed)]


async def test_json_lines_are_exactly_what_is_kept(local, done):
    answer = await local.get(EXPORT)
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.headers["content-disposition"].endswith('.jsonl"')
    rows = [json.loads(line) for line in answer.text.splitlines()]
    assert [row["number"] for row in rows] == [1, 2, 3, 4], "oldest first"
    assert rows == (await local.get("/api/v1/activity")).json()["items"][::-1]
    assert (rows[-1]["deed"], rows[-1]["object"]) == ("export-activity", "jsonl")


async def test_csv_is_for_spreadsheets_which_calculate_nothing_of_it(stranger, service, done):
    key = service.keys.create("=HYPERLINK(1)", Role.ADMIN, "test").text
    headers = {"Authorization": f"Bearer {key}"}
    text = (await stranger.get(f"{EXPORT}?format=csv", headers=headers)).text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["object"] for row in rows] == [*done, "csv"]
    assert rows[-1]["who"] == "'=HYPERLINK(1)"


async def test_who_what_and_when_choose(local, asking, service, clock, done):
    await asking(Role.VIEWER).post("/api/v1/store/prune")
    since = service.store.activity.page(Paging()).items[-2].happened_at

    async def chosen(**query: str) -> list[int]:
        answer = await local.get(EXPORT, params=query)
        assert answer.status_code == 200, answer.text
        return [json.loads(line)["number"] for line in answer.text.splitlines()]

    assert await chosen(since=since.isoformat(), deed="create-key") == [2, 3]
    assert await chosen(until=since.isoformat()) == [1]
    assert await chosen(outcome="refused", who="viewer 1") == [4]
    assert await chosen(who="nobody") == []
    assert (await local.get(EXPORT, params={"since": "yesterday"})).status_code == 400
    page = {"Accept": "text/html"}
    second = f"{since:%Y-%m-%d}"
    shown = await local.get(f"/activity?since={second}&until={second}", headers=page)
    assert " two</span>" in shown.text and " three</span>" not in shown.text
    assert f"/activity/export/csv?since={second}&amp;until={second}" in shown.text
    taken = await local.get(f"/activity/export/csv?since={second}&until={second}")
    assert taken.text.count("\n") == 2 and " two," in taken.text


async def test_only_admins_take_it_and_that_is_kept(asking, service):
    for path in (EXPORT, "/activity/export/csv"):
        assert (await asking(Role.OPERATOR).get(path)).status_code == 403
        assert (await asking(Role.ADMIN).get(path)).status_code == 200
    kept = [
        (one.deed, one.way.value, one.outcome.value)
        for one in service.store.activity.page(Paging()).items
    ]
    assert kept == [
        ("export-activity", "dashboard", "done"),
        ("export-activity", "dashboard", "refused"),
        ("export-activity", "rest", "done"),
        ("export-activity", "rest", "refused"),
    ]


async def test_a_long_log_comes_whole(local, service, monkeypatch):
    monkeypatch.setattr("appliance.store.activity._AT_ONCE", 7)
    for number in range(20):
        await local.post("/api/v1/keys", json={"name": f"key {number}", "role": "viewer"})
    assert (await local.get(EXPORT)).text.count("\n") == 21


def test_settings_that_changed_are_named_and_no_value(tmp_path):
    def start(**more) -> list[str]:
        settings = Settings.model_validate({"data_dir": tmp_path, **more})
        with Store.open(tmp_path) as store:
            record_settings(store, settings)
            rows = store.activity.page(Paging()).items
            assert all(one.deed == "change-settings" for one in rows)
            return [one.object for one in rows]

    assert start() == [], "nothing is known of before"
    assert start() == []
    assert start(server=ServerSettings(port=9000, public_url="https://secret.example")) == [
        "server.port, server.public_url"
    ]
    assert start(server=ServerSettings(port=9000)) == [
        "server.public_url",
        "server.port, server.public_url",
    ]
    hook = {"url": "https://hooks.example/T0KEN", "secret_env": "HOOK"}
    assert start(webhooks={"chat": hook})[0].startswith(
        "server.port, webhooks, webhooks.chat.events"
    )
    assert b"T0KEN" not in (tmp_path / "store.duckdb").read_bytes()


def test_by_commands_with_a_server_and_without(tmp_path):
    with served(tmp_path, {}) as running:
        assert running.command("key", "create", "ci", "--expires", "90d").returncode == 0
        asked = running.command("activity", "export", "--since", "1d", "--deed", "create-key")
        (row,) = map(json.loads, asked.stdout.splitlines())
        assert row["object"].endswith(" ci"), asked.stderr
        rotated = running.command("key", "rotate", "ci", "--grace", "2h", "--json")
        assert json.loads(rotated.stdout)["expires_at"], rotated.stderr
        assert "no length of time" in running.command("key", "create", "x", "--expires", "x").stderr
    with served(tmp_path, {"session_hours": 5}):
        pass
    told = running.command("activity", "export", "--format", "csv")
    assert told.returncode == 0, told.stderr
    assert "change-settings,server.session_hours" in told.stdout
    assert "rotate-key" in told.stdout
    listed = running.command("activity", "list", "--until", "1d", "--json")
    assert json.loads(listed.stdout) == []
