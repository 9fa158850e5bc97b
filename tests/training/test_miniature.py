"""`scripts/miniature --short`: a real, small language model is trained from beginning to end.

`scripts/test-model tests/training` brings what is needed; else it is left out. It takes some six
minutes on two idle cores.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.model
@pytest.mark.timeout(3600)
def test_the_short_miniature_learns_and_is_measured(tmp_path):
    program = os.environ.get("POLICY_VLLM")
    if not program:
        pytest.skip("no model's environment: scripts/test-model brings one")
    words = ("--short", "--out", tmp_path, "--venv", Path(program).parents[1])
    weights = os.environ.get("POLICY_SMALL")  # scripts/weights makes them where none are named
    words += ("--weights", weights) if weights else ()
    subprocess.run((ROOT / "scripts" / "miniature", *words), check=True, stdout=subprocess.DEVNULL)
    result = json.loads((tmp_path / "result.json").read_text())
    steps = result["single_steps"]["sft"]["exact"]
    assert steps[-1] - steps[0] >= 0.2
    curves = [
        json.loads(line)
        for file in sorted((tmp_path / "data/training/runs").glob("*/curves.jsonl"))
        for line in file.read_text().splitlines()
    ]
    losses = [line["loss"] for line in curves if "loss" in line and "kl" not in line]
    assert losses[-1] < losses[0]
    (tried,) = [line for line in curves if "live_attempts" in line]
    assert tried["live_attempts"] == 9  # three tasks, three times each
    assert result["promotion"]["is_promoted"] in (True, False)
    assert result["promotion"].get("rollback_code", 0) == 0
    assert (tmp_path / "sft.svg").read_text().startswith("<svg")
