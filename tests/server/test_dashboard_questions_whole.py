"""A model hands over to a person, who answers in the dashboard; then the attempt goes on."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from playwright.async_api import Page, expect

from appliance.config import (
    AccountSettings,
    ConsoleSettings,
    DocumentationSettings,
    JudgeSettings,
    ModelSettings,
    Settings,
    VerificationSettings,
)
from appliance.core.clock import SystemClock
from appliance.engine.engine import EngineOptions, open_engine
from appliance.engine.schedules.scheduler import Scheduler
from appliance.engine.webhooks.webhooks import Webhooks
from appliance.inference.scripted import serving as playing_model
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.server.app import make_app
from appliance.server.keys import KeyStore
from appliance.server.parts import Service
from appliance.store.store import Store
from appliance.telemetry.metrics import Metrics
from tests.benchmarks.agent.answers import Turn, playing
from tests.chromium import chromium

GUIDE = """\
# Buckets

## Create a bucket

1. Open **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Bucket name** field, enter the name that only you know.
4. Click **Create**.
"""
CHECKS = "procedures: {create-a-bucket: {expect: [{event: CreateBucket}]}}"
SECRET = "only-ann-knows"


def turn(step: str, kind: str, notes: tuple[str, ...] = (), **arguments: object) -> Turn:
    usual = {"quote": "", "shown": "", "suggestion": "", "kind": "none"}
    told = [{"step": one, "matched": "as_written", **usual} for one in notes]
    return {"step": step, "notes": told, "action": {"kind": kind, **arguments}}


TURNS = [
    turn("1", "click", element="button Products", how=""),
    turn("1", "click", element="link Buckets", how=""),
    turn("2", "click", ("1",), element="button Create bucket", how=""),
    turn(
        "3", "hand_over", ("2",), what="Enter the name of the bucket.", element="field Bucket name"
    ),
    turn("4", "click", ("3",), element="button Create", how=""),
    turn("4", "complete", ("4",), seen="the bucket is in the list"),
]


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[str]:
    """Address of a server that works, with a practice cloud and a scripted model."""
    with (
        serving(PracticeSettings(release="2025.1", settle_s=0.1)) as cloud,
        playing_model(playing(TURNS)) as model,
    ):
        data, guide, password = (tmp_path / name for name in ("data", "guide.md", "password"))
        data.mkdir()
        guide.write_text(GUIDE, encoding="utf-8")
        guide.with_suffix(".checks.yaml").write_text(CHECKS, encoding="utf-8")
        password.write_text(cloud.password, encoding="utf-8")
        alice = AccountSettings(username="alice", password_file=password)
        console = ConsoleSettings(kind="practice", url=cloud.url, accounts={"alice": alice})
        settings = Settings(
            data_dir=data,
            documentation=DocumentationSettings(paths=(guide,)),
            consoles={"practice": console},
            model=ModelSettings(endpoint=model.url),
            judges=JudgeSettings(count=0),
            verification=VerificationSettings(audit_wait_s=1),
        )
        with Store.open(data) as store:
            webhooks, metrics = Webhooks(settings, store), Metrics()
            async with open_engine(
                settings, store, EngineOptions(subscribers=(webhooks, metrics))
            ) as engine:
                service = Service(
                    engine=engine,
                    scheduler=Scheduler(engine, settings, store),
                    webhooks=webhooks,
                    keys=KeyStore(store.keys, SystemClock()),
                    metrics=metrics,
                )
                config = uvicorn.Config(make_app(service), port=0, log_config=None)
                server = uvicorn.Server(config)
                answering = asyncio.create_task(server.serve())
                while not server.started:
                    await asyncio.sleep(0.02)
                port = server.servers[0].sockets[0].getsockname()[1]
                yield f"http://127.0.0.1:{port}"
                service.stopping.set()
                server.should_exit = True
                await answering


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    async with chromium() as browser:
        page = await browser.new_page(locale="en")
        page.set_default_timeout(60_000)
        yield page


async def test_a_person_types_what_only_they_know_and_the_attempt_goes_on(
    here: str, page: Page, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with httpx.AsyncClient(base_url=here, timeout=60, trust_env=False) as client:
        asked = {"documents": [{"path": str(tmp_path / "guide.md")}], "policy": "model"}
        answer = await client.post("/api/v1/verifications", json=asked)
        assert answer.status_code == 202, answer.text
        path = answer.headers["location"]

        await page.goto(f"{here}/keys")
        await page.locator("#asked a").click(timeout=90_000)
        await expect(page.locator(".lead")).to_have_text("Enter the name of the bucket.")
        await page.locator("#text").fill(SECRET)
        await page.keyboard.press("Enter")
        further = page.locator("#question-forms a", has_text="is it done?")
        await further.click()  # it is asked again, with the page as it is now
        await page.get_by_role("button", name="It is done").click()
        await expect(page.locator("#question-facts")).to_contain_text("done, by")

        async with asyncio.timeout(120):
            while (await client.get(path)).json()["state"] != "done":
                await asyncio.sleep(0.2)
        whole = await client.get(path)
        (procedure,) = whole.json()["procedures"]
        questions = (await client.get("/api/v1/questions")).json()["items"]
        log = (await client.get("/metrics")).text
    assert (procedure["verdict"], procedure["decided_by"]) == ("verified", "model"), procedure
    assert [one["status"] for one in procedure["steps"]] == ["as_written"] * 4
    assert sorted(one["reply"] for one in questions) == ["done", "type"]
    assert re.search(r'questions_settled_total{kind="take_over",state="answered"} 2', log)
    # Only what cleans up has to know how the bucket is called.
    assert SECRET not in whole.text + json.dumps(questions) + capfd.readouterr().out
    artifacts = [file for file in (tmp_path / "data/artifacts").rglob("*") if file.is_file()]
    assert len(artifacts) > 10
    assert [file for file in artifacts if SECRET.encode() in file.read_bytes()] == []
