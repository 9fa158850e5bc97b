"""`/models`, `/training-runs`, `/training-phases` and `/benchmarks`."""

import asyncio
from typing import Any
from urllib.parse import urlsplit

from litestar import Controller
from litestar.params import FromPath

from appliance.config import ModelSettings
from appliance.core.errors import ModelError, SetupError
from appliance.engine.models import Model as OurModel
from appliance.engine.problems import NothingToDo
from appliance.inference.client import ModelClient
from appliance.inference.server import ServerState
from appliance.server.api._operations import acts, reads
from appliance.server.api.shapes.models import (
    Benchmark,
    BenchmarkResult,
    Benchmarks,
    MadeTask,
    Model,
    Models,
    PhaseDecision,
    PolicyServer,
    TrainingCurves,
    TrainingPhase,
    TrainingRun,
    TrainingRuns,
    TrainingSeries,
    TrainingSeriesList,
)
from appliance.server.benchmark_files import FOLDER, BenchmarkFile, read_file, read_files
from appliance.server.callers import TheCaller
from appliance.server.parts import Service, TheService
from appliance.server.permissions import Permission
from appliance.server.problems import Problem
from appliance.system.network.network import Network
from appliance.training.phases.record import PhaseRecord, all_series
from appliance.training.phases.shown import mean_share
from appliance.training.runs import TrainingRun as OurTraining
from appliance.training.runs import all_runs

_TIMEOUT_S = 5.0
"""For an endpoint to say what it serves: somebody waits."""


class ConfiguredModels(Controller):
    """Look at models."""

    path = "/models"
    tags = ("Models",)

    @reads("", "listModels", "List models")
    async def list(self, service: TheService) -> Models:
        """The configured one, and whether it answers now."""
        model = service.engine.model
        return Models(
            items=(await _describe(model, service),) if model.settings.is_configured else ()
        )

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
        return await _describe(service.engine.model, service)


class Trainings(Controller):
    """Look at trainings."""

    path = "/training-runs"
    tags = ("Models",)

    @reads("", "listTrainingRuns", "List trainings")
    async def list(self, service: TheService) -> TrainingRuns:
        """Those in the data folder, newest first. They are begun at the command line."""
        runs = await asyncio.to_thread(all_runs, service.settings.data_dir)
        return TrainingRuns(items=tuple(TrainingRun(**_training(run)) for run in runs))

    @reads("/{run_id:str}", "getTrainingRun", "Get a training", fails=(404,))
    async def show(self, service: TheService, run_id: FromPath[str]) -> TrainingCurves:
        """With all that was measured on the way."""
        runs = await asyncio.to_thread(all_runs, service.settings.data_dir)
        run = next((each for each in runs if each.file.id == run_id), None)
        if run is None:
            raise Problem(404, f"There is no training {run_id!r}.", title="Unknown training")
        curves = await asyncio.to_thread(run.curves)
        return TrainingCurves(**_training(run), curves=curves)


class Phases(Controller):
    """Look at trainings in phases."""

    path = "/training-phases"
    tags = ("Models",)

    @reads("", "listTrainingPhases", "List trainings in phases")
    async def list(self, service: TheService) -> TrainingSeriesList:
        """Those in the data folder, newest first. They are begun at the command line."""
        series = await asyncio.to_thread(_all_series, service)
        return TrainingSeriesList(items=series)

    @reads("/{series_id:str}", "getTrainingPhases", "Get a training in phases", fails=(404,))
    async def show(self, service: TheService, series_id: FromPath[str]) -> TrainingSeries:
        """With every task that it made, and why some were left out."""
        all_trainings = await asyncio.to_thread(_all_series, service)
        for training in all_trainings:
            if training.id == series_id:
                return training
        raise Problem(
            404,
            f"There is no training in phases {series_id!r}.",
            title="Unknown training in phases",
            code="unknown-training-phases",
        )


