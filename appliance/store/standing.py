"""How it stands with procedures and documents: last verdicts and what they add up to."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from appliance.core.verdict import Verdict
from appliance.store.mapping import RowMap
from appliance.store.paging import Paged, Paging, Where
from appliance.store.queries import Connection, records
from appliance.store.rows import clean
from appliance.store.states import Coverage, DocumentState, ProcedureState, TrendDay
from appliance.store.times import as_known, as_stored

_STATES = RowMap(ProcedureState, "procedure_states", besides=["is_stale"])
_OF_RUN = """(
    SELECT r.console, p.id, p.title, p.document, p.line, p.verdict, p.saved_at AS verdict_at,
        p.run_id, 0 AS findings, p.cost.wall_s AS cost_s, p.position
    FROM procedures p JOIN runs r ON r.id = p.run_id)"""
_VERDICTS = tuple(verdict.value for verdict in Verdict)
_BY_VERDICT = ", ".join(
    f"count(*) FILTER (verdict = '{verdict}')::INTEGER AS {verdict}" for verdict in _VERDICTS
)

_SUMMED = ", ".join(f"sum({verdict})::INTEGER AS {verdict}" for verdict in _VERDICTS)


def procedures(
    connection: Connection,
    paging: Paging,
    where: Where,
    stale_before: datetime | None,
    *,
    first: str = "",
) -> Paged[ProcedureState]:
    """Last verdicts, in the order of the documentation; before others, titles with these words."""
    rows = connection.execute(
        f"SELECT {_STATES.columns} FROM procedure_states WHERE {where.sql}"  # noqa: S608 - our names
        " ORDER BY contains(lower(title), lower(?)) DESC, document, line, id LIMIT ? OFFSET ?",
        [*where.values, clean(first.strip()), paging.limit, paging.offset],
    ).fetchall()
    states = (_STATES.read(row, is_stale=False) for row in rows)
    if stale_before is not None:
        states = (replace(one, is_stale=one.verdict_at < stale_before) for one in states)
    return Paged(tuple(states), where.count(connection, "procedure_states"))


def verdicts(connection: Connection, paging: Paging, where: Where) -> Paged[ProcedureState]:
    """Verdicts of a run, in the order of its report."""
    rows = connection.execute(
        f"SELECT {_STATES.columns} FROM {_OF_RUN} WHERE {where.sql}"  # noqa: S608
        " ORDER BY position LIMIT ? OFFSET ?",
        [*where.values, paging.limit, paging.offset],
    ).fetchall()
    states = [_STATES.read(row, is_stale=False) for row in rows]
    counted = connection.execute(
        "SELECT procedure_id, count(*) FROM findings WHERE run_id = ?"
        " AND procedure_id IN (SELECT unnest(?::VARCHAR[])) GROUP BY procedure_id",
        [states[0].run_id if states else "", [state.id for state in states]],
    ).fetchall()
    findings = dict(counted)
    page = tuple(replace(state, findings=findings.get(state.id, 0)) for state in states)
    return Paged(page, where.count(connection, _OF_RUN))


def documents(connection: Connection, paging: Paging, console: str) -> Paged[DocumentState]:
    """Documents by path, with the counts of their last verdicts."""
    where = Where().equal(console=console)
    rows = records(
        connection,
        f"""
        SELECT document, count(*) AS procedures, {_BY_VERDICT},
            min(verdict_at) AS oldest_verdict_at, arg_max(run_id, verdict_at) AS run_id
        FROM procedure_states WHERE {where.sql}
        GROUP BY document ORDER BY document LIMIT ? OFFSET ?
        """,  # noqa: S608 - our names
        [*where.values, paging.limit, paging.offset],
    )
    revisions = _revisions(connection, [(row["run_id"], row["document"]) for row in rows])
    total = connection.execute(
        "SELECT count(DISTINCT document) FROM procedure_states WHERE console = ?", [console]
    ).fetchone()
    return Paged(
        tuple(
            DocumentState(
                path=row["document"],
                revision=revisions.get((row["run_id"], row["document"]), ""),
                procedures=row["procedures"],
                verdicts={name: row[name] for name in _VERDICTS if row[name]},
                oldest_verdict_at=as_known(row["oldest_verdict_at"]),
            )
            for row in rows
        ),
        int(total[0]) if total else 0,
    )


def coverage(
    connection: Connection, console: str, now: datetime, stale_after: timedelta
) -> Coverage:
    """Counts over the last verdicts of a console."""
    (row,) = records(
        connection,
        f"""
        SELECT count(*) AS procedures, {_BY_VERDICT},
            count(*) FILTER (verdict_at < $stale)::INTEGER AS stale,
            min(verdict_at) AS oldest_verdict_at,
            median(epoch($now::TIMESTAMP - verdict_at)) AS median_age_s
        FROM procedure_states WHERE console = $console
        """,  # noqa: S608 - our names
        {"stale": as_stored(now - stale_after), "now": as_stored(now), "console": console},
    )
    return Coverage(**row | {"oldest_verdict_at": as_known(row["oldest_verdict_at"])})


def trend(connection: Connection, console: str, days: int, now: datetime) -> tuple[TrendDay, ...]:
    """The days before and the one of `now`; without texts that were only handed in."""
    today = as_stored(now).date()
    first = today - timedelta(days=max(days, 1) - 1)
    parameters = {"console": console, "first": first}
    by_day: dict[date, dict[str, int]] = {
        first + timedelta(days=n): {} for n in range((today - first).days + 1)
    }
    verdicts_by_day = records(
        connection,
        # texts that were handed in are never in one run with others
        f"""
        SELECT day, {_SUMMED} FROM (
            SELECT run_id, saved_at::DATE AS day, any_value(document) AS document, {_BY_VERDICT}
            FROM procedures
            WHERE saved_at >= $first::DATE
                AND run_id IN (SELECT id FROM runs WHERE console = $console)
            GROUP BY run_id, day
        ) WHERE NOT contains(document, 'uploads/' || run_id || '/') GROUP BY day
        """,  # noqa: S608 - our names
        parameters,
    )
    changed = records(
        connection,
        """
        SELECT "at"::DATE AS day,
            count(*) FILTER (action IN ('opened', 'reopened'))::INTEGER AS findings_opened,
            count(*) FILTER (action = 'closed')::INTEGER AS findings_closed
        FROM incident_log WHERE console = $console AND "at" >= $first::DATE AND "by" = ''
        GROUP BY day
        """,
        parameters,
    )
    for row in (*verdicts_by_day, *changed):
        day = row.pop("day")
        if day in by_day:  # not what a clock of tomorrow wrote
            by_day[day] |= row
    return tuple(TrendDay(day=day, **counts) for day, counts in by_day.items())


def _revisions(
    connection: Connection, wanted: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], str]:
    rows = connection.execute(
        "SELECT run_id, path, revision FROM documents"
        " WHERE run_id IN (SELECT unnest(?::VARCHAR[])) AND path IN (SELECT unnest(?::VARCHAR[]))",
        [[run_id for run_id, _ in wanted], [path for _, path in wanted]],
    ).fetchall()
    return {(run_id, path): revision for run_id, path, revision in rows}
