"""Lines of the list of runs: what was verified, and what is yet to be."""

from collections.abc import Sequence
from typing import NamedTuple

from appliance.core.result import Summary
from appliance.core.verdict import Verdict
from appliance.store.paging import Paged, Paging, Where
from appliance.store.queries import Connection, Record, RunRow, records
from appliance.store.times import as_known

# A sweep is kept before its run begins; a run from the command line has no sweep.
_RUNS = """
    SELECT coalesce(r.id, s.id) AS id, coalesce(r.console, s.console) AS console,
        coalesce(s.kind, 'verification') AS kind, coalesce(s.why, '') AS why,
        coalesce(s.state, if(r.ended_at IS NULL, 'running', 'done')) AS state,
        coalesce(s.requested_by, '') AS requested_by,
        coalesce(r.started_at, s.planned_at) AS started_at,
        coalesce(r.ended_at, s.ended_at) AS ended_at,
        coalesce(r.appliance_version, '') AS appliance_version,
        coalesce(r.build_commit, '') AS build_commit, coalesce(r.policy, '') AS policy, r.planned
    FROM runs r FULL JOIN sweeps s ON s.id = r.id
"""


def run_rows(connection: Connection, paging: Paging, where: Where) -> Paged[RunRow]:
    """A page of them, newest first."""
    page = records(
        connection,
        f"SELECT * FROM ({_RUNS}) WHERE {where.sql} ORDER BY started_at DESC, id DESC"  # noqa: S608
        " LIMIT ? OFFSET ?",
        [*where.values, paging.limit, paging.offset],
    )
    total = where.count(connection, f"({_RUNS})")
    ids = [row["id"] for row in page]
    verdicts = _verdicts(connection, ids)
    findings = _findings(connection, ids)
    waiting = [row["id"] for row in page if row["planned"] is None]
    planned = _counts(connection, "sweep_items", "sweep_id", waiting) if waiting else {}
    return Paged(
        tuple(
            _run_row(
                row | {"planned": row["planned"] or planned.get(row["id"], 0)},
                verdicts.get(row["id"], {}),
                findings.get(row["id"], _Found()),
            )
            for row in page
        ),
        total,
    )


def _verdicts(connection: Connection, ids: Sequence[str]) -> dict[str, dict[str, int]]:
    rows = connection.execute(
        "SELECT run_id, verdict, count(*) FROM procedures"
        " WHERE run_id IN (SELECT unnest(?::VARCHAR[])) GROUP BY ALL",
        [ids],
    ).fetchall()
    counts: dict[str, dict[str, int]] = {}
    for run_id, verdict, count in rows:
        counts.setdefault(run_id, {})[verdict] = count
    return counts


def _counts(connection: Connection, table: str, key: str, ids: Sequence[str]) -> dict[str, int]:
    rows = connection.execute(
        f"SELECT {key}, count(*) FROM {table}"  # noqa: S608 - names of ours
        f" WHERE {key} IN (SELECT unnest(?::VARCHAR[])) GROUP BY ALL",
        [ids],
    ).fetchall()
    return dict(rows)


class _Found(NamedTuple):
    """How many findings a run has."""

    alarming: int = 0
    cosmetic: int = 0
    unsure: int = 0


def _findings(connection: Connection, ids: Sequence[str]) -> dict[str, _Found]:
    rows = connection.execute(
        "SELECT run_id, count(*) FILTER (severity <> 'cosmetic' AND is_sure),"
        " count(*) FILTER (severity = 'cosmetic'),"
        " count(*) FILTER (severity <> 'cosmetic' AND NOT is_sure) FROM findings"
        " WHERE run_id IN (SELECT unnest(?::VARCHAR[])) GROUP BY ALL",
        [ids],
    ).fetchall()
    return {run_id: _Found(*counts) for run_id, *counts in rows}


def _run_row(row: Record, verdicts: dict[str, int], findings: _Found) -> RunRow:
    return RunRow(
        id=row["id"],
        appliance_version=row["appliance_version"],
        commit=row["build_commit"],
        console=row["console"],
        policy=row["policy"],
        planned=row["planned"],
        started_at=as_known(row["started_at"]),
        ended_at=as_known(row["ended_at"]),
        summary=Summary(
            procedures=sum(verdicts.values()),
            findings=findings.alarming,
            cosmetic=findings.cosmetic,
            unsure=findings.unsure,
            **{verdict.value: verdicts.get(verdict, 0) for verdict in Verdict},
        ),
        kind=row["kind"],
        state=row["state"],
        why=row["why"],
        requested_by=row["requested_by"],
    )
