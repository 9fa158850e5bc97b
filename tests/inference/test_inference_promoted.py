"""A promoted adapter is served: from the next run on, and from the next start on."""

from pathlib import Path

import pytest

from appliance.config import AgentSettings, ModelSettings, Settings
from appliance.engine.models import Model
from appliance.engine.promoted import (
    PromotedAdapter,
    Promotions,
    base_digest,
    serve_promoted,
    with_promoted,
)
from appliance.inference.client import ModelClient
from appliance.inference.server import policy_server


def promoted(data_dir: Path, weights: Path, *adapters: Path, digest: str = "") -> None:
    history = tuple(
        PromotedAdapter(
            name=one.name,
            folder=one,
            base_digest=digest or base_digest(weights),
            promoted_at="2026-11-26",
            promoted_by="ann",
            decision={},
        )
        for one in adapters
    )
    Promotions(history=history, serving=tuple(one.name for one in history)).write(data_dir)


@pytest.fixture
def settings(tmp_path, model):
    return Settings(data_dir=tmp_path / "data", model=model())


async def test_a_running_server_serves_what_is_promoted_and_rolled_back(
    settings, adapter, tmp_path
):
    one, two, data_dir = adapter("one"), adapter("two"), settings.data_dir
    weights = settings.model.weights
    async with policy_server(settings.model, log_dir=tmp_path / "logs") as server:
        await server.ready()
        model = Model(server.settings, server)
        assert await serve_promoted(model, settings) == settings  # nothing is
        for folders, name in (((one,), "one"), ((one, two), "two"), ((one,), "one")):
            promoted(data_dir, weights, *folders)
            pid = server.pid
            run = await serve_promoted(model, settings)
            assert run.agent.adapter == name
            assert server.pid == pid  # without a restart
            async with ModelClient(server.settings) as client:
                assert name in await client.names()
        promoted(data_dir, weights)
        assert (await serve_promoted(model, settings)).agent.adapter == ""
        assert set(server.adapters) == {"one", "two"}  # the old ones are at hand


async def test_what_the_settings_name_wins(settings, adapter, tmp_path):
    promoted(settings.data_dir, settings.model.weights, adapter("one"))
    named = settings.model_copy(update={"agent": AgentSettings(adapter="mine")})
    async with policy_server(settings.model, log_dir=tmp_path / "logs") as server:
        await server.ready()
        assert await serve_promoted(Model(server.settings, server), named) == named


def test_a_server_that_starts_loads_what_is_promoted(settings, adapter):
    one = adapter("one")
    promoted(settings.data_dir, settings.model.weights, one)
    assert with_promoted(settings).model.adapters == {"one": one}
    promoted(settings.data_dir, settings.model.weights, one, digest="of others")
    assert with_promoted(settings) == settings
    promoted(settings.data_dir, settings.model.weights, one.with_name("gone"))
    assert with_promoted(settings) == settings


async def test_where_nothing_is_served_here_nothing_is_promoted(settings, adapter):
    promoted(settings.data_dir, settings.model.weights, adapter("one"))
    away = ModelSettings(endpoint="http://127.0.0.1:9/v1")
    assert await serve_promoted(Model(away), settings) == settings
    nothing = settings.model_copy(update={"model": away})
    assert with_promoted(nothing) == nothing
