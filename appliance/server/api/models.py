"""`/models`, `/training-runs` and `/benchmarks`."""

import asyncio
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from litestar import Controller, get
from litestar.params import FromPath

from appliance.config import ModelSettings
from appliance.core.errors import ModelError, SetupError
from appliance.inference import ModelClient
from appliance.server.api._operations import problems
from appliance.server.api.shapes.models import (
    Benchmark,
    BenchmarkResult,
    Benchmarks,
    Model,
    Models,
    TrainingRuns,
)
from appliance.server.parts import Service, TheService
from appliance.server.problems import Problem

_TIMEOUT_S = 5.0
"""For an endpoint to say what it serves: somebody waits."""
_NAME = re.compile(r"[\w-][\w .-]*")


class ConfiguredModels(Controller):
    """Look at models."""

    path = "/models"
    tags = ("Models",)

    @get(operation_id="listModels", summary="List models", responses=problems())
    async def list(self, service: TheService) -> Models:
        """The configured endpoint, and whether it answers now."""
        settings = service.settings.model
        return Models(items=(await _asked(settings),) if settings.endpoint else ())


class Trainings(Controller):
    """Look at trainings."""

    path = "/training-runs"
    tags = ("Models",)

    @get(operation_id="listTrainingRuns", summary="List trainings", responses=problems())
    async def list(self) -> TrainingRuns:
        """Always empty: this build uses models and trains none."""
        return TrainingRuns(items=())


class BenchmarkFiles(Controller):
    """Look at benchmarks."""

    path = "/benchmarks"
    tags = ("Models",)

    @get(operation_id="listBenchmarks", summary="List benchmarks", responses=problems())
    async def list(self, service: TheService) -> Benchmarks:
        """JSON files in the folder `benchmarks` of the data folder, newest first."""
        found = await asyncio.to_thread(lambda: tuple(_files(_folder(service))))
        return Benchmarks(items=tuple(sorted(found, key=lambda one: one.made_at, reverse=True)))

    @get(
        "/{name:str}",
        operation_id="getBenchmark",
        summary="Get a benchmark",
        responses=problems(404),
    )
    async def show(self, service: TheService, name: FromPath[str]) -> BenchmarkResult:
        """With all that its file says."""
        found = await asyncio.to_thread(_read, _folder(service), name)
        if found is None:
            raise Problem(
                404,
                f"There is no benchmark {name!r}.",
                title="Unknown benchmark",
                code="unknown-benchmark",
            )
        return found


async def _asked(settings: ModelSettings) -> Model:
    quick = settings.model_copy(update={"timeout_s": min(_TIMEOUT_S, settings.timeout_s)})
    served: tuple[str, ...] = ()
    problem = ""
    try:
        async with ModelClient(quick) as client:
            served = await client.names()
    except (ModelError, SetupError) as error:
        problem = str(error)
    return Model(
        name=settings.name,
        endpoint=_without_secrets(settings.endpoint, settings.endpoint),
        is_reachable=not problem,
        problem=_without_secrets(problem, settings.endpoint),
        served=served,
    )


def _without_secrets(text: str, address: str) -> str:
    """A text that may quote an address, without what somebody has put into that of secrets."""
    parts = urlsplit(address)
    user, _, _ = parts.netloc.rpartition("@")
    for secret in (f"{user}@" if user else "", f"?{parts.query}" if parts.query else ""):
        text = text.replace(secret, "") if secret else text
    return text


def _folder(service: Service) -> Path:
    return service.settings.data_dir / "benchmarks"


def _files(folder: Path) -> Iterator[Benchmark]:
    for file in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        if _NAME.fullmatch(file.stem) and file.is_file():
            yield Benchmark.model_validate(_facts(file))


def _facts(file: Path) -> dict[str, Any]:  # Any: fields of a shape
    told = file.stat()
    made_at = datetime.fromtimestamp(told.st_mtime, UTC)
    return {"name": file.stem, "made_at": made_at, "size": told.st_size}


def _read(folder: Path, name: str) -> BenchmarkResult | None:
    file = folder / f"{name}.json"
    if not _NAME.fullmatch(name) or not file.is_file():
        return None
    try:
        result = json.loads(file.read_bytes())
    except ValueError as error:
        raise SetupError(f"{file} is no JSON: {error}") from error
    if not isinstance(result, dict):
        raise SetupError(f"{file} holds no JSON object")
    return BenchmarkResult.model_validate(_facts(file) | {"result": result})
