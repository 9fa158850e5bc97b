"""What the program leaves in its data folder is its owner's alone, whatever the shell's umask."""

import json
import os
import re
import signal
import stat
from pathlib import Path

import pyrage
import pytest

from appliance.practice.releases import DOCUMENTATION
from appliance.store.store import Store

pytestmark = pytest.mark.timeout(400)  # a machine under load takes ten times as long
LOOSE = 0o022
"""What most shells have."""


def modes(folder: Path) -> dict[str, int]:
    found = [folder, *folder.rglob("*")]
    return {
        str(path): stat.S_IMODE(path.lstat().st_mode)
        for path in found
        if not path.is_symlink() and not path.is_socket()
    }


def open_to_others(folder: Path) -> list[str]:
    return [path for path, mode in modes(folder).items() if mode & 0o077]


def test_a_run_its_server_and_backups_leave_nothing_that_others_may_read(program, folder):
    options = ("--procedure", "*create-a-bucket", "--out", "out")
    with program("verify", str(DOCUMENTATION / "buckets.md"), *options, umask=LOOSE) as process:
        _, err = process.communicate()
    assert process.returncode == 0, err
    assert any((folder / "data" / "artifacts").rglob("*"))
    assert open_to_others(folder / "data") == []
    assert {mode & 0o777 for path, mode in modes(folder / "out").items()} == {0o755, 0o644}

    identity = pyrage.x25519.Identity.generate()
    (folder / "identity").write_text(str(identity))
    (folder / "config.yaml").write_text(
        f"server: {{port: 0, keys: required}}\nschedules: {{nightly: {{is_enabled: false}}}}\n"
        f"storage: {{backup_recipients: [{identity.to_public()}]}}\n"
    )
    with program("serve", "--json", umask=LOOSE) as server:
        json.loads(server.stdout.readline())
        with program("store", "backup", "--json", umask=LOOSE) as process:
            made = json.loads(process.communicate()[0])
        assert (folder / "data" / "first-key").is_file()
        assert open_to_others(folder / "data") == []
        server.send_signal(signal.SIGTERM)
        server.communicate()
    assert made["encrypted_sha256"]
    assert open_to_others(folder / "data") == []

    restoring = ("store", "restore", made["id"])
    with program(*restoring) as process:
        assert "--identity FILE" in process.communicate()[1]
    with program(*restoring, "--identity", "identity", umask=LOOSE) as process:
        process.communicate()
    assert process.returncode == 0
    with program("store", "export", "tables", umask=LOOSE) as process:
        process.communicate()
    assert modes(folder / "tables" / "runs.parquet").popitem()[1] == 0o644
    assert open_to_others(folder / "data") == []
    with program("activity", "export", umask=LOOSE) as process:
        out, err = process.communicate()
    assert process.returncode == 0, err
    entries = [json.loads(line) for line in out.splitlines()]
    deeds = [one["deed"] for one in entries]
    stores = ["restore-store", "export-store", "export-activity"]
    assert deeds == ["start-run", "create-key", *stores], "with those of the backup"


def test_what_an_earlier_release_left_open_is_closed_and_said_once(appliance, folder, results):
    with Store.open(Path("data")) as store:
        store.save_run(results.run(results.procedure()))
    Path("data/backups").mkdir()
    for path in (Path("data"), *Path("data").rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    Path("data/notes.txt").touch(mode=0o644)  # somebody's own
    said = {one["name"]: one for one in json.loads(appliance("doctor", "--json").out)["checks"]}
    assert said["data folder"]["status"] == "warn"
    assert re.search(r"others may read \S*data and", said["data folder"]["says"])
    for path in (Path("data"), *Path("data").rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    first, second = (appliance("run", "list").err for _ in range(2))
    assert "data_folder_tightened" in first
    assert "data_folder_tightened" not in second
    assert open_to_others(Path("data")) == ["data/notes.txt"]
    assert os.access("data/store.duckdb", os.W_OK)


def test_a_data_folder_behind_a_link_is_closed_too(appliance, folder):
    there = folder / "elsewhere"
    Store.open(there).close()
    for path in (there, *there.iterdir()):
        path.chmod(0o755 if path.is_dir() else 0o644)
    Path("data").symlink_to(there)
    said = {one["name"]: one for one in json.loads(appliance("doctor", "--json").out)["checks"]}
    assert said["data folder"]["status"] == "warn"
    appliance("run", "list")
    assert open_to_others(there) == []
