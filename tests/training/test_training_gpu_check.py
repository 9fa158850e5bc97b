"""`scripts/gpu-check`: one JSON, and a sentence for whatever it cannot run."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def check(python: Path, *words: str) -> dict:
    command = (ROOT / "scripts" / "gpu-check", *words)
    env = {**os.environ, "PYTHON": str(python)}
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def test_without_pytorch_it_says_so_in_a_sentence():
    told = check(Path(sys.executable))
    assert told["device"] is None
    assert told["skipped"].startswith("torch cannot be used here: ModuleNotFoundError")


@pytest.mark.model
@pytest.mark.timeout(600)
def test_every_part_runs_or_says_why_not():
    program = os.environ.get("POLICY_VLLM")
    if not program:
        pytest.skip("no model's environment: scripts/test-model brings one")
    told = check(Path(program).parent / "python", "--cpu")
    assert told["training_steps"]["losses"][1] < told["training_steps"]["losses"][0]
    assert told["answers"]["tokens_per_s"] > 0
    assert told["reinforced"]["is_right"]
    assert "GPU" in told["large_lora"]["skipped"]
    assert "GPU" in told["large_qlora"]["skipped"]
    assert told["fine_tuned"]["skipped"].startswith("--weights and --dataset name nothing")
