"""Documents: the list, and each with its text marked and all its procedures."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litestar import get
from litestar.response import Template

from appliance.core.claims import Coverage
from appliance.core.errors import DocumentError
from appliance.core.procedure import Document, Procedure
from appliance.core.result import ProcedureResult, procedure_of
from appliance.documents import RenderedBlock
from appliance.server.dashboard.frame import PageRequest, console_of, page
from appliance.server.dashboard.work.marking import (
    CurrentProcedure,
    coverage,
    is_unchanged,
    marked_lines,
)
from appliance.server.dashboard.work.procedure_view import dismissed_fingerprints, incidents_of
from appliance.server.dashboard.work.procedures import address_of
from appliance.server.dashboard.work.rendered import Passage, passages
from appliance.server.documents import DocumentRow, document_rows
from appliance.server.paging import ThePaging
from appliance.server.parts import Service, TheService
from appliance.server.problems import Problem
from appliance.server.sources import Sources
from appliance.store.incident import Incident
from appliance.store.paging import Paged, Paging


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureRow:
    """A procedure on the page of its document."""

    id: str
    procedure: Procedure
    result: ProcedureResult | None
    coverage: Coverage
    is_changed: bool
    """Its steps, since the verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentView:
    """A document with its text."""

    document: Document
    is_configured: bool
    """Else it came with a question."""
    short: str
    rows: tuple[ProcedureRow, ...]
    passages: tuple[Passage, ...]
    is_rendered: bool
    """Whether it could be; else there is its source only."""
    incidents: Mapping[str, Incident]
    """By fingerprint."""


@get("/documents")
async def documents(request: PageRequest, service: TheService, paging: ThePaging) -> Template:
    """The configured documents, and those that were verified otherwise."""
    query = request.query_params.get("query", "").strip()
    console = console_of(request, service)
    listing, problem = await asyncio.to_thread(_rows, service, console, query, paging)
    return page(
        request,
        service,
        "documents",
        listing=listing,
        paging=paging,
        query=query,
        problem=problem,
    )


@get("/documents/view")
async def document(request: PageRequest, service: TheService) -> Template:
    """A document's text with the marks of all its procedures."""
    path = request.query_params.get("path", "")
    console = console_of(request, service)
    view = await asyncio.to_thread(_view, service, console, path)
    if view is None:
        raise Problem(
            404, f"The documentation has no document {path!r} (any more).", title="Unknown document"
        )
    return page(
        request,
        service,
        "document",
        at="documents",
        title=view.document.title or view.short,
        view=view,
        address_of=address_of,
    )


def _rows(
    service: Service, console: str, query: str, paging: Paging
) -> tuple[Paged[DocumentRow], str]:
    sources, words = Sources(service), query.casefold().split()
    rows = [
        row
        for row in document_rows(sources.documents, service.store, console)
        if all(word in f"{sources.short(row.path)} {row.title}".casefold() for word in words)
    ]
    rows.sort(key=lambda row: not row.is_configured)
    part = rows[paging.offset : paging.offset + paging.limit]
    return Paged(tuple(part), len(rows)), sources.problem


def _view(service: Service, console: str, path: str) -> DocumentView | None:
    sources = Sources(service)
    document = sources.document(path)
    if document is None:
        return None
    results = service.store.listings.results(console, path)
    incidents = incidents_of(service.store, console, results)
    rejected = dismissed_fingerprints(incidents)
    by_procedure: dict[str, ProcedureResult] = {}
    for result in results:  # of several in other languages and roles, the plain one is shown
        by_procedure.setdefault(procedure_of(result.id), result)
        if result.id == procedure_of(result.id):
            by_procedure[result.id] = result
    judged = [
        CurrentProcedure(procedure=p, result=by_procedure.get(p.id), dismissed=rejected)
        for p in document.procedures
    ]
    blocks = _rendered(service, document)
    return DocumentView(
        document=document,
        is_configured=path in sources.documents,
        short=sources.short(path),
        rows=tuple(
            ProcedureRow(
                id=one.result.id if one.result else one.procedure.id,
                procedure=one.procedure,
                result=one.result,
                coverage=coverage(one),
                is_changed=not is_unchanged(one),
            )
            for one in judged
        ),
        passages=tuple(passages(marked_lines(document.lines, judged), blocks)),
        is_rendered=bool(blocks),
        incidents=incidents,
    )


def _rendered(service: Service, document: Document) -> tuple[RenderedBlock, ...]:
    with suppress(DocumentError):  # it is gone, or changed and beyond a limit: there is the source
        return service.engine.rendered(Path(document.path))
    return ()


HANDLERS: tuple[Any, ...] = (documents, document)  # Any: handlers have no common type
