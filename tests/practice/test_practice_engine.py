"""What the cloud does with every kind of value, with regions, quotas, permissions and states."""

import base64
from datetime import timedelta

import httpx
import pytest

RACKS, PARTS, KEYS = "/api/lab/racks", "/api/lab/parts", "/api/lab/keys"


def made(response):
    assert response.status_code == 201, response.text
    return response.json()


def refused(response, status, code, *fields):
    assert (response.status_code, response.json()["code"]) == (status, code), response.text
    assert sorted(response.json()["errors"]) == sorted(fields)
    return response.json()


def last_event(client):
    return client.get("/api/audit").json()["events"][-1]


@pytest.fixture
def alice(lab_api):
    return lab_api()


@pytest.fixture
def rack(alice):
    return made(alice.post(RACKS, json={"name": "rack-1"}))


@pytest.fixture
def part(alice, rack):
    """Makes a part; `part(day="2026-02-03")`."""

    def make(name="part-1", **values):
        return alice.post(PARTS, json={"name": name, "rack": rack["id"], **values})

    return make


# -- values -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("config", '{"a": [1, 2]}\n'),
        ("note", "two\nlines"),
        ("day", "2028-02-29"),
        ("hour", "23:59"),
        ("colours", ["red", "grey"]),
        ("colours", []),
        ("range", "10.0.9.0/24"),
    ],
)
def test_a_good_value_is_kept_as_it_is(alice, part, field, value):
    item = made(part(**{field: value}))
    assert alice.get(f"{PARTS}/{item['id']}").json()["values"][field] == value


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("config", '{\n"a": }', "line 2"),
        ("config", "[" * 3000, "line 1"),
        ("note", "x" * 101, "0 to 100"),
        ("day", "2026-02-29", "a date such as"),
        ("day", "20260228", "a date such as"),
        ("hour", "24:00", "a time such as"),
        ("hour", "3:30", "a time such as"),
        ("colours", ["blue"], "cannot be blue"),
        ("colours", "red", "the wrong kind"),
        ("colours", [1], "the wrong kind"),
        ("beside", ["prt-nothing"], "does not exist"),
        ("range", "10.9.0.0/24", "within 10.0.0.0/16"),
        ("tags", {"a": 1}, "the wrong kind"),
        ("plan", "plan.txt", "the wrong kind"),
        ("plan", {"name": "plan.txt"}, "cannot be read"),
        ("plan", {"name": "plan.txt", "content": "?"}, "cannot be read"),
        ("plan", {"name": "plan.txt", "content": "aGk=", "more": ""}, "cannot be read"),
        ("plan", {"name": "plan.exe", "content": "aGk="}, ".txt, .json"),
        ("plan", {"name": "a.txt", "content": "A" * 1398108}, "larger than 1 MiB"),
        ("plan", {"name": "a.txt", "content": "A" * 2000000}, "larger than 1 MiB"),
        ("rack", 7, "the wrong kind"),
    ],
)
def test_a_bad_value_is_refused(part, field, value, said):
    problem = refused(part(**{field: value}), 400, "ValidationFailed", field)
    assert said in problem["errors"][field]


@pytest.mark.parametrize("height", [1, 41, 2.5, "10", True])
def test_a_number_keeps_its_bounds(alice, height):
    body = {"name": "rack-1", "height": height}
    problem = refused(alice.post(RACKS, json=body), 400, "ValidationFailed", "height")
    assert problem["errors"]["height"] == "Height must be a whole number from 2 to 40."


def test_a_file_is_kept_apart_from_what_is_shown(alice, part):
    content = b"\x00plan\xff" * 100
    plan = {"name": "Plän.txt", "size": 0, "content": base64.b64encode(content).decode()}
    item = made(part(plan=plan))
    assert item["values"]["plan"] == {"name": "Plän.txt", "size": len(content)}
    assert last_event(alice)["parameters"]["plan"] == {"name": "Plän.txt", "size": "600"}
    answer = alice.get(f"{PARTS}/{item['id']}/files/plan")
    assert answer.content == content
    assert "Pl%C3%A4n.txt" in answer.headers["content-disposition"]
    for field in ("note", "nothing"):
        refused(alice.get(f"{PARTS}/{item['id']}/files/{field}"), 404, "ResourceNotFound")
    changed = alice.post(f"{PARTS}/{item['id']}/edit", json={"plan": None}).json()
    assert changed["values"]["plan"] is None


