import httpx
import pytest

BUCKETS, NETWORKS = "/api/storage/buckets", "/api/networking/networks"
SUBNETS, INSTANCES = "/api/networking/subnets", "/api/compute/instances"


def made(response):
    assert response.status_code == 201, response.text
    return response.json()


def refused(response, status, code):
    assert (response.status_code, response.json()["code"]) == (status, code), response.text
    assert response.headers["content-type"].startswith("application/problem+json")
    return response.json()


def last_event(client):
    return client.get("/api/audit").json()["events"][-1]


@pytest.fixture
def instance(api):
    alice = api()
    network = made(alice.post(NETWORKS, json={"name": "prod", "cidr": "10.1.0.0/16"}))
    body = {"name": "prod-a", "cidr": "10.1.1.0/24", "network": network["id"]}
    subnet = made(alice.post(SUBNETS, json=body))
    group = made(alice.post("/api/networking/security-groups", json={"name": "web"}))
    key = made(alice.post("/api/compute/key-pairs", json={"name": "admin"}))
    body = {
        "name": "web",
        "image": "debian-12",
        "network": network["id"],
        "subnet": subnet["id"],
        "groups": [group["id"]],
        "key": key["id"],
    }
    return made(alice.post(INSTANCES, json=body))


def test_a_bucket_settles_by_the_clock(api, clock):
    alice = api()
    bucket = made(alice.post(BUCKETS, json={"name": "logs"}))
    assert (bucket["state"], bucket["is_settled"]) == ("creating", False)
    clock.turn(1.9)
    assert alice.get(f"{BUCKETS}/{bucket['id']}").json()["state"] == "creating"
    clock.turn(0.2)
    now = alice.get(f"{BUCKETS}/{bucket['id']}").json()
    assert (now["state"], now["is_settled"]) == ("available", True)


def test_defaults_are_filled_in(api):
    bucket = made(api().post(BUCKETS, json={"name": "logs"}))
    assert bucket["values"] | {"class": "standard", "access": "private"} == bucket["values"]
    assert bucket["values"] | {"versioning": False, "tags": {}} == bucket["values"]


def test_accounts_do_not_see_each_other(api):
    bucket = made(api("alice").post(BUCKETS, json={"name": "logs"}))
    bob = api("bob")
    assert bob.get(BUCKETS).json()["total"] == 0
    refused(bob.get(f"{BUCKETS}/{bucket['id']}"), 404, "ResourceNotFound")
    refused(bob.delete(f"{BUCKETS}/{bucket['id']}"), 404, "ResourceNotFound")
    made(bob.post(BUCKETS, json={"name": "logs"}))
    assert {event["account"] for event in bob.get("/api/audit").json()["events"]} == {"bob"}
    everybody = api("admin").get("/api/audit").json()["events"]
    assert {event["account"] for event in everybody} == {"alice", "bob"}


def test_an_event_says_who_did_what_to_what(api):
    alice = api()
    response = alice.post(BUCKETS, json={"name": "logs", "class": "archive"})
    event = last_event(alice)
    assert event == {
        "time": "2026-05-01T09:00:00+00:00",
        "service": "storage",
        "name": "CreateBucket",
        "account": "alice",
        "actor": "alice",
        "outcome": "success",
        "target_type": "bucket",
        "target_id": response.json()["id"],
        "target_name": "logs",
        "region": "north",
        "event_id": event["event_id"],
        "request_id": response.headers["x-request-id"],
        "parameters": response.json()["values"],
        "response": {"id": response.json()["id"], "state": "creating"},
        "error_code": "",
        "error_message": "",
        "source": "api",
        "source_address": "127.0.0.1",
        "user_agent": f"python-httpx/{httpx.__version__}",
    }


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": "ab"}, "name"),
        ({"name": "UPPER"}, "name"),
        ({"name": "logs", "class": "gold"}, "class"),
        ({"name": "logs", "versioning": "yes"}, "versioning"),
        ({"name": "logs", "tags": {"": "x"}}, "tags"),
        ({"name": "logs", "colour": "red"}, "colour"),
        ({"name": ["logs"]}, "name"),
        ({"name": {"a": "1"}}, "name"),
    ],
)
def test_a_bad_value_is_refused_and_audited(api, body, field):
    alice = api()
    problem = refused(alice.post(BUCKETS, json=body), 400, "ValidationFailed")
    assert list(problem["errors"]) == [field]
    assert alice.get(BUCKETS).json()["total"] == 0
    event = last_event(alice)
    assert (event["outcome"], event["error_code"]) == ("failure", "ValidationFailed")
    assert event["parameters"] == body


