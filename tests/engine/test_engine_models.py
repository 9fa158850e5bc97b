"""The model of a process: served here by a child, elsewhere, or none."""

import asyncio
import json
import struct
import sys
from pathlib import Path

import pytest

from appliance.config import ModelSettings, PolicyServerSettings, Settings
from appliance.core.errors import ModelError
from appliance.engine.engine import Engine
from appliance.engine.models import open_model
from appliance.engine.problems import NotReady
from appliance.inference.server import ServerState
from appliance.store.store import Store
from tests.inference.scripted_program import PROGRAM


@pytest.fixture
def settings(tmp_path):
    """Weights of a tiny model that says of itself what it has to; the scripted model serves it."""

    def make(scenario: str = "") -> Settings:
        folder = tmp_path / "tiny"
        folder.mkdir()
        config = {"num_attention_heads": 1, "hidden_size": 1, "num_hidden_layers": 1}
        (folder / "config.json").write_text(json.dumps(config))
        (folder / "model.safetensors").write_bytes(struct.pack("<Q", 2) + b"{}")
        (folder / "scripted.yaml").write_text(scenario or "{}")
        program = tmp_path / "vllm"
        run = f'exec {sys.executable} {PROGRAM} "$@"'
        program.write_text(f"#!/bin/sh\n{run}\n")
        program.chmod(0o755)
        server = PolicyServerSettings(command=program, start_timeout_s=60)
        model = ModelSettings(weights=folder, server=server)
        return Settings(data_dir=tmp_path / "data", model=model)

    return make


@pytest.mark.parametrize("chosen", [{}, {"endpoint": "http://127.0.0.1:1/v1"}])
async def test_without_weights_nothing_is_started(tmp_path, chosen):
    model = ModelSettings.model_validate(chosen)
    async with open_model(Settings(data_dir=tmp_path, model=model), waits=True) as opened:
        assert (opened.settings, opened.server) == (model, None)
        assert opened.problem() == await opened.answers() == ""
    assert list(tmp_path.iterdir()) == []


async def test_who_waits_gets_a_model_that_answers(settings):
    async with open_model(settings(), waits=True) as opened:
        assert opened.server.state is ServerState.READY
        assert opened.settings.endpoint == opened.server.url
        assert opened.settings.name == "tiny"
        assert opened.problem() == ""
        await opened.server.sleep()
        assert opened.problem() == ""  # it was sent to sleep


async def test_who_waits_hears_why_it_does_not_start(settings):
    with pytest.raises(ModelError, match="It said: scripted model: no room"):
        async with open_model(settings("start: {fails: no room}"), waits=True):
            pytest.fail("it does not answer")


async def test_a_service_is_not_ready_until_its_model_answers(settings):
    chosen = settings("start: {delay_s: 1}")
    with Store.open(Path(chosen.data_dir)) as store:
        async with open_model(chosen, waits=False) as opened:
            engine = Engine(chosen, store, None, opened)
            assert engine.problems()[0] == NotReady("model", "starting: loads the weights")
            assert await opened.answers() == ""
            assert "model" not in [problem.name for problem in engine.problems()]


async def test_a_service_goes_on_without_a_model_that_fails(settings):
    async with open_model(settings("start: {fails: no room}"), waits=False) as opened:
        assert "no room" in await opened.answers()


async def test_who_asks_a_model_that_is_lent_waits_until_it_is_back(settings):
    async with open_model(settings(), waits=True) as opened:
        async with opened.lent():
            assert opened.server.state is ServerState.ASLEEP
            asking = asyncio.ensure_future(opened.answers())
            await asyncio.sleep(0.2)
            assert not asking.done()
        assert opened.server.state is ServerState.READY
        assert await asking == ""


async def test_a_model_that_has_no_memory_is_lent_as_it_is(settings):
    async with open_model(settings("start: {fails: no room}"), waits=False) as opened:
        assert await opened.answers()
        async with opened.lent():
            assert opened.server.state is not ServerState.ASLEEP
