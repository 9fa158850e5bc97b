"""Consoles without an API: their lists are the witness, and what attempts made is deleted there."""

from pathlib import Path

import httpx
import pytest
import yaml

from appliance.config import AccountSettings, ConsoleSettings, Settings, VerificationSettings
from appliance.core.resources import Receipt, ReceiptKind
from appliance.core.result import ProcedureResult
from appliance.core.verdict import GoalChannel, StepStatus, Verdict
from appliance.practice.serving import Running, serving
from appliance.practice.settings import PracticeSettings
from appliance.store.store import Store
from tests.running import verified
from tests.tag_console import Tags, tag_console

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
    def buckets(self) -> list[str]:
        with httpx.Client(base_url=self.cloud.url, auth=("alice", self.cloud.password)) as api:
            held = api.get("/api/storage/buckets").json()["items"]
        return sorted(item["values"]["name"] for item in held)


@pytest.fixture
def stranger(tmp_path):
    with serving(PracticeSettings(release="2025.1", settle_s=0.2)) as cloud:
        yield Stranger(tmp_path, cloud)


def left_in(folder: Path) -> list[Receipt]:
    with Store.open(folder) as store:
        ids = [one.id for one in store.attempts.latest()]
        return [r for id in ids for r in store.attempts.receipts(id)]


def lists_say(result: ProcedureResult) -> bool | None:
    [said] = [c for c in result.goal.channels if c.channel is GoalChannel.LISTS]
    return said.reached


async def test_what_was_made_is_seen_in_its_list_and_deleted_by_its_own_control(stranger):
    result = await stranger.verify(CREATE)
    assert result.verdict is Verdict.VERIFIED, result
    assert lists_say(result)
    assert [(r.deed, r.kind) for r in left_in(stranger.folder)] == [
        (ReceiptKind.DELETED, "Buckets")
    ]
    assert stranger.buckets == []


async def test_what_was_made_is_deleted_as_the_documentation_says(stranger):
    result = await stranger.verify(CREATE + DELETE)
    assert result.verdict is Verdict.VERIFIED, result
    assert ReceiptKind.LEFT not in {r.deed for r in left_in(stranger.folder)}
    assert stranger.buckets == []


ADD = """# Tags

## Add a tag

1. In the navigation, click **Tags**.
2. Click **Add tag**.
3. Enter a name in **Name**.
4. Click **Save**.
"""
REMOVE = """# Tags

## Delete a tag

1. In the navigation, click **Tags**.
2. In the row of the tag, click **Delete**.
3. Click **Yes, delete**.
"""


@pytest.fixture
def tags():
    with tag_console() as served:
        served.add("mine")
        served.add("yours")
        yield served


async def on_tags(tags: Tags, folder: Path, text: str, **values: str) -> ProcedureResult:
    (folder / "guide.md").write_text(text)
    if values:
        checks = {"procedures": {"delete-a-tag": {"bindings": values}}}
        (folder / "guide.checks.yaml").write_text(yaml.safe_dump(checks))
    settings = Settings(
        data_dir=folder,
        console="tags",
        consoles={"tags": ConsoleSettings(kind="generic", url=tags.url)},
        verification=VerificationSettings(settle_resource_s=2),
    )
    run = await verified(settings, [folder / "guide.md"])
    return run.procedures[0]


async def test_a_console_without_a_log_in_is_used_and_left_as_it_was(tags, tmp_path):
    result = await on_tags(tags, tmp_path, ADD)
    assert (result.verdict, lists_say(result)) == (Verdict.VERIFIED, True), result
    left = left_in(tmp_path)
    assert {r.deed for r in left} == {ReceiptKind.DELETED}, left
    assert list(tags.names.values()) == ["mine", "yours"]


async def test_what_was_made_is_deleted_by_a_menu_without_a_name(tags, tmp_path):
    tags.has_menus = True
    await on_tags(tags, tmp_path, ADD)
    assert [r.deed for r in left_in(tmp_path)] == [ReceiptKind.DELETED], left_in(tmp_path)
    assert list(tags.names.values()) == ["mine", "yours"]


