"""What runs, sweeps and verifications have in common: they are one thing."""

import asyncio
from typing import Annotated, TypeAlias

from litestar import Response
from litestar.params import QueryParameter
from litestar.response import Stream

from appliance.core.jsonable import json_object
from appliance.core.result import RunResult
from appliance.core.result_json import result_document
from appliance.engine.problems import UnknownRun
from appliance.engine.request import RunRequest
from appliance.server.activity import about
from appliance.server.api._evidence import MEDIA_TYPE as ZIP
from appliance.server.api._evidence import evidence_of
from appliance.server.api._pages import page_of
from appliance.server.api.shapes.runs import RunPage, Status, Verification
from appliance.server.parts import Service
from appliance.server.problems import AnyRequest
from appliance.server.streams import follow
from appliance.store.paging import Paging
from appliance.store.sweeps import SweepRow, SweepState

OnConsole: TypeAlias = Annotated[
    str | None,
    QueryParameter(name="console", max_length=200, description="Only of that console."),
]
InState: TypeAlias = Annotated[
    SweepState | None, QueryParameter(name="state", description="Only in that state.")
]


async def accept(service: Service, wanted: RunRequest) -> Response[Status]:
    """Have a run kept; how it stands with it, and where its result will be."""
    row = await service.engine.start(wanted)
    about(row.id, wanted.kind.value)
    status = await status_of(service, row.id)
    where = f"/api/v1/{wanted.kind}s/{row.id}"
    return Response(status, status_code=202, headers={"Location": where})


async def list_runs(
    service: Service,
    request: AnyRequest,
    paging: Paging,
    kind: str | None,
    console: str | None,
    state: SweepState | None,
) -> RunPage:
    """A page of the list of runs."""
    runs = await asyncio.to_thread(
        service.store.listings.runs,
        paging,
        console=console,
        kind=kind,
        state=state.value if state else None,
    )
    return page_of(RunPage, runs, paging, request)


async def status_of(service: Service, run_id: str, kind: str | None = None) -> Status:
    """How far a run is.

    Raises:
        UnknownRun: There is none of that id and kind.
    """
    status = Status.model_validate(await asyncio.to_thread(_status, service, run_id))
    if kind is not None and status.kind != kind:
        raise UnknownRun(run_id)
    return status


async def result_of(service: Service, run_id: str, kind: str | None = None) -> Verification:
    """Everything that is known of a run now; see `status_of`."""
    status = await status_of(service, run_id, kind)
    run = await asyncio.to_thread(load, service, run_id)
    document = result_document(run) | {"state": status.state, "status": status}
    if status.ended_at is None:
        document["ended_at"] = None  # a run that goes on has only its last verdict's time
    return Verification.model_validate(document)


def load(service: Service, run_id: str) -> RunResult:
    """The run with its verdicts so far; blocks.

    Raises:
        UnknownRun: There is none.
    """
    if service.store.began(run_id) is not None:
        return service.store.load_run(run_id)
    row = service.store.sweeps.get(run_id)
    if row is None:
        raise UnknownRun(run_id)
    return _not_begun(row)


async def follow_run(service: Service, request: AnyRequest, run_id: str, kind: str) -> Stream:
    """What happens in a run, until it is over; see `status_of`."""
    await status_of(service, run_id, kind)
    return follow(request, service, run_id)


def _status(service: Service, run_id: str) -> dict[str, object]:
    try:
        return dict(service.engine.status(run_id))
    except UnknownRun:
        row = service.store.listings.run(run_id)
        if row is None:
            raise
    # Made by `appliance verify`, which keeps no queue.
    progress = {"planned_at": row.started_at, "done": row.summary.procedures, "total": row.planned}
    progress |= {"running": 0, "rate_per_minute": None, "seconds_left": None}
    counts = json_object(row.summary)
    verdicts = {name: n for name, n in counts.items() if n and name not in _NO_VERDICTS}
    return json_object(row) | progress | {"verdicts": verdicts}


_NO_VERDICTS = ("procedures", "findings")


def _not_begun(row: SweepRow) -> RunResult:
    """A run that is kept, and has nothing yet."""
    return RunResult(
        id=row.id,
        appliance_version="",
        commit="",
        console=row.console,
        policy=str(row.request.get("policy", "")),
        started_at=row.planned_at,
        ended_at=row.ended_at or row.planned_at,
        procedures=(),
    )


async def zip_run(service: Service, run_id: str, kind: str | None = None) -> Stream:
    """The evidence of a run as a zip; see `status_of`."""
    await status_of(service, run_id, kind)
    run = await asyncio.to_thread(load, service, run_id)
    return Stream(
        evidence_of(run, service.store.artifacts),
        media_type=ZIP,
        headers={"Content-Disposition": f'attachment; filename="evidence-{run.id}.zip"'},
    )
