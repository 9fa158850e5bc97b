"""`/models`, `/training-runs` and `/benchmarks`."""

import asyncio
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from litestar import Controller
from litestar.params import FromPath

from appliance.config import ModelSettings
from appliance.core.errors import ModelError, SetupError
from appliance.engine.models import Model as OurModel
from appliance.engine.problems import NothingToDo
from appliance.inference.client import ModelClient
from appliance.inference.server import PolicyServer as OurServer
from appliance.inference.server import ServerState
from appliance.server.api._operations import acts, reads
from appliance.server.api.shapes.models import (
    Benchmark,
    BenchmarkResult,
    Benchmarks,
    Model,
    Models,
    PolicyServer,
    TrainingCurves,
    TrainingRun,
    TrainingRuns,
)
from appliance.server.callers import TheCaller
from appliance.server.parts import Service, TheService
from appliance.server.permissions import Permission
from appliance.server.problems import Problem
from appliance.training.runs import TrainingRun as OurTraining
from appliance.training.runs import all_runs

_TIMEOUT_S = 5.0
"""For an endpoint to say what it serves: somebody waits."""
_NAME = re.compile(r"[\w-][\w .-]*")


class ConfiguredModels(Controller):
    """Look at models."""

    path = "/models"
    tags = ("Models",)

    @reads("", "listModels", "List models")
    async def list(self, service: TheService) -> Models:
        """The configured one, and whether it answers now."""
        model = service.engine.model
        return Models(items=(await _describe(model),) if model.settings.is_configured else ())

    @acts(
        "/restart",
        "restartModel",
        "Start the model again",
        Permission.RESTART_MODEL,
        fails=(409,),
        answers="It is started again.",
        status_code=202,
    )
    async def restart(self, service: TheService, caller: TheCaller) -> Model:
        """The one that is served on this machine; also after it was given up."""
        server = service.engine.model.server
        if server is None:
            raise NothingToDo("no model is served on this machine: there is nothing to restart.")
        await server.restart(caller.name)
        return await _describe(service.engine.model)


class Trainings(Controller):
    """Look at trainings."""

    path = "/training-runs"
    tags = ("Models",)

    @reads("", "listTrainingRuns", "List trainings")
    async def list(self, service: TheService) -> TrainingRuns:
        """Those in the data folder, newest first. They are begun at the command line."""
        runs = await asyncio.to_thread(all_runs, service.settings.data_dir)
        return TrainingRuns(items=tuple(TrainingRun(**_training(one)) for one in runs))

    @reads("/{run_id:str}", "getTrainingRun", "Get a training", fails=(404,))
    async def show(self, service: TheService, run_id: FromPath[str]) -> TrainingCurves:
        """With all that was measured on the way."""
        runs = await asyncio.to_thread(all_runs, service.settings.data_dir)
        found = next((one for one in runs if one.file.id == run_id), None)
        if found is None:
            raise Problem(
                404,
                f"There is no training {run_id!r}.",
                title="Unknown training",
                code="unknown-training",
            )
        curves = await asyncio.to_thread(found.curves)
        return TrainingCurves(**_training(found), curves=curves)


class BenchmarkFiles(Controller):
    """Look at benchmarks."""

    path = "/benchmarks"
    tags = ("Models",)

    @reads("", "listBenchmarks", "List benchmarks")
    async def list(self, service: TheService) -> Benchmarks:
        """JSON files in the folder `benchmarks` of the data folder, newest first."""
        models = await asyncio.to_thread(lambda: tuple(_files(_folder(service))))
        return Benchmarks(items=tuple(sorted(models, key=lambda one: one.made_at, reverse=True)))

    @reads("/{name:str}", "getBenchmark", "Get a benchmark", fails=(404,))
    async def show(self, service: TheService, name: FromPath[str]) -> BenchmarkResult:
        """With all that its file says."""
        model = await asyncio.to_thread(_read, _folder(service), name)
        if model is None:
            raise Problem(
                404,
                f"There is no benchmark {name!r}.",
                title="Unknown benchmark",
                code="unknown-benchmark",
            )
        return model


def _training(run: OurTraining) -> dict[str, Any]:  # Any: fields of a shape
    status = run.status
    told: dict[str, Any] = {"id": run.file.id, "kind": run.file.kind, "begun_at": run.file.begun_at}
    told |= {name: getattr(status, name) for name in ("state", "step", "best", "why")}
    return told | {"steps": status.of}


async def _describe(model: OurModel) -> Model:
    settings, server = model.settings, model.server
    served: tuple[str, ...] = ()
    if server is not None and server.state is not ServerState.READY:
        problem = f"{server.state}: {server.why}"
    else:
        served, problem = await _names(settings)
    return Model(
        name=settings.name,
        endpoint=_without_secrets(settings.endpoint, settings.endpoint),
        is_reachable=not problem,
        problem=_without_secrets(problem, settings.endpoint),
        served=served,
        server=_policy_server(server) if server else None,
    )


async def _names(settings: ModelSettings) -> tuple[tuple[str, ...], str]:
    """What it says that it serves, or why it does not answer."""
    quick = settings.model_copy(update={"timeout_s": min(_TIMEOUT_S, settings.timeout_s)})
    try:
        async with ModelClient(quick) as client:
            return await client.names(), ""
    except (ModelError, SetupError) as error:
        return (), str(error)


def _policy_server(server: OurServer) -> PolicyServer:
    return PolicyServer(
        state=server.state,
        why=server.why,
        started_at=server.started_at,
        restarts=server.restarts,
        adapters=tuple(sorted(server.adapters)),
        memory=str(server.plan) if server.plan else "",
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
    stat = file.stat()
    made_at = datetime.fromtimestamp(stat.st_mtime, UTC)
    return {"name": file.stem, "made_at": made_at, "size": stat.st_size}


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
