"""Whether a model fits, from what its folder and the GPUs say of themselves."""

import json

import pytest

from appliance.config import ModelSettings, PolicyServerSettings
from appliance.core.errors import SetupError
from appliance.inference.server import find_gpus, memory_plan, read_weights
from appliance.inference.server.gpus import Gpu
from appliance.inference.server.memory import too_little

GIB = 1 << 30


def gpu(gib: float = 80, free: float | None = None, index: int = 0) -> Gpu:
    return Gpu(
        index=index,
        uuid=f"GPU-{index}",
        name="NVIDIA H100",
        total_bytes=int(gib * GIB),
        free_bytes=int((gib if free is None else free) * GIB),
    )


def plan(folder, *there, **server):
    chosen = ModelSettings(weights=folder, server=PolicyServerSettings.model_validate(server))
    return memory_plan(folder, there, chosen)


def test_the_arithmetic_of_a_32b_model_in_16_bits(weights):
    made = plan(weights(), gpu(80))
    assert made.weights_bytes == (65 << 30) + 2
    assert made.cache_token_bytes == 2 * 64 * 8 * 128 * 2  # 256 KiB
    assert made.context_tokens == 32768  # 8 GiB
    assert made.adapters_bytes == 2 * 64 * 131072 * 64 * 2  # 2 GiB
    assert made.allowed_bytes == int(80 * GIB * 0.9)
    assert not made.fits
    assert "65.0 GiB weights" in str(made)
    assert "8.0 GiB KV cache of one context (32768 tokens of 256 KiB)" in str(made)
    assert "too much" in str(made)
    assert too_little(made).endswith("model.server.quantization: bitsandbytes")


def test_two_gpus_share_it(weights):
    made = plan(weights(), gpu(80), gpu(80, index=1))
    assert made.tensor_parallel == 2
    assert made.weights_bytes == (65 << 30) // 2 + 1
    assert made.cache_token_bytes == 128 << 10
    assert made.fits
    assert made.contexts >= 5
    assert too_little(made) == ""
    assert "room for" in str(made)


def test_machines_that_have_a_part_of_the_layers_each_hold_less_on_every_gpu(weights):
    folder = weights()
    alone = plan(folder, gpu(80), gpu(80, index=1))
    made = plan(folder, gpu(80), gpu(80, index=1), pipeline_parallel=2)
    assert made.weights_bytes == ((65 << 30) + 2) // 4
    assert made.cache_token_bytes == alone.cache_token_bytes // 2
    assert made.adapters_bytes == alone.adapters_bytes // 2
    assert made.working_bytes == alone.working_bytes
    assert "/ 2 GPUs / 2 machines" in str(made)


def test_quantised_weights_are_counted_as_they_are(weights):
    folder = weights(matrices=31 << 30, text_config={}, quantization_config={"quant_method": "fp8"})
    assert read_weights(folder).quantization == "fp8"
    assert plan(folder, gpu(80), quantization="fp8").weights_bytes == (34 << 30) + 2


def test_bitsandbytes_leaves_a_quarter_of_the_matrices(weights):
    made = plan(weights(), gpu(48), quantization="bitsandbytes", context_tokens=16384)
    assert 20 * GIB < made.weights_bytes < 22 * GIB
    assert made.fits


def test_a_smaller_cache_by_a_flag_of_vllm(weights):
    flags = ("--kv-cache-dtype=fp8_e4m3",)
    assert plan(weights(), gpu(), extra_flags=flags).cache_token_bytes == 128 << 10


def test_memory_that_others_use_is_told_apart(weights):
    made = plan(weights(), gpu(141, free=100))
    assert made.fits
    assert not made.is_free
    assert "100.0 GiB are free now" in too_little(made)


