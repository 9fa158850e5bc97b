import json
import struct
import sys
from pathlib import Path

import pytest

from appliance.config import ModelSettings, PolicyServerSettings
from tests.inference.scripted_program import PROGRAM

# Qwen3-VL-32B-Instruct: sizes as its own config.json has them.
CONFIG = {
    "architectures": ["Qwen3VLForConditionalGeneration"],
    "text_config": {
        "hidden_size": 5120,
        "intermediate_size": 25600,
        "num_hidden_layers": 64,
        "num_attention_heads": 64,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "vocab_size": 151936,
        "max_position_embeddings": 262144,
    },
    "vision_config": {"depth": 27},
}


def safetensors(file: Path, tensors: dict[str, tuple[list[int], int]]) -> None:
    """A file with room for these tensors, name to (shape, bytes), and nothing in them."""
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, (shape, size) in tensors.items():
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    with file.open("wb") as stream:
        stream.write(struct.pack("<Q", len(text)) + text)
        stream.truncate(8 + len(text) + at)  # a sparse file: it takes no room


@pytest.fixture
def weights(tmp_path):
    """Makes a folder that says it has 32 billion numbers."""

    def make(matrices: int = 62 << 30, embeddings: int = 3 << 30, **config: object) -> Path:
        folder = tmp_path / "Qwen3-VL-32B"
        folder.mkdir(exist_ok=True)
        (folder / "config.json").write_text(json.dumps(CONFIG | config))
        tensors = {
            "model.language_model.embed_tokens.weight": ([1, 1], embeddings),
            "model.language_model.layers.0.mlp.up_proj.weight": ([1, 1], matrices),
            "model.language_model.norm.weight": ([1], 2),
        }
        safetensors(folder / "model.safetensors", tensors)
        return folder

    return make


@pytest.fixture
def adapter(tmp_path):
    def make(name: str, rank: int = 8) -> Path:
        folder = tmp_path / "adapters" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "adapter_config.json").write_text(json.dumps({"r": rank}))
        safetensors(folder / "adapter_model.safetensors", {})
        return folder

    return make


@pytest.fixture
def program(tmp_path):
    """A program that takes vLLM's command line: the scripted model."""
    file = tmp_path / "vllm"
    file.write_text(f'#!/bin/sh\nexec {sys.executable} {PROGRAM} "$@"\n')
    file.chmod(0o755)
    return file


@pytest.fixture
def model(weights, program):
    """Settings that have the scripted model served."""

    def make(scenario: str = "", **server: object) -> ModelSettings:
        folder = weights()
        if scenario:
            (folder / "scripted.yaml").write_text(scenario)
        chosen = {"command": program, "health_every_s": 0.1, "start_timeout_s": 60, **server}
        return ModelSettings(
            weights=folder, timeout_s=20, server=PolicyServerSettings.model_validate(chosen)
        )

    return make
