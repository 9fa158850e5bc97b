import json
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import horizon_check
import pytest

from appliance.browser import BrowserPool
from appliance.config import AuditSettings, BrowserSettings, ConsoleSettings
from appliance.consoles import Trace
from appliance.consoles.openstack.console import OpenStackConsole
from appliance.core.checks import Need
from appliance.core.errors import ConsoleError, ProvisioningError
from appliance.core.resources import Inventory, Receipt, ReceiptKind, new_marker

pytestmark = [
    pytest.mark.cloud,
    pytest.mark.timeout(600),
    # openstacksdk and its parts warn about themselves
    pytest.mark.filterwarnings("default"),
]


def need(kind: str, **values: str) -> Need:
    return Need(kind=kind, values=values)


MEMBER_NEEDS = (
    need("network", name="t-net-${unique}"),
    need("router", name="t-r-${unique}", external="public", subnet="t-net-${unique}-subnet"),
    need("port", name="t-p-${unique}", network="t-net-${unique}"),
    need("security_group", name="t-g-${unique}"),
    need("floating_ip"),
    need("keypair", name="t-k-${unique}"),
    need("instance", name="t-i-${unique}", network="t-net-${unique}"),
    need("volume", name="t-v-${unique}", instance="t-i-${unique}"),
    need("snapshot", name="t-s-${unique}", volume="t-v-${unique}"),
    need("instance_snapshot", name="t-is-${unique}", instance="t-i-${unique}"),
    need("volume", name="t-w-${unique}", image="cirros"),
    need("image", name="t-im-${unique}"),
    need("container", name="t-c-${unique}"),
    need("object", name="o.txt", container="t-c-${unique}"),
    need("object", name="folder one/", container="t-c-${unique}"),
    need("file", name="t-${unique}.img"),
)
ADMIN_NEEDS = (
    need("host"),
    need("project", name="t-pr-${unique}"),
    need("user", name="t-u-${unique}", project="t-pr-${unique}"),
    need("role", name="t-ro-${unique}"),
    need("flavor", name="t-f-${unique}"),
    need("host_aggregate", name="t-a-${unique}"),
    need("volume_type", name="t-vt-${unique}"),
)


def trace_of(values: dict[str, str], before: Inventory | None, **more: Any) -> Trace:
    return Trace(since=datetime.now(UTC), unique=values["unique"], before=before, **more)


def failures(receipts: Sequence[Receipt]) -> list[str]:
    return [str(receipt) for receipt in receipts if receipt.deed is ReceiptKind.FAILED]


@pytest.mark.parametrize(
    ("role", "needs", "removed"), [("demo", MEMBER_NEEDS, 14), ("admin", ADMIN_NEEDS, 6)]
)
async def test_what_was_provided_is_bound_and_removed_and_no_event_of_the_account(
    horizon: OpenStackConsole, role: str, needs: Sequence[Need], removed: int
) -> None:
    account = horizon.accounts(role)[0]
    values = {"unique": new_marker()}
    before = await horizon.inventory(account)
    trace = trace_of(values, before)
    made = await horizon.provide(needs, account, values)
    assert {n.kind.replace("_", " ") for n in needs} <= set(made.bindings)
    assert {thing.kind for thing in made.things} <= {
        t.kind for t in (await horizon.inventory(account)).things
    }
    assert list(await horizon.audit(account, trace.since)) == []
    receipts = await horizon.recover(account, trace)
    assert failures(receipts) == []
    assert len(receipts) >= removed
    assert await horizon.inventory(account) == before
    assert await horizon.recover(account, trace) == []


async def test_what_was_made_by_hand_goes_by_the_inventory_alone(
    lab_settings: ConsoleSettings, passwords: None
) -> None:
    """As after a crash: nobody remembers, and there is no audit log."""
    blind = OpenStackConsole("lab", lab_settings.model_copy(update={"audit": AuditSettings()}))
    account = blind.accounts("demo")[0]
    values = {"unique": new_marker()}
    before = await blind.inventory(account)
    trace = trace_of(values, before)
    other = OpenStackConsole("other", lab_settings)
    await other.provide(MEMBER_NEEDS, account, values)
    receipts = await blind.recover(account, trace)
    assert failures(receipts) == []
    assert {"instance", "router", "volume", "container", "keypair"} <= {r.kind for r in receipts}
    assert await blind.inventory(account) == before
    await other.close()
    await blind.close()


