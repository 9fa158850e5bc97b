"""Runs any suite: the one loop through the runs of a benchmark."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from random import Random
from typing import Protocol, TypeVar

from appliance.benchmark.record import Record
from appliance.benchmark.trials import BenchmarkResult, Part, Trial

Item = TypeVar("Item")


class Tries(Protocol):
    """Has all of a part tried."""

    def __call__(
        self,
        part: Part,
        known: Collection[str],
        kept: Callable[[str], None],
        add: Callable[[Trial], None],
    ) -> None:
        """Try what is left of it.

        Args:
            part: One run over the tasks of one release.
            known: Tasks whose trials are there.
            kept: Told the id of the engine's run, where there is one, before anything is done.
            add: Told of every trial; one that is known may be told again.
        """
        ...


def sample(tasks: Sequence[Item], count: int | None, seed: int) -> tuple[Item, ...]:
    """So many of them, always the same for a seed; None: all."""
    if count is None or count >= len(tasks):
        return tuple(tasks)
    numbers = Random(f"sample/{seed}").sample(range(len(tasks)), count)  # noqa: S311 - repeatable
    return tuple(tasks[number] for number in sorted(numbers))


def run(record: Record, tries: Tries, finished: Callable[[Trial], None]) -> BenchmarkResult:
    """Have tried what is left; the file has every trial at the latest when this is left.

    Args:
        record: Of the benchmark.
        tries: Carries out a part.
        finished: Told of every new trial.
    """

    def add(trial: Trial) -> None:
        if record.add(trial):
            finished(trial)

    try:
        for number, part in enumerate(record.result.parts):
            if not part.is_over:
                known_tasks = {trial.task for trial in record.result.of_run(part.run)}
                tries(part, known_tasks, partial(record.begin_part, number), add)
                record.end_part(number)
    finally:
        record.keep()
    return record.result
