import json
import socket
from pathlib import Path

from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.store import Store
from tests.tag_console import tag_console

NAMES = ("python", "settings", "data folder", "disk", "store", "shared memory", "browser")


def checks(result) -> dict[str, dict[str, str]]:
    return {check["name"]: check for check in json.loads(result.out)["checks"]}


def test_a_machine_that_runs_these_tests_is_well(appliance, folder):
    result = appliance("doctor", "--json")
    found = checks(result)
    assert result.code == 0, found
    assert set(NAMES) <= set(found)
    assert found["browser"]["says"][0].isdigit()
    is_sandboxed = "in its own sandbox" in found["browser"]["says"]
    assert found["browser"]["status"] == ("ok" if is_sandboxed else "warn")
    assert "as user " in found["browser"]["says"]  # root's browser is not root's
    assert found["console practice"]["status"] == "ok"
    assert not (folder / "data").exists()


def test_what_keeps_verify_from_working_is_said_with_a_remedy(appliance, folder, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    Path("data").write_text("in the way")
    Path("pw").write_text("\n")
    Path("config.yaml").write_text(
        "browser: {executable: /no/such}\n"
        f"consoles:\n  lab:\n    kind: practice\n    url: http://127.0.0.1:{port}\n"
        "    accounts:\n      a: {username: a, password_env: NO_SUCH}\n"
        "      b: {username: b, password_file: pw}\n"
    )
    result = appliance("doctor")
    assert result.code == 2
    for name in ("data folder", "browser", "password of lab/a", "password of lab/b", "console lab"):
        assert f"fail {name}: " in result.out
    assert "set data_dir (APPLIANCE_DATA_DIR)" in result.out
    assert "Correct consoles.lab, or start it." in result.out


def test_a_password_that_others_can_read_is_a_warning(appliance, folder):
    Path("pw").write_text("secret\n")
    Path("pw").chmod(0o644)
    Path("config.yaml").write_text(
        "consoles: {p: {kind: practice, accounts: {a: {username: a, password_file: pw}}}}\n"
    )
    result = appliance("doctor", "--json")
    assert result.code == 0
    assert checks(result)["password of p/a"]["status"] == "warn"
    assert "secret" not in result.out


def test_a_store_in_use_is_said(appliance, program):
    with Store.open(Path("data")), program("doctor", "--json") as process:
        out, _ = process.communicate(timeout=60)
    found = {check["name"]: check for check in json.loads(out)["checks"]}
    assert process.returncode == 2
    assert "in use by another process" in found["store"]["says"]


def test_settings_that_are_wrong_end_it(appliance):
    Path("config.yaml").write_text("x: 1\n")
    result = appliance("doctor")
    assert (result.code, result.out) == (2, "")
    assert "config.yaml:1: unknown key `x`" in result.err


def test_a_generic_console_is_logged_in_to(appliance, folder):
    Path("pw").touch(mode=0o600)
    Path("wrong").touch(mode=0o600)
    Path("wrong").write_text("secret")
    with serving(PracticeSettings(release="2025.1")) as cloud, tag_console() as tags:
        Path("pw").write_text(cloud.password)
        consoles = {
            "lab": logged_in(cloud.url, "pw"),
            "locked": logged_in(cloud.url, "wrong"),
            "open": {"kind": "generic", "url": tags.url},
            "odd": {
                **logged_in(cloud.url, "pw"),
                "audit": {"kind": "jsonlines", "path": "gone.jsonl", "fields": {"acter": "a"}},
            },
        }
        Path("config.yaml").write_text(json.dumps({"console": "lab", "consoles": consoles}))
        found = checks(appliance("doctor", "--json"))
    assert found["console lab"]["status"] == "warn"
    assert "alice can log in" in found["console lab"]["says"]
    assert "it opens without a log-in" in found["console open"]["says"]
    assert found["console locked"]["status"] == "fail"
    assert "alice cannot log in: the console refuses" in found["console locked"]["says"]
    assert "secret" not in json.dumps(found)
    assert found["console odd"]["status"] == "fail"
    assert "did you mean 'actor'" in found["console odd"]["says"]


def logged_in(url: str, password_file: str) -> dict[str, object]:
    """A console with a log-in form."""
    alice = {"username": "alice", "password_file": password_file}
    return {"kind": "generic", "url": f"{url}/login", "accounts": {"alice": alice}}
