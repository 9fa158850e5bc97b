"""The GPUs of this machine, as NVIDIA's own program tells of them."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from appliance.system.child_environment import Child, child_environment

_QUERY = ("nvidia-smi", "--query-gpu=index,uuid,name,memory.total,memory.free")
_FORMAT = "--format=csv,noheader,nounits"
_TIMEOUT_S = 20.0
_MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """One GPU."""

    index: int
    uuid: str
    name: str
    total_bytes: int
    free_bytes: int
    """What nobody uses now."""


def find_gpus(environment: Mapping[str, str] | None = None) -> tuple[Gpu, ...]:
    """The GPUs that a program may use; none where `nvidia-smi` is not there or fails.

    Args:
        environment: Variables of that program, beside ours: CUDA_VISIBLE_DEVICES names some.
    """
    try:
        listing = subprocess.run(
            [*_QUERY, _FORMAT],
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            env=child_environment(Child.TOOL),
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    gpus = tuple(gpu for line in listing.splitlines() if (gpu := _gpu(line)))
    chosen = "CUDA_VISIBLE_DEVICES"
    return _visible(gpus, (environment or {}).get(chosen, os.environ.get(chosen)))


def _gpu(line: str) -> Gpu | None:
    """One line; None where it has no numbers: a GPU that is lost says `[N/A]`."""
    fields = [field.strip() for field in line.split(",")]
    try:
        index, uuid, *name, total, free = fields
        return Gpu(
            index=int(index),
            uuid=uuid,
            name=", ".join(name),
            total_bytes=int(total) * _MIB,
            free_bytes=int(free) * _MIB,
        )
    except ValueError:
        return None


def _visible(gpus: tuple[Gpu, ...], chosen: str | None) -> tuple[Gpu, ...]:
    """As CUDA takes the variable: the first name that is nobody's ends the list."""
    if chosen is None:
        return gpus
    visible: list[Gpu] = []
    for one in (part.strip() for part in chosen.split(",")):
        named = [g for g in gpus if one == str(g.index) or (one and g.uuid.startswith(one))]
        if not named:
            break
        visible.append(named[0])
    return tuple(visible)