@pytest.mark.parametrize("body", ["{", "[]", '"logs"', "\xff"])
def test_a_body_that_is_no_item_is_a_problem(api, body):
    headers = {"content-type": "application/json"}
    response = api().post(BUCKETS, content=body.encode("latin-1"), headers=headers)
    refused(response, 400, "BadRequest")


@pytest.mark.parametrize("address", ["/api/storage/disks", "/api/space/buckets", "/nowhere"])
def test_an_unknown_address_is_a_problem(api, address):
    assert api().get(address).status_code == 404
    assert "code" in api().get(address).json()


def test_log_ins_are_audited(api, practice):
    form = {"username": "bob", "password": "wrong"}
    assert httpx.post(f"{practice.url}/login", data=form, trust_env=False).status_code == 401
    form["password"] = practice.password
    assert httpx.post(f"{practice.url}/login", data=form, trust_env=False).status_code == 303
    events = api("bob").get("/api/audit").json()["events"]
    assert [(e["name"], e["outcome"], e["error_code"]) for e in events] == [
        ("ConsoleLogin", "failure", "Unauthenticated"),
        ("ConsoleLogin", "success", ""),
    ]


def test_refusals_speak_the_language_of_the_caller(api):
    english = api().post(BUCKETS, json={})
    chinese = api().post(BUCKETS, json={}, headers={"accept-language": "zh-CN,zh;q=0.9"})
    assert english.json()["errors"]["name"] == "Bucket name is required."
    assert chinese.json()["errors"]["name"] == "请填写存储桶名称。"


def test_a_name_is_taken_once(api):
    alice = api()
    made(alice.post(BUCKETS, json={"name": "logs"}))
    refused(alice.post(BUCKETS, json={"name": "logs"}), 409, "NameAlreadyTaken")


@pytest.mark.parametrize("cidr", ["10.2.0.0/24", "10.1.1.128/25", "nonsense", "10.1.1.5/24"])
def test_a_subnet_lies_in_its_network_beside_the_others(api, instance, cidr):
    network = instance["values"]["network"]
    body = {"name": "other", "cidr": cidr, "network": network}
    problem = refused(api().post(SUBNETS, json=body), 400, "ValidationFailed")
    assert list(problem["errors"]) == ["cidr"]


def test_a_subnet_of_another_network_is_refused(api, instance):
    alice = api()
    other = made(alice.post(NETWORKS, json={"name": "other"}))
    body = {
        "name": "web-2",
        "image": "debian-12",
        "network": other["id"],
        "subnet": instance["values"]["subnet"],
        "groups": instance["values"]["groups"],
        "key": instance["values"]["key"],
    }
    problem = refused(alice.post(INSTANCES, json=body), 400, "ValidationFailed")
    assert list(problem["errors"]) == ["subnet"]


def test_what_is_used_cannot_be_deleted(api, instance, clock):
    alice = api()
    network, subnet = instance["values"]["network"], instance["values"]["subnet"]
    problem = refused(alice.delete(f"{NETWORKS}/{network}"), 409, "DependencyViolation")
    assert "subnet prod-a" in problem["detail"]
    event = last_event(alice)
    assert (event["name"], event["error_code"]) == ("DeleteNetwork", "DependencyViolation")
    refused(alice.delete(f"{SUBNETS}/{subnet}"), 409, "DependencyViolation")
    clock.turn(5)
    assert alice.delete(f"{INSTANCES}/{instance['id']}").status_code == 204
    refused(alice.delete(f"{SUBNETS}/{subnet}"), 409, "DependencyViolation")
    clock.turn(5)
    assert alice.delete(f"{SUBNETS}/{subnet}").status_code == 204
    assert alice.delete(f"{NETWORKS}/{network}").status_code == 204


def test_an_instance_goes_through_its_states(api, instance, clock):
    alice = api()
    address = f"{INSTANCES}/{instance['id']}"
    refused(alice.post(f"{address}/stop", json={}), 409, "IncorrectState")
    clock.turn(2.1)
    assert alice.post(f"{address}/stop", json={}).json()["state"] == "stopping"
    clock.turn(2.1)
    assert alice.get(address).json()["state"] == "stopped"
    refused(alice.post(f"{address}/restart", json={}), 409, "IncorrectState")
    assert alice.patch(address, json={"size": "large"}).json()["values"]["size"] == "large"
    assert last_event(alice)["name"] == "ResizeInstance"
    assert alice.post(f"{address}/start", json={}).json()["state"] == "starting"
    clock.turn(2.1)
    assert alice.delete(address).status_code == 204
    refused(alice.delete(address), 409, "IncorrectState")
    clock.turn(2.1)
    refused(alice.get(address), 404, "ResourceNotFound")


