"""A build job in a company (`tests/company_server.py`) has guides verified by the action."""

import os
import sys
from pathlib import Path

import pytest
import yaml

from tests.company_server import CONSOLE, OURS, company
from tests.scripts.test_scripts_ci import CI, Runner

IMAGE = "console-docs-appliance:cpu"
HERE = f'exec {sys.executable} -m appliance.cli "$@"'
IN_A_CONTAINER = """\
exec docker run --rm --network host --user "$(id -u)" \\
  --volume "{folder}:{folder}" --workdir "$PWD" \\
  $(env | sed -n 's/^\\(APPLIANCE_[A-Z_]*\\)=.*/--env \\1/p') {image} "$@"
"""
"""The job's machine has a container engine, and nothing of ours."""
pytestmark = pytest.mark.timeout(300)


# In CI the same action runs without a company around it, in test_scripts_ci.py.
@pytest.mark.long
@pytest.mark.parametrize(
    "how", [HERE, pytest.param(IN_A_CONTAINER, marks=pytest.mark.image)], ids=["here", "container"]
)
def test_a_build_job_verifies_guides_in_a_company(how: str, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "appliance"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{how.format(folder=tmp_path, image=IMAGE)}\n")
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    action = yaml.safe_load((CI / "action.yml").read_text())
    with company(tmp_path) as ours:
        inputs = {"server": ours.server, "key": ours.key, "documents": "true.md"}
        right = Runner(ours.checkout, inputs, path, ours.machine)
        assert right.run(action) == 0, right.said
        assert "| ✅ verified | Add a tag |" in right.summary
        wrong = Runner(ours.checkout, inputs | {"documents": "untrue.md"}, path, ours.machine)
        assert wrong.run(action) == 1, wrong.said
        assert "file=untrue.md,line=8" in wrong.said
        stranger = Runner(ours.checkout, inputs, path)
        assert stranger.run(action) == 2
        assert "does not answer" in stranger.said
        assert set(ours.door.sessions.values()) == {"alice"}
        assert {f"CONNECT {CONSOLE}:443", f"CONNECT {OURS}:443"} <= set(ours.gate.seen)
        said = right.said + wrong.said + stranger.said + ours.log.read_text()
    for secret in ours.secrets:
        assert secret not in said
