"""The form that verifies a text, a file or a document now."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.response import Template

from appliance.core.errors import SetupError
from appliance.core.result import procedure_of
from appliance.core.verdict import PolicyChoice
from appliance.engine.request import InlineDocument, RunKind, RunRequest
from appliance.server.activity import about
from appliance.server.callers import TheCaller
from appliance.server.dashboard.frame import (
    PageRequest,
    console_of,
    member_named,
    page,
    redirect_with_notice,
)
from appliance.server.dashboard.frame import field as text_of
from appliance.server.parts import Service, TheService
from appliance.server.permissions import Permission, needs
from appliance.server.sources import Sources

FORMATS = {
    "md": "Markdown",
    "rst": "reStructuredText",
    "html": "HTML",
    "adoc": "AsciiDoc",
    "xml": "DocBook, DITA",
}
_PASTED = "pasted"
"""Name of a text that was typed in, without its ending."""


class TextSource(StrEnum):
    """Where the text of an ad-hoc verification comes from."""

    PASTE = "paste"
    UPLOAD = "upload"
    DOCUMENTATION = "documentation"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationForm:
    """The fields of the verification form."""

    source: TextSource = TextSource.PASTE
    text: str = ""
    format: str = "md"
    document: str = ""
    console: str = ""
    procedures: str = ""
    """Patterns, one a line."""
    values: str = ""
    """`name=value`, one a line."""
    policy: PolicyChoice = PolicyChoice.AUTO
    files: Sequence[InlineDocument] = field(default=(), repr=False)


@get("/verify")
async def form(request: PageRequest, service: TheService) -> Template:
    """The form; `?document=` or `?procedure=` fill it in."""
    draft = VerificationForm(console=console_of(request, service))
    document = request.query_params.get("document", "")
    procedure = request.query_params.get("procedure", "")
    sources = await asyncio.to_thread(Sources, service)
    if procedure and (named := sources.document_of(procedure)):
        document = named
        draft = replace(draft, procedures=procedure_of(procedure))
    if document in sources.documents:
        draft = replace(draft, source=TextSource.DOCUMENTATION, document=document)
    return _show_form(request, service, sources, draft)


@post("/verify", opt=needs(Permission.START_RUN))
async def verify(request: PageRequest, service: TheService, caller: TheCaller) -> Response[Any]:
    """Start it and go to the run; else the form again, with what is wrong."""
    draft = await _draft(await request.form())
    try:
        row = await service.engine.start(_run_request(draft, caller.name))
    except SetupError as problem:
        sources = await asyncio.to_thread(Sources, service)
        return _show_form(request, service, sources, draft, str(problem))
    about(row.id, "verification")
    return redirect_with_notice(f"/runs/{row.id}", "work.started")


def _show_form(
    request: PageRequest,
    service: Service,
    sources: Sources,
    draft: VerificationForm,
    problem: str = "",
) -> Template:
    return page(
        request,
        service,
        "verify",
        status=422 if problem else 200,
        draft=draft,
        problem=problem,
        documents=[(path, sources.short(path)) for path in sources.documents],
        formats=FORMATS,
        policies=tuple(PolicyChoice),
        origins=tuple(TextSource),
        most_mib=service.settings.server.max_request_mib,
    )


async def _draft(form: Any) -> VerificationForm:  # Any: Litestar's form, texts and files
    return VerificationForm(
        source=member_named(TextSource, text_of(form, "source")) or TextSource.PASTE,
        # Not stripped: places in the text are told by line.
        text=str(form.get("text", "")).replace("\r\n", "\n"),
        format=text_of(form, "format") if text_of(form, "format") in FORMATS else "md",
        document=text_of(form, "document"),
        console=text_of(form, "console"),
        procedures=text_of(form, "procedures"),
        values=text_of(form, "values"),
        policy=member_named(PolicyChoice, text_of(form, "policy")) or PolicyChoice.AUTO,
        files=[
            InlineDocument(Path(upload.filename).name, await upload.read())
            for upload in form.getall("file", [])
            if isinstance(upload, UploadFile) and upload.filename
        ],
    )


def _run_request(draft: VerificationForm, by: str) -> RunRequest:
    documents: tuple[Path, ...] = ()
    inline: tuple[InlineDocument, ...] = ()
    match draft.source:
        case TextSource.PASTE:
            if not draft.text.strip():
                raise SetupError("There is no text: paste a procedure, with its steps numbered.")
            name = f"{_PASTED}.{draft.format}"
            inline = (InlineDocument(name, draft.text.encode("utf-8", "replace")),)
        case TextSource.UPLOAD:
            if not draft.files:
                raise SetupError("No file is chosen.")
            inline = tuple(draft.files)
        case TextSource.DOCUMENTATION:
            if not draft.document:
                raise SetupError("No document is chosen.")
            documents = (Path(draft.document),)
    return RunRequest(
        kind=RunKind.VERIFICATION,
        console=draft.console,
        documents=documents,
        inline=inline,
        patterns=tuple(_lines(draft.procedures)),
        values=_values(draft.values),
        policy=draft.policy,
        requested_by=by,
    )


def _values(text: str) -> Mapping[str, str]:
    values: dict[str, str] = {}
    for line in _lines(text):
        name, equals, value = line.partition("=")
        if not equals or not name.strip():
            raise SetupError(f"{line!r} is not a value: write name=value, one a line.")
        values[name.strip()] = value.strip()
    return values


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


HANDLERS = (form, verify)
