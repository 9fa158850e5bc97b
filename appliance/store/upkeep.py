"""Updates incidents and last verdicts in the transaction that stores new verdicts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from appliance.core.jsonable import Json
from appliance.core.result import Finding, ProcedureResult
from appliance.core.verdict import StepStatus, Verdict
from appliance.store import incident_rows
from appliance.store.incident import Incident, IncidentChanges, IncidentState, incident_id
from appliance.store.queries import Connection
from appliance.store.rows import Rows, clean, utc_text

CONCLUSIVE = frozenset({Verdict.VERIFIED, Verdict.DRIFTED, Verdict.BROKEN})
"""Verdicts after which a finding that was not seen again is gone; others prove nothing."""

_STATE = ("title", "document", "line", "verdict", "verdict_at", "run_id", "findings", "cost_s")
_MERGE = f"""
    MERGE INTO procedure_states s USING ({{}}) n ON s.console = n.console AND s.id = n.id
    WHEN MATCHED THEN UPDATE SET {", ".join(f"{name} = n.{name}" for name in _STATE)}
    WHEN NOT MATCHED THEN INSERT BY NAME
"""


@dataclass(frozen=True, slots=True)
class SavedVerdict:
    """A verdict that is being stored."""

    result: ProcedureResult
    at: datetime


class Upkeep:
    """Brings incidents and last verdicts up to date with the verdicts of one run."""

    def __init__(
        self, connection: Connection, types: Mapping[str, str], console: str, run_id: str
    ) -> None:
        self._connection = connection
        self._types = types
        self._console = console
        self._run_id = run_id

    def apply(self, saved: Sequence[SavedVerdict]) -> IncidentChanges:
        """Apply one verdict per procedure; one older than the stored verdict changes nothing.

        Nor does one on a text that was only handed in for this run: it is not the documentation.
        """
        uploads = f"uploads/{self._run_id}/"
        newest = self._newer_verdicts([s for s in saved if uploads not in s.result.document])
        if not newest:
            return IncidentChanges()
        self._update_states(newest)
        return self._update_incidents(newest)

    def _newer_verdicts(self, saved: Sequence[SavedVerdict]) -> list[SavedVerdict]:
        rows = self._connection.execute(
            "SELECT id, verdict_at FROM procedure_states"
            " WHERE console = ? AND id IN (SELECT unnest(?::VARCHAR[]))",
            [self._console, [clean(verdict.result.id) for verdict in saved]],
        ).fetchall()
        stored = {id: at.isoformat(sep=" ") for id, at in rows}
        return [
            verdict
            for verdict in saved
            if utc_text(verdict.at) >= stored.get(clean(verdict.result.id), "")
        ]

    def _update_states(self, saved: Iterable[SavedVerdict]) -> None:
        rows = Rows(self._types)
        for verdict in saved:
            result = verdict.result
            rows.add(
                "procedure_states",
                {
                    "console": self._console,
                    "id": result.id,
                    "title": result.title,
                    "document": result.document,
                    "line": result.line,
                    "verdict": result.verdict.value,
                    "verdict_at": utc_text(verdict.at),
                    "run_id": self._run_id,
                    "findings": sum(finding.is_alarming for finding in result.findings),
                    "cost_s": result.cost.wall_s,
                },
            )
        rows.write(self._connection, _MERGE)

    def _update_incidents(self, saved: Sequence[SavedVerdict]) -> IncidentChanges:
        findings: dict[str, tuple[SavedVerdict, Finding]] = {}
        for verdict in saved:
            for finding in reversed(verdict.result.findings):
                findings[incident_id(self._console, finding.fingerprint)] = (verdict, finding)
        touched = {*findings, *self._update_places(saved)}
        if not touched:
            return IncidentChanges()
        stored, place_counts = (
            incident_rows.load(self._connection, touched),
            self._count_places(touched),
        )
        new: list[Incident] = []
        changed: list[Incident] = []
        opened, closed = [], []
        log = Rows(self._types)
        at = max(verdict.at for verdict in saved)
        for id in sorted(touched):
            before, count = stored.get(id), place_counts.get(id, 0)
            if id in findings:
                after, action = self._updated_incident(before, *findings[id], count)
                (changed if before else new).append(after)
                if action in ("opened", "reopened"):
                    opened.append(after)
            elif before is None:
                continue
            else:
                after, action = self._after_absence(before, count, at)
                changed.append(after)
                if action:
                    closed.append(after)
            if action:
                log.add("incident_log", incident_rows.log_row(after, at, action))
        incident_rows.add(self._connection, self._types, new)
        incident_rows.change(self._connection, self._types, changed)
        log.write(self._connection)
        return IncidentChanges(tuple(opened), tuple(closed))

    def _update_places(self, saved: Sequence[SavedVerdict]) -> set[str]:
        """Replace the places of these procedures; return the incidents that had places there."""
        earlier_places: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for incident, procedure, step in self._connection.execute(
            "SELECT incident_id, procedure_id, step FROM incident_places"
            " WHERE console = ? AND procedure_id IN (SELECT unnest(?::VARCHAR[]))",
            [self._console, [clean(verdict.result.id) for verdict in saved]],
        ).fetchall():
            earlier_places[procedure].append((incident, step))
        removed: list[Json] = []
        rows = Rows(self._types)
        for verdict in saved:
            id = clean(verdict.result.id)
            current = {incident_id(self._console, f.fingerprint) for f in verdict.result.findings}
            unreached = {
                incident
                for incident, step in earlier_places[id]
                if _was_unreached(verdict.result, step)
            } - current
            removed += [[i, id] for i in sorted({i for i, _ in earlier_places[id]} - unreached)]
            for finding in verdict.result.findings:
                rows.add("incident_places", self._place_row(verdict, finding))
        if removed:
            self._connection.execute(
                "DELETE FROM incident_places p USING (SELECT unnest(?::VARCHAR[][]) AS pair) g"
                " WHERE p.incident_id = g.pair[1] AND p.procedure_id = g.pair[2]"
                " AND p.console = ?",
                [removed, self._console],
            )
        rows.write(self._connection)
        return {incident for pairs in earlier_places.values() for incident, _ in pairs}

    def _place_row(self, verdict: SavedVerdict, finding: Finding) -> dict[str, Json]:
        return {
            "incident_id": incident_id(self._console, finding.fingerprint),
            "console": self._console,
            "procedure_id": verdict.result.id,
            "procedure_title": verdict.result.title,
            "document": finding.document,
            "line": finding.line,
            "column": finding.column,
            "quote": finding.quote,
            "step": finding.step,
            "run_id": self._run_id,
            "finding_id": finding.id,
            "seen_at": utc_text(verdict.at),
        }

    def _count_places(self, ids: Iterable[str]) -> dict[str, int]:
        rows = self._connection.execute(
            "SELECT incident_id, count(*) FROM incident_places"
            " WHERE incident_id IN (SELECT unnest(?::VARCHAR[])) GROUP BY incident_id",
            [sorted(ids)],
        ).fetchall()
        return dict(rows)

    def _updated_incident(
        self, before: Incident | None, verdict: SavedVerdict, finding: Finding, places: int
    ) -> tuple[Incident, str]:
        incident = Incident(
            id=incident_id(self._console, finding.fingerprint),
            console=self._console,
            fingerprint=finding.fingerprint,
            kind=finding.kind,
            severity=finding.severity,
            confidence=finding.confidence,
            state=IncidentState.OPEN,
            quote=finding.quote,
            shown=finding.shown,
            suggestion=finding.suggestion,
            document=finding.document,
            line=finding.line,
            places=places,
            first_seen_at=before.first_seen_at if before else verdict.at,
            last_seen_at=verdict.at,
            closed_at=None,
            assignee=before.assignee if before else "",
            accepted_until=None,
            run_id=self._run_id,
            procedure_id=verdict.result.id,
            finding_id=finding.id,
        )
        if before is None:
            return incident, "opened"
        if before.state is IncidentState.CLOSED:
            return incident, "reopened"
        if before.accepted_until and before.accepted_until <= verdict.at:
            return incident, "expired"
        return replace(incident, state=before.state, accepted_until=before.accepted_until), ""

    def _after_absence(self, before: Incident, places: int, at: datetime) -> tuple[Incident, str]:
        updated = replace(before, places=places)
        if places:
            return self._with_existing_place(updated), ""
        if before.state in (IncidentState.CLOSED, IncidentState.REJECTED):
            return (
                updated,
                "",
            )  # a false alarm that comes and goes does not ask for a word each time
        return replace(
            updated, state=IncidentState.CLOSED, closed_at=at, accepted_until=None
        ), "closed"

    def _with_existing_place(self, incident: Incident) -> Incident:
        """The incident, quoting a place that it still has."""
        row = self._connection.execute(
            "SELECT document, line, quote, run_id, procedure_id, finding_id FROM incident_places"
            " WHERE incident_id = ? ORDER BY procedure_id <> ?, seen_at DESC, document, line"
            " LIMIT 1",
            [incident.id, incident.procedure_id],
        ).fetchone()
        if row is None:
            return incident
        names = ("document", "line", "quote", "run_id", "procedure_id", "finding_id")
        return replace(incident, **dict(zip(names, row, strict=True)))


def _was_unreached(result: ProcedureResult, step: str) -> bool:
    """Whether the step was not reached, so that an earlier finding there may still hold."""
    if result.verdict not in CONCLUSIVE:
        return True
    return any(s.index == step and s.status is StepStatus.UNREACHED for s in result.steps)
