"""`scripts/install` says what it does, and what pip and apt say only where they fail."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = """#!/bin/sh
for line in $(seq 40); do echo "WARNING: noise $line" >&2; done
case "$*" in *"pip install"*) exit {code} ;; esac
"""


@pytest.fixture
def install(tmp_path):
    """Runs it with an environment whose Python is noisy, and whose pip ends with a code."""

    def run(code: int) -> subprocess.CompletedProcess[str]:
        python = tmp_path / "venv" / "bin" / "python"
        python.parent.mkdir(parents=True, exist_ok=True)
        python.write_text(PYTHON.format(code=code))
        python.chmod(0o755)
        (tmp_path / "logs").mkdir(exist_ok=True)
        own = {"VENV": str(tmp_path / "venv"), "TMPDIR": str(tmp_path / "logs")}
        command = [str(ROOT / "scripts" / "install")]
        return subprocess.run(
            command, env=os.environ | own, capture_output=True, text=True, check=False, timeout=60
        )

    return run


def test_a_failure_is_shown_with_the_end_of_what_was_said_and_the_whole_is_kept(install, tmp_path):
    done = install(3)
    assert done.returncode == 3
    [log] = (tmp_path / "logs").iterdir()
    told = done.stderr.splitlines()
    assert told[1].startswith("==> Failed with exit code 3: ")
    assert told[2:17] == [f"WARNING: noise {line}" for line in range(26, 41)]
    assert told[17:] == [f"==> All that it said: {log}"]
    assert len(log.read_text().splitlines()) == 40
    assert not (tmp_path / "venv" / ".installed").exists()


def test_what_succeeds_is_not_heard(install, tmp_path):
    done = install(0)
    assert done.returncode == 0, done.stderr
    assert all(line.startswith("==> ") for line in done.stderr.splitlines())
    assert done.stdout == ""
    assert list((tmp_path / "logs").iterdir()) == []