def test_a_field_is_asked_for_only_while_its_condition_holds(alice):
    rack = made(alice.post(RACKS, json={"name": "rack-1"}))
    assert rack["values"]["hint"] == "none"
    body = {"name": "rack-2", "pin": "1234"}
    refused(alice.post(RACKS, json=body), 400, "ValidationFailed", "pin")
    body = {"name": "rack-2", "locked": True}
    refused(alice.post(RACKS, json=body), 400, "ValidationFailed", "pin")
    body |= {"pin": "1234", "pin_kind": "long", "hint": "birthday"}
    assert made(alice.post(RACKS, json=body))["values"]["hint"] == "birthday"
    body |= {"name": "rack-3", "pin_kind": "short"}
    refused(alice.post(RACKS, json=body), 400, "ValidationFailed", "hint")


def test_what_is_not_asked_for_any_more_has_its_default_again(alice):
    body = {"name": "rack-1", "locked": True, "pin": "1234", "pin_kind": "long", "hint": "cat"}
    rack = made(alice.post(RACKS, json=body))
    address = f"{RACKS}/{rack['id']}/lock"
    values = alice.post(address, json={"locked": False}).json()["values"]
    assert (values["pin_kind"], values["hint"]) == ("short", "none")
    refused(alice.post(address, json={"locked": True}), 400, "ValidationFailed", "pin")


def test_a_secret_is_never_answered_or_logged(alice):
    body = {"name": "rack-1", "locked": True, "pin": "1234-secret"}
    rack = made(alice.post(RACKS, json=body))
    key = made(alice.post(KEYS, json={"name": "key-1"}))
    assert sorted(key["revealed"]) == ["id", "secret"]
    refused(alice.post(RACKS, json={**body, "name": "x"}), 400, "ValidationFailed", "name")
    answers = [
        alice.get(path).text
        for path in (RACKS, f"{RACKS}/{rack['id']}", KEYS, f"{KEYS}/{key['id']}", "/api/audit")
    ]
    for secret in ("1234-secret", key["revealed"]["secret"]):
        assert not any(secret in answer for answer in answers)
    assert "(hidden)" in answers[-1]
    assert alice.get(RACKS, params={"pin": "no"}).json()["total"] == 1  # cannot be guessed at


def test_generated_values_follow_from_the_id(alice, lab_api):
    rack = made(alice.post(RACKS, json={"name": "rack-1"}))
    assert rack["values"]["address"].startswith(("198.18.", "198.19."))
    body = {"name": "rack-2", "address": "1.2.3.4"}
    refused(alice.post(RACKS, json=body), 400, "ValidationFailed", "address")
    key = made(alice.post(KEYS, json={"name": "key-1"}))
    assert key["values"]["host"] == f"{key['id']}.global.practice.example"
    assert alice.post("/api/accounts/alice/reset").status_code == 204
    again = made(alice.post(RACKS, json={"name": "rack-1"}))
    assert (again["id"], again["values"]) == (rack["id"], rack["values"])
    other = made(lab_api("bob").post(RACKS, json={"name": "rack-1"}))
    assert other["id"] != rack["id"]


# -- references -----------------------------------------------------------------------------------


def test_several_references_share_what_they_lie_in(alice, rack, part):
    first, second = made(part("part-1")), made(part("part-2"))
    third = made(part("part-3", beside=[first["id"], second["id"], first["id"]]))
    assert third["values"]["beside"] == [first["id"], second["id"]]
    assert [r["name"] for r in third["references"]["beside"]] == ["part-1", "part-2"]
    assert last_event(alice)["parameters"]["beside_names"] == ["part-1", "part-2"]
    other = made(alice.post(RACKS, json={"name": "rack-2"}))
    body = {"name": "part-4", "rack": other["id"], "beside": [first["id"]]}
    refused(alice.post(PARTS, json=body), 400, "ValidationFailed", "beside")
    found = alice.get(PARTS, params={"beside": first["id"]}).json()["items"]
    assert [item["values"]["name"] for item in found] == ["part-3"]
    problem = refused(alice.delete(f"{PARTS}/{first['id']}"), 409, "DependencyViolation")
    assert "part part-3" in problem["detail"]
    alice.post(f"{PARTS}/{third['id']}/edit", json={"beside": [second["id"]]})
    assert alice.delete(f"{PARTS}/{first['id']}").status_code == 204


