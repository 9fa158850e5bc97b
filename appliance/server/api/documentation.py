"""`/procedures` and `/documents`: the documentation, with the last verdicts on it."""

import asyncio
from typing import Annotated, TypeAlias

from litestar import Controller
from litestar.params import FromPath, QueryParameter
from pydantic import Field

from appliance.core.verdict import Verdict
from appliance.server.api._consoles import OfConsole, console_of
from appliance.server.api._operations import reads
from appliance.server.api._pages import page_of
from appliance.server.api.shapes.base import Page, ResponseShape, shape_of
from appliance.server.api.shapes.results import Procedure
from appliance.server.documents import DocumentRow, document_rows
from appliance.server.paging import ThePaging
from appliance.server.parts import Service, TheService
from appliance.server.problems import AnyRequest, Problem
from appliance.store import states
from appliance.store.paging import part_of
from appliance.store.states import ProcedureFilter


@shape_of(states.ProcedureState)
class ProcedureState(ResponseShape):
    """A procedure and the last verdict on it."""

    id: str = Field(examples=["docs/disks/create-a-disk"])
    """With language, role and region behind an @, where there are several."""


class ProcedureStatePage(Page[ProcedureState]):
    """Procedures with a verdict, in the order of the documentation."""


@shape_of(states.PastVerdict)
class PastVerdict(ResponseShape):
    """One verdict of a procedure's history."""


class WholeProcedure(ProcedureState):
    """A procedure with all that led to its last verdict, and its history."""

    result: Procedure | None
    """The last verdict in full; null where retention has removed it."""
    history: tuple[PastVerdict, ...]
    """Its verdicts, newest first; fifty at most."""


@shape_of(DocumentRow, without=("is_configured",))
class Document(ResponseShape):
    """A document and the verdicts on its procedures."""

    verdicts: dict[str, int] = Field(examples=[{"verified": 4, "broken": 1}])
    """How many of them have which verdict."""


class DocumentPage(Page[Document]):
    """Documents by path."""


@shape_of(states.Coverage)
class Coverage(ResponseShape):
    """How much of what was ever verified on a console is known today."""


@shape_of(states.TrendDay)
class TrendDay(ResponseShape):
    """Verdicts of one day (UTC), and findings that came and went."""


class Overview(ResponseShape):
    """How it stands with the documentation of a console."""

    console: str
    """Name of the console in the settings."""
    coverage: Coverage
    """Now."""
    trend: tuple[TrendDay, ...]
    """The last days, oldest first."""


_DAYS = 30
Words: TypeAlias = Annotated[
    str | None,
    QueryParameter(name="query", max_length=500, description="Only with these words in the title."),
]


class Procedures(Controller):
    """Look at procedures."""

    path = "/procedures"
    tags = ("Documentation",)

    @reads("", "listProcedures", "List procedures", fails=(404,))
    async def list(
        self,
        request: AnyRequest,
        service: TheService,
        paging: ThePaging,
        console: OfConsole = None,
        verdict: Annotated[
            Verdict | None, QueryParameter(description="Only with that verdict.")
        ] = None,
        document: Annotated[
            str | None, QueryParameter(max_length=1000, description="Only of that document.")
        ] = None,
        words: Words = None,
        is_stale: Annotated[
            bool | None,
            QueryParameter(description="Only those whose verdict is too old, or is not."),
        ] = None,
    ) -> ProcedureStatePage:
        """Those that have a verdict, in the order of the documentation."""
        procedures = await asyncio.to_thread(
            service.store.listings.procedures,
            paging,
            ProcedureFilter(
                console=console_of(service, console),
                verdict=verdict,
                document=document,
                query=words,
                is_stale=is_stale,
            ),
            now=service.engine.clock.now(),
            stale_after=service.stale_after,
        )
        return page_of(ProcedureStatePage, procedures, paging, request)

    @reads("/{procedure_id:path}", "getProcedure", "Get a procedure", fails=(404,))
    async def show(
        self, service: TheService, procedure_id: FromPath[str], console: OfConsole = None
    ) -> WholeProcedure:
        """Its last verdict with all that led to it, and its history."""
        name, wanted = console_of(service, console), procedure_id.removeprefix("/")
        whole = await asyncio.to_thread(_procedure, service, name, wanted)
        if whole is None:
            raise Problem(
                404,
                f"No procedure {wanted!r} was ever verified on {name}.",
                title="Unknown procedure",
            )
        return whole


class Documents(Controller):
    """Look at documents."""

    path = "/documents"
    tags = ("Documentation",)

    @reads("", "listDocuments", "List documents", fails=(404, 422))
    async def list(
        self,
        request: AnyRequest,
        service: TheService,
        paging: ThePaging,
        console: OfConsole = None,
        path: Annotated[
            str | None,
            QueryParameter(name="path", max_length=1000, description="Only that document."),
        ] = None,
    ) -> DocumentPage:
        """Those of the configured documentation, and others that were verified, by path."""
        name = console_of(service, console)

        def read() -> list[DocumentRow]:
            known = {document.path: document for document in service.engine.documents()}
            rows = document_rows(known, service.store, name)
            return [row for row in rows if path in (None, row.path)]

        documents = part_of(await asyncio.to_thread(read), paging)
        return page_of(DocumentPage, documents, paging, request)


class Overviews(Controller):
    """Look at all of it at once."""

    path = "/overview"
    tags = ("Documentation",)

    @reads("", "getOverview", "Get the overview", fails=(404,))
    async def show(
        self,
        service: TheService,
        console: OfConsole = None,
        days: Annotated[
            int, QueryParameter(ge=1, le=366, description="Days of the trend.")
        ] = _DAYS,
    ) -> Overview:
        """How much of the documentation is verified, drifted, broken or stale, and its trend."""
        name, now = console_of(service, console), service.engine.clock.now()
        listings = service.store.listings
        coverage = await asyncio.to_thread(
            listings.coverage, name, now=now, stale_after=service.stale_after
        )
        trend = await asyncio.to_thread(listings.trend, name, days=days, now=now)
        return Overview.model_validate({"console": name, "coverage": coverage, "trend": trend})


def _procedure(service: Service, console: str, procedure_id: str) -> WholeProcedure | None:
    listings = service.store.listings
    state = listings.procedure(
        console,
        procedure_id,
        now=service.engine.clock.now(),
        stale_after=service.stale_after,
    )
    if state is None:
        return None
    return WholeProcedure.of(
        state,
        result=listings.result(state.run_id, procedure_id),
        history=listings.history(console, procedure_id),
    )