def test_as_many_gpus_as_the_heads_can_be_shared_out_to(weights):
    assert plan(weights(), gpu(), gpu(), gpu()).tensor_parallel == 2
    with pytest.raises(SetupError, match="64 attention heads cannot be shared out evenly"):
        plan(weights(), gpu(), gpu(), gpu(), tensor_parallel=3)
    with pytest.raises(SetupError, match="tensor_parallel is 2, and 1 GPUs are here"):
        plan(weights(), gpu(), tensor_parallel=2)


def test_a_context_longer_than_the_model_was_made_for(weights):
    with pytest.raises(SetupError, match="was made for 262144"):
        plan(weights(), gpu(), context_tokens=300_000)


def test_without_a_gpu_nothing_is_judged_and_that_is_said(weights):
    made = plan(weights())
    assert made.fits
    assert made.is_free
    assert "no GPU here" in str(made)


# What is wrong with a folder.


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(SetupError, match=r"is no folder: set model\.weights .* nothing is fetched"):
        read_weights(tmp_path / "none")


def test_a_folder_without_config(tmp_path):
    with pytest.raises(SetupError, match=r"is no folder of weights: it has no config\.json"):
        read_weights(tmp_path)


@pytest.mark.parametrize("text", ["{", "[]", "\udcff"])
def test_a_config_that_cannot_be_read(tmp_path, text):
    (tmp_path / "config.json").write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(SetupError, match=r"config\.json (cannot be read|is no JSON object)"):
        read_weights(tmp_path)


def test_a_folder_without_weights(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(SetupError, match=r"no \*\.safetensors"):
        read_weights(tmp_path)


def test_a_download_that_is_not_complete(weights):
    folder = weights()
    index = {"weight_map": {"a": "model.safetensors", "b": "model-2.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(SetupError, match=r"1 of 2 files .* such as model-2\.safetensors"):
        read_weights(folder)


def test_a_file_that_was_cut_off(weights):
    folder = weights()
    with (folder / "model.safetensors").open("r+b") as file:
        file.truncate(1 << 20)
    with pytest.raises(SetupError, match="shorter than its header says"):
        read_weights(folder)


def test_a_file_that_is_none(weights):
    folder = weights()
    (folder / "model.safetensors").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    with pytest.raises(SetupError, match="is no safetensors file"):
        read_weights(folder)


# The GPUs, as nvidia-smi tells of them.

TOLD = """\
0, GPU-aaaa, NVIDIA H100 80GB HBM3, 81559, 81000
1, GPU-bbbb, NVIDIA H100 80GB HBM3, 81559, 500
2, GPU-cccc, NVIDIA H100 80GB HBM3, [N/A], [N/A]
"""


@pytest.fixture
def nvidia_smi(tmp_path, monkeypatch):
    def says(text: str, code: int = 0) -> None:
        file = tmp_path / "bin" / "nvidia-smi"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n/bin/cat <<'END'\n{text}END\nexit {code}\n")
        file.chmod(0o755)
        monkeypatch.setenv("PATH", str(file.parent))
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)

    return says


def test_gpus_are_found(nvidia_smi):
    nvidia_smi(TOLD)
    assert [(one.index, one.uuid, one.free_bytes >> 20) for one in find_gpus()] == [
        (0, "GPU-aaaa", 81000),
        (1, "GPU-bbbb", 500),
    ]


@pytest.mark.parametrize(
    ("chosen", "indexes"), [("1", [1]), ("1,0", [1, 0]), ("GPU-b", [1]), ("", []), ("0,9,1", [0])]
)
def test_a_variable_says_which_may_be_used(nvidia_smi, chosen, indexes):
    nvidia_smi(TOLD)
    assert [one.index for one in find_gpus({"CUDA_VISIBLE_DEVICES": chosen})] == indexes


def test_no_gpu(nvidia_smi, monkeypatch, tmp_path):
    nvidia_smi("NVIDIA-SMI has failed because it couldn't communicate with the driver.\n", 9)
    assert find_gpus() == ()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert find_gpus() == ()
