"""Whether a model fits the GPUs, with the arithmetic: a plan before vLLM is started.

Per GPU, where `p` GPUs share the model (tensor parallel); where several machines each have a part
of the layers (pipeline parallel), all but the working memory is divided by their number as well:

- weights: the bytes of all tensors / p; less where they are quantised at load;
- KV cache of one context: 2 (key and value) × layers × kv heads / p × head size × bytes of a
  number × tokens; vLLM does not start without room for one;
- LoRA adapters: slots × rank × (inputs + outputs of the seven matrices of a layer) × layers × 2
  bytes / p;
- working memory: CUDA and its libraries, compiled graphs, and the numbers between two layers for
  as many tokens as are computed at once. This is an estimate: vLLM measures it at its start.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from appliance.config import ModelSettings, PolicyServerSettings
from appliance.core.errors import SetupError
from appliance.inference.server.command import rank_of, value_of
from appliance.inference.server.gpus import Gpu
from appliance.inference.server.weights import Weights, read_weights

_GIB = 1 << 30
_BATCH_TOKENS = 8192
"""Tokens computed at once, vLLM's own default on large GPUs (`--max-num-batched-tokens`)."""
_BASE_BYTES = 3 * _GIB // 2
"""CUDA, its libraries and compiled graphs: 1 to 1.5 GiB are usual."""
_HALF = 2
"""Bytes of a number that is not quantised."""
_AT_LOAD = {"bitsandbytes": 0.29, "fp8": 0.51}
"""Part that remains of a 16-bit matrix: 4 bits (8 bits) and its scales."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPlan:
    """What each GPU has to hold, and what it can."""

    weights: Weights
    gpus: tuple[Gpu, ...]
    """Those that share the model; none: it runs on the processor."""
    machines: int = 1
    """Those that each have a part of the layers, and as many GPUs."""
    weights_bytes: int
    """All that follows is for one GPU."""
    cache_token_bytes: int
    context_tokens: int
    adapters_bytes: int
    working_bytes: int
    allowed_bytes: int
    """What it may take of the smallest one."""
    free_bytes: int
    """What is free now on the fullest one."""

    @property
    def tensor_parallel(self) -> int:
        """GPUs that share the model; 1 without any."""
        return max(1, len(self.gpus))

    @property
    def needed_bytes(self) -> int:
        """Of one GPU, with the KV cache of one whole context."""
        context = self.cache_token_bytes * self.context_tokens
        return self.weights_bytes + context + self.adapters_bytes + self.working_bytes

    @property
    def fits(self) -> bool:
        """Whether it can work at all; a machine without GPUs is not judged."""
        return not self.gpus or self.needed_bytes <= self.allowed_bytes

    @property
    def is_free(self) -> bool:
        """Whether what it may take is free now: vLLM insists on all of it."""
        return not self.gpus or self.allowed_bytes <= self.free_bytes

    @property
    def contexts(self) -> int:
        """Whole contexts for which there is room at the same time."""
        context_bytes = self.cache_token_bytes * self.context_tokens
        spare = self.allowed_bytes - self.needed_bytes + context_bytes
        return max(0, spare // context_bytes) if context_bytes and self.gpus else 0

    def __str__(self) -> str:
        """The arithmetic, as a sentence."""
        return "; ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        share = f" / {len(self.gpus)} GPUs" if len(self.gpus) > 1 else ""
        share += f" / {self.machines} machines" if self.machines > 1 else ""
        weights, context = self.weights, self.cache_token_bytes * self.context_tokens
        kind = weights.quantization or "not quantised"
        yield (
            f"{_gib(self.weights_bytes)} weights ({_gib(weights.size_bytes)} in"
            f" {weights.file_count} files, {kind}{share})"
        )
        yield (
            f"{_gib(context)} KV cache of one context ({self.context_tokens} tokens of"
            f" {self.cache_token_bytes / 1024:.0f} KiB)"
        )
        if self.adapters_bytes:
            yield f"{_gib(self.adapters_bytes)} room for adapters"
        yield f"about {_gib(self.working_bytes)} to work in"
        needed = _gib(self.needed_bytes)
        if not self.gpus:
            yield f"{needed} together, and no GPU here: vLLM's CUDA build does not start"
            return
        names = ", ".join(sorted({gpu.name for gpu in self.gpus}))
        allowed = _gib(self.allowed_bytes)
        yield f"{needed} together of {allowed} on each of {len(self.gpus)} ({names})"
        if not self.fits:
            yield f"{_gib(self.needed_bytes - self.allowed_bytes)} too much"
        elif not self.is_free:
            yield f"but {_gib(self.free_bytes)} are free now"
        else:
            yield f"room for {self.contexts} contexts at the same time"


def memory_plan(folder: Path, gpus: tuple[Gpu, ...], settings: ModelSettings) -> MemoryPlan:
    """What a model takes on each of these GPUs.

    Raises:
        SetupError: The folder holds no model, or so many GPUs cannot share it.
    """
    weights, server = read_weights(folder), settings.server
    shared = _gpus_shared(weights, gpus, server.tensor_parallel)
    parts, stages = max(1, len(shared)), server.pipeline_parallel
    return MemoryPlan(
        weights=weights,
        gpus=shared,
        weights_bytes=_loaded_bytes(weights, server) // (parts * stages),
        cache_token_bytes=_cache_token(weights, server, parts) // stages,
        context_tokens=_context(weights, server),
        adapters_bytes=_adapters(weights, server) // (parts * stages),
        machines=stages,
        working_bytes=_working(weights, server, parts),
        allowed_bytes=int(min((gpu.total_bytes for gpu in shared), default=0) * server.gpu_memory),
        free_bytes=min((gpu.free_bytes for gpu in shared), default=0),
    )


def too_little(plan: MemoryPlan) -> str:
    """What to do where a model does not fit; empty: it fits."""
    if not plan.fits:
        return (
            f"the model in {plan.weights.folder} does not fit: {plan}. Take smaller weights (FP8 or"
            " AWQ), more GPUs, a shorter model.server.context_tokens, fewer adapters, or"
            " model.server.quantization: bitsandbytes"
        )
    if not plan.is_free:
        return (
            f"the model in {plan.weights.folder} fits, but not now: {plan}. End what else uses the"
            " GPU, or lower model.server.gpu_memory"
        )
    return ""


def _gpus_shared(weights: Weights, gpus: tuple[Gpu, ...], wanted: int) -> tuple[Gpu, ...]:
    if not gpus:
        return ()
    if wanted > len(gpus):
        raise SetupError(f"model.server.tensor_parallel is {wanted}, and {len(gpus)} GPUs are here")
    if wanted and weights.heads % wanted:
        raise SetupError(
            f"model.server.tensor_parallel is {wanted}: the model's {weights.heads} attention"
            " heads cannot be shared out evenly"
        )
    # All of them, or as many as its heads can be shared out to.
    count = wanted or next(n for n in range(len(gpus), 0, -1) if weights.heads % n == 0)
    return gpus[:count]


def _loaded_bytes(weights: Weights, server: PolicyServerSettings) -> int:
    part = 1.0 if weights.quantization else _AT_LOAD.get(server.quantization, 1.0)
    return int(weights.size_bytes - weights.linear_bytes * (1 - part))


def _cache_token(weights: Weights, server: PolicyServerSettings, parts: int) -> int:
    kind = value_of(server.extra_flags, "--kv-cache-dtype")
    size = 1 if kind.startswith("fp8") else _HALF
    heads = max(1, weights.kv_heads // parts)  # each GPU has one at least, be it a copy
    return 2 * weights.layers * heads * weights.head_dim * size


def _context(weights: Weights, server: PolicyServerSettings) -> int:
    if weights.longest and server.context_tokens > weights.longest:
        raise SetupError(
            f"model.server.context_tokens is {server.context_tokens}, and the model in"
            f" {weights.folder} was made for {weights.longest}"
        )
    return server.context_tokens


def _adapters(weights: Weights, server: PolicyServerSettings) -> int:
    """Slots that vLLM keeps on the GPU, for q, k, v, o, gate, up and down of each layer."""
    queries, keys = weights.heads * weights.head_dim, weights.kv_heads * weights.head_dim
    attention = 2 * (weights.hidden + queries) + 2 * (weights.hidden + keys)
    mlp = 3 * (weights.hidden + weights.intermediate)
    rank = rank_of(server.adapter_rank)
    return server.max_adapters * rank * (attention + mlp) * weights.layers * _HALF


def _working(weights: Weights, server: PolicyServerSettings, parts: int) -> int:
    """See the module: base, one layer's numbers for a batch, and 32-bit logits of every answer."""
    layer = _BATCH_TOKENS * (4 * weights.hidden + 3 * weights.intermediate // parts) * _HALF
    logits = server.max_parallel * weights.vocabulary * 4
    return _BASE_BYTES + layer + logits


def _gib(size: int) -> str:
    return f"{size / _GIB:.1f} GiB"