async def test_in_a_shared_account_only_what_bears_the_marker_goes(
    horizon: OpenStackConsole, lab_settings: ConsoleSettings
) -> None:
    account = horizon.accounts("demo")[0]
    mine, theirs = {"unique": new_marker()}, {"unique": new_marker()}
    trace = trace_of(mine, None)
    somebody = OpenStackConsole("other", lab_settings)
    needs = [need("network", name="t-${unique}"), need("keypair", name="k-${unique}")]
    kept = await somebody.provide(needs, account, theirs)
    gone = await somebody.provide(needs, account, mine)
    assert failures(await horizon.recover(account, trace)) == []
    left = {thing.id for thing in (await horizon.inventory(account)).things}
    assert left >= {thing.id for thing in kept.things}
    assert not left & {thing.id for thing in gone.things}
    await somebody.recover(account, trace_of(theirs, None))
    await somebody.close()


async def test_what_terraform_will_remove_lets_go_of_what_the_attempt_made(
    horizon: OpenStackConsole,
) -> None:
    account = horizon.accounts("demo")[0]
    values = {"unique": new_marker()}
    before = await horizon.inventory(account)
    trace = trace_of(values, before)
    needs = [
        need("network", name="t-net-${unique}"),
        need("instance", name="t-i-${unique}", network="t-net-${unique}"),
        need("network", name="t-made-${unique}"),
        need("volume", name="t-v-${unique}", instance="t-i-${unique}"),
    ]
    made = await horizon.provide(needs, account, values)
    names = {thing.name: thing.id for thing in made.things}
    unique = values["unique"]
    kept = {names[f"t-net-{unique}"], names[f"t-i-{unique}"]}
    subnets = {t.id for t in made.things if t.kind == "subnet" and f"t-net-{unique}" in t.name}
    cloud = horizon._cloud.connect(account)
    cloud.compute.create_server_interface(names[f"t-i-{unique}"], net_id=names[f"t-made-{unique}"])
    receipts = await horizon.recover(account, replace(trace, keep=frozenset(kept | subnets)))
    assert failures(receipts) == []
    assert {r.name for r in receipts} >= {f"t-made-{unique}", f"t-v-{unique}"}
    left = {thing.id for thing in (await horizon.inventory(account)).things}
    assert left >= kept | subnets
    assert failures(await horizon.recover(account, trace)) == []
    assert await horizon.inventory(account) == before


async def test_what_an_administrator_changed_is_put_back(horizon: OpenStackConsole) -> None:
    account = horizon.accounts("admin")[0]
    trace = trace_of({"unique": new_marker()}, await horizon.inventory(account))
    await horizon.remember(account)
    cloud = horizon._cloud.connect(account)
    quotas = "/os-quota-class-sets/default"
    before = cloud.compute.get(quotas).json()["quota_class_set"]["injected_files"]
    image = cloud.image.find_image("cirros", ignore_missing=False)
    cloud.compute.put(quotas, json={"quota_class_set": {"injected_files": before + 1}})
    cloud.image.update_image(image, name="renamed")
    receipts = await horizon.recover(account, trace)
    assert ("image", "cirros", ReceiptKind.RESTORED) in {(r.kind, r.name, r.deed) for r in receipts}
    assert cloud.image.get_image(image.id).name == "cirros"
    assert cloud.compute.get(quotas).json()["quota_class_set"]["injected_files"] == before


async def test_rules_of_groups_that_were_there_are_put_back(horizon: OpenStackConsole) -> None:
    account = horizon.accounts("demo")[0]
    values = {"unique": new_marker()}
    await horizon.provide([need("security_group", name="g-${unique}")], account, values)
    trace = trace_of(values, await horizon.inventory(account))
    await horizon.remember(account)
    neutron = horizon._cloud.connect(account).network
    group = neutron.find_security_group(f"g-{values['unique']}", ignore_missing=False)
    rules = list(neutron.security_group_rules(security_group_id=group.id))
    for rule in rules:
        neutron.delete_security_group_rule(rule)
    receipts = await horizon.recover(account, replace(trace, unique=new_marker()))
    assert {receipt.deed for receipt in receipts} == {ReceiptKind.RESTORED}
    assert len(list(neutron.security_group_rules(security_group_id=group.id))) == len(rules)
    await horizon.recover(account, trace_of(values, None))


