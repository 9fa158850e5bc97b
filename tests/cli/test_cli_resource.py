"""`appliance resource`, whole commands against a real practice cloud."""

import json
from pathlib import Path

import httpx
import pytest

from appliance.core.resources import new_marker
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings


@pytest.fixture
def api(folder, appliance):
    with serving(PracticeSettings(release="2025.1", settle_s=0.1)) as cloud:
        Path("password").write_text(cloud.password)
        Path("config.yaml").write_text(
            f"consoles:\n  cloud:\n    kind: practice\n    url: {cloud.url}\n"
            "    accounts: {alice: {username: alice, password_file: password, role: member}}\n"
        )
        auth = ("alice", cloud.password)
        with httpx.Client(base_url=cloud.url, auth=auth, trust_env=False) as client:
            yield client


def held(api: httpx.Client) -> list[str]:
    return sorted(f"{i['kind']} {i['name']}" for i in api.get("/api/inventory").json()["items"])


def test_what_is_applied_is_listed_and_destroyed(api, appliance):
    done = appliance("resource", "apply", "disk", "name=mine", "size=50", "--json")
    assert done.code == 0, done.err
    made = json.loads(done.out)
    assert made["bindings"]["disk"] == "mine"
    assert held(api) == ["disk mine"]
    (row,) = json.loads(appliance("resource", "list", "--json").out)
    assert (row["id"], row["phase"], row["account"]) == (made["id"], "executing", "alice")
    shown = appliance("resource", "list").out
    assert "practice_disk mine" in shown
    assert "by hand" in shown
    gone = appliance("resource", "destroy", made["id"])
    assert (gone.code, gone.out) == (0, "destroyed practice_disk mine\n")
    assert held(api) == []
    assert json.loads(appliance("resource", "list", "--json").out) == []


def test_what_is_wrong_with_a_request_is_said(api, appliance):
    for arguments, said in (
        (("apply", "dsik"), "did you mean 'disk'"),
        (("apply", "disk", "sise=1"), "'sise'"),
        (("apply", "disk", "size"), "'size' is not NAME=VALUE"),
        (("destroy", "a1"), "there is no a1"),
        (("modules", "--console", "nowhere"), "no console is named nowhere"),
    ):
        done = appliance("resource", *arguments)
        assert done.code == 2, arguments
        assert said in done.err, done.err
    assert held(api) == []


def test_reap_says_what_it_would_do_and_does_it(api, appliance):
    name = f"left-{new_marker()}"
    api.post("/api/storage/buckets", json={"name": name}).raise_for_status()
    Path("config.yaml").write_text(
        Path("config.yaml").read_text() + "environment: {time_to_live_minutes: 0.0001}\n"
    )
    dry = appliance("resource", "reap", "--dry-run")
    assert (dry.code, dry.out) == (0, f"alice: bucket {name}, which nobody remembers\n")
    assert held(api) == [f"bucket {name}"]
    done = appliance("resource", "reap")
    assert done.code == 0
    assert f"deleted bucket {name}" in done.err
    assert held(api) == []


def test_a_cloud_that_ends_with_its_run_cannot_be_worked_on_by_hand(appliance):
    done = appliance("resource", "reap")
    assert done.code == 2
    assert "is gone after it" in done.err


def test_modules_are_listed_and_checked(appliance):
    done = appliance("resource", "modules", "--check", "--json")
    assert done.code == 0, done.out
    answer = json.loads(done.out)
    assert answer["problems"] == []
    assert {"disk", "instance", "bucket"} <= {module["name"] for module in answer["modules"]}
    table = appliance("resource", "modules").out
    assert "A disk" in table
