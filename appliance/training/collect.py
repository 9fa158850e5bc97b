"""From the attempts that a store has kept to a dataset."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from appliance import __version__
from appliance.core.build import commit
from appliance.core.result import ArtifactRef
from appliance.store.demonstrations import JudgedDemonstration
from appliance.training.card import card_of
from appliance.training.dataset import Dataset, write_dataset
from appliance.training.samples import Sample, Sampler
from appliance.training.selection import why_not_attempt
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
    """Samples of all attempts that are fit to learn from.

    Args:
        judged: The attempts.
        artifact: Reads what was kept of one.
        sampler: Makes samples.
    """
    found = Collected()
    for one in judged:
        found.attempts += 1
        if (why := why_not_attempt(one)) is not None:
            found.left_out[why] += 1
            continue
        found.kept += 1
        demonstration = Demonstration.from_json(artifact(one.row.artifact))
        sampled = asyncio.run(sampler.sample(one.row, demonstration))
        found.samples += sampled.samples
        found.steps_left_out.update(sampled.dropped)
        found.untold += sampled.untold
    return found


def write_collection(
    found: Collected,
    folder: Path,
    *,
    console: str,
    held_out: tuple[str, ...],
    now: datetime,
) -> Mapping[str, object]:
    """Write the dataset; what is known of it.

    Raises:
        SetupError: There is nothing to learn from, or nothing to measure by.
    """
    facts = {
        "console": console,
        "made_at": now.isoformat(timespec="seconds"),
        "appliance": __version__,
        "commit": commit(),
        "attempts": found.attempts,
        "kept": found.kept,
        "untold": found.untold,
        "left_out": {"attempts": dict(found.left_out), "steps": dict(found.steps_left_out)},
        "licence": LICENCE,
    }
    return write_dataset(Dataset.of(found.samples, held_out), folder, facts, card_of)