async def test_what_nothing_deletes_is_left_and_told_by_name_and_place(tags, tmp_path):
    tags.deletes = False
    await on_tags(tags, tmp_path, ADD)
    [receipt] = left_in(tmp_path)
    assert (receipt.deed, receipt.kind, receipt.name) == (
        ReceiptKind.LEFT,
        "Tags",
        tags.names[tags.last],
    )
    assert receipt.id == f"{tags.url}tags?said=Tag+added"
    assert receipt.why == "no control deletes it: remove it by hand"


async def test_what_the_console_says_and_does_not_keep_is_not_seen(tags, tmp_path):
    tags.forgets = True
    result = await on_tags(tags, tmp_path, ADD)
    assert (result.verdict, lists_say(result)) == (Verdict.UNDECIDED, None), result
    assert "no page that was opened again shows" in result.blocked_by
    assert {r.kind for r in left_in(tmp_path)} == {"entry"}
    assert list(tags.names.values()) == ["mine", "yours"]


async def test_what_was_deleted_is_in_no_list_any_more(tags, tmp_path):
    result = await on_tags(tags, tmp_path, REMOVE, tag="mine")
    assert (result.verdict, lists_say(result)) == (Verdict.VERIFIED, True), result
    assert list(tags.names.values()) == ["yours"]


async def test_what_is_listed_as_before_was_not_deleted_whatever_the_console_says(tags, tmp_path):
    tags.keeps = True
    result = await on_tags(tags, tmp_path, REMOVE, tag="mine")
    assert result.verdict is Verdict.UNDECIDED, result  # nor is it deleted a second time
    assert result.findings == ()
    assert tags.deletions == 1
    # the first attempt says why; that the second was not let do it again says nothing
    assert result.blocked_by.endswith('"Tags" has "mine" still, though it was deleted'), result
    assert StepStatus.STUCK not in {step.status for step in result.steps}


async def test_a_list_that_has_not_come_yet_says_nothing_of_what_is_gone(tags, tmp_path):
    tags.keeps, tags.late_ms = True, 1500
    result = await on_tags(tags, tmp_path, REMOVE, tag="mine")
    assert result.verdict is Verdict.UNDECIDED, result
    assert lists_say(result) is False


async def test_what_was_deleted_by_another_control_needs_no_second_attempt(tags, tmp_path):
    tags.has_menus = True
    result = await on_tags(tags, tmp_path, REMOVE, tag="mine")
    assert (result.verdict, lists_say(result)) == (Verdict.DRIFTED, True), result
    assert [(f.kind, f.quote) for f in result.findings] == [("moved_control", "Delete")], result
    assert (result.attempts, tags.deletions) == (1, 1)


async def test_what_is_untrue_before_a_deletion_is_seen_twice_and_deleted_once(tags, tmp_path):
    text = REMOVE.replace("2. In the row", "2. Click **Show all**.\n3. In the row")
    text = text.replace("3. Click **Yes", "4. Click **Yes")
    result = await on_tags(tags, tmp_path, text, tag="mine")
    assert [(f.kind, f.quote) for f in result.findings] == [("missing_control", "Show all")], result
    assert (result.verdict, lists_say(result)) == (Verdict.DRIFTED, True), result
    assert (result.attempts, tags.deletions) == (2, 1)
    assert list(tags.names.values()) == ["yours"]


async def test_the_list_says_that_it_is_gone_though_its_old_page_opens(tags, tmp_path):
    tags.has_pages = True
    by_page = REMOVE.replace("In the row of the tag, click **Delete**", "Click **mine**") + (
        "4. Click **Yes, delete**.\n"
    )
    by_page = by_page.replace("3. Click **Yes, delete**", "3. Click **Delete**")
    result = await on_tags(tags, tmp_path, by_page, tag="mine")
    assert (result.verdict, lists_say(result)) == (Verdict.VERIFIED, True), result
    assert list(tags.names.values()) == ["yours"]


async def test_a_start_page_that_fails_is_met_again(tags, tmp_path):
    tags.errors = 2
    result = await on_tags(tags, tmp_path, ADD)
    assert result.verdict is Verdict.VERIFIED, result
