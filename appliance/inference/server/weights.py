"""What a folder of weights says about itself: Hugging Face's layout, read without loading it."""

import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, cast

from appliance.core.errors import SetupError

_LONGEST_HEADER = 100 << 20
"""Bytes of a safetensors header; the format allows no more."""
_NOT_QUANTISED = ("embed", "lm_head", "norm")
"""Parts of names of tensors that stay as they are when a model is quantised at load."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A model as its `config.json` and the headers of its files describe it."""

    folder: Path
    file_count: int
    size_bytes: int
    linear_bytes: int
    """Of that, what a quantisation at load makes smaller: matrices but embeddings and head."""
    layers: int
    hidden: int
    intermediate: int
    heads: int
    kv_heads: int
    head_dim: int
    vocabulary: int
    longest: int
    """Tokens of the longest context that it was made for; 0: it does not say."""
    quantization: str
    """How it is quantised already; empty: not."""
    takes_images: bool


def read_weights(folder: Path) -> Weights:
    """Look at a folder of weights; `SetupError`: it is no such folder, or files are missing."""
    if not folder.is_dir():
        raise SetupError(
            f"{folder} is no folder: set model.weights to a folder of weights on this machine;"
            " nothing is fetched from elsewhere"
        )
    config = _json_of(folder / "config.json", f"{folder} is no folder of weights")
    text = config.get("text_config") or config
    files = _files(folder)
    sizes = list(_sizes(files))
    heads, hidden = _number(text, "num_attention_heads"), _number(text, "hidden_size")
    return Weights(
        folder=folder,
        file_count=len(files),
        size_bytes=sum(size for _, size in sizes),
        linear_bytes=sum(size for is_linear, size in sizes if is_linear),
        layers=_number(text, "num_hidden_layers"),
        hidden=hidden,
        intermediate=_number(text, "intermediate_size"),
        heads=heads,
        kv_heads=_number(text, "num_key_value_heads") or heads,
        head_dim=_number(text, "head_dim") or (hidden // heads if heads else 0),
        vocabulary=_number(text, "vocab_size") or _number(config, "vocab_size"),
        longest=_number(text, "max_position_embeddings"),
        quantization=str((_quantization(config) or _quantization(text)).get("quant_method", "")),
        takes_images="vision_config" in config,
    )


def check_adapter(name: str, folder: Path, highest_rank: int) -> None:
    """Look at a folder with a LoRA adapter.

    Raises:
        SetupError: It is none, or of a higher rank than the server has room for.
    """
    if not folder.is_dir():
        raise SetupError(f"the adapter {name}: {folder} is no folder")
    config = _json_of(folder / "adapter_config.json", f"the adapter {name}: {folder} holds none")
    if not any((folder / f"adapter_model.{ending}").exists() for ending in ("safetensors", "bin")):
        raise SetupError(f"the adapter {name}: {folder} has no adapter_model.safetensors")
    if (rank := _number(config, "r")) > highest_rank:
        raise SetupError(
            f"the adapter {name} has rank {rank}; model.server.adapter_rank allows {highest_rank}"
        )


def _json_of(file: Path, complaint: str) -> Mapping[str, Any]:  # Any: JSON of others
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SetupError(f"{complaint}: it has no {file.name}") from None
    except (OSError, ValueError) as exc:
        raise SetupError(f"{complaint}: {file.name} cannot be read: {exc}") from exc
    if not isinstance(value, dict):
        raise SetupError(f"{complaint}: {file.name} is no JSON object")
    return value


def _number(config: Mapping[str, Any], key: str) -> int:  # Any: JSON of others
    value = config.get(key)
    return value if isinstance(value, int) else 0


def _quantization(config: Mapping[str, Any]) -> Mapping[str, Any]:  # Any: JSON of others
    value = config.get("quantization_config")
    return value if isinstance(value, dict) else {}


def _files(folder: Path) -> list[Path]:
    index = folder / "model.safetensors.index.json"
    if index.exists():
        named = _json_of(index, f"{folder} is no folder of weights").get("weight_map")
        # cast: who writes an index writes names of files; anything else is missing below
        names = sorted(
            set(cast("dict[str, str]", named if isinstance(named, dict) else {}).values())
        )
        missing = [name for name in names if not (folder / name).exists()]
        if missing:
            raise SetupError(
                f"{folder} is incomplete: {len(missing)} of {len(names)} files that {index.name}"
                f" names are not there, such as {missing[0]}"
            )
        return [folder / name for name in names]
    files = sorted(folder.glob("*.safetensors")) or sorted(folder.glob("*.bin"))
    if not files:
        raise SetupError(f"{folder} has no weights: no *.safetensors are in it")
    return files


def _sizes(files: list[Path]) -> Iterator[tuple[bool, int]]:
    """Every tensor: whether it is one of the matrices, and its bytes."""
    for file in files:
        if file.suffix != ".safetensors":
            yield True, file.stat().st_size
            continue
        for name, tensor in _header(file).items():
            if name == "__metadata__":
                continue
            shape, (begin, end) = tensor["shape"], tensor["data_offsets"]
            is_linear = len(shape) == 2 and prod(shape) > 0
            yield is_linear and not any(part in name for part in _NOT_QUANTISED), end - begin


def _header(file: Path) -> Mapping[str, Any]:  # Any: JSON of the format
    """The table of tensors: 8 bytes of its length, little-endian, then JSON.

    https://huggingface.co/docs/safetensors#format
    """
    try:
        with file.open("rb") as stream:
            (length,) = struct.unpack("<Q", stream.read(8))
            if length > _LONGEST_HEADER:
                raise ValueError("its header is too long")
            header = json.loads(stream.read(length))
        end = max(
            (one["data_offsets"][1] for key, one in header.items() if key != "__metadata__"),
            default=0,
        )
        if file.stat().st_size < 8 + length + end:
            raise ValueError("it is shorter than its header says: was it copied to the end?")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error) as exc:
        raise SetupError(f"{file} is no safetensors file: {exc}") from exc
    return cast("Mapping[str, Any]", header)  # cast: every entry was looked at. Any: as above
