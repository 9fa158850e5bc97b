"""The file of one benchmark, from its beginning to its end; what was interrupted goes on."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from threading import Thread
from time import monotonic

from appliance import __version__
from appliance.benchmark.summary import summarise
from appliance.benchmark.trials import BenchmarkResult, Part, Setup, Trial, unfinished
from appliance.core.build import commit

_WRITE_EVERY_S = 5.0
"""Trials are written down, so that a page can follow them."""


class Record:
    """What is kept of a benchmark while it is under way."""

    def __init__(self, setup: Setup, releases: Sequence[str], folder: Path, now: datetime) -> None:
        """Begin one, or go on with the one of the same setup that is not over.

        Args:
            setup: What is measured.
            releases: Of the practice cloud: a part of each run is on each of them.
            folder: Where results are kept.
            now: When it begins.
        """
        self._folder, self._written_at, self._writing = folder, monotonic(), Thread()
        unfinished_result = unfinished(folder, setup)
        if unfinished_result is not None:
            unfinished_result = unfinished_result.model_copy(update={"was_interrupted": True})
        self.result = unfinished_result or _new_result(setup, releases, now)

    def add(self, trial: Trial) -> bool:
        """A trial, in place of an earlier one of its task and run; whether there was none."""
        trials = self.result.trials
        others = [
            earlier for earlier in trials if (earlier.task, earlier.run) != (trial.task, trial.run)
        ]
        self.result = self.result.model_copy(update={"trials": (*others, trial)})
        if monotonic() > self._written_at + _WRITE_EVERY_S and not self._writing.is_alive():
            # of the engine's loop, which waits for no disk
            self._writing = Thread(target=self.result.write, args=(self._folder,))
            self._writing.start()
            self._written_at = monotonic()
        return len(others) == len(trials)

    def begin_part(self, number: int, run_id: str) -> None:
        """The engine's run of a part is begun; it is kept at once."""
        self._change(number, run_id=run_id)

    def end_part(self, number: int) -> None:
        """All of a part was tried."""
        self._change(number, is_over=True)

    def _change(self, number: int, **changes: str | bool) -> None:
        parts = list(self.result.parts)
        parts[number] = parts[number].model_copy(update=changes)
        self.keep(self.result.model_copy(update={"parts": tuple(parts)}))

    def keep(self, result: BenchmarkResult | None = None) -> None:
        """Write the result to its file; a given one replaces the current one first."""
        self.result = result or self.result
        if self._writing.is_alive():
            self._writing.join()
        self.result.write(self._folder)
        self._written_at = monotonic()

    def end(self, now: datetime, extra_figures: dict[str, float] | None = None) -> BenchmarkResult:
        """It is over; `extra_figures` are figures beside those that every benchmark has."""
        ended = self.result.model_copy(update={"ended_at": now})
        figures = summarise(ended).figures | (extra_figures or {})
        self.keep(ended.model_copy(update={"figures": figures}))
        return self.result


def _new_result(setup: Setup, releases: Sequence[str], now: datetime) -> BenchmarkResult:
    return BenchmarkResult(
        id=f"{setup.suite}-{setup.policy}-{now:%Y%m%d-%H%M%S}",
        appliance_version=__version__,
        commit=commit(),
        setup=setup,
        started_at=now,
        parts=tuple(
            Part(run=run, release=release)
            for run in range(1, setup.runs + 1)
            for release in releases
        ),
    )
