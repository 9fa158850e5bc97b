"""Somebody who saves verdicts, as a sweep does, while pages are asked for."""

import itertools
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Self

from appliance import __version__
from appliance.core.result import ProcedureResult, RunResult
from appliance.store.paging import Paging
from appliance.store.store import Store

_KNOWN_DOCUMENTS = 40
"""Documents whose results are saved again and again."""


def known_results(store: Store, console: str) -> tuple[ProcedureResult, ...]:
    """Results that the store has: with two findings, with none, in turn."""
    documents = store.listings.documents(Paging(0, _KNOWN_DOCUMENTS), console=console).items
    return tuple(
        itertools.chain.from_iterable(store.listings.results(console, d.path) for d in documents)
    )


def new_run(console: str, run_id: str) -> RunResult:
    """A run that has nothing yet."""
    now = datetime.now(UTC)
    return RunResult(
        id=run_id,
        appliance_version=__version__,
        commit="",
        console=console,
        policy="literal",
        started_at=now,
        ended_at=now,
        procedures=(),
    )


def ingested_per_s(store: Store, console: str, batch: int, seconds: float) -> float:
    """Step results a second, through `Store.save_procedures`, committed batch by batch."""
    results = list(known_results(store, console))
    saved, number, began = 0, 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        run_id = f"ingest-{batch}-{number}"
        store.start_run(new_run(console, run_id), len(results))
        for part in _batches(results, batch):
            store.save_procedures(run_id, part)
            saved += sum(len(result.steps) for result in part)
            if time.perf_counter() - began >= seconds:
                break
        number += 1
    return saved / (time.perf_counter() - began)


class Writer:
    """Saves verdicts at a rate until the block ends: in a thread, as the engine's events do it."""

    def __init__(self, store: Store, console: str, verdicts_per_s: float) -> None:
        self._store = store
        self._console = console
        self._pause_s = 1 / verdicts_per_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._write, name="writer")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stop.set()
        self._thread.join()

    def _write(self) -> None:
        results = known_results(self._store, self._console)
        due = time.monotonic()
        for number in itertools.count():
            run_id = f"written-{number}"
            self._store.start_run(new_run(self._console, run_id), len(results))
            for result in results:
                # Findings come and go, so that incidents open and close.
                kept = result if number % 2 else replace(result, findings=result.findings[:1])
                self._store.save_procedure(run_id, kept)
                due += self._pause_s
                if self._stop.wait(max(0.0, due - time.monotonic())):
                    return


def _batches(results: Sequence[ProcedureResult], size: int) -> Iterator[Sequence[ProcedureResult]]:
    for start in range(0, len(results), size):
        yield results[start : start + size]
