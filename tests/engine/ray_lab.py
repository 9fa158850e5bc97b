"""A Ray cluster of several node processes on this machine, and a practice cloud to work in."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import psutil
from ray.cluster_utils import Cluster

from appliance.config import (
    AccountSettings,
    ConsoleSettings,
    ExecutionSettings,
    Settings,
    VerificationSettings,
)
from appliance.core.result import RunResult
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.store import Store

KEY = "CLUSTER_TEST_KEY"
KEY_TEXT = f"Tk3-canary-of-the-cluster-key-9f31b7d2e8-{os.getpid()}"
PASSWORD = "Canary-Password-51c07e"
SHORT = {
    # A node that is gone is noticed sooner than is usual, and not before a busy machine answers.
    "RAY_health_check_period_ms": "1000",
    "RAY_health_check_failure_threshold": "8",
    # Ray's workers give way to all other processes (15): beside other tests they get hardly a turn.
    "RAY_worker_niceness": "0",
}

GUIDE = """\
# Working with buckets

## Create a bucket

1. Go to **Products** > **Buckets**.
2. Click **Create bucket**.
3. Enter a name in **Bucket name**.
4. Click **Create**.

A message says **Bucket created**.

## Create a container

1. Go to **Products** > **Buckets**.
2. Click **Create container**.
3. Enter a name in **Bucket name**.
4. Click **Create**.

A message says **Bucket created**.

## Turn on versioning for a bucket

1. Open **Products** > **Buckets**.
2. In the row of the bucket, click **More** > **Edit versioning**.
3. In the **Edit versioning** dialog, turn on **Versioning**.
4. Click **Save**.

A message says **Versioning saved**.
"""
CHECKS = """\
procedures:
  create-a-bucket: {expect: [{event: CreateBucket}]}
  create-a-container: {expect: [{event: CreateBucket}]}
  turn-on-versioning-for-a-bucket:
    needs: [{bucket: {name: "logs-${unique}"}}]
    bindings: {bucket: "logs-${unique}"}
    expect: [{event: UpdateBucket, where: {parameters.versioning: "true"}}]
"""


NAMES = ("alice", "bob", *(f"user{n:02}" for n in range(1, 30)))
"""Of accounts."""


class RayLab:
    """A cloud, a cluster, and settings for both ways."""

    def __init__(self, folder: Path, cluster: Cluster, url: str, password: str) -> None:
        self.folder, self.cluster = folder, cluster
        self.url, self.password = url, password
        self.guide = folder / "guide.md"
        self.guide.write_text(GUIDE, encoding="utf-8")
        (folder / "guide.checks.yaml").write_text(CHECKS, encoding="utf-8")

    def settings(self, engine: str, accounts: int = 2, **execution: object) -> Settings:
        secret = self.folder / "password"
        secret.write_text(self.password)
        names = NAMES[:accounts]
        of = {
            name: AccountSettings(username=name, role="member", password_file=secret)
            for name in names
        }
        given = {"engine": engine, "address": self.cluster.address, "workers": 1, "key_env": KEY}
        return Settings(
            data_dir=self.folder / engine,
            consoles={"practice": ConsoleSettings(kind="practice", url=self.url, accounts=of)},
            verification=VerificationSettings(
                audit_wait_s=1, settle_resource_s=4, parallel=max(2, accounts)
            ),
            execution=ExecutionSettings(**given | execution),
            claims={"questions": 0},
        )

    def held(self) -> list[str]:
        """Accounts of the run on the cluster that somebody holds still, or that are not clean."""
        with Store.open(self.folder / "ray") as store:
            leased = [lease.account for lease in store.accounts.leases()]
            states = store.accounts.states("practice")
            return leased + [one.account for one in states if one.quarantined_at is not None]

    def things_left(self) -> list[str]:
        """Names of buckets that are in the accounts."""
        left = []
        for name in NAMES[:6]:  # no test has more
            auth = (name, self.password)
            with httpx.Client(base_url=self.url, auth=auth, trust_env=False) as api:
                items = api.get("/api/storage/buckets").raise_for_status().json()["items"]
            left += [item["values"]["name"] for item in items]
        return left


def workers() -> list[psutil.Process]:
    """The processes in which attempts are made, on all nodes."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        command = process.info["cmdline"] or []
        with suppress(psutil.Error):
            is_worker = bool(command) and command[0].startswith("ray::Worker")
            if is_worker and process.environ().get(KEY) == KEY_TEXT:
                found.append(process)
    return found


@contextmanager
def cluster_of(nodes: int, **more: object) -> Iterator[Cluster]:
    """Nodes with one processor each; the head node has none."""
    os.environ |= {KEY: KEY_TEXT, "RAY_USAGE_STATS_ENABLED": "0", **SHORT}
    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 80_000_000}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(nodes):
            cluster.add_node(num_cpus=1, object_store_memory=80_000_000, **more)
        yield cluster
    finally:
        cluster.shutdown()


@contextmanager
def ray_lab(folder: Path, nodes: int = 2) -> Iterator[RayLab]:
    served = PracticeSettings(release="2025.1", settle_s=0.2, password=PASSWORD, accounts=30)
    with serving(served) as cloud, cluster_of(nodes) as cluster:
        yield RayLab(folder, cluster, cloud.url, cloud.password)


def verdicts(run: RunResult) -> dict[str, tuple[str, tuple[str, ...]]]:
    """By title: the verdict, and what was found."""
    return {
        p.title: (p.verdict.value, tuple(sorted(f.kind.value for f in p.findings)))
        for p in run.procedures
    }
