"""One run while it runs: how far it is, what each browser looks at, what was found so far."""

import asyncio
from dataclasses import dataclass

from litestar import get
from litestar.params import FromPath
from litestar.response import Redirect, Stream, Template

from appliance.core.verdict import Verdict
from appliance.engine.live import LiveRun
from appliance.engine.problems import UnknownRun
from appliance.engine.status import RunStatus
from appliance.server.dashboard.formats import VERDICTS
from appliance.server.dashboard.frame import PageRequest, page, words_of
from appliance.server.paging import ThePaging
from appliance.server.parts import Service, TheService
from appliance.server.streams import follow
from appliance.store.paging import Paged, Paging
from appliance.store.states import ProcedureState
from appliance.store.sweeps import ItemRow, ItemState

_WORST_FIRST = (Verdict.BROKEN, Verdict.DRIFTED, Verdict.UNDECIDED, Verdict.BLOCKED)
_FIRST_NOTABLE = Paging(limit=10)
"""Of each verdict, shown at once."""
_BUSY = Paging(limit=32)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """The present state of a run."""

    id: str
    status: RunStatus
    live: LiveRun | None
    """What its browsers do; None: nothing is under way."""
    notable: tuple[ProcedureState, ...]
    """Procedures that are not simply verified: the first, the worst before others."""
    busy: tuple[ItemRow, ...]
    items: Paged[ItemRow] | None
    """Procedures in the chosen state; None: a verdict was chosen."""
    verdicts: Paged[ProcedureState] | None
    """Procedures with the chosen verdict."""

    @property
    def is_over(self) -> bool:
        """Whether nothing will change any more."""
        return self.status["state"] in ("done", "cancelled")


@get("/runs/{run_id:str}")
async def run(
    request: PageRequest, service: TheService, paging: ThePaging, run_id: FromPath[str]
) -> Template | Redirect:
    """How far it is, what each browser looks at, and what it has found."""
    show = request.query_params.get("show", "")
    try:
        view = await asyncio.to_thread(_run_view, service, run_id, paging, show)
    except UnknownRun:  # of the command line: it has results only
        if await asyncio.to_thread(service.store.listings.run, run_id) is None:
            raise
        return Redirect(f"/runs/{run_id}/results", status_code=303)
    kind = "verification" if view.status.get("kind") == "verification" else "sweep"
    return page(
        request,
        service,
        "run",
        at="runs",
        title=words_of(request)(f"run.title.{kind}", console=view.status["console"]),
        run=view,
        paging=paging,
        show=show,
        is_over=view.is_over,
        verdicts=VERDICTS,
    )


@get("/runs/{run_id:str}/events")
async def events(request: PageRequest, service: TheService, run_id: FromPath[str]) -> Stream:
    """What happens in it, as it happens: the page reads itself again then."""
    return follow(request, service, run_id)


@get("/events")
async def all_events(request: PageRequest, service: TheService) -> Stream:
    """The stream of events of all runs."""
    return follow(request, service, None)


def _run_view(service: Service, run_id: str, paging: Paging, show: str) -> RunView:
    status, listings = service.engine.status(run_id), service.store.listings
    is_over = status["state"] in ("done", "cancelled")
    items, verdicts = None, None
    if show in tuple(Verdict) or (is_over and show not in tuple(ItemState)):
        verdict_filter = Verdict(show) if show in tuple(Verdict) else None
        verdicts = listings.verdicts(run_id, paging, verdict=verdict_filter)
    else:
        state = ItemState(show) if show in tuple(ItemState) else ItemState.WAITING
        items = listings.items(run_id, paging, state=state)
    return RunView(
        id=run_id,
        status=status,
        live=next(
            (live_run for live_run in service.engine.live.now().runs if live_run.id == run_id), None
        ),
        notable=()
        if is_over
        else tuple(
            procedure
            for verdict in _WORST_FIRST
            if status["verdicts"].get(verdict)
            for procedure in listings.verdicts(run_id, _FIRST_NOTABLE, verdict=verdict).items
        ),
        busy=() if is_over else listings.items(run_id, _BUSY, state=ItemState.RUNNING).items,
        items=items,
        verdicts=verdicts,
    )


HANDLERS = (run, events, all_events)
