"""Documents: the list, and each with its text marked and all its procedures."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from litestar import get
from litestar.response import Template

from appliance.core.claims import Coverage
from appliance.core.errors import DocumentError
from appliance.core.procedure import Document, Procedure
from appliance.core.result import Finding, ProcedureResult, procedure_of
from appliance.documents import RenderedBlock, Run
from appliance.server.dashboard.frame import PageRequest, console_of, page
from appliance.server.dashboard.work.marking import (
    CurrentProcedure,
    Mark,
    MarkedLine,
    Piece,
    coverage,
    is_unchanged,
    marked_lines,
)
from appliance.server.dashboard.work.procedure_view import dismissed_fingerprints, incidents_of
from appliance.server.documents import DocumentRow, document_rows
from appliance.server.paging import ThePaging
from appliance.server.parts import Service, TheService
from appliance.server.problems import Problem
from appliance.server.sources import Sources
from appliance.store.incident import Incident
from appliance.store.paging import Paged, Paging, part_of


@dataclass(frozen=True, slots=True)
class MarkedRun:
    """Characters with the same mark, ours and the document's own."""

    text: str
    role: str
    """As `InlineRole`; empty: none."""
    mark: Mark | None
    finding: Finding | None


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """A block of the text."""

    block: RenderedBlock
    cells: tuple[tuple[MarkedRun, ...], ...]

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(run.text for cell in self.cells for run in cell)


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document, and the lines that it is made of."""

    blocks: tuple[MarkedBlock, ...]
    lines: tuple[MarkedLine, ...]


def passages(lines: Sequence[MarkedLine], blocks: Iterable[RenderedBlock]) -> Iterator[Passage]:
    """All of a document; a passage begins with the line on which a block does."""
    pieces = [[piece for piece in line.pieces for _ in piece.text] for line in lines]
    by_line: dict[int, list[MarkedBlock]] = {}
    for block in blocks:
        cells = tuple(
            tuple(piece for run in cell for piece in _runs(run, pieces)) for cell in block.cells
        )
        by_line.setdefault(block.line, []).append(MarkedBlock(block, cells))
    for start, end in pairwise([*sorted({1, *by_line}), len(lines) + 1]):
        yield Passage(tuple(by_line.get(start, ())), tuple(lines[start - 1 : end - 1]))


def _runs(run: Run, pieces: Sequence[list[Piece]]) -> Iterator[MarkedRun]:
    """The run in stretches of one mark each; what stands nowhere has none."""
    role = run.role.value if run.role else ""
    if not run.places:
        yield MarkedRun(run.text, role, None, None)
        return
    located = [piece for place in run.places for piece in _at(pieces, *place)]
    start = 0
    for end in range(1, len(located) + 1):
        if end == len(located) or located[end] is not located[start]:
            yield MarkedRun(run.text[start:end], role, located[start].mark, located[start].finding)
            start = end


def _at(pieces: Sequence[list[Piece]], line: int, column: int, length: int) -> list[Piece]:
    """What is known of characters; a line break, which the text has as a space, has no mark."""
    found = pieces[line - 1][column : column + length]
    return found + [_NOTHING] * (length - len(found))


_NOTHING = Piece("", None)


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
    return part_of(rows, paging), sources.problem


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
                id=row.result.id if row.result else row.procedure.id,
                procedure=row.procedure,
                result=row.result,
                coverage=coverage(row),
                is_changed=not is_unchanged(row),
            )
            for row in judged
        ),
        passages=tuple(passages(marked_lines(document.lines, judged), blocks)),
        is_rendered=bool(blocks),
        incidents=incidents,
    )


def _rendered(service: Service, document: Document) -> tuple[RenderedBlock, ...]:
    with suppress(DocumentError):  # it is gone, or changed and beyond a limit: there is the source
        return service.engine.rendered(Path(document.path))
    return ()


HANDLERS = (documents, document)
