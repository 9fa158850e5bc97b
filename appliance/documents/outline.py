"""Outlines of documents, small enough to keep thousands of them in memory."""

from dataclasses import dataclass

from pydantic import TypeAdapter

from appliance.core.procedure import Document, Procedure, text_hash
from appliance.documents._candidates import names_task
from appliance.documents.cache import CacheFile


@dataclass(frozen=True, slots=True)
class ProcedureOutline:
    """The properties of a procedure that a plan needs."""

    id: str
    title: str
    line: int
    """First line."""
    language: str
    text_hash: str
    """See `core.text_hash`."""
    account: str = ""
    """Account or role named by its checks; empty if none."""
    needs: tuple[str, ...] = ()
    """Kinds of the needs in its checks, in order."""
    is_skipped: bool = False
    """Whether its checks say to skip it."""
    names_task: bool = True
    """Whether the words of a candidate say that something is to be done."""


@dataclass(frozen=True, slots=True)
class DocumentOutline:
    """The outline of a document; fields as in `Document`."""

    path: str
    format: str
    revision: str
    title: str
    procedures: tuple[ProcedureOutline, ...]
    candidates: tuple[ProcedureOutline, ...] = ()
    problems: tuple[str, ...] = ()


OUTLINES = CacheFile("outlines.sqlite", TypeAdapter(DocumentOutline))


def outline_of(document: Document) -> DocumentOutline:
    """Outline a document."""
    return DocumentOutline(
        path=document.path,
        format=document.format,
        revision=document.revision,
        title=document.title,
        procedures=tuple(map(_outline, document.procedures)),
        candidates=tuple(map(_outline, document.candidates)),
        problems=document.problems,
    )


def _outline(procedure: Procedure) -> ProcedureOutline:
    checks = procedure.checks
    return ProcedureOutline(
        id=procedure.id,
        title=procedure.title,
        line=procedure.span.line,
        language=procedure.language,
        text_hash=text_hash(procedure),
        account=checks.account or "",
        needs=tuple(need.kind for need in checks.needs),
        is_skipped=bool(checks.skip),
        names_task=names_task(procedure) if procedure.needs_model else True,
    )
