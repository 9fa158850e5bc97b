"""Who did what: kept for REST, the dashboard and commands alike, and read by admins."""

import json

import pytest

from appliance.cli import _app as program
from appliance.store.keys import Role
from appliance.store.paging import Paging
from appliance.store.store import Store

ACTIVITY = "/api/v1/activity"


def _told(service):
    return [
        (one.who, one.role, one.way.value, one.deed, one.object, one.outcome.value)
        for one in reversed(service.store.activity.page(Paging()).items)
    ]


async def test_the_same_deed_is_kept_alike_over_rest_and_in_the_dashboard(asking, service):
    admin = asking(Role.ADMIN)
    rest = await admin.post("/api/v1/keys", json={"name": "one", "role": "viewer"})
    page = await admin.post("/keys", data={"name": "two", "role": "viewer"})
    made = {row.name: row.id for row in service.keys.all()}
    ids = [made["one"], made["two"]]
    await admin.post(f"/api/v1/keys/{ids[0]}/revoke")
    await admin.post(f"/keys/{ids[1]}/revoke")
    who = ("admin 0", "admin")
    assert _told(service) == [
        (*who, "rest", "create-key", f"{ids[0]} one", "done"),
        (*who, "dashboard", "create-key", f"{ids[1]} two", "done"),
        (*who, "rest", "revoke-key", f"{ids[0]} one", "done"),
        (*who, "dashboard", "revoke-key", f"{ids[1]} two", "done"),
    ]
    entry = service.store.activity.page(Paging(limit=1)).items[0]
    assert (entry.address, entry.key_id) == ("192.0.2.7", made["admin 0"])
    kept = json.dumps((await admin.get(ACTIVITY)).json())
    for answer in (rest.json()["key"], page.text.split('id="key">')[1].partition("<")[0]):
        assert answer.startswith("cda_") and answer.split("_", 2)[2] not in kept


async def test_what_is_refused_or_fails_is_kept_and_what_only_looks_is_not(asking, service):
    operator, nobody = asking(Role.OPERATOR), asking()
    await operator.post("/accounts/practice/a/quarantine", data={"reason": "x"})
    await operator.post("/api/v1/findings/none/triage", json={"action": "confirm"})
    await operator.post("/findings/triage", data={"id": "none", "action": "confirm"})
    await operator.post("/api/v1/sweeps/plan", json={})
    await operator.get("/findings")
    await operator.get(ACTIVITY)
    await nobody.post("/api/v1/sweeps", json={})
    who = ("operator 0", "operator")
    assert _told(service) == [
        (*who, "dashboard", "quarantine-account", "practice/a", "refused"),
        (*who, "rest", "triage-finding", "none", "failed"),
        (*who, "dashboard", "triage-finding", "none", "failed"),
    ]


async def test_a_request_that_is_repeated_is_one_deed(asking, service):
    admin = asking(Role.ADMIN, **{"Idempotency-Key": "once"})
    for _ in range(2):
        await admin.post("/api/v1/store/checkpoint")
    assert [one[3:] for one in _told(service)] == [("checkpoint-store", "", "done")]


async def test_what_somebody_typed_for_an_attempt_is_not_in_it(local, service):
    answer = {"reply": "type", "text": "491-627"}
    assert (await local.post("/api/v1/questions/q1/answer", json=answer)).status_code == 404
    assert _told(service)[-1] == ("local", "admin", "rest", "answer-question", "q1", "failed")
    assert "491-627" not in json.dumps((await local.get(ACTIVITY)).json())


async def test_no_key_and_nothing_that_a_terminal_obeys_is_in_it(asking, service):
    """Somebody sends a whole key where its id or a name belongs."""
    admin, key = asking(Role.ADMIN), f"cda_0123456789ab_{'S' * 43}"
    await admin.post(f"/api/v1/keys/{key}/revoke")
    await admin.post(f"/keys/{key}/revoke")
    await admin.post("/api/v1/keys", json={"name": key, "role": "viewer"})
    await admin.post("/api/v1/accounts/a%1b%5b2J%0d%0a%e2%80%aeb/check")
    kept = json.dumps((await admin.get(ACTIVITY)).json(), ensure_ascii=False)
    assert "SSSS" not in kept and kept.count("cda_0123456789ab_…") >= 3
    assert _told(service)[-1][4] == "practice/a\ufffd[2J  \ufffdb"


