"""Resources that serve several attempts, and what a model makes where no module does."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from appliance.config.settings import SandboxSettings, TerraformSettings
from appliance.core.resources import Phase
from appliance.inference.scripted import serving
from appliance.practice.cloud import TurnableClock
from tests.environment.coder_script import PLAIN, says

OURS = Path(__file__).parents[2] / "terraform" / "practice" / "network"


@pytest.fixture
def sharing(cloud) -> TerraformSettings:
    """Networks are shared."""
    folder = cloud.folder / "modules"
    shutil.copytree(OURS, folder / "practice" / "network")
    file = folder / "practice" / "network" / "module.yaml"
    file.write_text(file.read_text() + "\nis_shared: true\n")
    return TerraformSettings(modules=(folder,))


async def test_what_is_shared_is_made_once_and_goes_when_its_time_is_over(cloud, sharing):
    clock = TurnableClock()
    procedure = cloud.procedure(checks="needs: [subnet]")
    async with cloud.opened(clock, terraform=sharing) as opened:
        for number in (1, 2):
            async with (
                opened.pool.lease(None, "test") as lease,
                opened.environment_of("").attempt(lease, procedure, number, {}),
            ):
                assert len([one for one in cloud.held() if one.startswith("subnet")]) == 1
                (network,) = [one for one in cloud.held() if one.startswith("network")]
                (shared,) = opened.store.shared.all()
                assert len(shared.users) == 1
            assert cloud.held() == [network]
            assert opened.store.shared.all()[0].users == ()
        assert {one.phase for one in opened.store.attempts.latest(9)} == {
            Phase.DONE,
            Phase.EXECUTING,  # the shared one
        }
    async with cloud.opened(clock, terraform=sharing) as opened:
        assert await opened.janitor.reap() == ()
        clock.turn(timedelta(days=2).total_seconds())
        (reaped,) = await opened.janitor.reap()
        assert reaped.problem == ""
        assert opened.store.shared.all() == ()
    assert cloud.held() == []


async def test_a_shared_one_that_somebody_deleted_is_made_again(cloud, sharing):
    procedure = cloud.procedure(checks="needs: [subnet]")
    async with cloud.opened(terraform=sharing) as opened:
        for number in (1, 2):
            async with (
                opened.pool.lease(None, "test") as lease,
                opened.environment_of("").attempt(lease, procedure, number, {}),
            ):
                assert len(cloud.held()) == 2
            (item,) = cloud.api.get("/api/inventory").json()["items"]
            cloud.api.delete(f"/api/networking/networks/{item['id']}").raise_for_status()
        assert cloud.held() == []


async def test_what_is_shared_is_made_ahead(cloud, sharing):
    procedure = cloud.procedure(checks="needs: [subnet]")
    async with cloud.opened(terraform=sharing) as opened:
        async with opened.pool.lease(None, "test") as lease:
            assert await opened.environment_of("").prepare(lease, [procedure, procedure]) == 1
        (network,) = cloud.held()
        assert network.startswith("network ")
        async with (
            opened.pool.lease(None, "test") as lease,
            opened.environment_of("").attempt(lease, procedure, 1, {}),
        ):
            assert len(cloud.held()) == 2  # the network is the same
        assert cloud.held() == [network]


async def test_a_need_that_nothing_provides_is_made_by_the_model(cloud):
    procedure = cloud.procedure(checks="needs: [{drawer: {name: 'drawer-${unique}'}}]")

    with serving([says(PLAIN)]) as model:
        async with (
            cloud.opened(model=model.url, sandbox=SandboxSettings(engine="process")) as opened,
            opened.pool.lease(None, "test") as lease,
            opened.environment_of("").attempt(lease, procedure, 1, {}) as ready,
        ):
            assert cloud.held() == [f"bucket drawer-{ready.lifetime.unique}"]
            assert ready.bindings["drawer"] == f"drawer-{ready.lifetime.unique}"
            (candidate,) = opened.store.candidates.all()
            assert "a drawer with name" in candidate.request
    assert cloud.held() == []
