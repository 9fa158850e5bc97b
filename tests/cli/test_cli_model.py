"""`appliance model`, and what `doctor` says of the model."""

import asyncio
import json
import os
import signal
import struct
import sys
from pathlib import Path

import httpx
import psutil
import pytest

from appliance.cli._check import CheckResult, Status
from appliance.cli._model_checks import model_checks
from appliance.config import load
from appliance.inference.scripted import serving
from tests.inference.scripted_program import PROGRAM

CONFIG = {
    "hidden_size": 5120,
    "intermediate_size": 25600,
    "num_hidden_layers": 64,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "vocab_size": 151936,
    "quantization_config": {"quant_method": "fp8"},
}
GIB = 1 << 30


@pytest.fixture
def weights(folder) -> Path:
    """34 GiB of nothing, and settings that name them."""
    made = folder / "policy"
    made.mkdir()
    (made / "config.json").write_text(json.dumps(CONFIG))
    shape = {"dtype": "F8_E4M3", "shape": [1, 34 * GIB], "data_offsets": [0, 34 * GIB]}
    header = json.dumps({"model.up_proj.weight": shape}).encode()
    with (made / "model.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        file.truncate(8 + len(header) + 34 * GIB)
    program = folder / "vllm"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {PROGRAM} "$@"\n')
    program.chmod(0o755)
    (folder / "config.yaml").write_text("model:\n  weights: policy\n  server: {command: ./vllm}\n")
    return made


@pytest.fixture
def gpus(folder, monkeypatch):
    def make(*gib: int) -> None:
        lines = [
            f"{n}, GPU-{n}, NVIDIA L40S, {one << 10}, {one << 10}" for n, one in enumerate(gib)
        ]
        file = folder / "bin" / "nvidia-smi"
        file.parent.mkdir()
        file.write_text("#!/bin/sh\ncat <<END\n" + "\n".join(lines) + "\nEND\n")
        file.chmod(0o755)
        monkeypatch.setenv("PATH", f"{file.parent}:{os.environ['PATH']}")

    return make


def looked_at() -> dict[str, CheckResult]:
    async def look() -> dict[str, CheckResult]:
        settings = load(None, os.environ, {}).settings.model
        return {check.name: check async for check in model_checks(settings, is_serving=False)}

    return asyncio.run(look())


@pytest.mark.usefixtures("weights")
def test_the_plan_of_a_model_that_fits(appliance, gpus):
    gpus(80)
    result = appliance("model", "plan")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "34.0 GiB weights (34.0 GiB in 1 files, fp8)"
    assert lines[1] == "8.0 GiB KV cache of one context (32768 tokens of 256 KiB)"
    assert lines[-1] == "room for 4 contexts at the same time"


@pytest.mark.usefixtures("weights")
def test_the_plan_of_one_that_does_not(appliance, gpus):
    gpus(24)
    result = appliance("model", "plan", "--json")
    assert result.code == 2
    told = json.loads(result.out)
    assert told["fits"] is False
    assert told["per_gpu_bytes"]["weights"] == 34 * GIB
    assert told["per_gpu_bytes"]["allowed"] == int(24 * GIB * 0.9)


@pytest.mark.parametrize("verb", ["plan", "serve"])
def test_without_weights_there_is_nothing_to_serve(appliance, verb):
    result = appliance("model", verb)
    assert result.code == 2
    assert "set model.weights to a folder of weights on this machine" in result.err


@pytest.mark.usefixtures("weights")
def test_serve_prints_its_address_and_leaves_nothing(program):
    process = program("model", "serve", "--json")
    told = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")
    assert httpx.get(f"{told['url']}/models", trust_env=False).json()["data"][0]["id"] == "policy"
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "The model is ready." in err
    assert err.splitlines()[-1] == "Stopped."
    assert not psutil.pid_exists(told["pid"])


def test_serve_says_why_it_does_not_start(appliance, weights):
    (weights / "scripted.yaml").write_text("start: {fails: 'ValueError: no kernel image'}")
    result = appliance("model", "serve")
    assert result.code == 2
    assert "vLLM ended with 1 before it answered. It said: scripted model: ValueError: no" in (
        result.err
    )


def test_a_scripted_model_is_served(program, folder):
    (folder / "scenario.yaml").write_text("models: [one]\nlines: [{reply: Well.}]\n")
    process = program("model", "scripted", "scenario.yaml")
    url = process.stdout.readline().strip()
    assert httpx.get(f"{url}/models", trust_env=False).json()["data"][0]["id"] == "one"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 0


# What doctor says.


def test_doctor_says_that_none_is_needed(appliance):
    found = json.loads(appliance("doctor", "--json").out)["checks"]
    (model,) = (check for check in found if check["name"] == "model")
    assert (model["status"], model["says"]) == ("ok", "none; procedures are read literally")


@pytest.mark.usefixtures("weights")
def test_doctor_says_whether_it_fits(gpus):
    gpus(48, 48)
    check = looked_at()["model"]
    assert check.status is Status.OK
    assert "17.0 GiB weights (34.0 GiB in 1 files, fp8 / 2 GPUs)" in check.says


@pytest.mark.usefixtures("weights")
def test_doctor_says_that_there_is_no_gpu(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    check = looked_at()["model"]
    assert check.status is Status.WARN
    assert "no GPU here" in check.says
    assert "only vLLM's CPU build serves it" in check.remedy


@pytest.mark.usefixtures("weights")
def test_doctor_looks_at_adapters_flags_and_the_program(folder):
    (folder / "config.yaml").write_text(
        "model:\n  weights: policy\n  adapters: {one: nowhere}\n"
        "  server: {command: /nowhere/vllm, extra_flags: [--seeed=1]}\n"
    )
    found = looked_at()
    assert "nowhere is no folder" in found["adapter one"].says
    assert found["flags of vLLM"].says == "vLLM 0.32.0 has no --seeed"
    assert "that is no program" in found["vLLM"].says


def test_doctor_asks_an_endpoint(folder):
    with serving([]) as scripted:
        (folder / "config.yaml").write_text(f"model: {{endpoint: '{scripted.url}'}}")
        assert looked_at()["model"].says == f"{scripted.url}: scripted"
        (folder / "config.yaml").write_text(f"model: {{endpoint: '{scripted.url}', name: other}}")
        other = looked_at()["model"]
        assert (other.status, other.remedy) == (Status.WARN, "Set model.name to one of these.")
    gone = looked_at()["model"]
    assert gone.status is Status.WARN
    assert "cannot be reached" in gone.says
