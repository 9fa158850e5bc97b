"""A run's report in one format: what the command line writes, byte for byte."""

import asyncio
from enum import StrEnum
from typing import Annotated, TypeAlias

from litestar import Response
from litestar.params import QueryParameter

from appliance.core.result import documents_of, with_documents_named
from appliance.engine.uploads import given_name
from appliance.reports import FILE_NAMES, Language, read_source, report_text, repository_path
from appliance.server.api._runs import load, status_of
from appliance.server.parts import Service


class ReportFormat(StrEnum):
    """The formats of a report."""

    HTML = "html"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"
    GITHUB = "github"
    MARKDOWN = "markdown"


MEDIA_TYPES = {
    ReportFormat.HTML: "text/html; charset=utf-8",
    ReportFormat.JSON: "application/json",
    ReportFormat.JUNIT: "application/xml",
    ReportFormat.SARIF: "application/sarif+json",
    ReportFormat.GITHUB: "text/plain; charset=utf-8",
    ReportFormat.MARKDOWN: "text/markdown; charset=utf-8",
}
InFormat: TypeAlias = Annotated[
    ReportFormat,
    QueryParameter(
        name="format",
        description="`html` (one page with its pictures in it), `json` (`result.json`), `junit`,"
        " `sarif`, `github` (annotations: workflow commands) or `markdown`.",
    ),
]
InLanguage: TypeAlias = Annotated[
    Language | None,
    QueryParameter(
        name="language", description="Of the HTML page; left out: that of most procedures."
    ),
]


async def report_of(
    service: Service, run_id: str, format_: ReportFormat, language: Language | None
) -> Response[bytes]:
    """The report of what the run has so far.

    Raises:
        UnknownRun: There is no such run.
    """
    await status_of(service, run_id)
    body = await asyncio.to_thread(_report, service, run_id, format_, language)
    file = FILE_NAMES[format_]
    return Response(
        body,
        media_type=MEDIA_TYPES[format_],
        headers={"Content-Disposition": f'attachment; filename="{file}"'},
    )


def _report(
    service: Service, run_id: str, format_: ReportFormat, language: Language | None
) -> bytes:
    """With documents that were handed in under the names that they came with. Blocks."""
    run, data_dir = load(service, run_id), service.settings.data_dir
    names = {path: given_name(path, data_dir) for path in documents_of(run)}
    given = {name: path for path, name in names.items() if name != path}
    text = report_text(
        with_documents_named(run, names.__getitem__),
        format_,
        service.store.artifacts.get,
        lambda document: read_source(given.get(document, document)),
        name=lambda document: document if document in given else repository_path(document),
        language=language,
    )
    return text.encode("utf-8", "replace")