def test_an_edit_may_change_the_state_and_a_transition_empty_fields(alice, part, clock):
    key = made(alice.post(KEYS, json={"name": "key-1"}))
    item = made(part(colours=["red"]))
    address = f"{PARTS}/{item['id']}"
    refused(alice.post(f"{address}/use", json={}), 400, "ValidationFailed", "key")
    refused(alice.post(f"{address}/free", json={}), 409, "IncorrectState")
    assert alice.post(f"{address}/use", json={"key": key["id"]}).json()["state"] == "using"
    refused(alice.post(f"{address}/use", json={"key": key["id"]}), 409, "IncorrectState")
    clock.turn(2.1)
    assert alice.get(address).json()["state"] == "used"
    freed = alice.post(f"{address}/free", json={}).json()
    assert (freed["state"], freed["values"]["key"], freed["values"]["colours"]) == ("ready", "", [])
    event = last_event(alice)
    assert event["parameters"] == {"key": key["id"], "key_name": "key-1", "colours": ["red"]}
    assert event["response"] == {"id": item["id"], "state": "ready"}


def test_what_only_opens_a_form_is_no_operation(alice, rack):
    refused(alice.post(f"{RACKS}/{rack['id']}/add-part", json={}), 404, "UnknownOperation")


# -- regions, quotas, permissions ------------------------------------------------------------------


def test_what_is_in_a_region_is_seen_there(alice, lab_api):
    east, everywhere = lab_api(region="east"), lab_api(region="*")
    north = made(alice.post(RACKS, json={"name": "rack-1"}))
    far = made(east.post(RACKS, json={"name": "rack-2"}))
    key = made(east.post(KEYS, json={"name": "key-1"}))
    assert [x["region"] for x in (north, far, key)] == ["north", "east", ""]
    assert [client.get(RACKS).json()["total"] for client in (alice, east, everywhere)] == [1, 1, 2]
    assert [client.get(KEYS).json()["total"] for client in (alice, east, everywhere)] == [1, 1, 1]
    assert alice.get(RACKS, params={"region": "central"}).json()["total"] == 0
    refused(alice.get(f"{RACKS}/{far['id']}"), 404, "ResourceNotFound")
    refused(alice.delete(f"{RACKS}/{far['id']}"), 404, "ResourceNotFound")
    body = {"name": "part-1", "rack": far["id"], "key": key["id"]}
    refused(alice.post(PARTS, json=body), 400, "ValidationFailed", "rack")
    refused(everywhere.post(PARTS, json=body), 400, "ValidationFailed", "region")
    assert made(east.post(PARTS, json=body))["references"]["key"]["name"] == "key-1"
    assert last_event(alice)["region"] == "east"
    refused(alice.get(RACKS, params={"region": "moon"}), 400, "ValidationFailed", "region")
    assert everywhere.get(f"{RACKS}/{far['id']}").status_code == 200


def test_a_quota_holds_in_each_region_until_it_is_raised(alice, lab_api):
    for number in range(3):
        made(alice.post(RACKS, json={"name": f"rack-{number}"}))
    problem = refused(alice.post(RACKS, json={"name": "rack-9"}), 403, "QuotaExceeded")
    assert "Racks is used up: 3 of 3" in problem["detail"]
    assert last_event(alice)["error_code"] == "QuotaExceeded"
    assert "used up" in last_event(alice)["error_message"]
    made(lab_api(region="east").post(RACKS, json={"name": "rack-9"}))
    rows = alice.get("/api/quotas", params={"service": "lab"}).json()["quotas"]
    assert rows == [
        {"service": "lab", "kind": "rack", "used": 3, "limit": 3},
        {"service": "lab", "kind": "key", "used": 0, "limit": 1},
    ]
    assert alice.get("/api/quotas", params={"service": "storage"}).json()["quotas"] == []
    admin = lab_api("admin")
    refused(alice.put("/api/accounts/alice/quotas", json={"rack": 9}), 403, "AccessDenied")
    refused(
        admin.put("/api/accounts/alice/quotas", json={"rok": 9}), 400, "ValidationFailed", "rok"
    )
    assert admin.put("/api/accounts/alice/quotas", json={"rack": 4}).status_code == 204
    made(alice.post(RACKS, json={"name": "rack-8"}))
    refused(alice.post(RACKS, json={"name": "rack-7"}), 403, "QuotaExceeded")


def test_a_permission_is_asked_for(alice, rack, lab_api):
    address = f"{RACKS}/{rack['id']}/paint"
    problem = refused(alice.post(address, json={"colour": "red"}), 403, "AccessDenied")
    assert "lacks the permission “Manage billing”" in problem["detail"]
    event = last_event(alice)
    assert (event["name"], event["error_code"]) == ("PaintRack", "AccessDenied")
    admin = lab_api("admin")
    rack = made(admin.post(RACKS, json={"name": "rack-1"}))
    painted = admin.post(f"{RACKS}/{rack['id']}/paint", json={"colour": "red"}).json()
    assert painted["values"]["colour"] == "red"


