"""Turns the attempts kept in a store into a dataset."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from appliance import __version__
from appliance.core.build import commit
from appliance.core.errors import StoreError
from appliance.core.result import ArtifactRef
from appliance.store.demonstrations import JudgedDemonstration
from appliance.training.card import card_of
from appliance.training.dataset import Dataset, write_dataset
from appliance.training.samples import Sample, Sampler
from appliance.training.selection import Dropped, why_not_attempt
from appliance.verification import Demonstration

LICENCE = (
    "the texts are those of the console's documentation and of its pages: whoever owns these says"
    " who may have the dataset. What is trained on it is bound by the licence of its base, too"
)


@dataclass(slots=True)
class Collected:
    """What was collected so far."""

    samples: list[Sample] = field(default_factory=list)
    attempts: int = 0
    kept: int = 0
    untold: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    """Attempts, by why."""
    steps_left_out: Counter[str] = field(default_factory=Counter)
    """Steps of those that are kept, by why."""


def collect(
    judged: Collection[JudgedDemonstration],
    artifact: Callable[[ArtifactRef], bytes],
    sampler: Sampler,
) -> Collected:
    """Collect samples from all attempts that qualify for training.

    Args:
        judged: The attempts.
        artifact: Reads a stored artifact.
        sampler: Makes samples.
    """
    collected = Collected()
    for attempt in judged:
        collected.attempts += 1
        if (why := why_not_attempt(attempt)) is not None:
            collected.left_out[why] += 1
            continue
        try:
            demonstration = Demonstration.from_json(artifact(attempt.row.artifact))
        except StoreError:
            collected.left_out[Dropped.GONE] += 1
            continue
        collected.kept += 1
        sampled = asyncio.run(sampler.sample(attempt.row, demonstration))
        collected.samples += sampled.samples
        collected.steps_left_out.update(sampled.dropped)
        collected.untold += sampled.untold
    return collected


def write_collection(
    collected: Collected,
    folder: Path,
    *,
    console: str,
    held_out: tuple[str, ...],
    now: datetime,
) -> Mapping[str, object]:
    """Write the dataset and return its facts.

    Raises:
        SetupError: There is nothing to learn from, or nothing to measure by.
    """
    facts = {
        "console": console,
        "made_at": now.isoformat(timespec="seconds"),
        "appliance": __version__,
        "commit": commit(),
        "attempts": collected.attempts,
        "kept": collected.kept,
        "untold": collected.untold,
        "left_out": {"attempts": dict(collected.left_out), "steps": dict(collected.steps_left_out)},
        "licence": LICENCE,
    }
    return write_dataset(Dataset.of(collected.samples, held_out), folder, facts, card_of)
