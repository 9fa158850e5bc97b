"""Procedures: the list, the page of each, and verifying one now."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template

from appliance.core.errors import SetupError
from appliance.core.result import procedure_of
from appliance.core.verdict import Verdict
from appliance.engine.request import RunKind, RunRequest
from appliance.server.activity import about
from appliance.server.callers import TheCaller
from appliance.server.dashboard.frame import (
    PageRequest,
    console_of,
    field,
    member_named,
    page,
    redirect_with_notice,
    redirect_with_problem,
)
from appliance.server.dashboard.work.procedure_view import ProcedureView, procedure_view
from appliance.server.logins import local
from appliance.server.paging import ThePaging
from appliance.server.parts import Service, TheService
from appliance.server.permissions import Permission, needs
from appliance.server.problems import Problem
from appliance.server.sources import Sources, full_path
from appliance.store.states import ProcedureFilter


@get("/procedures")
async def procedures(request: PageRequest, service: TheService, paging: ThePaging) -> Template:
    """Those with a verdict, in the order of the documentation."""
    wanted = {name: request.query_params.get(name, "") for name in _FILTERS}
    wanted["document"] = full_path(wanted["document"], service.settings.documentation.paths)
    listing = await asyncio.to_thread(
        service.store.listings.procedures,
        paging,
        ProcedureFilter(
            console=console_of(request, service),
            verdict=member_named(Verdict, wanted["verdict"]),
            document=wanted["document"] or None,
            query=wanted["query"] or None,
            is_stale={"1": True, "0": False}.get(wanted["stale"]),
        ),
        now=service.engine.clock.now(),
        stale_after=service.stale_after,
    )
    return page(
        request,
        service,
        "procedures",
        at="documents",
        listing=listing,
        paging=paging,
        wanted=wanted,
    )


@get("/procedures/{of_console:str}/{procedure_id:path}")
async def procedure(
    request: PageRequest,
    service: TheService,
    of_console: FromPath[str],
    procedure_id: FromPath[Path],
) -> Template:
    """The text of a procedure with its last verdict."""
    result_id = procedure_id.as_posix().strip("/")
    run_id = request.query_params.get("run", "")

    def look() -> ProcedureView | None:
        return procedure_view(service, Sources(service), of_console, result_id, run_id)

    view = await asyncio.to_thread(look)
    if view is None:
        raise Problem(
            404,
            f"Neither the documentation nor the store has a procedure {result_id!r} for "
            f"the console {of_console!r}.",
            title="Unknown procedure",
        )
    return page(
        request,
        service,
        "procedure",
        at="documents",
        title=view.title_path[-1],
        view=view,
        run_id=run_id,
    )


@post("/procedures/verify", opt=needs(Permission.START_RUN))
async def verify_now(request: PageRequest, service: TheService, caller: TheCaller) -> Redirect:
    """Verify one procedure, or a whole document, now; then to the run."""
    form = await request.form()
    back = field(form, "back") or "/documents"
    try:
        row = await service.engine.start(await _run_request(service, form, caller.name))
    except SetupError as problem:
        return redirect_with_problem(local(back), problem)
    about(row.id, "verification")
    return redirect_with_notice(f"/runs/{row.id}", "work.started")


async def _run_request(
    service: Service,
    form: Mapping[str, Any],  # Any: form data
    by: str,
) -> RunRequest:
    result_id, path = field(form, "procedure"), field(form, "document")
    sources = await asyncio.to_thread(Sources, service)
    patterns: tuple[str, ...] = ()
    if result_id:
        path, patterns = sources.document_of(result_id), (procedure_of(result_id),)
        if not path:
            raise SetupError(f"The documentation has no procedure {result_id!r} any more.")
    document = sources.documents.get(path)
    if document is None:
        raise SetupError(f"The documentation has no document {path!r} (any more).")
    return RunRequest(
        kind=RunKind.VERIFICATION,
        console=field(form, "console"),
        documents=(Path(document.path),),
        patterns=patterns,
        requested_by=by,
    )


_FILTERS = ("verdict", "document", "query", "stale")
HANDLERS = (procedures, procedure, verify_now)
