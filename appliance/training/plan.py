"""Whether a training fits the GPUs, with the arithmetic, before anything is started.

Per GPU, where each works on its own samples, and `p` of them share what `shared_by` says, else 1
(ZeRO-2: gradients and optimiser; FSDP and ZeRO-3: base and adapter as well):

- base: the bytes of its tensors / p; in 4 bits (NF4, scales quantised again) a matrix keeps 0.258
  of its 16-bit bytes: 4 bits a number, 8 a block of 64, and 32 for 256 of those blocks;
- adapter: rank × (inputs + outputs) of the seven matrices of each layer that has one, 32-bit
  numbers; `full`: none, the base itself is trained;
- gradients: as many numbers as are trained; optimiser: AdamW's two for each, of the same type;
- activations, with gradient checkpointing: what goes into each layer, and the numbers within one
  layer, for all tokens of a batch; 32-bit logits, their softmax and its gradient for the answers,
  on which alone the loss is; or, where that is more, held-out questions asked on the way: keys and
  values of all layers, and the numbers within one;
- CUDA and its libraries. This is an estimate, as are the numbers within a layer.

Of `dpo` a batch has two rows a pair, and the adapter that it began with stays beside the one that
is trained. Of `kl` the part counts that takes most, for one follows the other: the update itself,
than which the critic's training takes no more, or likelihoods, measured of several answers at
once, without gradients. A policy in 4 bits cannot leave the GPU for the critic's base.

Held against a GPU with the shape of a 32B (`scripts/gpu-check`): docs/training.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from appliance.inference.server import Gpu, Weights
from appliance.training.at_once import TOKENS_AT_ONCE
from appliance.training.options import SHARE_MODEL, SftOptions
from appliance.training.update_options import DpoOptions, KlOptions, UpdateOptions

Planned = SftOptions | UpdateOptions
"""What can be told of a training that is planned."""

_GIB = 1 << 30
_BYTES_16_BIT, _BYTES_32_BIT = 2, 4
"""Bytes of a number of 16 and of 32 bits."""
_SHARE_IN_4_BITS = (4 + 8 / 64 + 32 / (64 * 256)) / 16
_LIBRARY_BYTES = 3 * _GIB // 2
_OPTIMISER_NUMBERS = 2
"""Numbers that AdamW keeps for each that it trains."""
_LAYER_WIDTHS = 10
"""Numbers of a layer for each token, in widths of the model: its norms, queries, keys, values, what
attention gives, and the residual, with their gradients."""
_LOGIT_COPIES = 3
"""Logits, softmax, gradient."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """What each GPU has to hold, and what it can. All bytes are of one GPU."""

    method: str
    gpus: int
    """0: it is done on the processor."""
    shared_by: str
    trained: int
    """Numbers that are trained, on all GPUs together."""
    base_bytes: int
    adapter_bytes: int
    gradient_bytes: int
    optimiser_bytes: int
    activation_bytes: int
    library_bytes: int
    total_bytes: int
    """What the smallest GPU has."""

    @property
    def needed_bytes(self) -> int:
        """All together."""
        return (
            self.base_bytes
            + self.adapter_bytes
            + self.gradient_bytes
            + self.optimiser_bytes
            + self.activation_bytes
            + self.library_bytes
        )

    @property
    def fits(self) -> bool:
        """Whether there is room; a machine without GPUs is not judged."""
        return not self.gpus or self.needed_bytes <= self.total_bytes

    def lines(self) -> Iterator[str]:
        """The arithmetic, a line a part."""
        model_share, rest_share = map(_share_suffix, _shards(self.shared_by, self.gpus))
        numbers = f"{self.trained / 1e6:.2f} M numbers"
        yield f"{_gib(self.base_bytes)} base{model_share}"
        if self.adapter_bytes:
            yield f"{_gib(self.adapter_bytes)} adapter{model_share}"
        yield f"{_gib(self.gradient_bytes)} gradients of {numbers}{rest_share}"
        yield f"{_gib(self.optimiser_bytes)} optimiser{rest_share}"
        yield f"about {_gib(self.activation_bytes)} activations"
        yield f"about {_gib(self.library_bytes)} CUDA and its libraries"
        total = f"{_gib(self.needed_bytes)} together"
        if not self.gpus:
            yield f"{total}, and no GPU here"
        elif self.fits:
            yield f"{total} of {_gib(self.total_bytes)}: it fits"
        else:
            excess = _gib(self.needed_bytes - self.total_bytes)
            yield f"{total} of {_gib(self.total_bytes)}: {excess} too much"


def training_plan(
    weights: Weights, gpus: tuple[Gpu, ...], options: Planned, tokens: int, answer: int
) -> TrainingPlan:
    """What a supervised fine-tuning, or an update on attempts, takes.

    Args:
        weights: Of the base.
        gpus: That train it together.
        options: Of the training.
        tokens: Of the longest sample.
        answer: Of its answer.
    """
    model_shards, rest_shards = _shards(options.shared_by, len(gpus))
    is_full = options.method == "full"
    adapter_size = 0 if is_full else adapter_numbers(weights, options.rank, options.upper_layers)
    number_bytes = _BYTES_32_BIT if not is_full or options.dtype == "float32" else _BYTES_16_BIT
    trained = weights.size_bytes // _BYTES_16_BIT if is_full else adapter_size
    adapter_copies = 2 if isinstance(options, DpoOptions) else 1
    return TrainingPlan(
        method=options.method,
        gpus=len(gpus),
        shared_by=options.shared_by,
        trained=trained,
        base_bytes=int(_base_bytes(weights, options) / model_shards),
        adapter_bytes=adapter_copies * adapter_size * number_bytes // model_shards,
        gradient_bytes=trained * number_bytes // rest_shards,
        optimiser_bytes=trained * number_bytes * _OPTIMISER_NUMBERS // rest_shards,
        activation_bytes=_activation_bytes(weights, options, tokens, answer),
        library_bytes=_LIBRARY_BYTES if gpus else 0,
        total_bytes=min((gpu.total_bytes for gpu in gpus), default=0),
    )


def adapter_numbers(weights: Weights, rank: int, upper_layers: float) -> int:
    """Of a LoRA adapter on q, k, v, o, gate, up and down of the upper layers."""
    queries, keys = weights.heads * weights.head_dim, weights.kv_heads * weights.head_dim
    attention = 2 * (weights.hidden + queries) + 2 * (weights.hidden + keys)
    mlp = 3 * (weights.hidden + weights.intermediate)
    return rank * (attention + mlp) * max(1, round(weights.layers * upper_layers))


def _base_bytes(weights: Weights, options: Planned) -> float:
    size = weights.size_bytes * (2 if options.dtype == "float32" else 1)
    if options.method != "qlora" or weights.quantization:
        return size
    in_4_bits = weights.size_bytes - weights.linear_bytes * (1 - _SHARE_IN_4_BITS)
    return in_4_bits * (2 if isinstance(options, KlOptions) else 1)


def _activation_bytes(weights: Weights, options: Planned, tokens: int, answer: int) -> int:
    rows = options.batch * (2 if isinstance(options, DpoOptions) else 1)
    checkpoint_bytes = weights.layers * rows * tokens * weights.hidden * _BYTES_16_BIT
    logit_bytes = rows * answer * weights.vocabulary * _BYTES_32_BIT * _LOGIT_COPIES
    update_bytes = checkpoint_bytes + _layer_bytes(weights, rows * tokens) + logit_bytes
    rows_at_once = max(1, TOKENS_AT_ONCE // tokens)
    generation_layer_bytes = _layer_bytes(weights, rows_at_once * tokens)
    cache_token_bytes = 2 * weights.layers * weights.kv_heads * weights.head_dim * _BYTES_16_BIT
    examination_bytes = generation_layer_bytes + rows_at_once * tokens * cache_token_bytes
    if not isinstance(options, KlOptions):
        return max(update_bytes, examination_bytes)
    likelihood_bytes = generation_layer_bytes + rows_at_once * answer * weights.vocabulary * (
        _BYTES_16_BIT + _BYTES_32_BIT
    )
    return max(update_bytes, examination_bytes, likelihood_bytes)


def _layer_bytes(weights: Weights, tokens: int) -> int:
    return tokens * (_LAYER_WIDTHS * weights.hidden + 3 * weights.intermediate) * _BYTES_16_BIT


def advice(
    weights: Weights, gpus: tuple[Gpu, ...], options: Planned, tokens: int, answer: int
) -> str:
    """What to change so that it fits; empty: it fits as it is."""
    if training_plan(weights, gpus, options, tokens, answer).fits:
        return ""
    has_several_gpus = len(gpus) > 1
    changes = (
        *((("--set shared_by=fsdp", {"shared_by": "fsdp"}),) if has_several_gpus else ()),
        ("--set batch=1 --set accumulate=" + str(options.batch * options.accumulate), {"batch": 1}),
        ("--set method=lora", {"method": "lora", "batch": 1}),
        ("--set method=qlora", {"method": "qlora", "batch": 1}),
    )
    for option, change in changes:
        changed_options = options.model_copy(update=change)
        if training_plan(weights, gpus, changed_options, tokens, answer).fits:
            return f"it fits with {option}" + (" and batch=1" if "method" in change else "")
    return "no method fits: take more GPUs, a smaller base, or shorter samples (max_tokens)"


def _shards(shared_by: str, gpus: int) -> tuple[int, int]:
    """Into how many parts base and adapter are shared, and gradients and optimiser."""
    count = max(1, gpus)
    return count if shared_by in SHARE_MODEL else 1, count if shared_by != "ddp" else 1


def _share_suffix(gpus: int) -> str:
    return f" / {gpus} GPUs" if gpus > 1 else ""


def _gib(size: int) -> str:
    return f"{size / _GIB:.2f} GiB"
