"""Search over everything: documents, procedures, findings, and what the console calls things."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from litestar import get
from litestar.response import Template

from appliance.server.dashboard.frame import PageRequest, console_of, page
from appliance.server.parts import Service, TheService
from appliance.server.sources import Sources
from appliance.store.incident import Incident, IncidentFilter
from appliance.store.labels import FoundLabel
from appliance.store.paging import Paged, Paging
from appliance.store.states import ProcedureFilter, ProcedureState

_MAX_HITS = 8
"""Of each kind; its list has the others."""
_LONGEST = 200
"""Characters of what is searched for."""


@dataclass(frozen=True, slots=True)
class Unverified:
    """A procedure without a verdict."""

    id: str
    title: str
    document: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDocument:
    """A document of the documentation."""

    path: str
    title: str
    procedures: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHits:
    """What was found, of each kind the first, and how many there are in all."""

    documents: Paged[FoundDocument]
    procedures: Paged[ProcedureState]
    unverified: tuple[Unverified, ...]
    """Shown where the procedures with a verdict leave room."""
    findings: Paged[Incident]
    labels: Paged[FoundLabel]

    @property
    def total(self) -> int:
        """Of all kinds."""
        listed = (self.documents, self.procedures, self.findings, self.labels)
        return sum(listing.total for listing in listed) + len(self.unverified)


@get("/search")
async def search(request: PageRequest, service: TheService) -> Template:
    """What has all of these words, whatever it is."""
    query = " ".join(request.query_params.get("query", "").split())[:_LONGEST]
    console = console_of(request, service)
    hits = await asyncio.to_thread(_find, service, console, query) if query else None
    return page(
        request,
        service,
        "search",
        at="",
        query=query,
        found=hits,
    )


def _find(service: Service, console: str, query: str) -> SearchHits:
    store, sources, few = service.store, Sources(service), Paging(0, _MAX_HITS)
    words = query.casefold().split()
    paths = service.settings.documentation.paths
    folders = tuple(f"{path if len(paths) == 1 else path.parent}/" for path in paths)
    documents = [
        FoundDocument(path=path, title=source.title, procedures=len(source.procedures))
        for path, source in sources.documents.items()
        if _has(f"{_below(path, folders)} {source.title}", words)
    ]
    procedures = store.listings.procedures(
        few,
        ProcedureFilter(console=console, query=query),
        now=service.engine.clock.now(),
        stale_after=service.stale_after,
    )
    return SearchHits(
        documents=Paged(tuple(documents[:_MAX_HITS]), len(documents)),
        procedures=procedures,
        unverified=tuple(_unverified(service, sources, console, words))
        if procedures.total < _MAX_HITS
        else (),
        findings=store.incidents.page(few, IncidentFilter(console=console, query=query)),
        labels=store.labels.find(console, query, _MAX_HITS),
    )


def _unverified(
    service: Service, sources: Sources, console: str, words: list[str]
) -> Iterator[Unverified]:
    """The first that the words name."""
    matching = (
        (document, procedure)
        for document in sources.documents.values()
        for procedure in document.procedures
        if _has(procedure.title, words)
    )
    few = tuple(islice(matching, 2 * _MAX_HITS))  # fewer than `_MAX_HITS` of all have a verdict
    verified_ids = service.store.listings.verified(console, [p.id for _, p in few])
    for document, procedure in [match for match in few if match[1].id not in verified_ids][
        :_MAX_HITS
    ]:
        yield Unverified(procedure.id, procedure.title, document.path, procedure.line)


def _below(path: str, folders: tuple[str, ...]) -> str:
    """Without what all the documentation has in common; of thousands of paths, so of texts only."""
    return next((path.removeprefix(folder) for folder in folders if path.startswith(folder)), path)


def _has(text: str, words: list[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words)


HANDLERS = (search,)
