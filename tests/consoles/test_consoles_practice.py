"""The adapter against a real practice cloud, in this process and as a child."""

import os
import signal
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from appliance.browser import BrowserPool
from appliance.cli._practice import start_practice
from appliance.config import AuditSettings, BrowserSettings, ConsoleSettings
from appliance.consoles import Trace, open_console
from appliance.core.checks import EventOutcome, Need
from appliance.core.errors import ConsoleError, OutcomeError, ProvisioningError, SetupError
from appliance.core.resources import ReceiptKind
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

VALUES = {"unique": "a1b2"}


def names(api, path):
    return sorted(item["values"]["name"] for item in api.get(path).json()["items"])


async def test_what_is_needed_is_made_and_ready(console, alice, api):
    needs = [
        Need(kind="network", values={"name": "lab-${unique}", "cidr": "10.3.0.0/16"}),
        Need(
            kind="subnet",
            values={"name": "bench", "network": "lab-${unique}", "cidr": "10.3.1.0/24"},
        ),
        Need(kind="bucket", values={"name": "one", "versioning": "enabled", "tags": "a=1, b=2"}),
        Need(kind="bucket", values={"name": "two"}),
    ]
    bound = (await console.provide(needs, alice, VALUES)).bindings
    assert {k: v for k, v in bound.items() if not k.endswith(" id")} == {
        "network": "lab-a1b2",
        "subnet": "bench",
        "bucket": "one",
        "bucket 2": "two",
    }
    bucket = api.get(f"/api/storage/buckets/{bound['bucket id']}").json()
    assert bucket["state"] == "available"
    assert bucket["values"]["versioning"] is True
    assert bucket["values"]["tags"] == {"a": "1", "b": "2"}


async def test_what_something_needs_in_turn_is_made_as_well(console, alice, api):
    need = Need(kind="instance", values={"name": "web", "state": "stopped"})
    bound = (await console.provide([need], alice, VALUES)).bindings
    assert api.get(f"/api/compute/instances/{bound['instance id']}").json()["state"] == "stopped"
    assert names(api, "/api/networking/networks") == ["network-a1b2"]


@pytest.mark.parametrize(
    ("need", "message"),
    [
        (Need(kind="buckt"), "cannot make a 'buckt'; did you mean 'bucket'?"),
        (Need(kind="bucket", values={"nme": "x"}), "a bucket has no 'nme'; did you mean 'name'?"),
        (Need(kind="bucket", values={"name": "X"}), "cannot make the bucket X"),
        (Need(kind="bucket", values={"name": "${nme}"}), "no value is bound to ${nme}"),
        (Need(kind="subnet", values={"network": "gone"}), "there is no network 'gone'"),
        (Need(kind="instance", values={"state": "stopped-now"}), "did you mean 'stopped'?"),
    ],
)
async def test_what_cannot_be_made_is_said(console, alice, need, message):
    with pytest.raises(ProvisioningError) as refused:
        await console.provide([need], alice, VALUES)
    assert message in str(refused.value)


async def test_the_audit_log_is_of_the_account_and_without_our_own_calls(
    console, alice, api, began, practice
):
    await console.provide([Need(kind="bucket", values={"name": "ours"})], alice, VALUES)
    api.post("/api/storage/buckets", json={"name": "theirs"})
    api.post("/api/storage/buckets", json={"name": "NO"})
    bob = httpx.BasicAuth("bob", practice.password)
    api.post("/api/storage/buckets", json={"name": "bobs"}, auth=bob)
    events = await console.audit(alice, began)
    assert [(e.name, e.target_name, e.outcome, e.error_code) for e in events] == [
        ("CreateBucket", "theirs", EventOutcome.SUCCESS, ""),
        ("CreateBucket", "NO", EventOutcome.FAILURE, "ValidationFailed"),
    ]
    assert await console.audit(alice, datetime.now(UTC) + timedelta(seconds=5)) == ()
    (admin,) = console.accounts("admin")
    assert await console.audit(admin, began) == ()


async def test_what_is_in_use_is_made_so_and_freed_before_it_is_deleted(console, alice, api, began):
    before = await console.inventory(alice)
    needs = [
        Need(kind="instance", values={"name": "old"}),
        Need(kind="instance", values={"name": "web"}),
        Need(kind="disk", values={"name": "data", "instance": "web", "state": "in-use"}),
        Need(kind="snapshot_policy", values={"disks": "data", "retention": "30"}),
    ]
    bound = (await console.provide(needs, alice, VALUES)).bindings
    disk = api.get(f"/api/disks/disks/{bound['disk id']}").json()
    assert (disk["state"], disk["values"]["instance"]) == ("in-use", bound["instance 2 id"])
    (policy,) = api.get("/api/disks/policies").json()["items"]
    assert policy["values"]["disks"] == [bound["disk id"]]
    assert policy["values"]["weekdays"] == ["monday"]
    assert len(names(api, "/api/networking/networks")) == 1
    receipts = await console.recover(alice, Trace(since=began, unique="a1b2", before=before))
    assert {receipt.deed for receipt in receipts} == {ReceiptKind.DELETED}
    assert api.get("/api/inventory").json()["items"] == []


