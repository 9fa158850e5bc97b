"""Models, benchmark runs and training runs."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from litestar import get, post
from litestar.response import Redirect, Template

from appliance.core.jsonable import Json
from appliance.server.callers import TheCaller, caller_of
from appliance.server.dashboard.frame import (
    PageRequest,
    act_and_redirect,
    page,
    redirect_with_reason,
)
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, may, needs

FOLDER = "benchmarks"
"""In the data folder: a JSON file for each run."""
_MOST = 100
"""Files shown."""
_MOST_NUMBERS = 12
_MOST_LINES = 30
"""Of what a policy server says."""
_MOST_BYTES = 4 * 2**20


@dataclass(frozen=True, slots=True)
class BenchmarkRun:
    """The results of a benchmark, read from a file."""

    name: str
    at: datetime
    numbers: tuple[tuple[str, str], ...]
    problem: str = ""
    """Why it cannot be read."""


@get("/models")
async def models(request: PageRequest, service: TheService) -> Template:
    """The model that is served here or elsewhere, or that there is none."""
    model = service.engine.model.settings
    server = service.engine.model.server
    parts = urlsplit(model.endpoint)
    return page(
        request,
        service,
        "models",
        model=model,
        server=server,
        log_lines=await asyncio.to_thread(server.tail, _MOST_LINES)
        if server and _may_read_log(request)
        else (),
        endpoint=f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}",
    )


@post("/models/restart", opt=needs(Permission.RESTART_MODEL))
async def restart(service: TheService, caller: TheCaller) -> Redirect:
    """Start the one again that is served here."""
    server = service.engine.model.server
    if server is None:
        return redirect_with_reason("/models", "models.restart.none")
    return await act_and_redirect("/models", server.restart(caller.name), "models.restart.done")


@get("/benchmarks")
async def benchmarks(request: PageRequest, service: TheService) -> Template:
    """Results of benchmarks in the data folder."""
    folder = service.settings.data_dir / FOLDER
    return page(
        request,
        service,
        "benchmarks",
        runs=await asyncio.to_thread(read_benchmarks, folder),
        folder=FOLDER,
    )


@get("/training")
async def training(request: PageRequest, service: TheService) -> Template:
    """The page that says that this build has no training."""
    return page(request, service, "training")


def _may_read_log(request: PageRequest) -> bool:
    caller = caller_of(request)
    return caller is not None and may(caller.role, Permission.READ_MODEL_LOG)


def read_benchmarks(folder: Path) -> tuple[BenchmarkRun, ...]:
    """Its files, newest first. One that cannot be read says why."""
    files = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
    return tuple(_read(file) for file in files[:_MOST])


def _read(file: Path) -> BenchmarkRun:
    at = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    if file.stat().st_size > _MOST_BYTES:
        return BenchmarkRun(file.stem, at, (), "too large to show")
    try:
        lesson = json.loads(file.read_bytes())
    except (OSError, ValueError) as problem:
        return BenchmarkRun(file.stem, at, (), str(problem))
    numbers = [(name, text) for name, text in _leaves(lesson) if len(text) <= 40]
    return BenchmarkRun(file.stem, at, tuple(numbers[:_MOST_NUMBERS]))


def _leaves(node: Json, name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """What stands in the upper two levels: numbers and short texts."""
    if isinstance(node, dict) and depth < 2:
        for key, value in node.items():
            yield from _leaves(value, f"{name} · {key}" if name else str(key), depth + 1)
    elif isinstance(node, float):
        yield name, f"{node:.4g}"
    elif isinstance(node, int | str):
        yield name, str(node)


HANDLERS = (models, restart, benchmarks, training)
