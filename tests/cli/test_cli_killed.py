"""SIGKILL at moments between provision and destroy: nothing is left, nothing forgotten."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
import yaml

from appliance.core.resources import Phase
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.store import Store

GUIDE = """\
# Disks

## Attach a disk

1. Open **Products** > **Disks**.
2. In the row of the disk, click **Attach**.
3. In the **Attach disk** dialog, select the instance from the **Attached to** list.
4. Click **Attach**.
5. Open **Products** > **Buckets**.
6. Click **Create bucket**.
7. In the **Bucket name** field, enter a name.
8. Click **Create bucket**.
"""
CHECKS = {
    "procedures": {
        "attach-a-disk": {
            "needs": [
                {"instance": {"name": "app-${unique}"}},
                {"disk": {"name": "vol-${unique}"}},
            ],
            "bindings": {
                "disk": "vol-${unique}",
                "instance": "app-${unique}",
                "Attached to": "app-${unique}",
                "Bucket name": "bin-${unique}",
            },
        }
    }
}
MOMENTS = int(os.environ.get("VERIFY_KILLS", "2"))
"""20 take some six minutes on two cores."""
PARTS = max(1, MOMENTS // 4)
"""Tests that share the moments, so that the workers share the time."""


class Lab:
    """A practice cloud that outlives the appliance, and an appliance to be killed."""

    def __init__(self, folder: Path, url: str, password: str) -> None:
        self.folder = folder
        self.api = httpx.Client(base_url=url, auth=("alice", password), trust_env=False)
        (folder / "password").write_text(password)
        (folder / "guide.md").write_text(GUIDE)
        (folder / "guide.checks.yaml").write_text(yaml.safe_dump(CHECKS))
        account = {"username": "alice", "password_file": "password", "role": "member"}
        console = {"kind": "practice", "url": url, "accounts": {"alice": account}}
        settings = {"consoles": {"cloud": console}}
        (folder / "config.yaml").write_text(yaml.safe_dump(settings))

    def held(self) -> list[tuple[str, str, str]]:
        """All that the account holds: kind, id, name."""
        answer = self.api.get("/api/inventory")
        answer.raise_for_status()
        return sorted((i["kind"], i["id"], i["name"]) for i in answer.json()["items"])

    @contextmanager
    def verifying(self):
        # By one policy: what was verified is replayed otherwise, and over sooner than was measured.
        command = ["verify", "guide.md", "--policy", "literal", "--json"]
        arguments = [sys.executable, "-m", "appliance.cli", *command]
        process = subprocess.Popen(
            arguments,
            cwd=self.folder,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)  # the process alone: its children are its own
            process.communicate()

    def reap(self) -> subprocess.CompletedProcess[str]:
        arguments = [sys.executable, "-m", "appliance.cli", "resource", "reap", "--json"]
        return subprocess.run(
            arguments, cwd=self.folder, capture_output=True, text=True, check=False, timeout=100
        )


@pytest.fixture
def lab(tmp_path):
    with serving(PracticeSettings(release="2025.1", settle_s=0.2)) as cloud:
        lab = Lab(tmp_path, cloud.url, cloud.password)
        lab.api.post("/api/storage/buckets", json={"name": "mine"}).raise_for_status()
        yield lab
        lab.api.close()


def spell(lab: Lab) -> float:
    """Seconds from the first thing made to the end of a run that nobody kills."""
    before = lab.held()
    with lab.verifying() as process:
        until_made(lab, before, process)
        started = time.monotonic()
        out, err = process.communicate(timeout=100)
        took = time.monotonic() - started
    assert json.loads(out)["summary"]["blocked"] == 0, (out, err)
    assert lab.held() == before
    return took


def until_made(lab: Lab, before: object, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while lab.held() == before:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("part", range(PARTS))
def test_killed_at_any_moment_it_leaves_nothing(lab, part):
    before = lab.held()
    took = spell(lab)
    killed = 0
    for moment in range(part, MOMENTS, PARTS):
        with lab.verifying() as process:
            until_made(lab, before, process)
            time.sleep(took * moment / MOMENTS)
            killed += process.poll() is None
        done = lab.reap()
        assert done.returncode == 0, (moment, done.stdout, done.stderr)
        assert lab.held() == before, (moment, done.stdout, done.stderr)
        with Store.open(lab.folder / "data") as store:
            assert store.attempts.unfinished() == ()
            assert store.accounts.leases() == ()
            latest = store.attempts.latest(1)[0]
            assert latest.phase in (Phase.LOST, Phase.DONE)
            assert all(s.quarantined_at is None for s in store.accounts.states("cloud"))
    assert killed >= MOMENTS // PARTS - 1  # the last moment may come when all is over
