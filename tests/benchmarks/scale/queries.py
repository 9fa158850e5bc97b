"""How long the store takes for what lists, plans and the queue ask, on many nights of a sweep."""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from appliance.core.verdict import Verdict
from appliance.engine.plan import History
from appliance.store.incident import IncidentFilter, IncidentState
from appliance.store.paging import Paging
from appliance.store.states import ProcedureFilter
from appliance.store.store import FILE_NAME, Store
from appliance.store.sweeps import ItemState
from tests.benchmarks.server.filling import Size, fill

_CONSOLE = "practice"
_STALE = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class QueryRow:
    """One question to the store."""

    name: str
    p50_ms: float
    p95_ms: float
    cpu_ms: float
    """Of all threads, in the mean."""


@dataclass(frozen=True, slots=True)
class StoreFigures:
    """A store of so many nights."""

    procedures: int
    nights: int
    store_mib: float
    queries: tuple[QueryRow, ...]


def measure_store(folder: Path, procedures: int, nights: int, rounds: int) -> StoreFigures:
    """Fill a store with so many nights of so many procedures, and ask it."""
    fill(folder, folder / "docs", Size(procedures=procedures, runs=nights), _CONSOLE)
    with Store.open(folder) as store:
        asked = _questions(store)
        rows = tuple(_timed(name, question, rounds) for name, question in asked.items())
    size = (folder / FILE_NAME).stat().st_size
    return StoreFigures(procedures, nights, round(size / 2**20, 1), rows)


def _timed(name: str, question: Callable[[], object], rounds: int) -> QueryRow:
    question()
    took = []
    cpu = time.process_time()
    for _ in range(rounds):
        began = time.perf_counter()
        question()
        took.append((time.perf_counter() - began) * 1000)
    cpu_ms = (time.process_time() - cpu) * 1000 / rounds
    took.sort()
    p95 = took[min(len(took) - 1, int(len(took) * 0.95))]
    return QueryRow(name, round(statistics.median(took), 1), round(p95, 1), round(cpu_ms, 1))


def _questions(store: Store) -> Mapping[str, Callable[[], object]]:
    lists, incidents, now = store.listings, store.incidents, datetime.now(UTC)
    run = lists.runs(Paging(0, 1)).items[0]
    state = lists.verdicts(run.id, Paging(0, 1)).items[0]
    wanted = IncidentFilter(console=_CONSOLE, state=IncidentState.OPEN)
    one = incidents.page(Paging(0, 1), wanted).items[0]
    any_verdict = ProcedureFilter(console=_CONSOLE)
    broken = ProcedureFilter(console=_CONSOLE, verdict=Verdict.BROKEN, query="sort 12")
    return {
        "procedures": lambda: lists.procedures(Paging(), any_verdict, now=now, stale_after=_STALE),
        "procedures, searched": lambda: lists.procedures(
            Paging(), broken, now=now, stale_after=_STALE
        ),
        "documents": lambda: lists.documents(Paging(), console=_CONSOLE),
        "coverage": lambda: lists.coverage(_CONSOLE, now=now, stale_after=_STALE),
        "trend of 30 days": lambda: lists.trend(_CONSOLE, days=30, now=now),
        "runs": lambda: lists.runs(Paging()),
        "verdicts of a run": lambda: lists.verdicts(run.id, Paging()),
        "a result": lambda: lists.result(state.run_id, state.id),
        "history of a procedure": lambda: lists.history(_CONSOLE, state.id),
        "incidents": lambda: incidents.page(Paging(), wanted),
        "incidents by state": lambda: incidents.counts(wanted),
        "places of an incident": lambda: incidents.places(one.id),
        "findings of an incident": lambda: incidents.findings([one.id]),
        "items of a sweep": lambda: lists.items(run.id, Paging(), state=ItemState.DONE),
        "progress of a sweep": lambda: lists.progress(run.id),
        "the queue": store.sweeps.unfinished,
        "history for a plan": lambda: History.read(store.sweeps, _CONSOLE),
    }


def lines(figures: StoreFigures) -> Iterator[str]:
    """The figures as a table."""
    yield (
        f"Store: {figures.procedures:,} procedures x {figures.nights} nights,"
        f" {figures.store_mib:,} MiB"
    )
    for row in figures.queries:
        yield f"  {row.name:26} p50 {row.p50_ms:8} ms  p95 {row.p95_ms:8} ms  CPU {row.cpu_ms:8} ms"