async def test_a_viewer_who_is_refused_again_and_again_does_not_fill_the_disk(asking, service):
    viewer = asking(Role.VIEWER)
    for _ in range(130):
        assert (await viewer.post("/api/v1/store/prune")).status_code == 403
    assert service.store.activity.page(Paging()).total == 100
    assert (await asking(Role.ADMIN).post("/api/v1/store/checkpoint")).status_code == 200
    assert service.store.activity.page(Paging()).total == 101


async def test_admins_read_it_in_both_languages_and_others_do_not(asking, service):
    admin = asking(Role.ADMIN, Accept="text/html")
    await asking(Role.VIEWER).post("/keys/<b>/revoke")
    await admin.post("/api/v1/store/checkpoint")
    page = (await admin.get("/activity")).text
    assert "write a checkpoint of the store" in page and "refused" in page
    assert "&lt;b&gt;" in page and "<b>" not in page
    chinese = (await admin.get("/activity", headers={"Accept-Language": "zh"})).text
    assert "操作记录" in chinese and "数据落盘" in chinese and "被拒绝" in chinese
    only = (await admin.get("/activity?outcome=refused&who=viewer+1")).text
    assert "revoke a key" in only and "write a checkpoint" not in only.partition("<table")[2]
    for role in (Role.VIEWER, Role.OPERATOR):
        assert (await asking(role).get(ACTIVITY)).status_code == 403
        assert (await asking(role).get("/activity")).status_code == 403
    found = (await admin.get(f"{ACTIVITY}?outcome=refused&page_size=1")).json()
    assert (found["total"], found["items"][0]["deed"]) == (1, "revoke-key")


async def test_whether_it_is_whole_is_asked_over_rest(local, service):
    await local.post("/api/v1/store/checkpoint")
    told = (await local.get(f"{ACTIVITY}/chain")).json()
    assert told["is_whole"] and told["entries"] == 1
    assert (await local.get(f"{ACTIVITY}/chain", params={"seen": told["last_hash"]})).json() == told
    assert not (await local.get(f"{ACTIVITY}/chain", params={"seen": "0" * 64})).json()["is_whole"]


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("APPLIANCE_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("LOGNAME", "ana")
    monkeypatch.chdir(tmp_path)

    def call(*words):
        code = program.run(list(words))
        return code, capsys.readouterr().out

    return call


def test_commands_that_write_to_the_store_themselves_are_kept(run, tmp_path):
    assert run("key", "create", "ci", "--role", "operator")[0] == 0
    assert run("key", "revoke", "ci")[0] == 0
    assert run("store", "checkpoint")[0] == 0
    code, out = run("activity", "list", "--json")
    rows = json.loads(out)
    assert code == 0
    assert [(one["deed"], one["who"], one["way"]) for one in rows] == [
        ("checkpoint-store", "ana", "command"),
        ("revoke-key", "ana", "command"),
        ("create-key", "ana", "command"),
    ]
    assert rows[2]["detail"] == "operator" and rows[2]["object"].endswith(" ci")
    assert "checkpoint-store" in run("activity", "list", "--who", "ana", "--limit", "1")[1]
    code, last = run("activity", "check")
    assert (code, last.strip()) == (0, rows[0]["hash"])
    with Store.open(tmp_path) as store, store.session.transaction("forging") as connection:
        connection.execute("UPDATE activity SET who = 'bo' WHERE number = 2")
    code, out = run("activity", "check", "--json")
    assert (code, json.loads(out)["broken_at"]) == (1, 2)
    assert run("activity", "check", "--seen", rows[2]["hash"])[0] == 1
