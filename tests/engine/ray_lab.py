"""A Ray cluster of several node processes on this machine, and a practice cloud to work in."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import yaml
from ray.cluster_utils import Cluster

from appliance.config import (
    AccountSettings,
    ConsoleSettings,
    ExecutionSettings,
    Settings,
    VerificationSettings,
)
from appliance.practice.serving import PracticeSettings, serving
from appliance.system.yaml import Dumper

KEY = "CLUSTER_TEST_KEY"
KEY_TEXT = "Tk3-canary-of-the-cluster-key-9f31b7d2e8"
PASSWORD = "Canary-Password-51c07e"
SHORT = {"RAY_health_check_period_ms": "300", "RAY_health_check_failure_threshold": "3"}
"""A node that is gone is noticed soon."""

GUIDE = """\
# Working with buckets

## Create a bucket

1. In the menu, choose **Storage** > **Buckets**.
2. Click **Create bucket**.
3. Enter `reports-1` in the **Bucket name** field.
4. Click **Create**.

The bucket is in the list.

## Create a second bucket

1. In the menu, choose **Storage** > **Buckets**.
2. Click **Create container**.
3. Enter `reports-2` in the **Bucket name** field.
4. Click **Create**.

The bucket is in the list.
"""


class RayLab:
    """A cloud, a cluster, and settings for both ways."""

    def __init__(self, folder: Path, cluster: Cluster, url: str, password: str) -> None:
        self.folder, self.cluster = folder, cluster
        self.url, self.password = url, password
        self.guide = folder / "guide.md"
        self.guide.write_text(GUIDE, encoding="utf-8")

    def settings(self, engine: str, accounts: int = 2, **execution: object) -> Settings:
        secret = self.folder / "password"
        secret.write_text(self.password)
        names = ["alice", "bob", *(f"user{n:02}" for n in range(1, 30))][:accounts]
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

    def things_left(self) -> list[str]:
        """Names of buckets that are in the accounts."""
        left = []
        for name in ("alice", "bob"):
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
        if command and command[0].startswith("ray::Worker"):
            found.append(process)
    return found


@contextmanager
def cluster_of(nodes: int, **more: object) -> Iterator[Cluster]:
    """Nodes with one processor each; the head node has none."""
    os.environ |= {KEY: KEY_TEXT, "RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", **SHORT}
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
