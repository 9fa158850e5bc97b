import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import horizon_check
import pytest

from appliance.browser import BrowserPool
from appliance.config import BrowserSettings, ConsoleSettings
from appliance.consoles.openstack import OpenStackConsole
from appliance.core.checks import Need
from appliance.core.errors import ConsoleError, ProvisioningError

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


def unique() -> dict[str, str]:
    return {"unique": datetime.now(UTC).strftime("%H%M%S")}


@pytest.mark.parametrize(
    ("role", "needs", "removed"), [("demo", MEMBER_NEEDS, 14), ("admin", ADMIN_NEEDS, 6)]
)
async def test_what_was_provided_is_bound_and_removed_and_no_event_of_the_account(
    horizon: OpenStackConsole, role: str, needs: Sequence[Need], removed: int
) -> None:
    account = horizon.accounts(role)[0]
    since = datetime.now(UTC)
    bound = await horizon.provide(needs, account, unique())
    assert {n.kind.replace("_", " ") for n in needs} <= set(bound)
    assert list(await horizon.audit(account, since)) == []
    receipt = await horizon.clean_up(account, since)
    assert receipt.failed == ()
    assert len(receipt.deleted) >= removed
    assert (await horizon.clean_up(account, since)).failed == ()


async def test_what_an_administrator_changed_is_put_back(horizon: OpenStackConsole) -> None:
    account = horizon.accounts("admin")[0]
    since = datetime.now(UTC)
    await horizon.provide([], account, {})
    cloud = horizon._cloud.connect(account)
    quotas = "/os-quota-class-sets/default"
    before = cloud.compute.get(quotas).json()["quota_class_set"]["injected_files"]
    image = cloud.image.find_image("cirros", ignore_missing=False)
    cloud.compute.put(quotas, json={"quota_class_set": {"injected_files": before + 1}})
    cloud.image.update_image(image, name="renamed")
    receipt = await horizon.clean_up(account, since)
    assert "image cirros (as it was)" in receipt.deleted
    assert cloud.image.get_image(image.id).name == "cirros"
    assert cloud.compute.get(quotas).json()["quota_class_set"]["injected_files"] == before


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
