"""In which order samples are learnt from, where they are of several stages.

Used by the trainer's process, too: nothing is imported but the standard library.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

DEFAULT = ("operation", "task")
"""What answers with an action, for whoever is not told otherwise."""


def stage_of(sample: Mapping[str, Any]) -> str:
    """Of a row; datasets of before have turns of attempts only."""
    return sample.get("stage") or "task"


def in_stages(
    samples: Sequence[Mapping[str, Any]], stages: Sequence[str], epochs: float, seed: int
) -> list[Mapping[str, Any]]:
    """Each stage as often as the epochs say, one after the other; within it in any order.

    Empty where all samples are of one stage: then there is nothing to order.
    """
    if len({stage_of(one) for one in samples}) < 2:
        return []
    draw, found = Random(seed), list[Mapping[str, Any]]()  # noqa: S311 - repeatable, no secret
    for stage in stages:
        ours = [one for one in samples if stage_of(one) == stage]
        wanted = round(epochs * len(ours))
        while wanted > 0:
            found += draw.sample(ours, min(wanted, len(ours)))
            wanted -= len(ours)
    return found
