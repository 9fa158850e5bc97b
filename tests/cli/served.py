"""`appliance serve` as a program of its own, on a practice cloud, that wants a key."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from appliance.practice.serving import serving as practising
from appliance.practice.settings import PracticeSettings
from tests.serving import Served, serving

GUIDE = """\
# Buckets

Buckets hold files.

## Create a bucket

1. Open **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Bucket name** field, enter `ci-bucket`.
4. Click **Create**.

## Look at the buckets

1. Open **Products** > **Storage buckets**.
"""
"""The second is untrue: the menu says Buckets."""


@contextmanager
def served(folder: Path, **more: object) -> Iterator[Served]:
    """A server whose console `cloud` is a practice cloud."""
    with practising(PracticeSettings(release="2025.1", settle_s=0.1)) as cloud:
        (folder / "password").write_text(cloud.password)
        accounts = {
            name: {"username": name, "password_file": "password", "role": "member"}
            for name in ("alice", "bob")
        }
        settings = {
            "consoles": {"cloud": {"kind": "practice", "url": cloud.url, "accounts": accounts}},
            "server": {"keys": "required"},
            "schedules": {"nightly": {"job": "sweep", "every_minutes": 9000, "is_enabled": False}},
            **more,
        }
        with serving(folder, settings) as running:
            yield running
