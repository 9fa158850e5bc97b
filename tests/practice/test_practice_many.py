"""Many accounts at once, and a state that outlives whatever happens to the process."""

import asyncio
import json
import os
import signal
import sqlite3
import threading

import httpx
import pytest

from appliance.core.errors import SetupError
from appliance.practice.accounts import DEVELOPMENT_PASSWORD
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from tests.practice_cloud import practice_cloud

RACKS = "/api/lab/racks"
BUCKETS = "/api/storage/buckets"


async def one_account(url, name, password):
    """Make, list and delete beside all the others; the names that are left."""
    auth = httpx.BasicAuth(name, password)
    async with httpx.AsyncClient(base_url=url, auth=auth, trust_env=False, timeout=60) as client:
        made = []
        for number in range(6):
            answer = await client.post(BUCKETS, json={"name": f"{name}-{number}"})
            assert answer.status_code == 201, answer.text
            made.append(answer.json()["id"])
            listed = (await client.get(BUCKETS, params={"sort": "name"})).json()["items"]
            assert [item["id"] for item in listed] == made
        for id_ in made[:2]:
            assert (await client.delete(f"{BUCKETS}/{id_}")).status_code == 204
        listed = (await client.get(BUCKETS, params={"sort": "name"})).json()["items"]
        events = (await client.get("/api/audit")).json()["events"]
        assert len(events) == 8
        assert {event["account"] for event in events} == {name}
        return [item["values"]["name"] for item in listed]


async def test_fifty_accounts_work_at_once(tmp_path):
    settings = PracticeSettings(accounts=50, settle_s=0.0, data_dir=tmp_path)
    with serving(settings) as running:
        users = [account.name for account in running.accounts if account.name.startswith("user")]
        assert (len(users), users[0], users[-1]) == (50, "user01", "user50")
        left = await asyncio.gather(
            *(one_account(running.url, user, running.password) for user in users)
        )
    assert left == [[f"{user}-{number}" for number in range(2, 6)] for user in users]
    with serving(settings) as running:
        for user in users:
            auth = (user, running.password)
            found = httpx.get(running.url + BUCKETS, auth=auth, trust_env=False).json()
            assert found["total"] == 4


@pytest.mark.parametrize("after", [1, 7, 20])
def test_what_was_answered_is_there_after_a_kill(tmp_path, after):
    answered = []
    with practice_cloud(data_dir=str(tmp_path)) as process:
        url = json.loads(process.stdout.readline())["url"]
        is_enough = threading.Event()

        def create():
            auth = ("alice", DEVELOPMENT_PASSWORD)
            with httpx.Client(base_url=url, auth=auth, trust_env=False, timeout=10) as client:
                try:
                    for number in range(500):
                        body = {"name": f"bucket-{number}"}
                        if client.post(BUCKETS, json=body).status_code == 201:
                            answered.append(f"bucket-{number}")
                        if len(answered) >= after:
                            is_enough.set()
                except httpx.TransportError:
                    pass  # it was killed

        thread = threading.Thread(target=create)
        thread.start()
        assert is_enough.wait(20)
        os.kill(process.pid, signal.SIGKILL)
        thread.join()
    with serving(PracticeSettings(data_dir=tmp_path)) as running:
        auth = ("alice", running.password)
        query = {"per_page": 200, "sort": "created"}
        found = httpx.get(running.url + BUCKETS, params=query, auth=auth, trust_env=False).json()
        names = [item["values"]["name"] for item in found["items"]]
    assert names[: len(answered)] == answered
    assert len(names) <= len(answered) + 1  # one may have been kept and not answered any more
    lines = (tmp_path / "audit.jsonl").read_text(encoding="utf-8").splitlines()
    logged = [json.loads(line)["target_name"] for line in lines if '"success"' in line]
    assert logged[: len(names)] == names


def test_snapshots_and_quotas_outlive_the_process(tmp_path):
    settings = PracticeSettings(data_dir=tmp_path, settle_s=0.0)
    with serving(settings) as running:
        auth = {"auth": ("admin", running.password), "trust_env": False}
        url = f"{running.url}/api/accounts/alice"
        snapshot = httpx.post(f"{url}/snapshots", **auth).json()["snapshot"]
        alice = {"auth": ("alice", running.password), "trust_env": False}
        assert httpx.put(f"{url}/quotas", json={"bucket": 1}, **auth).status_code == 204
        answers = [
            httpx.post(running.url + BUCKETS, json={"name": n}, **alice) for n in ("aaa", "bbb")
        ]
        assert [answer.status_code for answer in answers] == [201, 403]
    with serving(settings) as running:
        url = running.url
        answer = httpx.post(url + BUCKETS, json={"name": "ccc"}, **alice)
        assert answer.json()["code"] == "QuotaExceeded"
        body = {"snapshot": snapshot}
        assert (
            httpx.post(f"{url}/api/accounts/alice/restore", json=body, **alice).status_code == 204
        )
        assert httpx.get(url + BUCKETS, **alice).json()["total"] == 0
        assert httpx.post(url + BUCKETS, json={"name": "ccc"}, **alice).status_code == 201


def foreign(folder):
    with sqlite3.connect(folder / "state.sqlite") as base:
        base.execute("CREATE TABLE things (name TEXT)")
    base.close()


def other_version(folder):
    with serving(PracticeSettings(data_dir=folder)):
        pass
    with sqlite3.connect(folder / "state.sqlite") as base:
        base.execute("PRAGMA user_version = 99")
    base.close()


def strange_kind(folder):
    with serving(PracticeSettings(data_dir=folder)):
        pass
    state = (
        '{"made": 1, "quotas": {}, "items": [{"id": "x-1", "kind": "teapot", "region": "", '
        '"values": {}, "state": "", "created": "2026-01-01T00:00:00+00:00", "settling": null}]}'
    )
    with sqlite3.connect(folder / "state.sqlite") as base:
        base.execute("INSERT INTO accounts VALUES ('alice', ?)", (state,))
    base.close()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (foreign, "is not a state file of the practice cloud"),
        (other_version, "was written by another version"),
        (strange_kind, "has a 'teapot', which this release does not know"),
        (lambda folder: (folder / "state.json").write_text("{}"), "written by an older version"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path, spoil, said):
    spoil(tmp_path)
    with pytest.raises(SetupError, match=said):  # noqa: SIM117
        with serving(PracticeSettings(data_dir=tmp_path)):
            pass


def test_a_folder_is_for_one_cloud(tmp_path):
    settings = PracticeSettings(data_dir=tmp_path)
    with serving(settings), pytest.raises(SetupError, match="is another cloud using it"):  # noqa: SIM117
        with serving(settings):
            pass


def test_events_are_delivered_late(clock, lab_catalogue):
    settings = PracticeSettings(audit_delay_s=60.0)
    with serving(settings, clock, lab_catalogue) as running:
        auth = ("alice", running.password)
        with httpx.Client(base_url=running.url, auth=auth, trust_env=False) as alice:
            assert alice.post(RACKS, json={"name": "rack-1"}).status_code == 201
            answer = alice.get("/api/audit").json()
            assert answer["events"] == []
            assert answer["delivered_until"] < answer["now"]
            clock.turn(59)
            assert alice.get("/api/audit").json()["events"] == []
            clock.turn(1)
            assert len(alice.get("/api/audit").json()["events"]) == 1
