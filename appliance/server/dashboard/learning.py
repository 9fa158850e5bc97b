"""Models and training runs."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from litestar import get, post
from litestar.response import Redirect, Template
from markupsafe import Markup

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
from appliance.training.phases.record import PhaseRecord, Stage, all_series
from appliance.training.phases.shown import mean_share, reasons
from appliance.training.rollouts import step_files
from appliance.training.runs import RunStatus, all_runs

_MOST_LINES = 30
"""Of what a policy server says."""
_TRAININGS, _SAMPLES = 10, 20
"""Shown; the second of each kind."""


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


@get("/training")
async def training(request: PageRequest, service: TheService) -> Template:
    """Trainings with their curves, and what was said on the way."""
    trainings = await asyncio.to_thread(read_trainings, service.settings.data_dir)
    return page(request, service, "training", trainings=trainings)


@get("/training/phases")
async def phases(request: PageRequest, service: TheService) -> Template:
    """Trainings in phases, with the tasks that they made and what they were worth."""
    series = await asyncio.to_thread(read_series, service.settings.data_dir)
    return page(request, service, "phases", at="training", series=series, stages=tuple(Stage))


@dataclass(frozen=True, slots=True)
class ShownPhase:
    """A phase as it is shown."""

    record: PhaseRecord
    kept: int
    """Of the tasks that it made."""
    reasons: tuple[tuple[str, int], ...]
    """Why others were left out, the commonest first."""
    right: float | None
    """Share of the first attempts that were right."""


@dataclass(frozen=True, slots=True)
class ShownSeries:
    """A training in phases as it is shown."""

    id: str
    count: int
    update: str
    """How its phases train."""
    state: str
    phases: tuple[ShownPhase, ...]


def read_series(data_dir: Path) -> tuple[ShownSeries, ...]:
    """The newest."""
    return tuple(
        ShownSeries(
            series.file.id,
            series.file.settings.count,
            series.file.settings.update,
            "done" if series.is_over else "running" if series.is_running else "stopped",
            tuple(_shown_phase(phase) for phase in series.phases()),
        )
        for series in all_series(data_dir)[:_TRAININGS]
    )


def _shown_phase(record: PhaseRecord) -> ShownPhase:
    return ShownPhase(
        record,
        sum(not task.left_out for task in record.made),
        tuple(reasons(record.made).most_common()),
        mean_share([*record.estimates.values()]),
    )


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
    for file in step_files(folder)[-1:]:
        attempts = json.loads(file.read_bytes())["attempts"]
        for attempt in attempts[:_SAMPLES]:
            text = " → ".join(exchange["said"] for exchange in attempt["exchanges"])
            yield Sample(attempt["task"], text, attempt["why"], (attempt["reward"] or 0) > 0)
    answers = folder / ANSWERS
    lines = answers.read_text(encoding="utf-8").splitlines() if answers.exists() else []
    newest = [json.loads(line) for line in lines[-_SAMPLES:]]
    for answer in sorted(newest, key=lambda each: bool(each["is_exact"])):
        yield Sample(answer["kind"], answer["answer"], answer["right"], answer["is_exact"])


def _may_read_log(request: PageRequest) -> bool:
    caller = caller_of(request)
    return caller is not None and may(caller.role, Permission.READ_MODEL_LOG)


HANDLERS = (models, restart, training, phases)
