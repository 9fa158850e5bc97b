"""What is asked of the store, and how rows become results again."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from json import loads
from typing import Any, NamedTuple, TypeAlias

import duckdb

from appliance.core.result import Finding, ProcedureResult, RunResult, Summary
from appliance.core.result_json import check_schema_version, load_finding, load_procedure
from appliance.store.paging import Where
from appliance.store.times import as_known

Connection: TypeAlias = duckdb.DuckDBPyConnection
Record: TypeAlias = "dict[str, Any]"  # Any: a row, checked by `load_procedure`

_PARTS = ("steps", "findings", "evidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """A line in the list of runs."""

    id: str
    appliance_version: str
    """Of the appliance that made it."""
    commit: str
    """Of that appliance; empty where that is not known."""
    console: str
    policy: str
    """How actions were chosen."""
    planned: int
    """Procedures that were to be verified."""
    started_at: datetime
    ended_at: datetime | None
    """None: it is under way or stopped."""
    summary: Summary
    """Of the procedures whose verdict is known."""
    kind: str = "verification"
    """`sweep`, or `verification`."""
    state: str = ""
    """Of its sweep; where it has none `done`, or `running` for one under way or killed."""
    why: str = ""
    """What brought it to that state."""
    requested_by: str = ""
    """Who asked for it; empty: the command line."""

    @property
    def is_finished(self) -> bool:
        """Whether the run came to its end."""
        return self.ended_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFinding:
    """A finding, with where it comes from."""

    run_id: str
    procedure_id: str
    console: str
    started_at: datetime
    """Of the run."""
    finding: Finding


def forget_run(connection: Connection, run_id: str) -> None:
    """Delete the row of a run, and those of its documents."""
    connection.execute("DELETE FROM runs WHERE id = ?", [run_id])
    connection.execute("DELETE FROM documents WHERE run_id = ?", [run_id])


def forget_procedures(connection: Connection, run_id: str, ids: Iterable[str]) -> None:
    """Delete all rows of these procedures in a run."""
    key = [run_id, list(ids)]
    if not key[1]:  # the usual case, and deleting costs a scan a table
        return
    among = "IN (SELECT unnest(?::VARCHAR[]))"
    connection.execute(f"DELETE FROM procedures WHERE run_id = ? AND id {among}", key)  # noqa: S608
    for table in _PARTS:
        connection.execute(
            f"DELETE FROM {table} WHERE run_id = ? AND procedure_id {among}",  # noqa: S608
            key,
        )


class Kept(NamedTuple):
    """What is kept of a procedure in a run."""

    position: int
    saved_at: datetime


def kept(
    connection: Connection, run_id: str, ids: Collection[str] | None = None
) -> dict[str, Kept]:
    """The procedures that a run has, by id; of these ids only, where some are named."""
    among = "" if ids is None else " AND id IN (SELECT unnest(?::VARCHAR[]))"
    rows = connection.execute(
        f"SELECT id, position, saved_at FROM procedures WHERE run_id = ?{among}",  # noqa: S608
        [run_id] if ids is None else [run_id, list(ids)],
    ).fetchall()
    return {id: Kept(position, as_known(saved_at)) for id, position, saved_at in rows}


def free_position(connection: Connection, run_id: str) -> int:
    """The first behind all procedures that a run has."""
    return _number(
        connection,
        "SELECT coalesce(max(position), -1) + 1 FROM procedures WHERE run_id = ?",
        [run_id],
    )


def end_run(connection: Connection, run_id: str, at: datetime | None) -> None:
    """See `Store.end_run`."""
    connection.execute(
        "UPDATE procedures SET position = i.position FROM sweep_items i"
        " WHERE procedures.run_id = ? AND i.sweep_id = procedures.run_id AND i.id = procedures.id"
        " AND procedures.position <> i.position",
        [run_id],
    )
    connection.execute(
        "UPDATE runs SET planned = greatest(planned, n.number),"
        " ended_at = coalesce(?::TIMESTAMP, n.last, started_at) FROM"
        " (SELECT count(*)::INTEGER AS number, max(saved_at) AS last"
        " FROM procedures WHERE run_id = ?) n WHERE id = ?",
        [at, run_id, run_id],
    )


def place(connection: Connection, run_id: str, positions: Mapping[str, int]) -> None:
    """Put procedures that a run has into this order."""
    connection.execute(
        "UPDATE procedures SET position = n.position FROM"
        " (SELECT unnest(?::VARCHAR[]) AS id, unnest(?::INTEGER[]) AS position) n"
        " WHERE procedures.run_id = ? AND procedures.id = n.id"
        " AND procedures.position <> n.position",
        [list(positions), list(positions.values()), run_id],
    )


def console(connection: Connection, run_id: str) -> str | None:
    """What the run was held against; None for an unknown run."""
    row = connection.execute("SELECT console FROM runs WHERE id = ?", [run_id]).fetchone()
    return str(row[0]) if row else None


def planned(connection: Connection, run_id: str) -> int:
    """How many procedures the run was to verify; 0 for an unknown run."""
    return _number(connection, "SELECT coalesce(max(planned), 0) FROM runs WHERE id = ?", [run_id])


def began(connection: Connection, run_id: str) -> datetime | None:
    """When the run began; None for an unknown run."""
    row = connection.execute("SELECT started_at FROM runs WHERE id = ?", [run_id]).fetchone()
    return as_known(row[0]) if row else None


def load_run(connection: Connection, run_id: str) -> RunResult | None:
    """The run, or None."""
    runs = records(connection, "SELECT * FROM runs WHERE id = ?", [run_id])
    if not runs:
        return None
    row = runs[0]
    check_schema_version(row["schema_version"], f"The run {run_id}")
    documents = records(
        connection,
        "SELECT path, revision FROM documents WHERE run_id = ? ORDER BY position",
        [run_id],
    )
    last = connection.execute(
        "SELECT max(saved_at) FROM procedures WHERE run_id = ?", [run_id]
    ).fetchone()
    left_out = connection.execute(
        "SELECT count(*) FROM sweep_items WHERE sweep_id = ? AND state = 'not_reached'", [run_id]
    ).fetchone()
    ended_at = row["ended_at"] or (last[0] if last else None) or row["started_at"]
    return RunResult(
        id=row["id"],
        appliance_version=row["appliance_version"],
        commit=row["build_commit"],
        console=row["console"],
        policy=row["policy"],
        started_at=as_known(row["started_at"]),
        ended_at=as_known(ended_at),
        procedures=procedures(connection, run_id),
        config=loads(row["config"]),
        documents={d["path"]: d["revision"] for d in documents},
        not_reached=left_out[0] if left_out else 0,
        schema_version=row["schema_version"],
    )


def findings(connection: Connection, where: Where, limit: int) -> tuple[StoredFinding, ...]:
    """Findings for which the conditions hold."""
    rows = records(
        connection,
        f"""
        SELECT f.*, r.console, r.started_at FROM findings f JOIN runs r ON r.id = f.run_id
        WHERE {where.sql}
        ORDER BY r.started_at DESC, f.run_id, f.document, f.line, f."column", f.id LIMIT ?
        """,  # noqa: S608 - the columns are named in the code
        [*where.values, limit],
    )
    evidence: dict[tuple[str, str, int], list[Record]] = defaultdict(list)
    for piece in evidence_of(connection, rows):
        evidence[piece["run_id"], piece["procedure_id"], piece["finding"]].append(piece)
    return tuple(
        StoredFinding(
            run_id=row["run_id"],
            procedure_id=row["procedure_id"],
            console=row["console"],
            started_at=as_known(row["started_at"]),
            finding=load_finding(
                row | {"evidence": evidence[row["run_id"], row["procedure_id"], row["position"]]}
            ),
        )
        for row in rows
    )


def known_fingerprints(connection: Connection, console: str, besides: str | None) -> frozenset[str]:
    """Fingerprints of the findings on a console."""
    rows = connection.execute(
        "SELECT DISTINCT f.fingerprint FROM findings f JOIN runs r ON r.id = f.run_id"
        " WHERE r.console = ? AND (?::VARCHAR IS NULL OR r.id <> ?)",
        [console, besides, besides],
    ).fetchall()
    return frozenset(fingerprint for (fingerprint,) in rows)


def procedures(
    connection: Connection, run_id: str, procedure_id: str | None = None
) -> tuple[ProcedureResult, ...]:
    """All results of a run, or the one on that procedure."""

    def of_run(table: str, key: str) -> list[Record]:
        one = "" if procedure_id is None else f" AND {key} = ?"
        wanted = [run_id] if procedure_id is None else [run_id, procedure_id]
        return records(
            connection,
            f"SELECT * FROM {table} WHERE run_id = ?{one} ORDER BY position",  # noqa: S608
            wanted,
        )

    steps, findings_of = (
        _group(of_run("steps", "procedure_id")),
        _group(of_run("findings", "procedure_id")),
    )
    evidence = _group(of_run("evidence", "procedure_id"))
    return tuple(
        assemble(row, steps[row["id"]], findings_of[row["id"]], evidence[row["id"]])
        for row in of_run("procedures", "id")
    )


def assemble(
    row: Record, steps: list[Record], findings: list[Record], evidence: list[Record]
) -> ProcedureResult:
    """Build a result from its rows."""
    for finding in findings:
        finding["evidence"] = [
            piece for piece in evidence if piece["finding"] == finding["position"]
        ]
    until = as_known(row["pending_until"])
    claims = row["claims"] or ()  # NULL: of an appliance that did not tell them apart
    return load_procedure(
        row | {"steps": steps, "findings": findings, "claims": claims, "pending_until": until}
    )


def _group(rows: Iterable[Record]) -> defaultdict[str, list[Record]]:
    groups: defaultdict[str, list[Record]] = defaultdict(list)
    for row in rows:
        groups[row["procedure_id"]].append(row)
    return groups


def evidence_of(connection: Connection, findings: Sequence[Record]) -> list[Record]:
    """The evidence of all findings of their procedures."""
    runs, procedures = ({row[key] for row in findings} for key in ("run_id", "procedure_id"))
    return records(
        connection,
        "SELECT * FROM evidence WHERE run_id IN (SELECT unnest(?::VARCHAR[]))"
        " AND procedure_id IN (SELECT unnest(?::VARCHAR[])) ORDER BY position",
        [sorted(runs), sorted(procedures)],
    )


def records(
    connection: Connection, sql: str, parameters: Sequence[object] | Mapping[str, object]
) -> list[Record]:
    """The rows of a query, by the names of their columns."""
    cursor = connection.execute(sql, parameters)
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _number(connection: Connection, sql: str, parameters: list[str]) -> int:
    row = connection.execute(sql, parameters).fetchone()
    return int(row[0]) if row else 0
