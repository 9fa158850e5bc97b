"""What verdicts do to incidents and last verdicts, in the transaction that keeps them."""

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

TELLING = frozenset({Verdict.VERIFIED, Verdict.DRIFTED, Verdict.BROKEN})
"""Verdicts after which what was not seen again is gone. The others teach nothing."""

_STATE = ("title", "document", "line", "verdict", "verdict_at", "run_id", "findings", "cost_s")
_MERGE = f"""
    MERGE INTO procedure_states s USING ({{}}) n ON s.console = n.console AND s.id = n.id
    WHEN MATCHED THEN UPDATE SET {", ".join(f"{name} = n.{name}" for name in _STATE)}
    WHEN NOT MATCHED THEN INSERT BY NAME
"""


@dataclass(frozen=True, slots=True)
class Saved:
    """A verdict that is being kept."""

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

    def take_in(self, saved: Sequence[Saved]) -> IncidentChanges:
        """One verdict a procedure; one that is older than what is known changes nothing.

        Nor does one on a text that was only handed in for this run: it is not the documentation.
        """
        uploads = f"uploads/{self._run_id}/"
        newest = self._not_outdated([s for s in saved if uploads not in s.result.document])
        if not newest:
            return IncidentChanges()
        self._keep_states(newest)
        return self._keep_incidents(newest)

    def _not_outdated(self, saved: Sequence[Saved]) -> list[Saved]:
        rows = self._connection.execute(
            "SELECT id, verdict_at FROM procedure_states"
            " WHERE console = ? AND id IN (SELECT unnest(?::VARCHAR[]))",
            [self._console, [clean(one.result.id) for one in saved]],
        ).fetchall()
        known = {id: at.isoformat(sep=" ") for id, at in rows}
        return [one for one in saved if utc_text(one.at) >= known.get(clean(one.result.id), "")]

    def _keep_states(self, saved: Iterable[Saved]) -> None:
        rows = Rows(self._types)
        for one in saved:
            result = one.result
            rows.add(
                "procedure_states",
                {
                    "console": self._console,
                    "id": result.id,
                    "title": result.title,
                    "document": result.document,
                    "line": result.line,
                    "verdict": result.verdict.value,
                    "verdict_at": utc_text(one.at),
                    "run_id": self._run_id,
                    "findings": sum(finding.is_alarming for finding in result.findings),
                    "cost_s": result.cost.wall_s,
                },
            )
        rows.write(self._connection, _MERGE)

    def _keep_incidents(self, saved: Sequence[Saved]) -> IncidentChanges:
        shown: dict[str, tuple[Saved, Finding]] = {}
        for one in saved:
            for finding in reversed(one.result.findings):
                shown[incident_id(self._console, finding.fingerprint)] = (one, finding)
        touched = {*shown, *self._move_places(saved)}
        if not touched:
            return IncidentChanges()
        known, places = incident_rows.load(self._connection, touched), self._places(touched)
        new: list[Incident] = []
        changed: list[Incident] = []
        opened, closed = [], []
        log = Rows(self._types)
        at = max(one.at for one in saved)
        for id in sorted(touched):
            before, count = known.get(id), places.get(id, 0)
            if id in shown:
                after, word = self._updated_incident(before, *shown[id], count)
                (changed if before else new).append(after)
                if word in ("opened", "reopened"):
                    opened.append(after)
            elif before is None:
                continue
            else:
                after, word = self._unseen(before, count, at)
                changed.append(after)
                if word:
                    closed.append(after)
            if word:
                log.add("incident_log", incident_rows.log_row(after, at, word))
        incident_rows.add(self._connection, self._types, new)
        incident_rows.change(self._connection, self._types, changed)
        log.write(self._connection)
        return IncidentChanges(tuple(opened), tuple(closed))

    def _move_places(self, saved: Sequence[Saved]) -> set[str]:
        """Places as these verdicts show them; the incidents that had places there."""
        old: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for incident, procedure, step in self._connection.execute(
            "SELECT incident_id, procedure_id, step FROM incident_places"
            " WHERE console = ? AND procedure_id IN (SELECT unnest(?::VARCHAR[]))",
            [self._console, [clean(one.result.id) for one in saved]],
        ).fetchall():
            old[procedure].append((incident, step))
        gone: list[Json] = []
        rows = Rows(self._types)
        for one in saved:
            id = clean(one.result.id)
            here = {incident_id(self._console, f.fingerprint) for f in one.result.findings}
            left = {incident for incident, step in old[id] if _is_left(one.result, step)} - here
            gone += [[i, id] for i in sorted({i for i, _ in old[id]} - left)]
            for finding in one.result.findings:
                rows.add("incident_places", self._place(one, finding))
        if gone:
            self._connection.execute(
                "DELETE FROM incident_places p USING (SELECT unnest(?::VARCHAR[][]) AS pair) g"
                " WHERE p.incident_id = g.pair[1] AND p.procedure_id = g.pair[2]"
                " AND p.console = ?",
                [gone, self._console],
            )
        rows.write(self._connection)
        return {incident for pairs in old.values() for incident, _ in pairs}

    def _place(self, one: Saved, finding: Finding) -> dict[str, Json]:
        return {
            "incident_id": incident_id(self._console, finding.fingerprint),
            "console": self._console,
            "procedure_id": one.result.id,
            "procedure_title": one.result.title,
            "document": finding.document,
            "line": finding.line,
            "column": finding.column,
            "quote": finding.quote,
            "step": finding.step,
            "run_id": self._run_id,
            "finding_id": finding.id,
            "seen_at": utc_text(one.at),
        }

    def _places(self, ids: Iterable[str]) -> dict[str, int]:
        rows = self._connection.execute(
            "SELECT incident_id, count(*) FROM incident_places"
            " WHERE incident_id IN (SELECT unnest(?::VARCHAR[])) GROUP BY incident_id",
            [sorted(ids)],
        ).fetchall()
        return dict(rows)

    def _updated_incident(
        self, before: Incident | None, one: Saved, finding: Finding, places: int
    ) -> tuple[Incident, str]:
        now = Incident(
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
            first_seen_at=before.first_seen_at if before else one.at,
            last_seen_at=one.at,
            closed_at=None,
            assignee=before.assignee if before else "",
            accepted_until=None,
            run_id=self._run_id,
            procedure_id=one.result.id,
            finding_id=finding.id,
        )
        if before is None:
            return now, "opened"
        if before.state is IncidentState.CLOSED:
            return now, "reopened"
        if before.accepted_until and before.accepted_until <= one.at:
            return now, "expired"
        return replace(now, state=before.state, accepted_until=before.accepted_until), ""

    def _unseen(self, before: Incident, places: int, at: datetime) -> tuple[Incident, str]:
        after = replace(before, places=places)
        if places:
            return self._led_by_another(after), ""
        if before.state in (IncidentState.CLOSED, IncidentState.REJECTED):
            return after, ""  # a false alarm that comes and goes does not ask for a word each time
        return replace(
            after, state=IncidentState.CLOSED, closed_at=at, accepted_until=None
        ), "closed"

    def _led_by_another(self, after: Incident) -> Incident:
        """What it quotes has to be a place that it still has."""
        row = self._connection.execute(
            "SELECT document, line, quote, run_id, procedure_id, finding_id FROM incident_places"
            " WHERE incident_id = ? ORDER BY procedure_id <> ?, seen_at DESC, document, line"
            " LIMIT 1",
            [after.id, after.procedure_id],
        ).fetchone()
        if row is None:
            return after
        names = ("document", "line", "quote", "run_id", "procedure_id", "finding_id")
        return replace(after, **dict(zip(names, row, strict=True)))


def _is_left(result: ProcedureResult, step: str) -> bool:
    """Whether that step was not looked at, so that what was found there may still be so."""
    if result.verdict not in TELLING:
        return True
    return any(s.index == step and s.status is StepStatus.UNREACHED for s in result.steps)
