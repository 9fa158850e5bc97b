"""Fewer procedures: those that have changed, or failed the last time."""

from collections.abc import Sequence

from appliance.cli._changed import changed_since
from appliance.cli._history import Records, records_if_any
from appliance.cli._options import NarrowingOptions
from appliance.cli._verification import Verification
from appliance.core.errors import SetupError
from appliance.core.procedure import Document, Procedure
from appliance.core.result import procedure_of
from appliance.core.verdict import Verdict

_RUNS = 30
"""So many are looked through for a procedure's last verdict."""


def narrowed(
    documents: Sequence[Document],
    procedures: Sequence[Procedure],
    job: Verification,
    options: NarrowingOptions,
) -> tuple[Procedure, ...]:
    """Those of the procedures that the options leave.

    Args:
        documents: All that were read.
        procedures: That are chosen by name.
        job: Who is asked for earlier runs, and of which console.
        options: What narrows it.

    Raises:
        SetupError: git cannot compare.
    """
    remaining, ref, selection = tuple(procedures), options.changed_since, job.selection
    if ref is not None:
        if ref.startswith("-") or not ref:
            raise SetupError(f"--changed-since {ref!r}: no commit or branch.")
        changed = {procedure.id for procedure in changed_since(ref, documents, selection.checks)}
        remaining = tuple(p for p in remaining if p.id in changed)
    if options.is_last_failed and remaining:
        with records_if_any(job.settings, job.server) as records:
            console = selection.console or ("" if job.server else job.settings.console)
            verified = _verified(records, {p.id for p in remaining}, console)
        remaining = tuple(p for p in remaining if p.id not in verified)
    return remaining


def _verified(records: Records | None, procedure_ids: set[str], console: str) -> set[str]:
    """Those whose last verdict is `verified`."""
    verified: set[str] = set()
    open_ = set(procedure_ids)
    for row in records.runs(_RUNS) if records else ():
        if not open_:
            break
        if records is None or console not in ("", row.console):
            continue
        for result in records.load_run(row.id).procedures:
            if (id := procedure_of(result.id)) in open_:
                open_.discard(id)
                verified |= {id} if result.verdict is Verdict.VERIFIED else set()
    return verified
