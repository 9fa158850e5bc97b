import json
import subprocess
import time

import httpx
import pytest

from appliance.core.errors import SetupError
from appliance.practice.accounts import password_in
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from tests.practice_cloud import practice_cloud


def test_it_says_where_it_is_and_ends_with_its_parent():
    with practice_cloud(password="only-for-this-run", stderr=subprocess.PIPE) as process:
        url = json.loads(process.stdout.readline())["url"]
        client = {"auth": ("alice", "only-for-this-run"), "trust_env": False}
        assert httpx.get(f"{url}/api/storage/buckets", **client).status_code == 200
        process.stdin.close()
        assert process.wait(10) == 0
        assert process.stderr.read() == ""


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"release": "2025.3"}, "there is no release '2025.3'; did you mean '2025.2'?"),
        ({"drift": "nowhere.yaml"}, "cannot read nowhere.yaml: No such file"),
    ],
)
def test_what_is_wrong_is_one_sentence(settings, message):
    with practice_cloud(**settings, stderr=subprocess.PIPE) as process:
        out, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert out == ""
    assert err.startswith("Error: ")
    assert message in err
    assert err.count("\n") == 1


def test_a_password_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SetupError, match=r"cannot read the password from the file .*nowhere"):
        password_in(tmp_path / "nowhere")


def test_a_taken_port_is_named():
    with serving(PracticeSettings()) as running:
        port = int(running.url.rpartition(":")[2])
        with pytest.raises(SetupError, match=f"cannot listen on 127.0.0.1:{port}"):  # noqa: SIM117
            with serving(PracticeSettings(port=port)):
                pass


def test_state_and_log_outlive_the_process(tmp_path):
    settings = PracticeSettings(data_dir=tmp_path / "cloud", settle_s=0.0)
    body = {"name": "logs", "tags": {"部门": "财务"}}
    for number in range(2):
        with serving(settings) as running:
            auth = {"auth": ("alice", running.password), "trust_env": False}
            buckets = f"{running.url}/api/storage/buckets"
            if number == 0:
                assert httpx.post(buckets, json=body, **auth).status_code == 201
            items = httpx.get(buckets, **auth).json()["items"]
            assert [item["values"]["tags"] for item in items] == [{"部门": "财务"}]
            assert items[0]["state"] == "available"
    lines = (tmp_path / "cloud" / "audit.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["CreateBucket"]


def test_a_foreign_state_file_is_refused(tmp_path):
    (tmp_path / "state.sqlite").write_text("[]" * 50, encoding="utf-8")
    with pytest.raises(SetupError, match="is not a state file"):  # noqa: SIM117
        with serving(PracticeSettings(data_dir=tmp_path)):
            pass


def test_it_is_quick(practice, api):
    client = api()
    client.get("/api/storage/buckets")
    began = time.monotonic()
    for _ in range(20):
        assert client.get("/api/storage/buckets").status_code == 200
    assert (time.monotonic() - began) / 20 < 0.1  # 2 ms on a quiet machine
