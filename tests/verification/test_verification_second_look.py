"""Consoles without an API: their lists are the witness, and what attempts made is deleted there."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from appliance.config import AccountSettings, ConsoleSettings, Settings, VerificationSettings
from appliance.core.resources import Receipt, ReceiptKind
from appliance.core.result import ProcedureResult
from appliance.core.verdict import GoalChannel, Verdict
from appliance.practice.serving import PracticeSettings, Running, serving
from appliance.store.store import Store
from tests.running import verified

CREATE = """# Buckets

## Create a bucket

1. Go to **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Create bucket** dialog, enter a name in **Bucket name**.
4. Click **Create**.
"""
DELETE = """
## Delete a bucket

Everything in it is deleted as well.

1. Go to **Products** > **Buckets**.
2. In the row of the bucket, click **More**, and then click **Delete**.
3. In the **Delete bucket** dialog, type the name of the bucket to confirm, and click **Delete**.
"""


class Stranger:
    """The practice cloud behind no adapter and no audit log."""

    def __init__(self, folder: Path, cloud: Running) -> None:
        self.folder, self.cloud = folder, cloud

    async def verify(self, text: str, procedure: int = 0) -> ProcedureResult:
        (self.folder / "guide.md").write_text(text)
        (self.folder / "password").write_text(self.cloud.password)
        alice = AccountSettings(username="alice", password_file=self.folder / "password")
        console = ConsoleSettings(
            kind="generic", url=f"{self.cloud.url}/login", accounts={"alice": alice}
        )
        settings = Settings(
            data_dir=self.folder,
            console="strange",
            consoles={"strange": console},
            verification=VerificationSettings(settle_resource_s=4),
        )
        run = await verified(settings, [self.folder / "guide.md"])
        return run.procedures[procedure]

    @property
    def receipts(self) -> list[Receipt]:
        with Store.open(self.folder) as store:
            ids = [one.id for one in store.attempts.latest()]
            return [receipt for id in ids for receipt in store.attempts.receipts(id)]

    @property
    def buckets(self) -> list[str]:
        with httpx.Client(base_url=self.cloud.url, auth=("alice", self.cloud.password)) as api:
            held = api.get("/api/storage/buckets").json()["items"]
        return sorted(item["values"]["name"] for item in held)


@pytest.fixture
def stranger(tmp_path):
    with serving(PracticeSettings(release="2025.1", settle_s=0.2)) as cloud:
        yield Stranger(tmp_path, cloud)


def lists_say(result: ProcedureResult) -> bool | None:
    [said] = [c for c in result.goal.channels if c.channel is GoalChannel.LISTS]
    return said.reached


async def test_what_was_made_is_seen_in_its_list_and_deleted_by_its_own_control(stranger):
    result = await stranger.verify(CREATE)
    assert result.verdict is Verdict.VERIFIED, result
    assert lists_say(result)
    assert [(r.deed, r.kind) for r in stranger.receipts] == [(ReceiptKind.DELETED, "Buckets")]
    assert stranger.buckets == []


async def test_what_was_made_is_deleted_as_the_documentation_says(stranger):
    result = await stranger.verify(CREATE + DELETE)
    assert result.verdict is Verdict.VERIFIED, result
    assert ReceiptKind.LEFT not in {r.deed for r in stranger.receipts}
    assert stranger.buckets == []
