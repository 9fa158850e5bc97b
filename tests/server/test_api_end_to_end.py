"""A procedure is posted before a release: asked, followed, read, with its evidence."""

import asyncio
import io
import json
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn

from appliance.config import AccountSettings, ConsoleSettings, Settings
from appliance.core.clock import SystemClock
from appliance.engine.engine import EngineOptions, open_engine
from appliance.engine.schedules.scheduler import Scheduler
from appliance.engine.webhooks.webhooks import Webhooks
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.server.app import make_app
from appliance.server.keys import KeyStore
from appliance.server.parts import Service
from appliance.store.store import Store
from appliance.telemetry.metrics import Metrics

GUIDE = """\
# Buckets

## Create a bucket

1. Open **Products** > **Buckets**.
2. Click **Create a bucket**.
3. In the **Bucket name** field, enter `first-bucket`.
4. Click **Create**.
"""


@pytest.fixture
def service_at(tmp_path: Path) -> Iterator[str]:
    """Address of a server that works, on a practice cloud."""
    (tmp_path / "password").write_text("", encoding="utf-8")
    ready, stop = threading.Event(), threading.Event()
    addresses: list[str] = []
    with serving(PracticeSettings(release="2025.1", settle_s=0.1)) as cloud:
        (tmp_path / "password").write_text(cloud.password, encoding="utf-8")
        alice = AccountSettings(username="alice", password_file=tmp_path / "password")
        console = ConsoleSettings(kind="practice", url=cloud.url, accounts={"alice": alice})
        settings = Settings(data_dir=tmp_path, consoles={"practice": console})

        async def work() -> None:
            with Store.open(tmp_path) as store:
                webhooks, metrics, clock = Webhooks(settings, store), Metrics(), SystemClock()
                async with open_engine(
                    settings, store, EngineOptions(subscribers=(webhooks, metrics))
                ) as engine:
                    service = Service(
                        engine=engine,
                        scheduler=Scheduler(engine, settings, store),
                        webhooks=webhooks,
                        keys=KeyStore(store.keys, clock),
                        metrics=metrics,
                    )
                    config = uvicorn.Config(make_app(service), port=0, log_config=None)
                    server = uvicorn.Server(config)
                    answering = asyncio.create_task(server.serve())
                    while not server.started:
                        await asyncio.sleep(0.02)
                    port = server.servers[0].sockets[0].getsockname()[1]
                    addresses.append(f"http://127.0.0.1:{port}")
                    ready.set()
                    await asyncio.to_thread(stop.wait)
                    service.stopping.set()
                    server.should_exit = True
                    await answering

        thread = threading.Thread(target=asyncio.run, args=[work()])
        thread.start()
        try:
            assert ready.wait(60)
            yield addresses[0]
        finally:
            stop.set()
            thread.join(60)


def test_a_procedure_is_posted_followed_and_proven(service_at):
    with httpx.Client(base_url=service_at, timeout=60, trust_env=False) as client:
        asked = {"documents": [{"name": "buckets.md", "text": GUIDE}], "policy": "literal"}
        answer = client.post("/api/v1/verifications", json=asked)
        assert answer.status_code == 202, answer.text
        path = answer.headers["location"]

        names = list(_followed(client, path))
        assert names[0] == "snapshot"
        assert names[-1] == "end"
        assert {"step_finished", "procedure_finished", "run_finished"} <= set(names)

        whole = client.get(path).json()
        assert (whole["state"], whole["summary"]["procedures"]) == ("done", 1)
        (procedure,) = whole["procedures"]
        assert procedure["verdict"] == "drifted", procedure["blocked_by"]
        (finding,) = procedure["findings"]
        assert (finding["quote"], finding["suggestion"]) == ("Create a bucket", "Create bucket")

        evidence = client.get(f"{path}/evidence")
        with zipfile.ZipFile(io.BytesIO(evidence.content)) as archive:
            assert archive.testzip() is None
            result = json.loads(archive.read("result.json"))
            kept = {name.partition("/")[2].partition(".")[0] for name in archive.namelist()}
        assert result == {k: v for k, v in whole.items() if k not in ("state", "status")}
        shown = {piece["artifact"]["sha256"] for piece in finding["evidence"] if piece["artifact"]}
        assert shown and shown <= kept


def _followed(client: httpx.Client, path: str) -> Iterator[str]:
    """The names of all events; the stream breaks off once, and goes on behind the last one."""
    last = ""
    with client.stream("GET", f"{path}/events") as stream:
        for line in stream.iter_lines():
            if line.startswith("id: "):
                last = line.removeprefix("id: ")
            if line.startswith("event: "):
                yield line.removeprefix("event: ")
            if line == "event: step_finished":
                break
    seen = {last}
    with client.stream("GET", f"{path}/events", headers={"Last-Event-ID": last}) as stream:
        for line in stream.iter_lines():
            if line.startswith("id: "):
                assert line.removeprefix("id: ") not in seen
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
                assert name != "snapshot"
                yield name
