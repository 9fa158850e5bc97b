"""Accounts that are no good, and what cannot be made: blocked, named, kept in mind."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.store import Store

GUIDE = """\
# Storage

## Create a bucket

1. Open **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Bucket name** field, enter `logs-${unique}`.
4. Click **Create bucket**.
"""


class Lab:
    def __init__(self, folder: Path, url: str, password: str) -> None:
        self.folder, self.url = folder, url
        (folder / "right").write_text(password)
        (folder / "wrong").write_text("it was changed yesterday")
        (folder / "guide.md").write_text(GUIDE)

    def verify(self, accounts: dict[str, str], checks: object = None, **environment: object):
        """Run the whole command; the result and what was said."""
        entries = {
            name: {"username": name, "password_file": file, "role": "member"}
            for name, file in accounts.items()
        }
        console = {"kind": "practice", "url": self.url, "accounts": entries}
        settings = {"consoles": {"cloud": console}, "environment": environment}
        (self.folder / "config.yaml").write_text(yaml.safe_dump(settings))
        said = {"procedures": {"create-a-bucket": checks}} if checks else {"procedures": {}}
        (self.folder / "guide.checks.yaml").write_text(yaml.safe_dump(said))
        done = subprocess.run(
            [sys.executable, "-m", "appliance.cli", "verify", "guide.md", "--json"],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=100,
        )
        assert "Traceback" not in done.stderr
        (procedure,) = json.loads(done.stdout)["procedures"]
        return procedure, done.stderr

    def quarantined(self) -> dict[str, str]:
        with Store.open(self.folder / "data") as store:
            assert store.accounts.leases() == ()
            states = store.accounts.states("cloud")
        return {s.account: s.quarantined_by for s in states if s.quarantined_at}


@pytest.fixture
def lab(tmp_path):
    with serving(PracticeSettings(release="2025.1", settle_s=0.1)) as cloud:
        yield Lab(tmp_path, cloud.url, cloud.password)


def test_an_account_with_a_wrong_password_is_left_and_the_next_one_does_the_work(lab):
    procedure, said = lab.verify({"alice": "wrong", "bob": "right"})
    assert procedure["verdict"] != "blocked", procedure["blocked_by"]
    assert lab.quarantined() == {"alice": "health"}
    assert "instead_of=alice" in said


def test_without_another_account_the_procedure_is_blocked_and_says_why(lab):
    procedure, _ = lab.verify({"alice": "wrong"})
    assert procedure["verdict"] == "blocked"
    assert procedure["blocked_by"].startswith("environment: no account of cloud may be used")
    assert "alice" in procedure["blocked_by"]
    assert lab.quarantined() == {"alice": "health"}
    (lab.folder / "wrong").write_text((lab.folder / "right").read_text())
    procedure, _ = lab.verify({"alice": "wrong"})  # somebody has put it right
    assert procedure["verdict"] != "blocked", procedure["blocked_by"]
    assert lab.quarantined() == {}


@pytest.mark.parametrize(
    ("need", "message"),
    [
        ({"bucket": {"sise": "1"}}, "has no 'sise'"),
        ({"bucket": {"name": "Not A Name"}}, "name"),
        ({"quantum_computer": {}}, "quantum_computer"),
    ],
)
def test_a_prerequisite_that_cannot_be_made_blocks_and_harms_no_account(lab, need, message):
    procedure, _ = lab.verify({"alice": "right"}, {"needs": [need]})
    assert procedure["verdict"] == "blocked"
    assert procedure["blocked_by"].startswith("environment: ")
    assert message in procedure["blocked_by"]
    assert lab.quarantined() == {}


def test_a_module_that_terraform_cannot_read_blocks(lab):
    module = lab.folder / "modules" / "practice" / "bucket"
    ours = Path(__file__).parents[2] / "terraform" / "practice" / "bucket"
    module.mkdir(parents=True)
    for file in ours.iterdir():
        (module / file.name).write_bytes(file.read_bytes())
    (module / "main.tf").write_text('resource "practice_bucket" "this" {\n  name = \n')
    procedure, _ = lab.verify(
        {"alice": "right"}, {"needs": ["bucket"]}, terraform={"modules": ["modules"]}
    )
    assert procedure["verdict"] == "blocked"
    assert procedure["blocked_by"].startswith("environment: ")
    assert "main.tf" in procedure["blocked_by"]
    assert lab.quarantined() == {}