def test_references_are_named(api, instance):
    assert instance["references"]["network"]["name"] == "prod"
    assert last_event(api())["parameters"]["subnet_name"] == "prod-a"


def test_an_action_changes_only_its_own_fields(api):
    alice = api()
    bucket = made(alice.post(BUCKETS, json={"name": "logs"}))
    body = {"versioning": True, "access": "public-read"}
    address = f"{BUCKETS}/{bucket['id']}"
    refused(alice.post(f"{address}/set-versioning", json=body), 400, "ValidationFailed")
    assert alice.post(f"{address}/set-versioning", json={"versioning": True}).status_code == 200
    assert last_event(alice)["parameters"] == {"versioning": True}
    refused(alice.post(f"{address}/set-fire", json={}), 404, "UnknownOperation")


def test_a_viewer_may_only_look(api):
    viewer = api("viewer")
    assert viewer.get(BUCKETS).status_code == 200
    refused(viewer.post(BUCKETS, json={"name": "logs"}), 403, "AccessDenied")
    assert last_event(viewer)["error_code"] == "AccessDenied"


def test_lists_are_searched_sorted_and_paged(api):
    alice = api()
    for number in range(12):
        made(alice.post(BUCKETS, json={"name": f"b-{number:02d}"}))
    first = alice.get(BUCKETS, params={"sort": "name"}).json()
    assert [item["values"]["name"] for item in first["items"]] == [f"b-{n:02d}" for n in range(10)]
    assert first["total"] == 12
    second = alice.get(BUCKETS, params={"sort": "name", "page": 2}).json()
    assert len(second["items"]) == 2
    found = alice.get(BUCKETS, params={"search": "B-1", "sort": "name", "order": "desc"}).json()
    assert [item["values"]["name"] for item in found["items"]] == ["b-11", "b-10"]


def test_nobody_gets_in_without_a_password(api, practice):
    refused(api("alice", "wrong").get(BUCKETS), 401, "Unauthenticated")
    refused(httpx.get(practice.url + BUCKETS, trust_env=False), 401, "Unauthenticated")


def test_a_token_stands_for_the_account(api, practice):
    token = api("bob").post("/api/tokens").json()["token"]
    headers = {"authorization": f"Bearer {token}"}
    assert httpx.get(practice.url + BUCKETS, headers=headers, trust_env=False).status_code == 200


def test_the_console_session_needs_its_header_to_change_anything(practice):
    with httpx.Client(base_url=practice.url, trust_env=False) as browser:
        form = {"username": "alice", "password": practice.password}
        answer = browser.post("/login", data=form)
        assert answer.status_code == 303
        cookie = answer.headers.get_list("set-cookie")[0]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert browser.get(BUCKETS).status_code == 200
        refused(browser.post(BUCKETS, json={"name": "logs"}), 401, "Unauthenticated")
        headers = {"x-practice-console": "1"}
        made(browser.post(BUCKETS, json={"name": "logs"}, headers=headers))
        assert browser.get("/api/audit").json()["events"][-1]["source"] == "console"
        assert browser.post("/logout").status_code == 204
        refused(browser.get(BUCKETS), 401, "Unauthenticated")


def test_an_account_is_reset_alone(api):
    alice, bob = api("alice"), api("bob")
    for client in (alice, bob):
        made(client.post(BUCKETS, json={"name": "logs"}))
    refused(bob.post("/api/accounts/alice/reset"), 403, "AccessDenied")
    assert alice.post("/api/accounts/alice/reset").status_code == 204
    assert alice.get(BUCKETS).json()["total"] == 0
    assert alice.get("/api/audit").json()["events"] == []
    assert bob.get(BUCKETS).json()["total"] == 1
    assert api("admin").post("/api/accounts/bob/reset").status_code == 204
    assert bob.get(BUCKETS).json()["total"] == 0


def test_the_audit_log_is_read_from_a_time_on(api, clock):
    alice = api()
    made(alice.post(BUCKETS, json={"name": "old"}))
    clock.turn(60)
    made(alice.post(BUCKETS, json={"name": "new"}))
    since = clock.now().isoformat()
    events = alice.get("/api/audit", params={"since": since}).json()["events"]
    assert [event["target_name"] for event in events] == ["new"]
    refused(alice.get("/api/audit", params={"since": "yesterday"}), 400, "ValidationFailed")
