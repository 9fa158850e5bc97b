"""`appliance serve` as a program of its own, on a practice cloud, that wants a key."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import yaml

from appliance.practice.serving import PracticeSettings, serving

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


ROOT = Path(__file__).parents[2]


def environment(**more: str) -> dict[str, str]:
    """Variables for a program of this tree, with none of ours among them."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("APPLIANCE_")}
    return kept | {"PYTHONPATH": str(ROOT)} | more


@dataclass(frozen=True)
class Served:
    """Where it is, and what it is asked with."""

    url: str
    key_file: Path
    data: Path

    @property
    def key(self) -> str:
        return self.key_file.read_text().strip()

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}


@contextmanager
def served(folder: Path, **more: object) -> Iterator[Served]:
    """A server whose console `cloud` is a practice cloud."""
    with serving(PracticeSettings(release="2025.1", settle_s=0.1)) as cloud:
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
        (folder / "config.yaml").write_text(yaml.safe_dump(settings))
        log = folder / "log"
        with log.open("w") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", "appliance.cli", "serve", "--port", "0", "--json"],
                cwd=folder,
                start_new_session=True,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=environment(),
            )
        try:
            line = process.stdout.readline()
            assert line, log.read_text()
            url = json.loads(line)["url"]
            yield Served(url, folder / "data" / "first-key", folder / "data")
        finally:
            process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            process.stdout.close()
