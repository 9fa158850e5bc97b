"""Lines of the list of runs: what was verified, and what is yet to be."""

from collections.abc import Mapping, Sequence
from threading import Lock
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


class Counted:
    """The counts of runs that have ended, once they were counted. From several threads.

    A page of fifty nights of a large documentation has millions of verdicts.
    """

    def __init__(self) -> None:
        # Invariant: what is known was read after the last change to that run was committed.
        self._lock = Lock()
        self._known: dict[str, Summary] = {}
        self._changes = 0

    def now(self) -> tuple[Mapping[str, Summary], int]:
        """What is known, and by how many changes: to be asked before a reading begins."""
        with self._lock:
            return dict(self._known), self._changes

    def keep(self, counted: Mapping[str, Summary], changes: int) -> None:
        """What was counted in a reading; nothing, where something was changed since."""
        with self._lock:
            if changes == self._changes:
                self._known |= counted

    def forget(self, run_id: str) -> None:
        """A run was changed, and that is committed."""
        with self._lock:
            self._changes += 1
            self._known.pop(run_id, None)


def run_rows(
    connection: Connection, paging: Paging, where: Where, known: Mapping[str, Summary]
) -> Paged[RunRow]:
    """A page of them, newest first; those that are known are not counted again."""
    page = records(
        connection,
        f"SELECT * FROM ({_RUNS}) WHERE {where.sql} ORDER BY started_at DESC, id DESC"  # noqa: S608
        " LIMIT ? OFFSET ?",
        [*where.values, paging.limit, paging.offset],
    )
    total = where.count(connection, f"({_RUNS})")
    ids = [row["id"] for row in page if row["id"] not in known]
    summaries = {**known, **_summaries(connection, ids)}
    waiting = [row["id"] for row in page if row["planned"] is None]
    planned = _counts(connection, "sweep_items", "sweep_id", waiting) if waiting else {}
    return Paged(
        tuple(
            _run_row(
                row | {"planned": row["planned"] or planned.get(row["id"], 0)},
                summaries[row["id"]],
            )
            for row in page
        ),
        total,
    )


def _summaries(connection: Connection, ids: Sequence[str]) -> dict[str, Summary]:
    if not ids:
        return {}
    verdicts, findings = _verdicts(connection, ids), _findings(connection, ids)
    return {id: _summary(verdicts.get(id, {}), findings.get(id, _Found())) for id in ids}


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


def _summary(verdicts: Mapping[str, int], findings: _Found) -> Summary:
    return Summary(
        procedures=sum(verdicts.values()),
        findings=findings.alarming,
        cosmetic=findings.cosmetic,
        unsure=findings.unsure,
        **{verdict.value: verdicts.get(verdict, 0) for verdict in Verdict},
    )


def _run_row(row: Record, summary: Summary) -> RunRow:
    return RunRow(
        id=row["id"],
        appliance_version=row["appliance_version"],
        commit=row["build_commit"],
        console=row["console"],
        policy=row["policy"],
        planned=row["planned"],
        started_at=as_known(row["started_at"]),
        ended_at=as_known(row["ended_at"]),
        summary=summary,
        kind=row["kind"],
        state=row["state"],
        why=row["why"],
        requested_by=row["requested_by"],
    )
