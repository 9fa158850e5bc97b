"""In which order samples are learnt from, where they are of several stages.

Used by the trainer's process, too: nothing is imported but the standard library.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

DEFAULT_STAGES = ("operation", "task")
"""What answers with an action, for whoever is not told otherwise."""


def stage_of(sample: Mapping[str, Any]) -> str:
    """Of a row; datasets of before have turns of attempts only."""
    return sample.get("stage") or "task"


def order_by_stage(
    samples: Sequence[Mapping[str, Any]], stages: Sequence[str], epochs: float, seed: int
) -> list[Mapping[str, Any]]:
    """Each stage as often as the epochs say, one after the other; within it in any order.

    Empty where all samples are of one stage: then there is nothing to order.
    """
    if len({stage_of(sample) for sample in samples}) < 2:
        return []
    random, ordered = Random(seed), list[Mapping[str, Any]]()  # noqa: S311 - repeatable, no secret
    for stage in stages:
        stage_samples = [sample for sample in samples if stage_of(sample) == stage]
        remaining = round(epochs * len(stage_samples))
        while remaining > 0:
            ordered += random.sample(stage_samples, min(remaining, len(stage_samples)))
            remaining -= len(stage_samples)
    return ordered
