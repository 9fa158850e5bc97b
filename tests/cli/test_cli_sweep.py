"""Whole sweeps against a practice cloud that outlives them: killed, paused, cancelled."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
import yaml
from rich.console import Console

from appliance.cli._progress import Bars, lasting
from appliance.core.events import SweepProgressed
from appliance.core.resources import Phase
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.paging import Paging
from appliance.store.store import Store

NAMES = ("first", "second", "third", "fourth")
CREATE = """\
## Create the {name} bucket

1. Open **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Bucket name** field, enter `{name}-bucket`.
4. Click **Create**.
"""


class Lab:
    """A practice cloud, and documents about it in the current folder."""

    def __init__(self, folder: Path, url: str, password: str) -> None:
        self.folder = folder
        self.api = httpx.Client(base_url=url, auth=("alice", password), trust_env=False)
        (folder / "password").write_text(password)
        guide = "# Buckets\n\n" + "\n".join(CREATE.format(name=name) for name in NAMES)
        (folder / "guide.md").write_text(guide)
        account = {"username": "alice", "password_file": "password", "role": "member"}
        console = {"kind": "practice", "url": url, "accounts": {"alice": account}}
        (folder / "config.yaml").write_text(yaml.safe_dump({"consoles": {"cloud": console}}))

    def held(self) -> list[tuple[str, str, str]]:
        answer = self.api.get("/api/inventory")
        answer.raise_for_status()
        return sorted((i["kind"], i["id"], i["name"]) for i in answer.json()["items"])

    @contextmanager
    def sweeping(self, *arguments: str):
        """A sweep in a process of its own."""
        process = subprocess.Popen(
            [sys.executable, "-m", "appliance.cli", "sweep", *arguments, "--json"],
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

    def until_done(self, number: int, process: subprocess.Popen[str]) -> dict[str, object]:
        """What the running sweep says of itself when so many are done and another is begun."""
        file = self.folder / "data" / "sweep" / "running.json"
        deadline = time.monotonic() + 60
        while True:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            with suppress(FileNotFoundError):
                told = json.loads(file.read_text())
                if told.get("done", 0) >= number and told["running"]:
                    return told
            time.sleep(0.02)


@pytest.fixture
def lab(folder):
    with serving(PracticeSettings(release="2025.1", settle_s=0.1)) as cloud:
        lab = Lab(folder, cloud.url, cloud.password)
        lab.api.post("/api/storage/buckets", json={"name": "mine"}).raise_for_status()
        yield lab
        lab.api.close()


def test_killed_in_the_middle_it_goes_on_and_every_procedure_has_one_verdict(lab, appliance):
    before = lab.held()
    plan = json.loads(appliance("sweep", "plan", "guide.md", "--json").out)
    assert [item["reason"] for item in plan["items"]] == ["never"] * len(NAMES)
    assert not (lab.folder / "data").exists()
    with lab.sweeping("start", "guide.md") as process:
        sweep_id = lab.until_done(1, process)["id"]
    status = json.loads(appliance("sweep", "status", "--json").out)
    assert (status["id"], status["state"], status["why"]) == (
        sweep_id,
        "waiting",
        "its process died",
    )
    with Store.open(lab.folder / "data") as store:
        kept = {p.id for p in store.load_run(sweep_id).procedures}
        under_way = [i for i in store.sweeps.items(sweep_id) if i.state == "running"]
    assert kept
    assert under_way
    done = appliance("sweep", "start", "guide.md", "--json")
    assert done.code == 0, done.err
    assert f"Going on with sweep {sweep_id}." in done.err
    result = json.loads(done.out)
    assert result["id"] == result["sweep"]["id"] == sweep_id
    assert result["summary"]["verified"] == result["sweep"]["total"] == len(NAMES)
    assert lab.held() == before
    with Store.open(lab.folder / "data") as store:
        items = store.sweeps.items(sweep_id)
        assert store.attempts.unfinished() == ()
        finished = [a for a in store.attempts.latest() if a.phase is Phase.DONE]
        assert store.listings.runs(Paging()).items[0].is_finished
    assert {i.id: i.attempts for i in items if i.id in kept} == dict.fromkeys(kept, 1)
    deaths = [i.deaths for i in items if i.id in {u.id for u in under_way} - kept]
    assert sum(deaths) <= 1  # there is one account: the other one under way waited for it
    assert sorted(a.procedure_id for a in finished if a.procedure_id in kept) == sorted(kept)
    again = appliance("sweep", "start", "guide.md")
    assert again.code == 0
    assert "Nothing is due: 4 procedures verified not long ago." in again.err
    shown = json.loads(appliance("run", "show", sweep_id, "--json").out)
    assert len(shown["procedures"]) == len(NAMES)


def test_paused_from_another_terminal_resumed_and_cancelled(lab, appliance, monkeypatch):
    before = lab.held()
    monkeypatch.setenv("APPLIANCE_VERIFICATION__PARALLEL", "1")
    with lab.sweeping("start", "guide.md") as process:
        lab.until_done(1, process)
        other = appliance("sweep", "start", "guide.md")
        assert other.code == 2
        assert "in use by another process" in other.err
        status = json.loads(appliance("sweep", "status", "--json").out)
        assert (status["state"], status["total"]) == ("running", 4)
        assert status["seconds_left"] > 0
        assert status["verdicts"] == {"verified": status["done"]}
        assert appliance("sweep", "pause").code == 0
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    result = json.loads(out)
    assert (result["sweep"]["state"], result["sweep"]["why"]) == ("paused", "paused by hand")
    so_far = result["summary"]["verified"]
    assert 2 <= so_far < len(NAMES)
    assert lab.held() == before
    assert "is paused: `appliance sweep resume`" in appliance("sweep", "start", "guide.md").err
    with lab.sweeping("resume") as process:
        lab.until_done(so_far, process)
        assert appliance("sweep", "cancel").code == 0
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    result = json.loads(out)
    assert result["sweep"]["state"] == "cancelled"
    assert len(result["procedures"]) >= so_far
    assert lab.held() == before
    assert "cancelled" in appliance("sweep", "list").out
    assert appliance("sweep", "resume").code == 2
    assert "is cancelled already" in appliance("sweep", "cancel").err


@pytest.mark.parametrize("command", ["status", "pause", "cancel", "resume", "list"])
def test_without_any_sweep_it_says_so(appliance, command):
    result = appliance("sweep", command)
    assert result.code == 2
    assert "Error: there are no runs in data yet" in result.err


def test_out_of_its_hours_it_does_not_begin(appliance, folder, monkeypatch):
    now = datetime.now(UTC)
    opens, closes = (f"{now + timedelta(hours=h):%H:%M}" for h in (1, 2))
    monkeypatch.setenv("APPLIANCE_SWEEP__WINDOW", f"{opens}-{closes}")
    (folder / "guide.md").write_text("# A\n\n## B\n\n1. Click **C**.\n")
    result = appliance("sweep", "start", "guide.md")
    assert result.code == 2
    assert f"sweeps run {opens}-{closes} (UTC); the next time begins" in result.err
    assert not (folder / "data").exists()
    result = appliance("sweep", "start", "guide.md", "--until", "6")
    assert (result.code, "expected a time of day, as in `06:00`" in result.err) == (2, True)


def test_a_plan_says_for_what_there_is_no_time_before_the_deadline(appliance, folder, monkeypatch):
    monkeypatch.setenv("APPLIANCE_VERIFICATION__PARALLEL", "1")
    parts = [CREATE.format(name=f"bucket-{n}") for n in range(300)]
    (folder / "guide.md").write_text("# Buckets\n\n" + "\n".join(parts))
    soon = f"{datetime.now(UTC) + timedelta(minutes=2):%H:%M}"
    command = ("sweep", "plan", "guide.md", "--deadline", soon)
    plan = json.loads(appliance(*command, "--json").out)
    late = len(plan["not_tonight"])
    assert 294 <= late < 300  # half a minute each, and between one and two minutes
    assert len(plan["items"]) == 300
    said = appliance(*command)
    assert "not tonight" in said.out
    assert f"procedures will not be reached before {plan['deadline'][:10]} {soon}" in said.err
    bad = appliance("sweep", "start", "guide.md", "--deadline", "6")
    assert (bad.code, "`sweep.deadline`: expected a time of day" in bad.err) == (2, True)


def test_a_sweep_goes_on_where_its_documents_are(appliance, folder, monkeypatch):
    (folder / "guide.md").write_text("# A\n\n## B\n\n1. Click **C**.\n")
    (folder / "wrong.yaml").write_text("consoles: {p: {kind: practice, url: 'http://127.0.0.1:9'}}")
    assert appliance("--config", "wrong.yaml", "sweep", "start", "guide.md").code == 2
    status = json.loads(appliance("sweep", "status", "--json").out)
    assert (status["state"], status["done"], status["total"]) == ("waiting", 0, 1)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv("APPLIANCE_DATA_DIR", str(folder / "data"))
    result = appliance("sweep", "resume")
    assert result.code == 2
    assert f"was planned in {folder}" in result.err
    assert appliance("sweep", "cancel").code == 0
    rows = json.loads(appliance("activity", "list", "--json").out)
    assert {row["object"] for row in rows} == {status["id"]}
    assert [row["deed"] for row in rows] == ["cancel-run", "resume-run", "start-run"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.0, "0 s"), (59.4, "59 s"), (60, "1 min"), (3590, "1 h 0 min"), (12345, "3 h 26 min")],
)
def test_how_long_in_words(seconds, words):
    assert lasting(seconds) == words


def test_the_bar_of_a_sweep_goes_on_where_it_was():
    bars = Bars(0, Console(file=io.StringIO()))
    event = SweepProgressed(
        sweep_id="s1",
        state="running",
        done=40,
        total=100,
        running=2,
        rate_per_minute=2.5,
        seconds_left=1440.0,
    )
    bars(event)
    (bar,) = bars.display.tasks
    assert (bar.completed, bar.total) == (40, 100)
    assert bar.fields["note"] == "2.5 a minute, 24 min left"
    bars(replace(event, why="waits for memory: 100 of 512 MiB free"))
    assert bars.display.tasks[0].fields["note"].startswith("waits for memory")
