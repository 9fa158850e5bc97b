"""Findings as incidents: list, places, triage and its log."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from appliance.core.errors import SetupError
from appliance.core.result import Finding, ProcedureResult
from appliance.core.result_json import load_finding
from appliance.core.verdict import DivergenceKind, Severity
from appliance.store import incident_rows as rows
from appliance.store.incident import (
    EVERY_INCIDENT,
    Confirmation,
    Incident,
    IncidentFilter,
    IncidentState,
    Location,
    TriageAction,
    TriageDecision,
    TriageEntry,
    after,
    incident_id,
    words,
)
from appliance.store.incident_rows import INCIDENTS, LOG, PLACES
from appliance.store.paging import Paged, Paging, Where
from appliance.store.queries import Connection, evidence_of, procedures, records
from appliance.store.rows import Row, Rows, clean, row_types
from appliance.store.tables import Tables
from appliance.store.times import as_stored

_SEARCHED_COLUMNS = ("quote", "shown", "document", "coalesce(suggestion, '')", "id")
_BY_URGENCY = f"""
    list_position({[state.value for state in IncidentState]}, state),
    list_position({[severity.value for severity in Severity]}, severity), last_seen_at DESC, id
"""


_LAST_DECISIONS = """
    SELECT incident_id, console, last(action ORDER BY "at", rowid) AS last FROM incident_log
    WHERE action IN ('confirm', 'accept', 'reject', 'reopen') AND NOT is_undone
    GROUP BY incident_id, console
"""
"""The last decision of a person on each incident."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedFinding:
    """A finding that somebody confirmed or rejected."""

    console: str
    finding: Finding
    result: ProcedureResult
    """Of its procedure."""
    is_true: bool


