"""Everything measured, one after the other: queries, pages while verdicts are saved, saving."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import psutil

from appliance.core.errors import SetupError
from appliance.store.store import Store
from appliance.system.child_environment import Child, child_environment
from tests.benchmarks.server.asking import Times, ask
from tests.benchmarks.server.bare import bare_queries, empty_route
from tests.benchmarks.server.filling import Size, fill
from tests.benchmarks.server.pages import Page, pages
from tests.benchmarks.server.texts import write_texts
from tests.benchmarks.server.writing import ingested_per_s

P95_MS, STEPS_PER_S, RSS_MB = 100, 10_000, 600
"""What is asked of the service: issue by issue the same figures."""
_CONSOLE = "practice"
_HOST = "tests.benchmarks.server.serving"
"""Named, not imported: it stands above the benchmark."""
_BATCHES = (1, 20, 200)
_STOP_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """How much is measured."""

    size: Size
    rounds: int
    """Requests of each page."""
    verdicts_per_s: float
    """Saved while pages are asked for."""
    ingest_s: float
    """Seconds of saving only, for each size of batch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRow:
    """A line of the table."""

    path: str
    p50_ms: float
    p95_ms: float
    max_ms: float
    kib: float
    x_query: float | None
    """Median, as a multiple of the bare query's."""
    x_empty: float
    """Median, as a multiple of an empty route's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All figures."""

    steps: int
    findings: int
    pages: tuple[PageRow, ...]
    empty_route_p50_ms: float
    steps_per_s: dict[int, int]
    """Step results saved a second, by verdicts in a transaction."""
    rss_mb: float
    """Most memory of the service's process."""

    @property
    def slowest_p95_ms(self) -> float:
        """Of all pages."""
        return max(page.p95_ms for page in self.pages)

    @property
    def is_fine(self) -> bool:
        """Whether it is as quick and as small as is asked."""
        return (
            self.slowest_p95_ms < P95_MS
            and max(self.steps_per_s.values()) >= STEPS_PER_S
            and self.rss_mb < RSS_MB
        )


def measure(folder: Path, amount: Amount, say: Callable[[str], None]) -> Found:
    """Fill a store in this folder, start the service on it, and measure.

    Raises:
        SetupError: The service does not start, or a page does not answer.
    """
    data_dir, texts, size = folder / "data", folder / "docs", amount.size
    say(f"Fills a store: {size.steps:,} step results, {size.findings:,} findings.")
    write_texts(texts, size.procedures)
    fill(data_dir, texts, size, _CONSOLE)
    with Store.open(data_dir) as store:
        asked = pages(store, _CONSOLE)
    say("Measures the bare queries and the empty route.")
    queries = bare_queries(data_dir, asked, amount.rounds)
    empty = empty_route(amount.rounds * 10)
    with _service(data_dir, texts, amount.verdicts_per_s) as (url, memory):
        say(f"Asks for {len(asked)} pages, {amount.rounds} times each, while verdicts are saved.")
        answers = ask(url, [page.path for page in asked], amount.rounds)
    say("Saves verdicts and does nothing else.")
    with Store.open(data_dir) as store:
        rates = {n: ingested_per_s(store, _CONSOLE, n, amount.ingest_s) for n in _BATCHES}
    return Found(
        steps=size.steps,
        findings=size.findings,
        pages=tuple(_row(*pair, queries, empty) for pair in zip(asked, answers, strict=True)),
        empty_route_p50_ms=empty.p50_ms,
        steps_per_s={batch: round(rate) for batch, rate in rates.items()},
        rss_mb=memory.peak_mb,
    )


@contextmanager
def _service(data_dir: Path, texts: Path, rate: float) -> Iterator[tuple[str, "_Memory"]]:
    command = [sys.executable, "-m", _HOST, str(data_dir), str(texts), _CONSOLE, str(rate)]
    environment = child_environment(Child.PYTHON)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as child:
        try:
            line = child.stdout.readline() if child.stdout else ""
            if not line:
                raise SetupError("The service did not start: see above for why.")
            with _Memory(child.pid) as memory:
                yield json.loads(line)["url"], memory
        finally:
            child.send_signal(signal.SIGTERM)
            child.wait(_STOP_S)


class _Memory:
    """The most memory that a process has during the block, its children left out."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="memory", daemon=True)
        self.peak_mb = 0.0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(0.2):
            self.peak_mb = max(self.peak_mb, round(self._process.memory_info().rss / 1e6, 1))


def _row(page: Page, answer: Times, queries: dict[str, Times], empty: Times) -> PageRow:
    query = queries.get(page.sql)
    return PageRow(
        path=page.path,
        p50_ms=answer.p50_ms,
        p95_ms=answer.p95_ms,
        max_ms=answer.max_ms,
        kib=round(answer.size / 1024, 1),
        x_query=round(answer.p50_ms / query.p50_ms, 1) if query and query.p50_ms else None,
        x_empty=round(answer.p50_ms / empty.p50_ms, 1),
    )
