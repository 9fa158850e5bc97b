"""provision → execute → recover → destroy against a real practice cloud, with real Terraform."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from appliance.core.errors import ProvisioningError
from appliance.core.resources import Lifetime, Phase, ReceiptKind, new_marker
from appliance.practice.cloud import TurnableClock

NEEDS = "needs: [{instance: {name: 'app-${unique}'}}, {disk: {name: 'vol-${unique}'}}]"


async def test_what_is_needed_is_there_and_everything_is_gone_afterwards(cloud):
    cloud.make("/api/storage/buckets", name="mine")
    before = cloud.held()
    procedure = cloud.procedure(checks=NEEDS)
    async with cloud.opened() as opened:
        async with (
            opened.pool.lease(None, "test") as lease,
            opened.environment_of("").attempt(lease, procedure, 1, {}) as ready,
        ):
            unique = ready.lifetime.unique
            assert ready.bindings["disk"] == f"vol-{unique}"
            assert {f"disk vol-{unique}", f"instance app-{unique}"} <= set(cloud.held())
            cloud.make("/api/storage/buckets", name=f"by-hand-{unique}")
        assert cloud.held() == before
        (done,) = opened.store.attempts.latest()
        assert done.phase is Phase.DONE
        deeds = {(r.deed, r.kind) for r in opened.store.attempts.receipts(done.id)}
        assert {(ReceiptKind.DELETED, "bucket"), (ReceiptKind.DESTROYED, "practice_disk")} <= deeds
        assert opened.store.accounts.leases() == ()


async def test_a_failure_of_the_attempt_is_told_and_nothing_stays(cloud):
    procedure = cloud.procedure(checks=NEEDS)
    async with cloud.opened() as opened:
        with pytest.raises(ZeroDivisionError):
            async with (
                opened.pool.lease(None, "test") as lease,
                opened.environment_of("").attempt(lease, procedure, 1, {}),
            ):
                raise ZeroDivisionError
        assert cloud.held() == []


async def test_what_cannot_be_made_blocks_and_leaves_nothing(cloud):
    procedure = cloud.procedure(
        checks="needs: [{disk: {name: 'a-${unique}'}}, {disk: {name: 'b-${unique}', size: '1'}}]"
    )
    async with cloud.opened() as opened:
        with pytest.raises(ProvisioningError, match="size"):
            async with (
                opened.pool.lease(None, "test") as lease,
                opened.environment_of("").attempt(lease, procedure, 1, {}),
            ):
                pass
        assert cloud.held() == []
        assert opened.pool.list()[0].quarantined_at is None


async def test_off_means_that_nothing_is_made(cloud):
    procedure = cloud.procedure(checks=NEEDS)
    async with (
        cloud.opened(provision="off") as opened,
        opened.pool.lease(None, "test") as lease,
        opened.environment_of("").attempt(lease, procedure, 1, {}) as ready,
    ):
        assert cloud.held() == []
        assert "disk" not in ready.bindings


async def test_an_account_that_cannot_be_cleaned_up_is_put_into_quarantine(cloud):
    procedure = cloud.procedure(checks=NEEDS)
    right = cloud.password.read_text()
    async with cloud.opened() as opened:
        with pytest.raises(ProvisioningError, match="could not remove"):
            async with (
                opened.pool.lease(None, "test") as lease,
                opened.environment_of("").attempt(lease, procedure, 1, {}),
            ):
                cloud.password.write_text("no longer right")
        row = opened.pool.list()[0]
        assert (row.quarantined_by, row.standing.value) == ("clean-up", "quarantined")
        assert opened.store.attempts.unfinished()[0].phase is Phase.FAILED
    cloud.password.write_text(right)
    async with cloud.opened() as opened:
        (reaped,) = await opened.janitor.reap()
        assert reaped.problem == ""
        assert cloud.held() == []
        assert opened.pool.list()[0].standing.value == "free"


async def test_what_a_dead_process_left_is_removed_and_its_account_given_back(cloud):
    cloud.make("/api/storage/buckets", name="mine")
    async with cloud.opened() as opened:
        account = opened.console.accounts(None)[0]
        baseline = await opened.console.inventory(account)
        now = datetime.now(UTC)
        unique = new_marker()
        opened.store.attempts.start(
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
    async with cloud.opened() as opened:
        assert [one.id for one in opened.janitor.due()] == ["a1"]
        (reaped,) = await opened.janitor.reap()
        assert (reaped.problem, [r.name for r in reaped.receipts]) == ("", [f"left-{unique}"])
        assert cloud.held() == ["bucket mine"]
        assert opened.store.attempts.get("a1").phase is Phase.LOST
        assert await opened.janitor.reap() == ()


async def test_strays_are_known_by_their_marker_and_their_age(cloud):
    clock = TurnableClock()
    marker = new_marker()
    cloud.make("/api/storage/buckets", name=f"old-{marker}")
    cloud.make("/api/storage/buckets", name="not-ours")
    async with cloud.opened(clock) as opened:
        assert await opened.janitor.strays() == ()  # another appliance may be using it
        clock.turn(timedelta(hours=3).total_seconds())
        assert [thing.name for _, thing in await opened.janitor.strays()] == [f"old-{marker}"]
        await opened.janitor.reap_strays()
    assert cloud.held() == ["bucket not-ours"]


async def test_what_is_applied_by_hand_stays_until_its_time_is_over(cloud):
    clock = TurnableClock()
    procedure = cloud.procedure(checks="needs: [network]")
    async with cloud.opened(clock) as opened:
        async with opened.pool.lease(None, "test") as lease:
            need = procedure.checks.needs[0]
            lifetime, supplied = await opened.environment_of("").apply(lease, [need], minutes=5)
        assert supplied.bindings["network"].endswith(lifetime.unique)
    async with cloud.opened(clock) as opened:
        assert await opened.janitor.reap() == ()
        assert len(cloud.held()) == 1
        clock.turn(timedelta(minutes=6).total_seconds())
        (reaped,) = await opened.janitor.reap()
        assert reaped.problem == ""
    assert cloud.held() == []


async def test_a_resource_asked_for_in_words_is_made_and_destroyed_with_the_rest(cloud):
    procedure = cloud.procedure()
    async with (
        cloud.opened() as opened,
        opened.pool.lease(None, "test") as lease,
        opened.environment_of("").attempt(lease, procedure, 1, {}) as ready,
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
    async with cloud.opened(more={"quota": {"disk": 0}}) as opened:
        with pytest.raises(ProvisioningError, match="quota of account alice: 1 disk wanted"):
            async with (
                opened.pool.lease(None, "test") as lease,
                opened.environment_of("").attempt(lease, procedure, 1, {}),
            ):
                pass
    assert cloud.held() == []


async def test_without_its_provider_or_terraform_the_console_makes_what_is_needed(cloud):
    procedure = cloud.procedure(checks=NEEDS)
    async with cloud.opened() as opened:
        real = opened.console.terraform

        async def elsewhere(account):
            return replace(await real(account), source="registry.terraform.io/some/practice")

        opened.console.terraform = elsewhere
        async with (
            opened.pool.lease(None, "test") as lease,
            opened.environment_of("").attempt(lease, procedure, 1, {}) as ready,
        ):
            assert f"disk {ready.bindings['disk']}" in cloud.held()
            kinds = {r.kind for r in opened.store.attempts.receipts(ready.lifetime.id)}
            assert "disk" in kinds  # the console's word, not Terraform's
        assert cloud.held() == []


async def test_a_clean_up_that_has_begun_is_not_cut_by_a_stop(cloud):
    procedure = cloud.procedure(checks=NEEDS)
    async with cloud.opened() as opened:
        recover, has_begun = opened.console.recover, asyncio.Event()

        async def slowly(account, trace):
            has_begun.set()
            await asyncio.sleep(0.2)
            return await recover(account, trace)

        opened.console.recover = slowly

        async def attempt() -> None:
            async with (
                opened.pool.lease(None, "test") as lease,
                opened.environment_of("").attempt(lease, procedure, 1, {}),
            ):
                pass

        task = asyncio.create_task(attempt())
        await has_begun.wait()
        (lifetime,) = opened.store.attempts.unfinished()
        assert opened.living == {lifetime.id}
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert cloud.held() == []
        assert opened.store.attempts.unfinished() == ()
        assert opened.living == set()
        assert opened.store.accounts.leases() == ()
