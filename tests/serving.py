"""`appliance serve` as a process of its own."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]


def environment(**more: str) -> dict[str, str]:
    """Variables for a program of this tree, with none of ours among them."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("APPLIANCE_")}
    return kept | {"PYTHONPATH": str(ROOT)} | more


@dataclass(frozen=True)
class Served:
    """A server that answers, and what it is asked with."""

    url: str
    folder: Path
    environment: Mapping[str, str]

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def key_file(self) -> Path:
        return self.data / "first-key"

    @property
    def key(self) -> str:
        return self.key_file.read_text().strip()

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    @property
    def log(self) -> str:
        """What it said so far."""
        return (self.folder / "log").read_text()

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Another command of the same folder."""
        return subprocess.run(
            [sys.executable, "-m", "appliance.cli", *words],
            cwd=self.folder,
            env=dict(self.environment),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


@contextmanager
def serving(folder: Path, settings: Mapping[str, Any], **variables: str) -> Iterator[Served]:
    """One with these settings until the end, at a free port where they name none."""
    (folder / "config.yaml").write_text(yaml.safe_dump(dict(settings)))
    around, log = environment(**variables), folder / "log"
    port = settings.get("server", {}).get("port", 0)
    with log.open("a") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "appliance.cli", "serve", "--port", str(port), "--json"],
            cwd=folder,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=around,
        )
    try:
        told = json.loads(process.stdout.readline() or "{}")
        assert "url" in told, log.read_text()
        yield Served(told["url"], folder, around)
    finally:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
