"""`appliance serve` as a program: started, asked, stopped, killed, against a cloud that stays."""

import json
import os
import random
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

from appliance.engine.queue import MAX_DEATHS
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.store import Store
from appliance.store.sweeps import ItemState

KILLS = int(os.environ.get("SERVE_KILLS", "3"))
"""Points at which the server is killed; 20 take some three minutes."""
SEED = int(os.environ.get("SERVE_KILLS_SEED", "6"))
NAMES = ("first", "second", "third", "fourth")
CREATE = """\
## Create the {name} bucket

1. Open **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Bucket name** field, enter `{name}-bucket`.
4. Click **Create**.
"""
START_S, STOP_S = 90, 20
pytestmark = pytest.mark.timeout(400)  # a machine under load takes ten times as long


class Server:
    """A server in a process group of its own."""

    def __init__(self, process: subprocess.Popen[str], url: str, log: Path) -> None:
        self.process = process
        self.log = log
        self.api = httpx.Client(base_url=f"{url}/api/v1", trust_env=False, timeout=30)

    def get(self, path: str) -> dict[str, object]:
        answer = self.api.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, **body: object) -> dict[str, object]:
        answer = self.api.post(path, json=body)
        assert answer.status_code in (200, 202), answer.text
        return answer.json()

    def until(self, path: str, is_it, within_s: float = 150) -> dict[str, object]:
        deadline = time.monotonic() + within_s
        while not is_it(told := self.get(path)):
            assert time.monotonic() < deadline, told
            time.sleep(0.05)
        return told

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """End it in order; its exit code and what it said."""
        self.process.send_signal(number)
        self.process.wait(STOP_S)
        return self.process.returncode, self.log.read_text()

    def kill(self) -> None:
        """End it and all its children, without a warning."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Lab:
    """A practice cloud, and a folder with documents about it and settings."""

    def __init__(self, folder: Path, url: str, password: str) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.api = httpx.Client(base_url=url, auth=("alice", password), trust_env=False)
        (folder / "password").write_text(password)
        guide = "# Buckets\n\n" + "\n".join(CREATE.format(name=name) for name in NAMES)
        (folder / "guide.md").write_text(guide)
        self.accounts = {
            name: {"username": name, "password_file": "password", "role": "member"}
            for name in ("alice", "bob")
        }
        self.configure(url)

    def configure(self, url: str, **more: object) -> None:
        console = {"kind": "practice", "url": url, "accounts": self.accounts}
        settings = {
            "consoles": {"cloud": console},
            "documentation": {"paths": ["guide.md"]},
            "schedules": {"nightly": {"job": "sweep", "every_minutes": 9000, "is_enabled": False}},
            **more,
        }
        (self.folder / "config.yaml").write_text(yaml.safe_dump(settings))

    def held(self) -> list[tuple[str, str, str]]:
        answer = self.api.get("/api/inventory")
        answer.raise_for_status()
        return sorted((i["kind"], i["id"], i["name"]) for i in answer.json()["items"])

    @contextmanager
    def server(self):
        log = self.folder / "log"
        with log.open("w") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", "appliance.cli", "serve", "--port", "0", "--json"],
                cwd=self.folder,
                start_new_session=True,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        try:
            line = process.stdout.readline()
            assert line, log.read_text()
            server = Server(process, json.loads(line)["url"], log)
            with server.api:
                yield server
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            process.stdout.close()


@pytest.fixture
def lab(folder):
    with serving(PracticeSettings(release="2025.1", settle_s=0.1)) as cloud:
        lab = Lab(folder, cloud.url, cloud.password)
        lab.api.post("/api/storage/buckets", json={"name": "mine"}).raise_for_status()
        yield lab
        lab.api.close()


def test_stopped_in_order_it_cleans_up_and_the_next_start_goes_on(lab):
    before = lab.held()
    with lab.server() as server:
        told = json.loads((lab.data / "server.json").read_text())
        assert (told["pid"], f"{told['url']}/api/v1/") == (
            server.process.pid,
            str(server.api.base_url),
        )
        sweep = server.post("/sweeps")["id"]
        server.until(f"/sweeps/{sweep}", lambda told: told["done"] >= 1 and told["running"])
        started = time.monotonic()
        code, err = server.stop()
        assert (code, "Traceback" in err, "never retrieved" in err) == (0, False, False), err
        assert time.monotonic() - started < STOP_S
    assert not (lab.data / "server.json").exists()
    assert lab.held() == before
    with Store.open(lab.data) as store:
        assert store.sweeps.get(sweep).state == "waiting"
        assert store.attempts.unfinished() == ()
        assert store.accounts.leases() == ()
    with lab.server() as server:
        done = server.until(f"/sweeps/{sweep}", lambda told: told["state"] == "done")
        assert (done["done"], done["verdicts"]) == (4, {"verified": 4})
        assert server.stop(signal.SIGINT)[0] == 0


def test_a_paused_sweep_stays_paused_and_verifications_go_on_beside_it(lab, monkeypatch):
    monkeypatch.setenv("APPLIANCE_VERIFICATION__PARALLEL", "1")
    text = "# Own\n\n" + CREATE.format(name="own")
    with lab.server() as server:
        sweep = server.post("/sweeps")["id"]
        server.until(f"/sweeps/{sweep}", lambda told: told["running"])
        server.post(f"/sweeps/{sweep}/pause")
        paused = server.until(f"/sweeps/{sweep}", lambda told: told["state"] == "paused")
        assert paused["done"] < 4
        own = server.post("/verifications", documents=[{"name": "own.md", "text": text}])["id"]
        done = server.until(f"/verifications/{own}", lambda told: told["state"] == "done")
        assert done["status"]["verdicts"] == {"verified": 1}
        server.kill()
    with lab.server() as server:
        server.until(f"/sweeps/{sweep}", lambda told: told["state"] == "paused")
        server.post(f"/sweeps/{sweep}/cancel")
        assert server.get(f"/sweeps/{sweep}")["state"] == "cancelled"
        assert server.stop()[0] == 0


def test_what_keeps_it_from_starting_is_said_in_a_sentence(lab, appliance):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = appliance("serve", "--port", port)
        assert (result.code, f"port {port} of 127.0.0.1 is taken" in result.err) == (2, True)
    with Store.open(lab.data):
        second = subprocess.run(
            [sys.executable, "-m", "appliance.cli", "serve", "--port", "0"],
            cwd=lab.folder,
            capture_output=True,
            text=True,
            timeout=START_S,
            check=False,
        )
    assert (second.returncode, "in use" in second.stderr) == (2, True)


# In CI a sweep is killed in its middle and goes on, with one verdict for each procedure and nothing
# left, in test_cli_sweep.py (test_killed_in_the_middle_it_goes_on_...). A server is killed, and has
# its sweep at the next start, above (test_a_paused_sweep_stays_paused_...).
@pytest.mark.long
@pytest.mark.timeout(120 + 40 * KILLS)
def test_killed_at_random_points_it_loses_nothing_and_does_nothing_twice(lab):
    before, chance = lab.held(), random.Random(SEED)
    finished: dict[tuple[str, str], object] = {}
    for _ in range(KILLS):
        with lab.server() as server:
            if not [s for s in server.get("/sweeps")["items"] if s["state"] != "done"]:
                server.post("/sweeps", procedures=["*"])
            time.sleep(chance.uniform(0.0, 4.0))
            server.kill()
        finished |= see_nothing_lost(lab, finished)
    with lab.server() as server:
        for sweep in server.get("/sweeps")["items"]:
            server.until(f"/sweeps/{sweep['id']}", lambda told: told["state"] == "done")
        assert server.stop()[0] == 0
    see_nothing_lost(lab, finished)
    assert lab.held() == before
    with Store.open(lab.data) as store:
        assert store.attempts.unfinished() == ()
        assert store.accounts.leases() == ()
        for sweep in store.sweeps.latest():
            items = store.sweeps.items(sweep.id)
            verdicts = {p.id: p.verdict for p in store.load_run(sweep.id).procedures}
            assert sorted(verdicts) == sorted(item.id for item in items)
            for item in items:
                is_given_up = item.deaths >= MAX_DEATHS
                assert item.state is ItemState.DONE
                assert verdicts[item.id] == ("blocked" if is_given_up else "verified")


def see_nothing_lost(
    lab: Lab, finished: dict[tuple[str, str], object]
) -> dict[tuple[str, str], object]:
    """Every verdict that there was is there still, from the same attempt, the last one begun."""
    with Store.open(lab.data) as store:
        attempts = store.attempts.latest(10_000)
        now = {}
        for sweep in store.sweeps.latest():
            for result in store.load_run(sweep.id).procedures if store.began(sweep.id) else ():
                key = sweep.id, result.id
                theirs = [a.id for a in attempts if (a.run_id, a.procedure_id) == key]
                now[key] = (result.verdict, result.trajectory, theirs)
    for key, known in finished.items():
        assert now[key] == known
    return now
