"""The results of a run: verdicts, findings, downloads."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Template

from appliance.core.verdict import Verdict
from appliance.engine.problems import UnknownRun
from appliance.reports import Language, report_text, suggested_patch
from appliance.server.dashboard.frame import PageRequest, member_named, page
from appliance.server.dashboard.preferences import language_of
from appliance.server.paging import ThePaging
from appliance.server.parts import Service, TheService
from appliance.server.permissions import Permission, needs
from appliance.server.problems import Problem
from appliance.server.sources import Sources
from appliance.store.incident import Incident
from appliance.store.paging import Paged, Paging
from appliance.store.queries import StoredFinding
from appliance.store.states import ProcedureState

_FINDINGS = 200
"""Most findings on the page: the list of findings has all of them."""


DOWNLOADS: Mapping[str, tuple[str, str]] = {
    "html": ("report-{id}.html", "text/html"),
    "json": ("result-{id}.json", "application/json"),
    "junit": ("junit-{id}.xml", "application/xml"),
    "sarif": ("results-{id}.sarif", "application/sarif+json"),
    "markdown": ("summary-{id}.md", "text/markdown"),
    "patch": ("suggestions-{id}.patch", "text/x-diff"),
}
"""As what a run can be taken away: the file's name, and its media type."""


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
    )


@get("/runs/{run_id:str}/download/{kind:str}", opt=needs(Permission.EXPORT_RESULTS))
async def download(
    request: PageRequest, service: TheService, run_id: FromPath[str], kind: FromPath[str]
) -> Response[bytes]:
    """A download of the run."""
    if kind not in DOWNLOADS:
        raise Problem(404, f"Nothing is called {kind!r}: take {', '.join(DOWNLOADS)}.")
    name, media_type = DOWNLOADS[kind]
    text = await asyncio.to_thread(_text, service, run_id, kind, language_of(request))
    if not text:
        raise Problem(404, "There is no suggestion to change anything.", title="No patch")
    return Response(
        text.encode("utf-8", "replace"),
        media_type=media_type,
        headers={
            "Content-Disposition": f'attachment; filename="{name.format(id=run_id)}"',
            "Cache-Control": "no-store",
        },
    )


def _text(service: Service, run_id: str, kind: str, language: Language) -> str:
    if service.store.began(run_id) is None:
        raise UnknownRun(run_id)
    run, sources = service.store.load_run(run_id), Sources(service)
    if kind == "patch":
        return suggested_patch(run, sources.read, sources.name_in_patch)
    read_artifact, name = service.store.artifacts.get, sources.name_in_patch
    return report_text(run, kind, read_artifact, sources.read, name=name, language=language)


def _results(
    service: Service, run_id: str, console: str, paging: Paging, verdict: Verdict | None
) -> Results:
    verdicts = service.store.listings.verdicts(run_id, paging, verdict=verdict)
    findings = service.store.findings(run_id=run_id, limit=_FINDINGS)
    fingerprints = sorted({one.finding.fingerprint for one in findings})
    incidents = service.store.incidents.states(console, fingerprints) if fingerprints else {}
    return Results(verdicts, findings, incidents)


HANDLERS = (results, download)
