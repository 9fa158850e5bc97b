"""The arithmetic of a training, for shapes whose figures are known."""

from dataclasses import replace
from pathlib import Path

import pytest

from appliance.inference.server import Gpu, Weights
from appliance.training.at_once import TOKENS_AT_ONCE, batched
from appliance.training.options import SftOptions
from appliance.training.plan import adapter_numbers, advice, training_plan
from appliance.training.update_options import DpoOptions, KlOptions

SMALL = Weights(
    folder=Path("small"), file_count=1, size_bytes=269_030_016, linear_bytes=212_336_640,
    layers=30, hidden=576, intermediate=1536, heads=9, kv_heads=3, head_dim=64,
    vocabulary=49_152, longest=8192, quantization="", takes_images=False,
)  # fmt: skip
"""SmolLM2-135M."""
LARGE = replace(
    SMALL, size_bytes=66_700_000_000, linear_bytes=62_400_000_000, layers=64, hidden=5120,
    intermediate=25_600, heads=64, kv_heads=8, head_dim=128, vocabulary=151_936,
)  # fmt: skip
"""A dense 32B."""


def gpus(count: int, gib: int = 80) -> tuple[Gpu, ...]:
    size = gib << 30
    one = Gpu(index=0, uuid="", name="as if", total_bytes=size, free_bytes=size)
    return (one,) * count


def test_an_adapter_has_as_many_numbers_as_peft_says():
    assert adapter_numbers(SMALL, 16, 16 / 30) == 2_605_056  # 2.61 M trainable, as it printed


@pytest.mark.parametrize(
    ("method", "count", "fits"),
    [
        ("full", 1, False),
        ("full", 8, True),
        ("lora", 1, True),
        ("qlora", 1, True),
    ],
)
def test_what_a_32b_takes_of_80_gib(method, count, fits):
    shared_by = "fsdp" if count > 1 else "ddp"
    options = SftOptions(method=method, batch=1, shared_by=shared_by)
    assert training_plan(LARGE, gpus(count), options, 4096, 400).fits is fits


def test_full_training_keeps_four_numbers_for_each_and_an_adapter_spares_the_base():
    full = training_plan(SMALL, gpus(1), SftOptions(method="full"), 512, 64)
    assert full.gradient_bytes == full.base_bytes
    assert full.optimiser_bytes == 2 * full.base_bytes
    lora = training_plan(SMALL, gpus(1), SftOptions(method="lora"), 512, 64)
    assert lora.base_bytes == full.base_bytes
    assert lora.optimiser_bytes == 8 * lora.trained
    shared = training_plan(SMALL, gpus(4), SftOptions(method="full", shared_by="fsdp"), 512, 64)
    assert shared.optimiser_bytes == full.optimiser_bytes // 4
    assert shared.base_bytes == full.base_bytes // 4
    half = training_plan(SMALL, gpus(4), SftOptions(method="full", shared_by="zero2"), 512, 64)
    assert (half.base_bytes, half.gradient_bytes) == (full.base_bytes, full.gradient_bytes // 4)
    alone = training_plan(SMALL, gpus(4), SftOptions(method="full"), 512, 64)
    assert (alone.base_bytes, alone.optimiser_bytes) == (full.base_bytes, full.optimiser_bytes)
    assert shared.activation_bytes == full.activation_bytes  # each has samples of its own


def test_what_to_change_is_said_where_it_does_not_fit():
    full = SftOptions(method="full", batch=8)
    assert advice(LARGE, gpus(1), full, 4096, 400) == "it fits with --set method=lora and batch=1"
    assert "method=qlora" in advice(LARGE, gpus(1, 40), full, 4096, 400)
    assert advice(LARGE, gpus(1, 10), full, 4096, 400).startswith("no method fits")
    one = full.model_copy(update={"batch": 1})
    assert advice(LARGE, gpus(8), one, 4096, 400) == "it fits with --set shared_by=fsdp"
    assert advice(LARGE, gpus(8), one.model_copy(update={"shared_by": "zero3"}), 4096, 400) == ""
    assert not list(training_plan(LARGE, gpus(1), full, 4096, 400).lines())[-1].endswith("fits")


OF = {"begin_with": "adapter", "rollouts": "live"}


def test_a_preference_has_two_answers_and_the_adapter_that_it_is_held_against():
    sft = training_plan(LARGE, gpus(1), SftOptions(batch=2), 4096, 400)
    dpo = training_plan(LARGE, gpus(1), DpoOptions(**OF, batch=1), 4096, 400)
    assert dpo.activation_bytes == sft.activation_bytes  # one pair is two rows
    assert dpo.adapter_bytes == 2 * sft.adapter_bytes
    assert (dpo.optimiser_bytes, dpo.base_bytes) == (sft.optimiser_bytes, sft.base_bytes)


def test_of_an_update_towards_advantages_the_part_that_takes_most_counts():
    """The update itself, or likelihoods: they are measured of several answers at once."""
    sft = training_plan(LARGE, gpus(1), SftOptions(batch=1), 4096, 400)
    kl = training_plan(LARGE, gpus(1), KlOptions(**OF, batch=1), 4096, 400)
    assert kl.activation_bytes == sft.activation_bytes
    assert kl.fits
    short = training_plan(SMALL, gpus(1), KlOptions(**OF, batch=1), 512, 256)
    assert short.activation_bytes >= 16 * 256 * SMALL.vocabulary * 4


def test_held_out_questions_count_where_they_take_more_than_the_training():
    one = training_plan(LARGE, gpus(1), SftOptions(batch=1), 512, 64)
    two = training_plan(LARGE, gpus(1), SftOptions(batch=2), 512, 64)
    assert one.activation_bytes == two.activation_bytes  # the same questions
    keys_and_values = 2 * LARGE.layers * LARGE.kv_heads * LARGE.head_dim * 2
    assert one.activation_bytes > 8192 * keys_and_values
    more = training_plan(LARGE, gpus(1), SftOptions(batch=16), 512, 64)
    assert more.activation_bytes > two.activation_bytes


@pytest.mark.parametrize("lengths", [[], [300] * 100, [6000] * 3, [9000], [10, 8000, 300, 9000]])
def test_questions_are_put_at_once_as_far_as_they_have_room(lengths):
    batches = [*batched(lengths, int)]
    assert sorted(one for batch in batches for one in batch) == sorted(lengths)
    assert all(len(b) == 1 or len(b) * max(b) <= TOKENS_AT_ONCE for b in batches)
    assert len(batches) <= sum(lengths) / TOKENS_AT_ONCE * 2 + 1