async def test_what_is_needed_elsewhere_is_made_there(console, alice, api):
    values = {"name": "far", "region": "east", "state": "stopped"}
    bound = (await console.provide([Need(kind="instance", values=values)], alice, VALUES)).bindings
    east = {"region": "east"}
    item = api.get(f"/api/compute/instances/{bound['instance id']}", params=east).json()
    assert (item["region"], item["state"]) == ("east", "stopped")
    assert api.get("/api/networking/networks", params=east).json()["total"] == 1
    with pytest.raises(ProvisioningError, match="There is no region moon"):
        values = {"name": "lost", "region": "moon"}
        await console.provide([Need(kind="network", values=values)], alice, VALUES)


async def test_a_late_audit_log_is_waited_for(tmp_path, began, settings_for):
    file = tmp_path / "password"
    with serving(PracticeSettings(audit_delay_s=2.0)) as practice:
        file.write_text(practice.password, encoding="utf-8")
        console = open_console("practice", settings_for(practice.url, file))
        auth = ("alice", practice.password)
        with httpx.Client(base_url=practice.url, auth=auth, trust_env=False) as api:
            api.post("/api/storage/buckets", json={"name": "late"})
            assert api.get("/api/audit").json()["events"] == []
        events = await console.audit(console.accounts("alice")[0], began)
        await console.close()
    assert [event.target_name for event in events] == ["late"]


def test_frames_come_from_the_other_name_of_the_loopback_address(tmp_path, settings_for):
    console = open_console("practice", settings_for("http://127.0.0.1:81", tmp_path / "none"))
    assert console.hosts == {"127.0.0.1:81", "localhost:81"}
    console = open_console("practice", settings_for("http://cloud.test", tmp_path / "none"))
    assert console.hosts == {"cloud.test"}


async def test_accounts_go_by_name_and_role(console):
    assert [a.name for a in console.accounts(None)] == ["alice", "bob", "carol", "dave"]
    assert [a.name for a in console.accounts("viewer")] == ["viewer"]
    with pytest.raises(ConsoleError, match="has no account root"):
        console.accounts("root")


async def test_a_cloud_that_is_down_is_said(password_file, settings_for):
    console = open_console("practice", settings_for("http://127.0.0.1:9", password_file))
    account = console.accounts("alice")[0]
    with pytest.raises(ConsoleError, match=r"no practice cloud answers at http://127\.0\.0\.1:9"):
        await console.check()
    with pytest.raises(OutcomeError, match="does not answer"):
        await console.audit(account, datetime.now(UTC))
    await console.close()


async def test_a_wrong_password_is_said(practice, tmp_path, began, settings_for):
    file = tmp_path / "wrong"
    file.write_text("wrong\n", encoding="utf-8")
    console = open_console("practice", settings_for(practice.url, file))
    account = console.accounts("alice")[0]
    with pytest.raises(OutcomeError, match="refuses the user name or password"):
        await console.audit(account, began)
    async with BrowserPool(BrowserSettings()) as pool, pool.page(console.hosts) as page:
        with pytest.raises(ConsoleError, match="refuses the log-in of alice: The user name or"):
            await console.log_in(page, account)
    await console.close()


async def test_the_log_in_ends_on_the_home_page(console, alice):
    async with BrowserPool(BrowserSettings()) as pool, pool.page(console.hosts, "zh") as page:
        await console.log_in(page, alice)
        view = await page.observe()
    assert view.url == f"{console.url}/console"
    assert view.language.startswith("zh")
    assert "产品" in [element.name for element in view.elements]


def test_settings_that_cannot_do_are_refused():
    with pytest.raises(SetupError, match=r"consoles\.lab\.url is empty"):
        open_console("lab", ConsoleSettings(kind="practice"))
    pathless = AuditSettings(kind="kubernetes")
    with pytest.raises(SetupError, match=r"consoles\.lab\.audit\.path is missing"):
        open_console("lab", ConsoleSettings(kind="generic", url="http://127.0.0.1", audit=pathless))


@pytest.mark.parametrize("is_kept", [True, False])
async def test_a_cloud_of_its_own_lives_as_long_as_the_block(tmp_path, is_kept):
    data_dir = tmp_path / "cloud" if is_kept else None
    with start_practice("2025.2", data_dir=data_dir) as practice:
        console = open_console("practice", practice.settings)
        await console.check()
        account = console.accounts(None)[0]
        secret = account.settings.password_file
        assert secret.stat().st_mode & 0o077 == 0
        await console.provide([Need(kind="instance", values={"name": "web"})], account, VALUES)
        await console.close()
    assert secret.exists() == is_kept  # the next start's workspaces name that file
    assert (tmp_path / "cloud" / "audit.jsonl").is_file() == is_kept
    with pytest.raises(httpx.ConnectError):
        httpx.get(practice.url, trust_env=False)


def test_a_cloud_that_does_not_start_says_why(tmp_path):
    drift = tmp_path / "drift.yaml"
    drift.write_text("changes:\n- kind: remove_field\n  target: storage.resource\n")
    with pytest.raises(SetupError) as refused, start_practice(drift=drift):
        pass
    assert f"{drift}:3: remove_field: there is no 'resource' in storage" in str(refused.value)


def test_a_cloud_that_was_killed_is_no_trouble_at_the_end():
    with start_practice("2025.1") as practice:
        os.kill(practice.pid, signal.SIGKILL)
    with pytest.raises(httpx.ConnectError):
        httpx.get(practice.url, trust_env=False)
