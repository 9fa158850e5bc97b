"""The results of a run: verdicts, findings, downloads."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Template

from appliance.core.result import RunResult
from appliance.core.verdict import Verdict
from appliance.engine.problems import UnknownRun
from appliance.reports import (
    Language,
    html_report,
    json_result,
    junit_report,
    markdown_summary,
    sarif_report,
    suggested_patch,
)
from appliance.server.dashboard.frame import PageRequest, member_named, page
from appliance.server.dashboard.preferences import language_of
from appliance.server.dashboard.work.procedures import address_of
from appliance.server.paging import ThePaging
from appliance.server.parts import Service, TheService
from appliance.server.permissions import Permission, needs
from appliance.server.problems import Problem
from appliance.server.sources import Sources, short_path
from appliance.store.incident import Incident
from appliance.store.paging import Paged, Paging
from appliance.store.queries import StoredFinding
from appliance.store.states import ProcedureState

_FINDINGS = 200
"""Most findings on the page: the list of findings has all of them."""


@dataclass(frozen=True, slots=True)
class Download:
    """A form in which a run can be taken away."""

    name: str
    media_type: str
    make: Callable[[RunResult, Service, Sources, Language], str]


DOWNLOADS: Mapping[str, Download] = {
    "html": Download(
        "report-{id}.html",
        "text/html",
        lambda run, service, sources, language: html_report(
            run, sources.read, service.store.artifacts.get, language=language
        ),
    ),
    "json": Download(
        "result-{id}.json",
        "application/json",
        lambda run, *_: json_result(run),
    ),
    "junit": Download(
        "junit-{id}.xml",
        "application/xml",
        lambda run, *_: junit_report(run),
    ),
    "sarif": Download(
        "results-{id}.sarif",
        "application/sarif+json",
        lambda run, _, sources, __: sarif_report(run, sources.read, sources.name_in_patch),
    ),
    "markdown": Download(
        "summary-{id}.md",
        "text/markdown",
        lambda run, *_: markdown_summary(run),
    ),
    "patch": Download(
        "suggestions-{id}.patch",
        "text/x-diff",
        lambda run, _, sources, __: suggested_patch(run, sources.read, sources.name_in_patch),
    ),
}


@dataclass(frozen=True, slots=True)
class Results:
    """The results and findings that the page lists."""

    listing: Paged[ProcedureState]
    findings: tuple[StoredFinding, ...]
    incidents: Mapping[str, Incident]
    """By fingerprint."""


@get("/runs/{run_id:str}/results")
async def results(
    request: PageRequest, service: TheService, paging: ThePaging, run_id: FromPath[str]
) -> Template:
    """The page of a run's results so far."""
    run = await asyncio.to_thread(service.store.listings.run, run_id)
    if run is None:
        raise UnknownRun(run_id)
    verdict = request.query_params.get("verdict", "")
    view = await asyncio.to_thread(
        _results, service, run_id, run.console, paging, member_named(Verdict, verdict)
    )
    return page(
        request,
        service,
        "results",
        at="runs",
        run=run,
        results=view,
        listing=view.listing,
        paging=paging,
        verdict=verdict,
        downloads=tuple(DOWNLOADS),
        most=_FINDINGS,
        short=partial(short_path, folders=service.settings.documentation.paths),
        address_of=address_of,
    )


@get("/runs/{run_id:str}/download/{kind:str}", opt=needs(Permission.EXPORT_RESULTS))
async def download(
    request: PageRequest, service: TheService, run_id: FromPath[str], kind: FromPath[str]
) -> Response[bytes]:
    """A download of the run."""
    wanted = DOWNLOADS.get(kind)
    if wanted is None:
        raise Problem(404, f"Nothing is called {kind!r}: take {', '.join(DOWNLOADS)}.")

    def make_download() -> str:
        if service.store.began(run_id) is None:
            raise UnknownRun(run_id)
        run, language = service.store.load_run(run_id), language_of(request)
        return wanted.make(run, service, Sources(service), language)

    text = await asyncio.to_thread(make_download)
    if not text:
        raise Problem(404, "There is no suggestion to change anything.", title="No patch")
    return Response(
        text.encode("utf-8", "replace"),
        media_type=wanted.media_type,
        headers={
            "Content-Disposition": f'attachment; filename="{wanted.name.format(id=run_id)}"',
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        },
    )


def _results(
    service: Service, run_id: str, console: str, paging: Paging, verdict: Verdict | None
) -> Results:
    verdicts = service.store.listings.verdicts(run_id, paging, verdict=verdict)
    findings = service.store.findings(run_id=run_id, limit=_FINDINGS)
    fingerprints = sorted({one.finding.fingerprint for one in findings})
    incidents = service.store.incidents.states(console, fingerprints) if fingerprints else {}
    return Results(verdicts, findings, incidents)


HANDLERS: tuple[Any, ...] = (results, download)  # Any: handlers have no common type
