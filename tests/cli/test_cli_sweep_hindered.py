"""Whole sweeps and verifications through outages and full disks: nothing is blamed for them."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
import yaml

from appliance.store.store import Store
from tests.practice_cloud import practice_cloud

NAMES = ("first", "second", "third")
CREATE = """\
## Create the {name} bucket

1. Open **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Bucket name** field, enter `{name}-bucket`.
4. Click **Create**.
"""


class Lab:
    """A practice cloud in a process of its own, with its data in a folder, and a guide to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.password = secrets.token_urlsafe(18)
        (folder / "password").write_text(self.password)
        self.api = httpx.Client(base_url=self.url, auth=("alice", self.password), trust_env=False)
        guide = "# Buckets\n\n" + "\n".join(CREATE.format(name=name) for name in NAMES)
        (folder / "guide.md").write_text(guide)
        account = {"username": "alice", "password_file": "password", "role": "member"}
        console = {"kind": "practice", "url": self.url, "accounts": {"alice": account}}
        self.configure(consoles={"cloud": console})
        self.cloud: subprocess.Popen[str] | None = None

    def configure(self, **more: object) -> None:
        file = self.folder / "config.yaml"
        known = yaml.safe_load(file.read_text()) if file.exists() else {}
        file.write_text(yaml.safe_dump(known | more))

    def start(self) -> None:
        self.cloud = practice_cloud(
            stderr=subprocess.DEVNULL,
            release="2025.1",
            port=self.port,
            settle_s=0.1,
            data_dir=str(self.folder / "cloud"),
            password=self.password,
        )
        assert self.cloud.stdout.readline(), "the practice cloud did not start"

    def kill(self) -> None:
        self.cloud.kill()
        self.cloud.wait()
        self.cloud.stdin.close()
        self.cloud.stdout.close()

    def held(self) -> list[tuple[str, str, str]]:
        answer = self.api.get("/api/inventory")
        answer.raise_for_status()
        return sorted((i["kind"], i["id"], i["name"]) for i in answer.json()["items"])

    @contextmanager
    def running(self, *arguments: str):
        process = subprocess.Popen(
            [sys.executable, "-m", "appliance.cli", *arguments, "--json"],
            cwd=self.folder,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
            process.communicate()

    def told(self) -> dict[str, object]:
        with suppress(FileNotFoundError, ValueError):
            return json.loads((self.data / "sweep" / "running.json").read_text())
        return {}

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def until(self, process: subprocess.Popen[str], **wanted: object) -> dict[str, object]:
        """What the sweep says of itself, as soon as it says that."""
        deadline = time.monotonic() + 90
        while True:
            told = self.told()
            if all(told.get(name) == value for name, value in wanted.items()):
                return told
            assert process.poll() is None, f"it ended: {process.communicate()[1]}"
            assert time.monotonic() < deadline, told
            time.sleep(0.02)

    def until_made(self, before: object) -> None:
        """The attempt under way has made something that has to be removed."""
        deadline = time.monotonic() + 60
        while self.held() == before:
            assert time.monotonic() < deadline
            time.sleep(0.01)


@pytest.fixture
def lab(folder):
    lab = Lab(folder)
    lab.start()
    lab.api.post("/api/storage/buckets", json={"name": "mine"}).raise_for_status()
    yield lab
    lab.api.close()
    lab.kill()


def see_it_whole(lab: Lab, before: object, out: str) -> None:
    """Every procedure has its verdict, and nothing and nobody bears a trace of what happened."""
    result = json.loads(out)
    assert result["sweep"]["state"] == "done"
    assert result["sweep"]["paused_for"] is None
    assert result["summary"]["verified"] == len(NAMES), result["summary"]
    assert lab.held() == before
    with Store.open(lab.data) as store:
        assert store.attempts.unfinished() == ()
        assert store.accounts.leases() == ()
        assert all(s.quarantined_at is None for s in store.accounts.states("cloud"))
        assert {item.deaths for item in store.sweeps.items(result["id"])} == {0}


@pytest.mark.timeout(240)
@pytest.mark.parametrize("how", ["killed", pytest.param("stalled", marks=pytest.mark.long)])
def test_a_console_that_goes_down_pauses_the_sweep_until_it_is_up(lab, appliance, how):
    before = lab.held()
    with lab.running("sweep", "start", "guide.md") as process:
        lab.until(process, done=1)
        lab.until_made(before)
        if how == "killed":
            lab.kill()
        else:
            lab.cloud.send_signal(signal.SIGSTOP)
        told = lab.until(process, state="paused")
        assert told["paused_for"] == "console_down"
        assert "the console does not answer" in told["why"]
        seen = appliance("sweep", "status").out
        assert "paused (the console does not answer" in seen
        assert "it goes on by itself" in seen
        if how == "killed":
            lab.start()
        else:
            lab.cloud.send_signal(signal.SIGCONT)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert " goes on\n" in err
    see_it_whole(lab, before, out)


@pytest.mark.timeout(240)
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_disk_that_fills_pauses_the_sweep_until_there_is_room(lab):
    before = lab.held()
    lab.configure(storage={"min_free_mib": 16})
    lab.data.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", str(lab.data)], check=False
    )
    if mounted.returncode:
        pytest.skip("a container without the right to mount")
    try:
        with lab.running("sweep", "start", "guide.md") as process:
            lab.until(process, done=1)
            lab.until_made(before)
            with (lab.data / "fill").open("wb", 0) as fill, suppress(OSError):
                while True:
                    fill.write(b"x" * 4096)
            told = lab.until(process, state="paused")
            assert told["paused_for"] == "disk_full"
            assert "storage.min_free_mib asks for 16" in told["why"]
            assert lab.held() == before  # nothing is left in the cloud meanwhile
            (lab.data / "fill").unlink()
            out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        see_it_whole(lab, before, out)
    finally:
        subprocess.run(["umount", "--lazy", str(lab.data)], check=True)


@pytest.mark.timeout(120)
def test_verify_says_once_that_the_console_went_down_and_tries_nothing_more(lab):
    before = lab.held()
    with lab.running("verify", "guide.md") as process:
        lab.until_made(before)
        lab.kill()
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    result = json.loads(out)
    assert result["summary"]["blocked"] + result["summary"]["verified"] == len(NAMES)
    reasons = {p["blocked_by"] for p in result["procedures"] if p["verdict"] == "blocked"}
    assert len(reasons) == 1
    assert reasons.pop().startswith("console: the console does not answer: ")
    lab.start()
    with lab.running("resource", "reap") as process:
        assert process.wait(60) == 0
    assert lab.held() == before


def test_verify_on_a_full_disk_stops_with_a_sentence(lab, appliance, monkeypatch):
    monkeypatch.setenv("APPLIANCE_STORAGE__MIN_FREE_MIB", "1000000000")
    said = appliance("verify", "guide.md")
    assert said.code == 2
    assert said.err.count("Error: the disk is full: ") == 1
    assert "storage.min_free_mib asks for 1000000000: make room" in said.err
