"""Without a display a person logs in by the picture of the page, which the server asks them for."""

import asyncio
import secrets
from collections.abc import AsyncIterator

import httpx
import pytest
import uvicorn

from appliance.config import (
    AccountSettings,
    AgentSettings,
    ConsoleSettings,
    Settings,
    StorageSettings,
)
from appliance.core.clock import SystemClock
from appliance.engine.engine import EngineOptions, open_engine
from appliance.engine.schedules.scheduler import Scheduler
from appliance.engine.webhooks.webhooks import Webhooks
from appliance.server.app import make_app
from appliance.server.keys import KeyStore
from appliance.server.parts import Service
from appliance.store.store import Store
from appliance.telemetry.metrics import Metrics
from tests.doors import BUTTON_AT, PASSWORD_AT, USER_AT, FormDoor
from tests.tag_console import tag_console

SECRET = "only-alice-knows"


@pytest.fixture
async def here(tmp_path) -> AsyncIterator[tuple[str, FormDoor]]:
    """Address of a server that works, and the door of its console."""
    data, key, door = tmp_path / "data", tmp_path / "key", FormDoor("alice", SECRET)
    data.mkdir()
    key.write_text(secrets.token_urlsafe(32))
    with tag_console(door) as tags, Store.open(data) as store:
        alice = AccountSettings(username="alice")
        console = ConsoleSettings(
            kind="generic", url=tags.url, log_in="state", accounts={"alice": alice}
        )
        settings = Settings(
            data_dir=data,
            console="lab",
            consoles={"lab": console},
            storage=StorageSettings(key_file=key),
            agent=AgentSettings(person_wait_minutes=0.5),
        )
        webhooks, metrics = Webhooks(settings, store), Metrics()
        options = EngineOptions(subscribers=(webhooks, metrics))
        async with open_engine(settings, store, options) as engine:
            service = Service(
                engine=engine,
                scheduler=Scheduler(engine, settings, store),
                webhooks=webhooks,
                keys=KeyStore(store.keys, SystemClock()),
                metrics=metrics,
            )
            server = uvicorn.Server(uvicorn.Config(make_app(service), port=0, log_config=None))
            answering = asyncio.create_task(server.serve())
            while not (server.started and engine._consoles.ready("lab")):
                await asyncio.sleep(0.02)
            port = server.servers[0].sockets[0].getsockname()[1]
            yield f"http://127.0.0.1:{port}", door
            service.stopping.set()
            server.should_exit = True
            await answering


async def test_a_person_logs_in_by_the_picture_and_the_account_is_well(here, tmp_path, capfd):
    url, door = here
    async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as client:

        async def question() -> str:
            async with asyncio.timeout(30):
                while True:
                    found = await client.get("/api/v1/questions", params={"state": "open"})
                    if items := found.json()["items"]:
                        assert items[0]["text"].startswith("Log in to lab as ")
                        return items[0]["id"]
                    await asyncio.sleep(0.05)

        async def answer(**reply: object) -> None:
            path = f"/api/v1/questions/{await question()}/answer"
            (await client.post(path, json=reply)).raise_for_status()

        before = (await client.post("/api/v1/accounts/alice/check")).json()
        assert not before["health"]["can_log_in"]
        assert "appliance login lab --account alice --record" in before["health"]["problem"]
        recording = asyncio.create_task(client.post("/api/v1/accounts/alice/log-in"))
        for place, text in ((USER_AT, "alice"), (PASSWORD_AT, SECRET)):
            await answer(reply="click", x=place[0], y=place[1])
            await answer(reply="type", text=text)
        shown = await client.get(f"/questions/{await question()}")
        assert (shown.status_code, "log-in/lab/alice" in shown.text) == (200, True)
        await answer(reply="click", x=BUTTON_AT[0], y=BUTTON_AT[1])
        await answer(reply="done")
        after = (await recording).json()
        assert (after["health"]["can_log_in"], after["standing"]) == (True, "free"), after
        questions = (await client.get("/api/v1/questions")).text
    assert len(door.sessions) == 1, "it was renewed, not made anew"
    assert SECRET not in questions + "".join(capfd.readouterr())
    kept = [file.read_bytes() for file in (tmp_path / "data").rglob("*") if file.is_file()]
    for secret in (SECRET, *door.sessions):
        assert not [data for data in kept if secret.encode() in data]


async def test_only_what_is_recorded_is(here):
    url, _ = here
    async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as client:
        nobody = await client.post("/api/v1/accounts/bob/log-in")
        assert (nobody.status_code, "has no account bob" in nobody.text) == (422, True)