class BenchmarkFiles(Controller):
    """Look at benchmarks."""

    path = "/benchmarks"
    tags = ("Models",)

    @reads("", "listBenchmarks", "List benchmarks")
    async def list(self, service: TheService) -> Benchmarks:
        """JSON files in the folder `benchmarks` of the data folder, newest first."""
        files = await asyncio.to_thread(read_files, service.settings.data_dir / FOLDER)
        return Benchmarks(items=tuple(Benchmark.model_validate(_facts(file)) for file in files))

    @reads("/{name:str}", "getBenchmark", "Get a benchmark", fails=(404,))
    async def show(self, service: TheService, name: FromPath[str]) -> BenchmarkResult:
        """With all that its file says."""
        file = await asyncio.to_thread(read_file, service.settings.data_dir / FOLDER, name)
        if file is None:
            raise Problem(404, f"There is no benchmark {name!r}.", title="Unknown benchmark")
        if not isinstance(file.content, dict):
            raise SetupError(f"{name}.json holds no JSON object")
        return BenchmarkResult.model_validate(_facts(file) | {"result": file.content})


def _facts(file: BenchmarkFile) -> dict[str, Any]:  # Any: fields of a shape
    facts = {"name": file.name, "made_at": file.made_at, "size": file.size, "about": None}
    if (result := file.result) is not None:
        setup = result.setup
        facts["about"] = {
            "suite": setup.suite,
            "policy": setup.policy.value,
            "model": setup.model,
            "trials": len(result.trials),
            "planned": len(setup.tasks) * setup.runs,
            "is_over": result.is_over,
            "figures": result.figures,
        }
    return facts


def _training(run: OurTraining) -> dict[str, Any]:  # Any: fields of a shape
    status = run.status
    facts: dict[str, Any] = {
        "id": run.file.id,
        "kind": run.file.kind,
        "begun_at": run.file.begun_at,
    }
    facts |= {name: getattr(status, name) for name in ("state", "step", "best", "why")}
    return facts | {"steps": status.of}


def _all_series(service: Service) -> tuple[TrainingSeries, ...]:
    return tuple(
        TrainingSeries(
            id=series.file.id,
            begun_at=series.file.begun_at,
            is_over=series.is_over,
            is_running=series.is_running,
            count=series.file.settings.count,
            update=series.file.settings.update,
            phases=tuple(map(_phase, series.phases())),
        )
        for series in all_series(service.settings.data_dir)
    )


def _phase(record: PhaseRecord) -> TrainingPhase:
    tasks = (
        task.model_dump(include={"id", "how", "made_from", "left_out"})
        | {"success": task.estimate.share if task.estimate else None}
        for task in record.made
    )
    decision = record.decision
    return TrainingPhase(
        number=record.number,
        stage=record.stage,
        tried=len(record.seeds),
        success=mean_share([*record.estimates.values()]),
        made=tuple(MadeTask(**task) for task in tasks),
        learnt_from=len(record.kept),
        training=record.training,
        decision=decision and PhaseDecision.of(decision, is_better=not decision.against),
    )


async def _describe(model: OurModel, service: Service) -> Model:
    settings, server = model.settings, model.server
    served: tuple[str, ...] = ()
    if server is not None and server.state is not ServerState.READY:
        problem = f"{server.state}: {server.why}"
    else:
        served, problem = await _names(settings, service.settings.outward)
    return Model(
        name=settings.name,
        endpoint=_without_secrets(settings.endpoint, settings.endpoint),
        is_reachable=not problem,
        problem=_without_secrets(problem, settings.endpoint),
        served=served,
        server=server
        and PolicyServer.of(
            server,
            adapters=tuple(sorted(server.adapters)),
            memory=str(server.plan) if server.plan else "",
        ),
    )


async def _names(settings: ModelSettings, network: Network) -> tuple[tuple[str, ...], str]:
    """What it says that it serves, or why it does not answer."""
    quick = settings.model_copy(update={"timeout_s": min(_TIMEOUT_S, settings.timeout_s)})
    try:
        async with ModelClient(quick, network=network) as client:
            return await client.names(), ""
    except (ModelError, SetupError) as error:
        return (), str(error)


def _without_secrets(text: str, address: str) -> str:
    """A text that may quote an address, without what somebody has put into that of secrets."""
    parts = urlsplit(address)
    user, _, _ = parts.netloc.rpartition("@")
    for secret in (f"{user}@" if user else "", f"?{parts.query}" if parts.query else ""):
        text = text.replace(secret, "") if secret else text
    return text
