"""What the page of a procedure shows, worked out before the template sees it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from appliance.core.claims import Coverage
from appliance.core.procedure import Document, Procedure
from appliance.core.result import ProcedureResult
from appliance.reports import advice_key
from appliance.server.dashboard.work.marking import (
    CurrentProcedure,
    MarkedLine,
    coverage,
    is_unchanged,
    marked_lines,
)
from appliance.server.dashboard.work.player import Move, moves
from appliance.server.parts import Service
from appliance.server.sources import Sources
from appliance.store.incident import Incident, IncidentState
from appliance.store.paging import Paging
from appliance.store.pending import EarlierVerdict
from appliance.store.states import PastVerdict, ProcedureState
from appliance.store.store import Store

_ALIKE = 100
"""Procedures of a run whose ids hold the id of another: `disks/create` in `disks/create-many`."""


class TextState(StrEnum):
    """How the text stands to the verdict."""

    SAME = "same"
    ELSEWHERE = "elsewhere"  # the document was changed, but not the steps of this procedure
    CHANGED = "changed"  # so were the steps
    GONE = "gone"  # the documentation has it no more
    NEW = "new"  # there is no verdict yet


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureView:
    """A procedure with its text and its last verdict."""

    id: str
    console: str
    document: Document | None
    """As it stands now."""
    procedure: Procedure | None
    is_configured: bool
    """Whether the configured documentation has it."""
    text: TextState
    state: ProcedureState | None
    result: ProcedureResult | None
    lines: tuple[MarkedLine, ...]
    moves: Mapping[str, tuple[Move, ...]]
    """What was done in each step, by its index."""
    coverage: Coverage
    incidents: Mapping[str, Incident]
    """By fingerprint: of the findings of the last verdict."""
    history: tuple[PastVerdict, ...]
    earlier: tuple[EarlierVerdict, ...]
    """What was said in that run before its audit log told."""

    @property
    def title_path(self) -> tuple[str, ...]:
        """From the document's title down to its own."""
        known = self.procedure or self.result
        return known.title_path if known else ()

    @property
    def advice(self) -> str:
        """Key of the text that says what to do where there is no verdict; "" for nothing."""
        return advice_key(self.result) if self.result else ""

    @property
    def path(self) -> str:
        """The path of its document."""
        if self.document is not None:
            return self.document.path
        return self.result.document if self.result else ""

    @property
    def line(self) -> int:
        """The line on which it begins."""
        if self.procedure is not None:
            return self.procedure.span.line
        return self.result.line if self.result else 1


def procedure_view(
    service: Service, sources: Sources, console: str, result_id: str, run_id: str = ""
) -> ProcedureView | None:
    """Everything about a procedure; None where nobody knows it. Blocks.

    Args:
        service: What it is known from.
        sources: The documents as they are now.
        console: The console.
        result_id: The procedure's id, perhaps with language and role.
        run_id: With the verdict of that run; empty: with the last one.
    """
    listings = service.store.listings
    state = _state(service, console, result_id, run_id)
    result = listings.result(state.run_id, state.id) if state else None
    source = sources.procedure(result_id, state.document if state else "")
    if source is None and result is None:
        return None
    document, procedure = source or (None, None)
    incidents = incidents_of(service.store, console, [result] if result else [])
    lines: tuple[MarkedLine, ...] = ()
    covered = Coverage()
    if document is not None and procedure is not None:
        judged = CurrentProcedure(
            procedure=procedure, result=result, dismissed=dismissed_fingerprints(incidents)
        )
        span = procedure.span
        lines = marked_lines(document.lines, [judged], span.line, span.end_line)
        covered = coverage(judged)
    return ProcedureView(
        id=result_id,
        console=console,
        document=document,
        procedure=procedure,
        is_configured=document is not None and document.path in sources.documents,
        text=_text_state(service.store, document, procedure, state, result),
        state=state,
        result=result,
        lines=lines,
        moves=moves(service.store.artifacts, result) if result else {},
        coverage=covered,
        incidents=incidents,
        history=listings.history(console, result_id),
        earlier=service.store.pending.history(state.run_id, state.id) if state else (),
    )


def _state(service: Service, console: str, result_id: str, run_id: str) -> ProcedureState | None:
    listings = service.store.listings
    if not run_id:
        now = service.engine.clock.now()
        return listings.procedure(console, result_id, now=now, stale_after=service.stale_after)
    verdicts = listings.verdicts(run_id, Paging(0, _ALIKE), query=result_id).items
    return next((past_verdict for past_verdict in verdicts if past_verdict.id == result_id), None)


def incidents_of(
    store: Store, console: str, results: Iterable[ProcedureResult]
) -> Mapping[str, Incident]:
    """What people say of the findings of some results, by fingerprint."""
    fingerprints = {f.fingerprint for result in results for f in result.findings}
    return store.incidents.states(console, sorted(fingerprints)) if fingerprints else {}


def dismissed_fingerprints(incidents: Mapping[str, Incident]) -> frozenset[str]:
    """Fingerprints of what a person has rejected: the text is true after all."""
    return frozenset(f for f, i in incidents.items() if i.state is IncidentState.REJECTED)


def _text_state(
    store: Store,
    document: Document | None,
    procedure: Procedure | None,
    state: ProcedureState | None,
    result: ProcedureResult | None,
) -> TextState:
    if document is None or procedure is None:
        return TextState.GONE
    if state is None or result is None:
        return TextState.NEW
    if store.listings.revision(state.run_id, result.document) == document.revision:
        return TextState.SAME
    same_steps = is_unchanged(CurrentProcedure(procedure=procedure, result=result))
    return TextState.ELSEWHERE if same_steps else TextState.CHANGED