async def test_health_tells_what_is_left_or_why_there_is_no_log_in(
    horizon: OpenStackConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = horizon.accounts("demo")[0]
    health = await horizon.health(account)
    assert (health.can_log_in, health.problem) == (True, "")
    assert {"instance", "volume", "network", "floating_ip"} <= set(health.quota)
    assert health.quota["instance"].limit == 10
    monkeypatch.setenv("HORIZON_DEMO_PASSWORD", "not the password")
    health = await horizon.health(account)
    assert not health.can_log_in
    assert "requires authentication" in health.problem


async def test_terraform_is_given_the_cloud_s_addresses_and_no_secret_to_write(
    horizon: OpenStackConsole,
) -> None:
    access = await horizon.terraform(horizon.accounts("demo")[0])
    assert access.arguments["user_name"] == "demo"
    assert access.arguments["tenant_name"] == "demo"
    assert access.environment == {"OS_PASSWORD": os.environ["HORIZON_DEMO_PASSWORD"]}
    assert "demopass" not in str(access.arguments)
    assert len(access.hosts) > 4


async def test_a_need_that_cannot_be_met_names_what_is_missing(horizon: OpenStackConsole) -> None:
    account = horizon.accounts("demo")[0]
    with pytest.raises(ProvisioningError, match="cannot make a 'castle'; it can make: project"):
        await horizon.provide([need("castle")], account, {})
    with pytest.raises(ProvisioningError, match="there is no image 'no-such'"):
        await horizon.provide([need("volume", name="v", image="no-such")], account, {})
    with pytest.raises(ProvisioningError, match="a needed subnet has no 'network'"):
        await horizon.provide([need("subnet", name="s")], account, {})


async def test_the_log_in_ends_in_the_account_s_project(
    horizon: OpenStackConsole, browser_settings: BrowserSettings
) -> None:
    account = horizon.accounts("admin")[0]
    async with BrowserPool(browser_settings) as pool, pool.page(horizon.hosts) as page:
        await horizon.log_in(page, account)
        shown = await page.raw.locator(".context-project").first.inner_text()
        assert shown.strip() == account.settings.project


async def test_a_wrong_password_is_told_in_horizon_s_words(
    horizon: OpenStackConsole,
    browser_settings: BrowserSettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HORIZON_DEMO_PASSWORD", "not the password")
    account = horizon.accounts("demo")[0]
    async with BrowserPool(browser_settings) as pool, pool.page(horizon.hosts) as page:
        with pytest.raises(ConsoleError, match=r"refused the log-in of user .*Invalid credentials"):
            await horizon.log_in(page, account)
    with pytest.raises(ConsoleError, match="Keystone refuses the log-in"):
        await horizon.provide([need("keypair", name="k")], account, {})


async def test_a_console_that_is_down_is_named(lab_settings: ConsoleSettings) -> None:
    down = lab_settings.model_copy(update={"url": "http://127.0.0.1:9/"})
    with pytest.raises(ConsoleError, match=r"Horizon does not answer at .*consoles\.lab\.url"):
        await OpenStackConsole("lab", down).check()
    elsewhere = lab_settings.model_copy(update={"url": lab_settings.auth_url})
    with pytest.raises(ConsoleError, match=r"consoles\.lab\.url"):
        await OpenStackConsole("lab", elsewhere).check()


def test_a_few_guides_are_verified_end_to_end(tmp_path: Path) -> None:
    only = ["*/create-a-network", "*/create-flavors", "*/create-a-volume"]
    arguments = [part for name in only for part in ("--only", name)]
    cache = str(Path("data/guides").absolute())
    assert horizon_check.main([*arguments, "--out", str(tmp_path), "--cache", cache]) == 0
    scored: dict[str, Any] = json.loads((tmp_path / "horizon-check.json").read_text())
    verdicts = {p["id"].rsplit("/", 1)[-1]: p for p in scored["procedures"]}
    assert verdicts["create-flavors"]["verdict"] == "verified"
    assert verdicts["create-flavors"]["audit"] is True
    assert verdicts["create-a-network"]["verdict"] == "drifted"
    assert "36 Admin State" in verdicts["create-a-network"]["found"]
    assert verdicts["create-a-volume"]["audit"] is True