def test_lists_are_filtered_and_sorted_by_what_values_mean(alice, lab_api):
    lab_api("admin").put("/api/accounts/alice/quotas", json={"rack": 0})
    for name, height, locked in (("aa", 9, False), ("bb", 10, True), ("cc", 2, False)):
        body = {"name": name, "height": height, "locked": locked}
        made(alice.post(RACKS, json=body | ({"pin": "1234"} if locked else {})))

    def names(**query):
        found = alice.get(RACKS, params=query).json()["items"]
        return [item["values"]["name"] for item in found]

    assert names(sort="height") == ["cc", "aa", "bb"]
    assert names(sort="height", order="desc") == ["bb", "aa", "cc"]
    assert names(locked="true") == ["bb"]
    assert names(height="2") == ["cc"]
    assert names(state="making", sort="name") == ["aa", "bb", "cc"]
    assert names(state="ready") == []


# -- time and sessions --------------------------------------------------------------------------


def test_the_clock_is_put_forward(alice, rack, lab_api):
    refused(alice.post("/api/clock", json={"advance_s": 5}), 403, "AccessDenied")
    admin = lab_api("admin")
    assert admin.post("/api/clock", json={"advance_s": -5}).status_code == 400
    before = alice.get("/api/audit").json()["now"]
    assert admin.post("/api/clock", json={"advance_s": 2.5}).json()["now"] > before
    assert alice.get(f"{RACKS}/{rack['id']}").json()["state"] == "ready"


def test_a_snapshot_is_restored_exactly(alice, rack, lab_api, clock):
    taken = alice.post("/api/accounts/alice/snapshots")
    assert taken.status_code == 201
    snapshot = taken.json()["snapshot"]
    clock.turn(30)
    first = made(alice.post(PARTS, json={"name": "part-1", "rack": rack["id"]}))
    for _ in range(2):
        address = "/api/accounts/alice/restore"
        assert alice.post(address, json={"snapshot": snapshot}).status_code == 204
        assert alice.get(PARTS).json()["total"] == 0
        assert alice.get(f"{RACKS}/{rack['id']}").json()["state"] == "making"  # as it was then
        clock.turn(2.1)
        assert alice.get(f"{RACKS}/{rack['id']}").json()["state"] == "ready"
        again = made(alice.post(PARTS, json={"name": "part-1", "rack": rack["id"]}))
        assert again["id"] == first["id"]
    bad = alice.post("/api/accounts/alice/restore", json={"snapshot": "snapshot-9"})
    refused(bad, 404, "ResourceNotFound")
    refused(lab_api("bob").post("/api/accounts/alice/snapshots"), 403, "AccessDenied")
    assert lab_api("admin").post("/api/accounts/alice/snapshots").status_code == 201
    refused(alice.post("/api/accounts/nobody/snapshots"), 404, "ResourceNotFound")


def bearer(lab, token, **more):
    headers = {"authorization": f"Bearer {token}", **more}
    return httpx.Client(base_url=lab.url, headers=headers, trust_env=False)


def test_a_session_ends_by_time_or_by_order(lab, alice, lab_api, clock):
    token = alice.post("/api/tokens").json()["token"]
    with bearer(lab, token) as client, bearer(lab, "never-given") as stranger:
        assert client.get(RACKS).status_code == 200
        clock.turn(timedelta(hours=12).total_seconds())
        refused(client.get(RACKS), 401, "SessionExpired")
        refused(stranger.get(RACKS), 401, "Unauthenticated")
    token = alice.post("/api/tokens").json()["token"]
    with bearer(lab, token) as client:
        refused(lab_api("bob").post("/api/accounts/alice/sign-out"), 403, "AccessDenied")
        assert lab_api("admin").post("/api/accounts/alice/sign-out").status_code == 204
        refused(client.get(RACKS), 401, "SessionExpired")


def test_a_frame_has_a_token_of_its_own(lab, alice, clock):
    answer = alice.post("/ui/frame-token").json()
    port = lab.url.rpartition(":")[2]
    assert answer["origins"] == {"same": lab.url, "other": f"http://localhost:{port}"}
    with bearer(lab, answer["token"]) as frame:
        made(frame.post(RACKS, json={"name": "rack-1"}))
        assert last_event(frame)["source"] == "console"
        clock.turn(301)
        refused(frame.get(RACKS), 401, "SessionExpired")
