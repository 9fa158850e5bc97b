"""Documents as lists show them: what stands in the documentation, and what was verified."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from appliance.documents import DocumentOutline
from appliance.store.paging import Paging
from appliance.store.states import DocumentState
from appliance.store.store import Store

_ALL = Paging(0, 1_000_000)
"""More documents than anybody has: they are joined with those on the disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """A document and the verdicts on its procedures."""

    path: str
    """As in `document` of procedures and findings."""
    title: str
    """Its title; empty where it is not in the configured documentation any more."""
    format: str
    """`markdown`, `rst` or `html`; empty where it is not there any more."""
    revision: str
    """SHA-256 as it stands now; as it was verified last where it is not there any more."""
    is_changed: bool
    """Whether it differs from what was verified last."""
    procedures: int
    """How many it has."""
    verdicts: Mapping[str, int]
    """How many of them have which verdict."""
    oldest_verdict_at: datetime | None
    """None: there is none."""
    problems: tuple[str, ...]
    """What could not be read in it."""
    is_configured: bool
    """Whether it is in the configured documentation."""


def document_rows(
    documents: Mapping[str, DocumentOutline], store: Store, console: str
) -> Iterator[DocumentRow]:
    """Those of the documentation, and others that were verified, by path. Blocks."""
    states = {one.path: one for one in store.listings.documents(_ALL, console=console).items}
    for path in sorted(documents.keys() | states.keys()):
        yield _row(path, documents.get(path), states.get(path))


def _row(path: str, document: DocumentOutline | None, state: DocumentState | None) -> DocumentRow:
    revision, before = document.revision if document else "", state.revision if state else ""
    return DocumentRow(
        path=path,
        title=document.title if document else "",
        format=document.format if document else "",
        revision=revision or before,
        is_changed=bool(revision and before and revision != before),
        procedures=len(document.procedures) if document else state.procedures if state else 0,
        verdicts=dict(state.verdicts) if state else {},
        oldest_verdict_at=state.oldest_verdict_at if state else None,
        problems=tuple(map(str, document.problems)) if document else (),
        is_configured=document is not None,
    )
