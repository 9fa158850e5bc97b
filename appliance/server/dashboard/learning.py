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
from markupsafe import Markup

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
from appliance.training.child.folder import ANSWERS
from appliance.training.curves import curves_svg
from appliance.training.rollouts import ROLLOUTS
from appliance.training.runs import RunStatus, all_runs

FOLDER = "benchmarks"
"""In the data folder: a JSON file for each run."""
_MOST = 100
"""Files shown."""
_MOST_NUMBERS = 12
_MOST_LINES = 30
"""Of what a policy server says."""
_MOST_BYTES = 4 * 2**20
_TRAININGS, _SAMPLES = 10, 20
"""Shown; the second of each kind."""


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
    """Trainings with their curves, and what was said on the way."""
    shown = await asyncio.to_thread(read_trainings, service.settings.data_dir)
    return page(request, service, "training", trainings=shown)


@dataclass(frozen=True, slots=True)
class Sample:
    """Something that the model said: an answer to a held-out question, or an attempt's."""

    about: str
    said: str
    wanted: str
    is_right: bool


@dataclass(frozen=True, slots=True)
class ShownTraining:
    """A training as it is shown."""

    id: str
    status: RunStatus
    picture: Markup
    samples: tuple[Sample, ...]


def read_trainings(data_dir: Path) -> tuple[ShownTraining, ...]:
    """The newest."""
    return tuple(
        ShownTraining(
            run.file.id,
            run.status,
            Markup(curves_svg(run.curves(), run.file.id)),  # noqa: S704 - ours, escaped by it
            tuple(_samples(run.folder)),
        )
        for run in all_runs(data_dir)[:_TRAININGS]
    )


def _samples(folder: Path) -> Iterator[Sample]:
    """The newest attempts, and the newest answers, wrong ones first."""
    tried = sorted((folder / ROLLOUTS).glob("*.json"), key=lambda one: int(one.stem))
    for file in tried[-1:]:
        attempts = json.loads(file.read_bytes())["attempts"]
        for one in attempts[:_SAMPLES]:
            said = " → ".join(each["said"] for each in one["exchanges"])
            yield Sample(one["task"], said, one["why"], (one["reward"] or 0) > 0)
    answers = folder / ANSWERS
    lines = answers.read_text(encoding="utf-8").splitlines() if answers.exists() else []
    newest = [json.loads(line) for line in lines[-_SAMPLES:]]
    for one in sorted(newest, key=lambda each: bool(each["is_exact"])):
        yield Sample(one["kind"], one["answer"], one["right"], one["is_exact"])


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
