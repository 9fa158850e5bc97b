"""What is in an image is said package by package."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCKER = """\
#!/bin/sh
# An engine whose only image is this machine.
case "$1 $2" in
  "info "|"buildx "*) exit 0 ;;
  "image inspect") echo 1000000 ;;
  "run "*) [ "$(echo "$@" | grep -c -- '--network none')" = 1 ] && exec "$PYTHON" - ;;
esac
"""


@pytest.fixture
def bill(tmp_path):
    """Made as `scripts/image build` does it."""
    docker = tmp_path / "docker"
    docker.write_text(DOCKER)
    docker.chmod(0o755)
    project = tmp_path / "project"
    project.mkdir()
    for name in ("appliance", "scripts", "LICENCES.md"):
        (project / name).symlink_to(ROOT / name)
    ways = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHON": sys.executable}
    done = subprocess.run(
        ["bash", "-c", f"cd {project} && exec bash scripts/image build"],
        env={**os.environ, **ways, "PYTHONPATH": str(project)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads((project / "build" / "console-docs-appliance-cpu.cdx.json").read_text())


def test_every_package_is_named_once_with_its_version_and_licence(bill):
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    about = bill["metadata"]["component"]
    assert (about["name"], about["version"]) == ("console-docs-appliance", about["purl"][-5:])
    parts = [each for each in bill["components"] if each["type"] == "library"]
    names = [each["bom-ref"] for each in parts]
    assert len(set(names)) == len(names)
    python = {each["name"]: each for each in parts if each["purl"].startswith("pkg:pypi/")}
    assert python["litestar"]["purl"] == f"pkg:pypi/litestar@{version('litestar')}"
    assert python["httpx2"]["licenses"] == [{"expression": "BSD-3-Clause"}]
    assert python["litestar"]["licenses"] == [{"license": {"name": "MIT License"}}]
    locked = re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert len(python) > 80 and len(set(locked) & set(python)) > 80
    assert all(each["licenses"] for name, each in python.items() if name in locked)
    assert "console-docs-appliance" not in python


def test_debian_s_packages_are_in_it(bill):
    system = next(each for each in bill["components"] if each["type"] == "operating-system")
    place = rf"pkg:deb/{system['name']}/libc6@[\w.%+~-]+\?arch=\w+&distro={system['name']}-"
    assert [each for each in bill["components"] if re.match(place, each.get("purl", ""))]
