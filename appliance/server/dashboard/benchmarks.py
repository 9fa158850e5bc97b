"""How policies did on suites: all results, one of them, and two held against each other."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Template
from markupsafe import Markup

from appliance.core.errors import SetupError
from appliance.server.benchmark_files import FOLDER, BenchmarkFile, leaves, read_file, read_files
from appliance.server.dashboard.frame import PageRequest, page
from appliance.server.parts import TheService

if TYPE_CHECKING:
    from appliance.benchmark.comparison import Comparison
    from appliance.benchmark.summary import Summary
    from appliance.benchmark.trials import BenchmarkResult

_MOST_NUMBERS = 12
_MOST_FAILURES = 200
"""Trials shown; `bench export` has all."""


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file in the list."""

    file: BenchmarkFile
    result: "BenchmarkResult | None"
    numbers: tuple[tuple[str, str], ...]
    """Of a file that is no result of ours."""


@dataclass(frozen=True, slots=True)
class _ResultPage:
    """One result with all that is made of it."""

    result: "BenchmarkResult"
    summary: "Summary"
    plots: tuple[tuple[str, Markup], ...]
    """By what trials have in common."""


@get("/benchmarks")
async def benchmarks(request: PageRequest, service: TheService) -> Template:
    """Results of benchmarks in the data folder."""
    files = await asyncio.to_thread(_all, service.settings.data_dir / FOLDER)
    return page(request, service, "benchmarks", shown=files, folder=FOLDER)


@get("/benchmarks/compare")
async def compare(
    request: PageRequest,
    service: TheService,
    first: FromQuery[str] = "",
    second: FromQuery[str] = "",
) -> Template:
    """Whether the second is really better than the first."""
    folder = service.settings.data_dir / FOLDER
    comparison, problem = await asyncio.to_thread(_compared, folder, first, second)
    return page(
        request, service, "benchmark_compare", at="benchmarks", title="benchmarks.compare",
        comparison=comparison, problem=problem,
    )  # fmt: skip


@get("/benchmarks/{name:str}")
async def benchmark(request: PageRequest, service: TheService, name: FromPath[str]) -> Template:
    """One of them, with its plots and failures; while it is under way the page follows it."""
    result_page = await asyncio.to_thread(_load_page, service.settings.data_dir / FOLDER, name)
    return page(
        request, service, "benchmark", at="benchmarks", title=name, found=result_page,
        most_failures=_MOST_FAILURES,
    )  # fmt: skip


def _all(folder: Path) -> tuple[ListedFile, ...]:
    files = []
    for file in read_files(folder):
        result = file.result
        texts = [] if result else [(n, text) for n, text in leaves(file.content) if len(text) <= 40]
        files.append(ListedFile(file, result, tuple(texts[:_MOST_NUMBERS])))
    return tuple(files)


def _load_page(folder: Path, name: str) -> _ResultPage:
    # here, because it brings the statistics' libraries with it
    from appliance.benchmark.report import interval_plot
    from appliance.benchmark.summary import summarise

    file = read_file(folder, name)
    result = file.result if file else None
    if result is None:
        raise NotFoundException(f"there is no result {name!r}")
    summary = summarise(result)
    names = dict.fromkeys(row.name for row in summary.groups)
    plots = tuple(
        (name, Markup(interval_plot([r for r in summary.groups if r.name == name])))  # noqa: S704 - ours, escaped
        for name in names
    )
    return _ResultPage(result, summary, plots)


def _compared(folder: Path, first: str, second: str) -> "tuple[Comparison | None, str]":
    from appliance.benchmark.comparison import compare as held_against
    from appliance.benchmark.trials import find_result

    try:
        return held_against(find_result(folder, first), find_result(folder, second)), ""
    except SetupError as problem:
        return None, str(problem)


HANDLERS = (benchmarks, compare, benchmark)
