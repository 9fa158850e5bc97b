"""A night played through ahead, held against a real one."""

import json
from pathlib import Path

import pytest
import yaml

from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.store import Store

NAMES = ("one", "two", "three", "four", "five", "six")
CREATE = """\
## Create the {name} bucket

1. Open **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Bucket name** field, enter `{name}-bucket`.
4. Click **Create**.
"""


def write(folder: Path, url: str = "http://127.0.0.1:9", accounts: int = 1) -> None:
    guide = "# Buckets\n\n" + "\n".join(CREATE.format(name=name) for name in NAMES)
    (folder / "guide.md").write_text(guide)
    (folder / "password").touch()
    of = {"username": "alice", "password_file": "password", "role": "member"}
    console = {
        "kind": "practice",
        "url": url,
        "accounts": {f"alice-{n}": dict(of) for n in range(accounts)},
    }
    (folder / "config.yaml").write_text(yaml.safe_dump({"consoles": {"cloud": console}}))


def test_without_results_it_says_what_it_assumes(folder, appliance):
    write(folder, accounts=3)
    command = ("sweep", "simulate", "guide.md", "--procedures", "54000", "--nodes", "10")
    said = appliance(*command, "--accounts", "40", "--hours", "8", "--json")
    assert said.code == 0, said.err
    night = json.loads(said.out)
    assert (night["procedures"], night["nodes"], night["at_a_time"]) == (54_000, 10, 4)
    assert night["seconds"] == 54_000 * 30 / 40
    assert (night["is_in_time"], night["waits_for"]) == (False, "machines")
    assert night["needed"] == {"nodes": 15, "accounts": {"member": 57}, "gpus": 0}
    assert night["assumed"][0].startswith("nothing was carried out yet: each procedure")
    assert not (folder / "data").exists()
    three = json.loads(appliance(*command, "--json").out)
    assert three["seconds"] == 54_000 * 30 / 3  # the settings name so many accounts
    assert three["waits_for"] == "accounts member"
    assert three["deadline_s"] is None
    words = appliance(*command, "--hours", "8")
    assert words.out.startswith("54000 procedures, 10 machines, 4 at a time on each: 150 h 0 min.")
    assert "It waits for accounts member most.\nToo late for 8 h 0 min; " in words.out
    assert "15 machines, 57 accounts member would be enough." in words.out


def test_it_says_how_long_a_real_sweep_takes(folder, appliance):
    with serving(PracticeSettings(release="2025.1", settle_s=0.1)) as cloud:
        (folder / "password").write_text(cloud.password)
        write(folder, cloud.url)
        swept = appliance("sweep", "start", "guide.md", "--policy", "literal", "--json")
    assert json.loads(swept.out)["summary"]["procedures"] == len(NAMES)
    with Store.open(folder / "data") as store:
        run = store.load_run(json.loads(swept.out)["sweep"]["id"])
    took_s = (run.ended_at - run.started_at).total_seconds()
    night = json.loads(appliance("sweep", "simulate", "guide.md", "--json").out)
    assert night["measured"] == len(NAMES)
    assert night["waits_for"] == "accounts member"
    assert night["seconds"] == pytest.approx(took_s, rel=0.2)
