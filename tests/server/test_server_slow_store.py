"""What somebody asks of the server on a slow disk holds nobody else up."""

import pytest

from appliance.config import Settings
from appliance.store.store import Store
from tests.slow_store import Pulse, slow_store


@pytest.fixture
def pulse() -> Pulse:
    return Pulse()


@pytest.fixture
def store(settings: Settings, pulse: Pulse):
    Store.open(settings.data_dir).close()
    with slow_store(settings.data_dir, pulse) as store:
        yield store


async def test_no_answer_is_made_on_the_loop(
    app, stranger, local, store: Store, pulse: Pulse
) -> None:
    paths = sorted(
        route.path
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        if "GET" in handler.http_methods
        and "{" not in route.path
        and not route.path.endswith("events")
    )
    assert {"/", "/api/v1/findings", "/api/v1/runs", "/findings", "/metrics"} <= set(paths)
    async with pulse.beating():
        store.sweeps.unfinished()  # on the loop: it shows
        assert pulse.stood_still == {"reading sweeps"}
        pulse.stood_still.clear()
        for path in paths:
            assert (await local.get(path)).status_code < 500, path
        answer = await local.post("/api/v1/keys", json={"name": "ci", "role": "viewer"})
        assert answer.status_code == 201
        assert (await stranger.get("/api/v1/runs")).status_code == 401
    assert pulse.stood_still == set()
    assert len(pulse.uses) > 10
