"""vLLM's command line and environment, as the settings want them."""

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, cast

from appliance.config import ModelSettings
from appliance.core.errors import SetupError
from appliance.system.child_environment import Child, child_environment

PICTURES: Final = 4
"""Most images in one question."""
_RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)
"""Ranks that vLLM has room for; a test holds them against its parser."""
_COMPACT = {"backend": "guidance", "disable_any_whitespace": True}
"""Of vLLM's backends, the one that takes the most of JSON schema and can do without whitespace."""
_OFFLINE: Final = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_DO_NOT_TRACK": "1",
    "DO_NOT_TRACK": "1",
    "VLLM_USE_MODELSCOPE": "False",
}
"""Nothing is fetched, nobody is told."""


def command_of(
    settings: ModelSettings,
    *,
    port: int,
    adapters: Mapping[str, Path],
    gpu_count: int,
    takes_images: bool,
) -> tuple[str, ...]:
    """The whole command line.

    Args:
        settings: With `weights`.
        port: On the loopback interface.
        adapters: LoRA adapters to load at the start.
        gpu_count: GPUs that share the model; 0: it runs on the processor.
        takes_images: Whether the weights are of a model that takes images.

    Raises:
        SetupError: There is no program `vllm`.
    """
    return (str(program_of(settings)), *_flags(settings, port, adapters, gpu_count, takes_images))


def _flags(
    settings: ModelSettings,
    port: int,
    adapters: Mapping[str, Path],
    gpu_count: int,
    takes_images: bool,
) -> Iterator[str]:
    server = settings.server
    yield from ("serve", str(settings.weights), "--host", "127.0.0.1", "--port", str(port))
    yield from ("--served-model-name", served_name(settings))
    yield from ("--dtype", server.dtype)
    yield from ("--max-model-len", str(server.context_tokens))
    yield from ("--max-num-seqs", str(server.max_parallel))
    yield from ("--enable-prefix-caching", "--no-trust-remote-code")
    # Where whitespace is allowed, a model may go on with it until its answer is cut off.
    yield from ("--structured-outputs-config", json.dumps(_COMPACT))
    # Questions hold pages of the customer's console: they are nobody else's to read.
    yield from ("--no-enable-log-requests", "--disable-uvicorn-access-log")
    if gpu_count:
        yield from ("--gpu-memory-utilization", str(server.gpu_memory))
        yield from ("--tensor-parallel-size", str(gpu_count))
    if server.pipeline_parallel > 1:
        yield from ("--pipeline-parallel-size", str(server.pipeline_parallel))
        yield from ("--distributed-executor-backend", "ray")
    if sleeps_itself(settings, gpu_count):
        yield "--enable-sleep-mode"
    if takes_images:
        pictures = 0 if settings.takes_images == "no" else PICTURES
        yield from ("--limit-mm-per-prompt", json.dumps({"image": pictures, "video": 0}))
    if server.quantization:
        yield from ("--quantization", server.quantization)
    if server.is_eager:
        yield "--enforce-eager"
    if server.max_adapters:
        yield from ("--enable-lora", "--max-loras", str(server.max_adapters))
        yield from ("--max-lora-rank", str(rank_of(server.adapter_rank)))
    if adapters:
        yield from ("--lora-modules", *(f"{name}={path}" for name, path in adapters.items()))
    yield from server.extra_flags


def environment_of(settings: ModelSettings) -> dict[str, str]:
    """The variables of its process: few of ours, none of them a secret; then the settings'."""
    ours = {
        **_OFFLINE,
        "PYTHONUNBUFFERED": "1",
        "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "True",
        "VLLM_SERVER_DEV_MODE": "1",  # vLLM hides /sleep and /wake_up behind it
    }
    return child_environment(Child.MODEL, {**ours, **settings.server.environment})


def served_name(settings: ModelSettings) -> str:
    """The name under which the model itself is asked."""
    return settings.name or (settings.weights.resolve().name if settings.weights else "")


def sleeps_itself(settings: ModelSettings, gpu_count: int) -> bool:
    """Whether vLLM can give up its memory and live on; else it has to end for that."""
    return settings.server.can_sleep and gpu_count > 0


def program_of(settings: ModelSettings) -> Path:
    """The program `vllm`; `SetupError` where there is none."""
    if named := settings.server.command:
        if not os.access(named, os.X_OK) or named.is_dir():
            raise SetupError(f"model.server.command is {named}, and that is no program")
        return named.absolute()
    sibling = Path(sys.executable).parent / "vllm"
    program = str(sibling) if os.access(sibling, os.X_OK) else shutil.which("vllm")
    if not program:
        raise SetupError(
            "there is no program vllm: install it beside the appliance, or set"
            " model.server.command to where it is"
        )
    return Path(program).absolute()


def rank_of(min_rank: int) -> int:
    """The smallest rank that vLLM has room for and that holds this one."""
    return next((rank for rank in _RANKS if rank >= min_rank), _RANKS[-1])


def value_of(flags: Sequence[str], name: str) -> str:
    """The value of a flag, `--name value` or `--name=value`; empty: it is not there."""
    for index, flag in enumerate(flags):
        if flag == name:
            return flags[index + 1] if index + 1 < len(flags) else ""
        if flag.startswith(f"{name}="):
            return flag.partition("=")[2]
    return ""


@cache
def known_flags() -> Mapping[str, Any]:  # Any: JSON: see scripts/model/record_flags.py
    """What the pinned vLLM's own parser takes."""
    text = resources.files("appliance.inference.server").joinpath("vllm_flags.json").read_text()
    return cast("Mapping[str, Any]", json.loads(text))  # cast: ours. Any: as above


def unknown_flags(flags: Sequence[str]) -> tuple[str, ...]:
    """Those that the pinned vLLM does not know; another version may."""
    accepted = known_flags()["flags"]
    names = (flag.partition("=")[0] for flag in flags if flag.startswith("--"))
    # `--compilation-config.level=3` sets one key of a flag that takes JSON.
    return tuple(name for name in names if name.partition(".")[0] not in accepted)
