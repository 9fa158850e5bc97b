"""`scripts/start-engine`: what starts an engine for these tests."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts" / "start-engine"


def started(*arguments, **variables):
    return subprocess.run(
        [shutil.which("bash"), SCRIPT, *arguments],
        env={"PATH": os.environ["PATH"], **variables},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_without_any_engine_it_says_so_and_runs_nothing(tmp_path):
    for name in ("dirname", "mktemp", "id", "rm", "cat", "tail", "seq", "grep", "cut", "sort"):
        (tmp_path / name).symlink_to(shutil.which(name))
    done = started("touch", tmp_path / "ran", PATH=str(tmp_path), TMPDIR=str(tmp_path))
    assert done.returncode == 2
    assert "No container engine: docker or podman does not work here" in done.stderr
    assert not (tmp_path / "ran").exists()
    assert not list(tmp_path.glob("cda-engine-*"))


def test_used_wrongly_it_says_how():
    assert "scripts/start-engine COMMAND" in started().stderr
    assert "not rkt" in started("true", ENGINE="rkt").stderr
    assert started().returncode == started("true", ENGINE="rkt").returncode == 2


def test_an_engine_is_started_and_the_command_s_exit_code_is_kept(engine, tmp_path):
    done = started(
        "sh", "-c", f"{engine} info >/dev/null && exit 7", ENGINE=engine, TMPDIR=str(tmp_path)
    )
    if done.returncode == 2:
        pytest.skip(done.stderr.splitlines()[-1])
    assert done.returncode == 7, done.stderr
    assert "could not be removed" not in done.stderr