class IncidentTables(Tables):
    """The tables `incidents`, `incident_places` and `incident_log`.

    Verdicts change them with `Store.save_procedure`, people with `triage`.
    """

    about = "incidents"

    def page(
        self, paging: Paging, incident_filter: IncidentFilter = EVERY_INCIDENT
    ) -> Paged[Incident]:
        """Incidents that need a person first, then by severity, then the latest."""
        where = _where(incident_filter)
        return self._page(INCIDENTS, where, _BY_URGENCY, paging)

    def ids(self, paging: Paging, incident_filter: IncidentFilter) -> Paged[str]:
        """Of the incidents of `page`, in the same order."""
        where = _where(incident_filter)
        with self._session.reading("listing incidents") as connection:
            rows = connection.execute(
                f"SELECT id FROM incidents WHERE {where.sql} ORDER BY {_BY_URGENCY}"  # noqa: S608
                " LIMIT ? OFFSET ?",
                [*where.values, paging.limit, paging.offset],
            ).fetchall()
            return Paged(tuple(id for (id,) in rows), where.count(connection, "incidents"))

    def counts(self, incident_filter: IncidentFilter) -> Mapping[IncidentState, int]:
        """How many incidents match in each state; the filter's own state is ignored."""
        where = _where(replace(incident_filter, state=None))
        rows_by_state = self._read(
            f"SELECT state, count(*) FROM incidents WHERE {where.sql} GROUP BY state",  # noqa: S608
            where.values,
        )
        return dict.fromkeys(IncidentState, 0) | {
            IncidentState(s): count for s, count in rows_by_state
        }

    def get(self, incident: str) -> Incident | None:
        """The incident with that id; None if there is none."""
        with self._session.reading("looking for an incident") as connection:
            return rows.load(connection, [clean(incident)]).get(incident)

    def states(self, console: str, fingerprints: Collection[str]) -> Mapping[str, Incident]:
        """Incidents by the fingerprints of their findings."""
        ids = {incident_id(console, fingerprint) for fingerprint in fingerprints}
        with self._session.reading("looking for incidents") as connection:
            incidents = rows.load(connection, ids)
        return {incident.fingerprint: incident for incident in incidents.values()}

    def places(self, incident: str) -> tuple[Location, ...]:
        """Places where an incident was last seen, in the order of the documentation."""
        return self._select(
            PLACES,
            'WHERE incident_id = ? ORDER BY document, line, "column", procedure_id',
            [incident],
        )

    def findings(
        self,
        ids: Sequence[str] | None = None,
        *,
        console: str | None = None,
        states: Collection[IncidentState] = (),
        document: str | None = None,
        limit: int = 2000,
    ) -> tuple[tuple[Incident, Finding], ...]:
        """The finding of every place, without evidence, in the order of the documentation.

        A place whose finding is not kept any more is left out.
        """
        where = Where()
        if ids is not None:
            where.that("i.id IN (SELECT unnest(?::VARCHAR[]))", [clean(id) for id in ids])
        if console is not None:
            where.that("i.console = ?", console)
        if states:
            where.that(
                "i.state IN (SELECT unnest(?::VARCHAR[]))", [state.value for state in states]
            )
        if document is not None:
            where.that("p.document = ?", document)
        with self._session.reading("reading the findings of incidents") as connection:
            places = records(
                connection,
                "SELECT DISTINCT i.id AS incident, f.* FROM incidents i"  # noqa: S608 - our names
                " JOIN incident_places p ON p.incident_id = i.id"
                " JOIN findings f ON f.run_id = p.run_id AND f.procedure_id = p.procedure_id"
                f" AND f.id = p.finding_id WHERE {where.sql}"
                ' ORDER BY f.document, f.line, f."column", f.id, f.procedure_id LIMIT ?',
                [*where.values, limit],
            )
            incidents = rows.load(connection, {row["incident"] for row in places})
        return tuple(
            (incidents[row["incident"]], load_finding(row | {"evidence": []})) for row in places
        )

    def log(self, incident: str) -> tuple[TriageEntry, ...]:
        """The log of an incident, oldest first."""
        return self._select(LOG, "WHERE incident_id = ? ORDER BY rowid", [incident])

    def said_at(self, at: datetime, by: str) -> tuple[str, ...]:
        """Ids of the incidents of which somebody said something at that moment, and holds to it."""
        rows = self._read(
            'SELECT DISTINCT incident_id FROM incident_log WHERE "at" = ? AND "by" = ?'
            " AND was IS NOT NULL AND NOT is_undone ORDER BY incident_id",
            [as_stored(at), clean(by)],
        )
        return tuple(id for (id,) in rows)

    def triage(
        self,
        incident: str,
        decision: TriageDecision,
        *,
        by: str,
        at: datetime,
    ) -> Incident:
        """Record a person's decision and return the incident as it is afterwards.

        Raises:
            SetupError: no such incident; `accept` without a date that is yet to come; `assign`
                without a name; `comment` without words; one that is closed is to be confirmed,
                accepted or opened again; `undo` where something else happened last.
        """
        with self._session.transaction("saving what is said of an incident") as connection:
            current = rows.load(connection, [clean(incident)]).get(incident)
            if current is None:
                raise SetupError(
                    f"There is no incident {incident!r}. `appliance finding list` names those "
                    "there are."
                )
            previous_values: Row = {}
            if decision.action is TriageAction.UNDO:
                changed, comment = rows.undone(connection, current, at)
            else:
                changed, comment = after(current, decision, at), words(decision)
                previous_values = rows.went_from(current)
            entry = rows.log_row(changed, at, decision.action.value, by, comment)
            _save(connection, [changed], [{**entry, **previous_values}])
        return changed

    def expire(self, now: datetime) -> tuple[Incident, ...]:
        """Reopen accepted incidents whose date has passed, and return them."""
        with self._session.transaction("ending what was accepted for a time") as connection:
            expired = INCIDENTS.select(
                connection, "WHERE state = 'accepted' AND accepted_until <= ?", [as_stored(now)]
            )
            changed = [
                replace(incident, state=IncidentState.OPEN, accepted_until=None)
                for incident in expired
            ]
            _save(
                connection,
                changed,
                [rows.log_row(incident, now, "expired") for incident in changed],
            )
        return tuple(changed)

    def confirmation(self, console: str | None = None) -> Confirmation:
        """How often people agree with findings, by the last decision on each incident."""
        where = Where().equal(console=console)
        counted = self._read(
            f"SELECT last, count(*) FROM ({_LAST_DECISIONS}) WHERE {where.sql} GROUP BY last",  # noqa: S608 - our names
            where.values,
        )
        return _confirmation(counted)

    def opinions(self, console: str) -> Mapping[DivergenceKind, Confirmation]:
        """The same on one console, by kind; kinds of which nobody said anything are left out."""
        counted = self._read(
            f"SELECT kind, last, count(*) FROM ({_LAST_DECISIONS}) l"  # noqa: S608 - our names
            " JOIN incidents i ON i.id = l.incident_id WHERE i.console = ? GROUP BY ALL",
            [console],
        )
        by_kind = defaultdict[str, list[tuple[str, int]]](list)
        for kind, last, count in counted:
            by_kind[kind].append((last, count))
        return {DivergenceKind(kind): _confirmation(counts) for kind, counts in by_kind.items()}

    def decided(self) -> tuple[DecidedFinding, ...]:
        """The latest finding of every incident of which people said whether it is true.

        One whose finding is not kept any more is left out.
        """
        with self._session.reading("reading what people said") as connection:
            decided = records(
                connection,
                "SELECT f.*, l.last, i.console FROM incidents i"  # noqa: S608 - our names
                f" JOIN ({_LAST_DECISIONS}) l ON l.incident_id = i.id"
                " JOIN findings f ON f.run_id = i.run_id AND f.procedure_id = i.procedure_id"
                " AND f.id = i.finding_id WHERE l.last <> 'reopen' ORDER BY i.id",
                [],
            )
            evidence = evidence_of(connection, decided)
            results = {
                key: procedures(connection, *key)[0]
                for key in {(row["run_id"], row["procedure_id"]) for row in decided}
            }
        return tuple(
            DecidedFinding(
                console=row["console"],
                finding=load_finding(
                    row
                    | {
                        "evidence": [
                            piece
                            for piece in evidence
                            if all(piece[k] == row[k] for k in ("run_id", "procedure_id"))
                            and piece["finding"] == row["position"]
                        ]
                    }
                ),
                result=results[row["run_id"], row["procedure_id"]],
                is_true=row["last"] != "reject",
            )
            for row in decided
        )


def _confirmation(counts: Iterable[tuple[str, int]]) -> Confirmation:
    by_action: defaultdict[str, int] = defaultdict(int, counts)
    return Confirmation(by_action["confirm"] + by_action["accept"], by_action["reject"])


def _where(incident_filter: IncidentFilter) -> Where:
    where = Where().equal(
        console=incident_filter.console,
        state=incident_filter.state,
        kind=incident_filter.kind,
        severity=incident_filter.severity,
        assignee=incident_filter.assignee,
    )
    if incident_filter.document is not None:
        where.that(
            "(document = ? OR id IN (SELECT incident_id FROM incident_places WHERE document = ?))",
            incident_filter.document,
            incident_filter.document,
        )
    return where.mentions(incident_filter.query, _SEARCHED_COLUMNS)


def _save(connection: Connection, changed: Iterable[Incident], log: Iterable[Row]) -> None:
    types = row_types(connection)
    rows.change(connection, types, changed)
    lines = Rows(types)
    for line in log:
        lines.add("incident_log", line)
    lines.write(connection)
