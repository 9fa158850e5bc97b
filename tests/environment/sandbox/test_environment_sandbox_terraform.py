"""The real Terraform makes and removes a disk of a practice cloud from within each lock-up."""

import time

import httpx
import pytest

from appliance.config import SandboxSettings
from appliance.config.settings import TerraformSettings
from appliance.consoles.base import TerraformAccess
from appliance.core.errors import SetupError
from appliance.environment.sandbox import SandboxLauncher
from appliance.environment.sandbox.choose import isolation_named
from appliance.environment.terraform import Terraform, TerraformError
from appliance.environment.terraform.mirror import ADDRESS
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

DISK = {"resource": {"practice_disk": {"d": {"name": "locked-up", "size": 20}}}}


@pytest.fixture(scope="module")
def cloud():
    pytest.importorskip("tf", reason="the provider needs the extra `terraform`")
    with serving(PracticeSettings(settle_s=0.05)) as running:
        yield running


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture
async def terraform(data_dir):
    terraform = Terraform(TerraformSettings(timeout_s=100), data_dir)
    try:
        await terraform.has_provider("any/one")
    except SetupError as exc:
        pytest.skip(str(exc))
    yield terraform
    await terraform.close()


@pytest.fixture
def access(cloud, tmp_path):
    password = tmp_path / "password"
    password.write_text(f"{cloud.password}\n")
    password.chmod(0o600)
    return TerraformAccess(
        provider="practice",
        source=ADDRESS,
        arguments={"endpoint": cloud.url},
        environment={"PRACTICE_USER": "alice", "PRACTICE_PASSWORD_FILE": str(password)},
        hosts=frozenset({cloud.url.removeprefix("http://")}),
    )


def names(cloud):
    with httpx.Client(auth=("alice", cloud.password), trust_env=False) as client:
        answer = client.get(f"{cloud.url}/api/disks/disks").raise_for_status()
        return [item["name"] for item in answer.json()["items"]]


async def test_a_disk_is_made_and_removed(
    lock_up, kind, terraform, cloud, access, record_property, capsys
):
    await lock_up(kind)  # or skip
    let_in = await terraform.let_in(access)
    settings = SandboxSettings(engine=kind)
    lockup = SandboxLauncher(
        isolation_named(kind, settings), settings, read_only=let_in.paths, hosts=let_in.hosts
    )
    took = {}
    workspace = await terraform.open(f"locked-{kind}", DISK, access, lockup)

    async def timed(what):
        started = time.monotonic()
        said = await getattr(workspace, what)()
        took[what] = round(time.monotonic() - started, 2)
        return said

    before = names(cloud)
    (change,) = await timed("plan")
    assert change.actions == ("create",)
    applied = await timed("apply")
    assert [each.type for each in applied.resources] == ["practice_disk"]
    assert sorted(names(cloud)) == sorted([*before, "locked-up"])
    assert len(await timed("destroy")) == 1
    assert names(cloud) == before
    assert lockup.refused == {}
    workspace.forget()
    record_property("took_s", took)
    with capsys.disabled():
        print(f"\n{kind}: {took}")


async def test_another_cloud_is_not_reached(lock_up, locked, terraform, cloud, access):
    await lock_up(locked)  # or skip
    let_in = await terraform.let_in(access)
    settings = SandboxSettings(engine=locked)
    lockup = SandboxLauncher(isolation_named(locked, settings), settings, read_only=let_in.paths)
    workspace = await terraform.open(f"alone-{locked}", DISK, access, lockup)
    with pytest.raises(TerraformError, match=r"does not answer|refused"):
        await workspace.apply()
    assert "locked-up" not in names(cloud)
    workspace.forget()
