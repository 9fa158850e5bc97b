"""The README's way by hand, as it is written."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from appliance.environment.terraform.mirror import PROVIDER


@pytest.mark.timeout(300)
def test_the_way_by_hand_works_as_written(cloud, terraform_command, tmp_path):
    pytest.importorskip("tf", reason="the provider needs the extra `terraform`")
    text = (PROVIDER / "README.md").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"^```(hcl|sh)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    (tmp_path / "main.tf").write_text(blocks["hcl"])
    assert "http://127.0.0.1:8700" in blocks["sh"]
    script = blocks["sh"].replace("http://127.0.0.1:8700", cloud.url)
    assert "echo practice-only > password" in script
    # What a person has on the PATH: the package's Python, and a terraform.
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, command in (("terraform", terraform_command), ("python", (sys.executable,))):
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        (programs / name).chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "PRACTICE_"))}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        env={**kept, "PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 added, 0 changed, 0 destroyed" in done.stdout
    assert "zone-a" in done.stdout
    assert "No changes." in done.stdout
    assert "2 destroyed" in done.stdout


def test_every_setting_of_the_provider_is_described():
    from practice_provider.provider import PracticeProvider
    from tf.utils import Diagnostics

    text = (PROVIDER / "README.md").read_text(encoding="utf-8")
    for attribute in PracticeProvider().get_provider_schema(Diagnostics()).attributes:
        assert f"`{attribute.name}`" in text


def test_every_file_is_named():
    text = (PROVIDER / "README.md").read_text(encoding="utf-8")
    for file in (PROVIDER / "practice_provider").glob("[a-z]*.*"):
        assert file.name in text
