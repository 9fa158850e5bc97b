"""Models: what serves them, why it does not, and starting it again; over REST and by hand."""

import asyncio
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from appliance.config import ModelSettings
from appliance.engine.models import Model
from appliance.inference.server import PolicyServer, ServerState, policy_server
from appliance.store.keys import Role

HTML = {"Accept": "text/html"}


@pytest.fixture
async def server(service, tmp_path: Path):
    """One whose weights are gone: it is given up, until somebody has it started again."""
    settings = ModelSettings(weights=tmp_path / "gone", adapters={"ours": tmp_path / "ours"})
    async with policy_server(settings, log_dir=tmp_path / "logs") as served:
        service.engine.model = Model(served.settings, served)
        await _until(served, ServerState.GIVEN_UP)
        yield served


async def _until(server: PolicyServer, state: ServerState) -> None:
    async with asyncio.timeout(20):
        while server.state is not state:
            await asyncio.sleep(0.01)


async def test_what_serves_a_model_is_told_and_it_is_started_again(asking, server, service):
    admin, operator = asking(Role.ADMIN), asking(Role.OPERATOR)
    (told,) = (await operator.get("/api/v1/models")).json()["items"]
    assert (told["name"], told["is_reachable"], told["served"]) == ("gone", False, [])
    assert told["problem"].startswith("given_up: ")
    assert (told["server"]["state"], told["server"]["restarts"]) == ("given_up", 0)
    assert told["server"]["adapters"] == ["ours"]
    assert (await operator.post("/api/v1/models/restart")).status_code == 403
    answer = await admin.post("/api/v1/models/restart")
    assert (answer.status_code, answer.json()["server"]["state"]) == (202, "restarting")
    async with asyncio.timeout(20):
        while server.restarts == 0:
            await asyncio.sleep(0.01)
    await _until(server, ServerState.GIVEN_UP)
    service.engine.model = Model(ModelSettings())
    assert (await admin.post("/api/v1/models/restart")).status_code == 409
    assert (await admin.get("/api/v1/models")).json() == {"items": []}


async def test_the_page_says_why_and_an_admin_starts_it_again(asking, local, server):
    shown = LexborHTMLParser((await local.get("/models", headers=HTML)).text)
    text = " ".join(shown.css_first("main").text(separator=" ").split())
    assert "Served on this machine given up" in text
    assert server.why in text
    assert "model not now" in text
    viewer = asking(Role.VIEWER)
    seen = LexborHTMLParser((await viewer.get("/models", headers=HTML)).text)
    assert seen.css_first("main form") is None
    assert (await viewer.post("/models/restart")).status_code == 403
    answer = await local.post("/models/restart")
    assert (answer.status_code, answer.headers["location"]) == (303, "/models")
    local.cookies.update(answer.cookies)
    again = (await local.get("/models", headers=HTML)).text
    assert "It is started again" in again
