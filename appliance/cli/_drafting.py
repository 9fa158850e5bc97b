"""Drafts of audit rules: from what earlier runs kept, else from the model."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.cli._history import Records, run_id_of
from appliance.config import Settings
from appliance.core.audit_json import AuditLog, read_audit
from appliance.core.checks import Checks
from appliance.core.errors import ModelError, OutcomeError, SetupError
from appliance.core.procedure import Document, Procedure
from appliance.core.result import ProcedureResult, procedure_of
from appliance.core.verdict import Verdict
from appliance.environment.modules import Catalogue, module_folders
from appliance.environment.needs import infer, with_inferred
from appliance.inference.client import ModelClient
from appliance.outcome.drafting import ChecksDraft, TypedValue, ask_for_rules, draft_from_events

_LATEST = 50
"""Runs that are looked through for a verified attempt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftResult:
    """The outcome of drafting rules for one procedure."""

    document: Document
    procedure: Procedure
    draft: ChecksDraft | None
    note: str
    """What it was made from; without a draft: why there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attempt:
    """A verified attempt whose audit log was kept."""

    run_id: str
    result: ProcedureResult


class Drafter:
    """Drafts rules for one procedure after another."""

    def __init__(self, settings: Settings, records: Records | None, run_id: str | None) -> None:
        """A drafter.

        Args:
            settings: Console and model.
            records: Earlier runs; None where there are none.
            run_id: The run to draft from [default: the latest that verified the procedure].
        """
        self._settings, self._records, self._run_id = settings, records, run_id
        kind = settings.consoles[settings.console].kind
        self._modules = Catalogue.load(module_folders(settings)).of(kind)
        self._attempts = dict(_attempts(records, run_id)) if records else {}

    def draft(self, document: Document, procedure: Procedure) -> DraftResult:
        """The draft for a procedure, or why there is none."""
        checks = procedure.checks
        if checks.source is None:  # once it has checks, nothing is inferred any more
            checks = with_inferred(checks, infer(procedure, self._modules))
        lines = document.lines[procedure.span.line - 1 : procedure.span.end_line]
        attempt = self._attempts.get(procedure.id)
        if attempt is not None and self._records is not None:
            made = _from_attempt(self._records, attempt.result, checks, "\n".join(lines))
            draft = made if made.checks.expect else None
            source = f"from the attempt of run {attempt.run_id}"
            source += "" if draft else ": its audit log holds no change that succeeded"
        elif self._run_id or not self._settings.model.endpoint:
            draft, source = None, self._why_not()
        else:
            draft, source = self._ask(procedure, checks, "\n".join(lines))
        return DraftResult(document=document, procedure=procedure, draft=draft, note=source)

    def _why_not(self) -> str:
        where = f"run {self._run_id} has" if self._run_id else "there is"
        hint = "" if self._run_id else ", and no model.endpoint to ask instead"
        return (
            f"{where} no attempt with the verdict `verified` whose audit log was kept{hint}:"
            " `appliance verify` makes one"
        )

    def _ask(
        self, procedure: Procedure, checks: Checks, text: str
    ) -> tuple[ChecksDraft | None, str]:
        async def ask() -> ChecksDraft:
            async with ModelClient(self._settings.model, network=self._settings.outward) as client:
                return await ask_for_rules(
                    client,
                    procedure,
                    checks,
                    text,
                    console=self._settings.console,
                    event_names=self._event_names(),
                )

        try:
            return asyncio.run(ask()), "proposed by the model, seen by nobody"
        except ModelError as error:
            return None, str(error)

    def _event_names(self) -> tuple[str, ...]:
        """The names of the events in the audit logs that were kept."""
        if self._records is None:
            return ()
        logs = (_log(self._records, attempt.result) for attempt in self._attempts.values())
        return tuple(sorted({event.name for log in logs for event in log.events}))


def _attempts(history: Records, run_id: str | None) -> Iterator[tuple[str, _Attempt]]:
    """Verified attempts by procedure, the latest last."""
    ids = [run_id_of(history, run_id)] if run_id else [row.id for row in history.runs(_LATEST)]
    for id in reversed(ids):
        for result in history.load_run(id).procedures:
            if result.verdict is Verdict.VERIFIED and result.audit is not None:
                yield procedure_of(result.id), _Attempt(run_id=id, result=result)


def _log(history: Records, result: ProcedureResult) -> AuditLog:
    if result.audit is None:
        return AuditLog(events=())
    return read_audit(history.artifact(result.audit), f"the audit log of {result.id}")


def _from_attempt(
    history: Records, result: ProcedureResult, checks: Checks, text: str
) -> ChecksDraft:
    typed: Sequence[TypedValue] = ()
    if result.trajectory is not None:
        typed = tuple(_typed_values(history.artifact(result.trajectory)))
    return draft_from_events(checks, text, _log(history, result), typed)


def _typed_values(trajectory: bytes) -> Iterator[TypedValue]:
    """What was typed into fields, by their names."""
    for line in trajectory.decode("utf-8", "replace").split("\n"):
        turn: Mapping[str, object] = json.loads(line) if line.strip() else {}
        on, text = turn.get("on"), turn.get("text")
        if turn.get("action") == "type" and turn.get("ok") and isinstance(on, str):
            name = on.partition(" ")[2].strip(" *:")
            if name and isinstance(text, str):
                yield TypedValue(field=name, text=text)


def log_of(history: Records, run_id: str, result: ProcedureResult) -> AuditLog:
    """The audit log that was kept of a verdict; `SetupError` where there is none."""
    if result.audit is None:
        raise SetupError(
            f"run {run_id} kept no audit log of {result.id}: its console has none, or no attempt"
            " was made"
        )
    try:
        return _log(history, result)
    except OutcomeError as error:
        raise SetupError(str(error)) from error


def read_log(path: Path) -> AuditLog:
    """An audit log in a file of JSON lines; `SetupError`."""
    try:
        return read_audit(path.read_bytes(), str(path))
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}") from error
    except OutcomeError as error:
        raise SetupError(str(error)) from error
