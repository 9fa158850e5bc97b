"""A console that changed: its accounts stay in use, and what is needed is made another way."""

import pytest

from appliance.core.resources import Phase, ReceiptKind

_BUCKET = "storage.resources.bucket"


@pytest.mark.parametrize(
    "changes",
    [
        [
            {
                "kind": "require_permission",
                "target": f"{_BUCKET}.actions.delete",
                "permission": "billing",
            }
        ]
    ],
)
async def test_what_nobody_may_delete_any_more_costs_no_account(cloud):
    procedure = cloud.procedure()
    async with cloud.opened() as opened:
        for number in (1, 2):
            async with (
                opened.pool.lease(None, "test") as lease,
                opened.environment_of("").attempt(lease, procedure, number, {}) as ready,
            ):
                cloud.make("/api/storage/buckets", name=f"by-hand-{ready.lifetime.unique}")
        assert [row.quarantined_at for row in opened.pool.list()] == [None]
        attempts = opened.store.attempts.latest()
        assert [one.phase for one in attempts] == [Phase.DONE] * 2
        for one in attempts:
            [receipt] = opened.store.attempts.receipts(one.id)
            assert (receipt.deed, receipt.name) == (ReceiptKind.LEFT, f"by-hand-{one.unique}")
            assert receipt.why.startswith("AccessDenied: ")
    assert len(cloud.held()) == 2


@pytest.mark.parametrize(
    "changes", [[{"kind": "require_field", "target": "disks.resources.disk.fields.tags"}]]
)
async def test_what_a_module_does_not_fill_in_yet_is_made_by_the_console(cloud):
    procedure = cloud.procedure(checks="needs: [{disk: {name: 'vol-${unique}'}}]")
    async with (
        cloud.opened() as opened,
        opened.pool.lease(None, "test") as lease,
    ):
        environment = opened.environment_of("")
        async with environment.attempt(lease, procedure, 1, {}) as ready:
            assert ready.bindings["disk"] == f"vol-{ready.lifetime.unique}"
            assert cloud.held() == [f"disk vol-{ready.lifetime.unique}"]
        assert cloud.held() == []
        assert [row.quarantined_at for row in opened.pool.list()] == [None]
