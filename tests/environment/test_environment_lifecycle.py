"""provision → execute → recover → destroy against a real practice cloud, with real Terraform."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from appliance.core.errors import ProvisioningError
from appliance.core.resources import Deed, Lifetime, Phase, new_marker
from appliance.practice.turning import TurnableClock

NEEDS = "needs: [{instance: {name: 'app-${unique}'}}, {disk: {name: 'vol-${unique}'}}]"


async def test_what_is_needed_is_there_and_everything_is_gone_afterwards(cloud):
    cloud.make("/api/storage/buckets", name="mine")
    before = cloud.held()
    procedure = cloud.procedure(checks=NEEDS)
    async with cloud.world() as world:
        async with (
            world.pool.lease(None, "test") as lease,
            world.environment_of("").attempt(lease, procedure, 1, {}) as ready,
        ):
            unique = ready.lifetime.unique
            assert ready.bindings["disk"] == f"vol-{unique}"
            assert {f"disk vol-{unique}", f"instance app-{unique}"} <= set(cloud.held())
            cloud.make("/api/storage/buckets", name=f"by-hand-{unique}")
        assert cloud.held() == before
        (done,) = world.store.attempts.latest()
        assert done.phase is Phase.DONE
        deeds = {(r.deed, r.kind) for r in world.store.attempts.receipts(done.id)}
        assert {(Deed.DELETED, "bucket"), (Deed.DESTROYED, "practice_disk")} <= deeds
        assert world.store.accounts.leases() == ()


async def test_a_failure_of_the_attempt_is_told_and_nothing_stays(cloud):
    procedure = cloud.procedure(checks=NEEDS)
    async with cloud.world() as world:
        with pytest.raises(ZeroDivisionError):
            async with (
                world.pool.lease(None, "test") as lease,
                world.environment_of("").attempt(lease, procedure, 1, {}),
            ):
                raise ZeroDivisionError
        assert cloud.held() == []


async def test_what_cannot_be_made_blocks_and_leaves_nothing(cloud):
    procedure = cloud.procedure(
        checks="needs: [{disk: {name: 'a-${unique}'}}, {disk: {name: 'b-${unique}', size: '1'}}]"
    )
    async with cloud.world() as world:
        with pytest.raises(ProvisioningError, match="size"):
            async with (
                world.pool.lease(None, "test") as lease,
                world.environment_of("").attempt(lease, procedure, 1, {}),
            ):
                pass
        assert cloud.held() == []
        assert world.pool.list()[0].quarantined_at is None


async def test_off_means_that_nothing_is_made(cloud):
    procedure = cloud.procedure(checks=NEEDS)
    async with (
        cloud.world(provision="off") as world,
        world.pool.lease(None, "test") as lease,
        world.environment_of("").attempt(lease, procedure, 1, {}) as ready,
    ):
        assert cloud.held() == []
        assert "disk" not in ready.bindings


async def test_an_account_that_cannot_be_cleaned_up_is_put_into_quarantine(cloud):
    procedure = cloud.procedure(checks=NEEDS)
    right = cloud.password.read_text()
    async with cloud.world() as world:
        with pytest.raises(ProvisioningError, match="could not remove"):
            async with (
                world.pool.lease(None, "test") as lease,
                world.environment_of("").attempt(lease, procedure, 1, {}),
            ):
                cloud.password.write_text("no longer right")
        row = world.pool.list()[0]
        assert (row.quarantined_by, row.standing.value) == ("clean-up", "quarantined")
        assert world.store.attempts.unfinished()[0].phase is Phase.FAILED
    cloud.password.write_text(right)
    async with cloud.world() as world:
        (reaped,) = await world.janitor.reap()
        assert reaped.problem == ""
        assert cloud.held() == []
        assert world.pool.list()[0].standing.value == "free"


async def test_what_a_dead_process_left_is_removed_and_its_account_given_back(cloud):
    cloud.make("/api/storage/buckets", name="mine")
    async with cloud.world() as world:
        account = world.console.accounts(None)[0]
        baseline = await world.console.inventory(account)
        now = datetime.now(UTC)
        unique = new_marker()
        world.store.attempts.start(
            Lifetime(
                id="a1",
                run_id="gone",
                procedure_id="guide/look-at-disks",
                number=1,
                console="cloud",
                account="alice",
                unique=unique,
                phase=Phase.EXECUTING,
                since=now,
                baseline=baseline,
                expires_at=now + timedelta(hours=1),
                started_at=now,
            )
        )
    cloud.make("/api/storage/buckets", name=f"left-{unique}")
    async with cloud.world() as world:
        assert [one.id for one in world.janitor.due()] == ["a1"]
        (reaped,) = await world.janitor.reap()
        assert (reaped.problem, [r.name for r in reaped.receipts]) == ("", [f"left-{unique}"])
        assert cloud.held() == ["bucket mine"]
        assert world.store.attempts.get("a1").phase is Phase.LOST
        assert await world.janitor.reap() == ()


async def test_strays_are_known_by_their_marker_and_their_age(cloud):
    clock = TurnableClock()
    marker = new_marker()
    cloud.make("/api/storage/buckets", name=f"old-{marker}")
    cloud.make("/api/storage/buckets", name="not-ours")
    async with cloud.world(clock) as world:
        assert await world.janitor.strays() == ()  # another appliance may be using it
        clock.turn(timedelta(hours=3).total_seconds())
        assert [thing.name for _, thing in await world.janitor.strays()] == [f"old-{marker}"]
        await world.janitor.reap_strays()
    assert cloud.held() == ["bucket not-ours"]


async def test_what_is_applied_by_hand_stays_until_its_time_is_over(cloud):
    clock = TurnableClock()
    procedure = cloud.procedure(checks="needs: [network]")
    async with cloud.world(clock) as world:
        async with world.pool.lease(None, "test") as lease:
            need = procedure.checks.needs[0]
            lifetime, supplied = await world.environment_of("").apply(lease, [need], minutes=5)
        assert supplied.bindings["network"].endswith(lifetime.unique)
    async with cloud.world(clock) as world:
        assert await world.janitor.reap() == ()
        assert len(cloud.held()) == 1
        clock.turn(timedelta(minutes=6).total_seconds())
        (reaped,) = await world.janitor.reap()
        assert reaped.problem == ""
    assert cloud.held() == []


async def test_a_resource_asked_for_in_words_is_made_and_destroyed_with_the_rest(cloud):
    procedure = cloud.procedure()
    async with (
        cloud.world() as world,
        world.pool.lease(None, "test") as lease,
        world.environment_of("").attempt(lease, procedure, 1, {}) as ready,
    ):
        made = await ready.supply("a security group")
        assert made.ok, made.error
        assert f"security_group: group-{ready.lifetime.unique}" in made.report
        refused = await ready.supply("a quantum computer")
        assert not refused.ok
        assert "no resource module provides 'a quantum computer'" in refused.error
        assert len(cloud.held()) == 1
    assert cloud.held() == []


async def test_the_settings_own_quota_is_not_exceeded(cloud):
    procedure = cloud.procedure(checks=NEEDS)
    async with cloud.world(more={"quota": {"disk": 0}}) as world:
        with pytest.raises(ProvisioningError, match="quota of account alice: 1 disk wanted"):
            async with (
                world.pool.lease(None, "test") as lease,
                world.environment_of("").attempt(lease, procedure, 1, {}),
            ):
                pass
    assert cloud.held() == []


async def test_without_its_provider_or_terraform_the_console_makes_what_is_needed(cloud):
    procedure = cloud.procedure(checks=NEEDS)
    async with cloud.world() as world:
        real = world.console.terraform

        async def elsewhere(account):
            return replace(await real(account), source="registry.terraform.io/some/practice")

        world.console.terraform = elsewhere
        async with (
            world.pool.lease(None, "test") as lease,
            world.environment_of("").attempt(lease, procedure, 1, {}) as ready,
        ):
            assert f"disk {ready.bindings['disk']}" in cloud.held()
            kinds = {r.kind for r in world.store.attempts.receipts(ready.lifetime.id)}
            assert "disk" in kinds  # the console's word, not Terraform's
        assert cloud.held() == []


async def test_a_clean_up_that_has_begun_is_not_cut_by_a_stop(cloud):
    procedure = cloud.procedure(checks=NEEDS)
    async with cloud.world() as world:
        recover, has_begun = world.console.recover, asyncio.Event()

        async def slowly(account, trace):
            has_begun.set()
            await asyncio.sleep(0.2)
            return await recover(account, trace)

        world.console.recover = slowly

        async def attempt() -> None:
            async with (
                world.pool.lease(None, "test") as lease,
                world.environment_of("").attempt(lease, procedure, 1, {}),
            ):
                pass

        task = asyncio.create_task(attempt())
        await has_begun.wait()
        (lifetime,) = world.store.attempts.unfinished()
        assert world.living == {lifetime.id}
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert cloud.held() == []
        assert world.store.attempts.unfinished() == ()
        assert world.living == set()
        assert world.store.accounts.leases() == ()
