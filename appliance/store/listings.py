"""Lists for pages and REST: a page of each, quick while a sweep writes."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta

from appliance.core.result import ProcedureResult
from appliance.core.verdict import Verdict
from appliance.store import queries, standing
from appliance.store.mapping import RowMap
from appliance.store.paging import Paged, Paging, Where
from appliance.store.queries import Record, RunRow, records
from appliance.store.run_rows import Counted, run_rows
from appliance.store.session import Session
from appliance.store.states import (
    Coverage,
    DocumentState,
    PastVerdict,
    ProcedureFilter,
    ProcedureState,
    Progress,
    TrendDay,
)
from appliance.store.sweeps import ITEMS, ItemRow, ItemState
from appliance.store.tables import Tables
from appliance.store.times import as_stored

_SAID = ("title", "id", "document")
"""Where a procedure is searched for words."""


_PAST = RowMap(PastVerdict, "procedures")


class Listings(Tables):
    """What is read from the store for a screen. Nothing here writes."""

    about = "lists"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.counted = Counted()
        """Told by whoever writes verdicts."""

    def runs(
        self,
        paging: Paging,
        *,
        console: str | None = None,
        kind: str | None = None,
        state: str | None = None,
    ) -> Paged[RunRow]:
        """Runs and what waits to become one, newest first."""
        where = Where().equal(console=console, kind=kind, state=state)
        return self._runs(paging, where)

    def run(self, run_id: str) -> RunRow | None:
        """The line of one run."""
        runs = self._runs(Paging(), Where().equal(id=run_id)).items
        return runs[0] if runs else None

    def _runs(self, paging: Paging, where: Where) -> Paged[RunRow]:
        counted, changes = self.counted.now()
        with self._session.reading("listing runs") as connection:
            page = run_rows(connection, paging, where, counted)
        ended = {row.id: row.summary for row in page.items if row.ended_at is not None}
        self.counted.keep(ended, changes)
        return page

    def procedures(
        self, paging: Paging, wanted: ProcedureFilter, *, now: datetime, stale_after: timedelta
    ) -> Paged[ProcedureState]:
        """Procedures with a verdict, by place; those first whose titles have the words."""
        where = Where().equal(
            console=wanted.console, verdict=wanted.verdict, document=wanted.document
        )
        where.mentions(wanted.query, _SAID)
        if wanted.is_stale is not None:
            where.that("(verdict_at < ?) = ?", as_stored(now - stale_after), wanted.is_stale)
        with self._session.reading("listing procedures") as connection:
            return standing.procedures(
                connection, paging, where, now - stale_after, first=wanted.query or ""
            )

    def verified(self, console: str, ids: Collection[str] | None = None) -> frozenset[str]:
        """Procedures with a verdict, in whatever language and role; of all, or of these."""
        where = Where().equal(console=console)
        if ids is not None:
            where.that("split_part(id, '@', 1) IN (SELECT unnest(?::VARCHAR[]))", list(ids))
        rows = self._read(
            f"SELECT split_part(id, '@', 1) FROM procedure_states WHERE {where.sql}",  # noqa: S608 - see `Where`
            where.values,
        )
        return frozenset(id for (id,) in rows)

    def procedure(
        self,
        console: str,
        procedure_id: str,
        *,
        now: datetime | None = None,
        stale_after: timedelta | None = None,
    ) -> ProcedureState | None:
        """One procedure's last verdict; never stale where it is not said when that begins."""
        where = Where().equal(console=console, id=procedure_id)
        since = now - stale_after if now and stale_after else None
        with self._session.reading("looking for a procedure") as connection:
            states = standing.procedures(connection, Paging(), where, since).items
        return states[0] if states else None

    def verdicts(
        self,
        run_id: str,
        paging: Paging,
        *,
        verdict: Verdict | None = None,
        query: str | None = None,
    ) -> Paged[ProcedureState]:
        """The verdicts of one run, in the order of its report."""
        where = Where().equal(run_id=run_id, verdict=verdict).mentions(query, _SAID)
        with self._session.reading("listing the verdicts of a run") as connection:
            return standing.verdicts(connection, paging, where)

    def history(self, console: str, procedure_id: str, limit: int = 50) -> tuple[PastVerdict, ...]:
        """Its verdicts, newest first."""
        with self._session.reading("reading the history of a procedure") as connection:
            rows = connection.execute(
                """
                SELECT p.run_id, p.verdict, p.saved_at,
                    (SELECT count(*) FROM findings f
                        WHERE f.run_id = p.run_id AND f.procedure_id = $id),
                    p.cost.wall_s
                FROM procedures p JOIN runs r ON r.id = p.run_id
                WHERE p.id = $id AND r.console = $console
                ORDER BY p.saved_at DESC, p.run_id DESC LIMIT $limit
                """,
                {"id": procedure_id, "console": console, "limit": limit},
            ).fetchall()
        return tuple(map(_PAST.read, rows))

    def result(self, run_id: str, procedure_id: str) -> ProcedureResult | None:
        """One verdict with its steps, findings and evidence."""
        with self._session.reading("reading a result") as connection:
            results = queries.procedures(connection, run_id, procedure_id)
        return results[0] if results else None

    def results(self, console: str, document: str) -> tuple[ProcedureResult, ...]:
        """The last results on all procedures of a document, in its order; without evidence."""
        with self._session.reading("reading the results on a document") as connection:
            states = records(
                connection,
                "SELECT run_id, id FROM procedure_states WHERE console = ? AND document = ?",
                [console, document],
            )
            result_keys = {(row["run_id"], row["id"]) for row in states}
            runs, ids = ([*{row[key] for row in states}] for key in ("run_id", "id"))

            def of(table: str, key: str) -> dict[tuple[str, str], list[Record]]:
                grouped: dict[tuple[str, str], list[Record]] = defaultdict(list)
                rows = records(
                    connection,
                    f"SELECT * FROM {table} WHERE run_id IN (SELECT unnest(?::VARCHAR[]))"  # noqa: S608
                    f" AND {key} IN (SELECT unnest(?::VARCHAR[])) ORDER BY position",
                    [runs, ids],
                )
                for row in rows:
                    grouped[row["run_id"], row[key]].append(row)
                return grouped

            results, steps = of("procedures", "id"), of("steps", "procedure_id")
            findings = of("findings", "procedure_id")
        loaded = (
            queries.assemble(results[key][0], steps[key], findings[key], [])
            for key in result_keys
            if results[key]
        )
        return tuple(sorted(loaded, key=lambda result: (result.line, result.id)))

    def revision(self, run_id: str, document: str) -> str | None:
        """The revision of a document that a run verified; None where it verified none of it."""
        row = self._first(
            "SELECT revision FROM documents WHERE run_id = ? AND path = ?",
            [run_id, document],
        )
        return str(row[0]) if row else None

    def documents(self, paging: Paging, *, console: str) -> Paged[DocumentState]:
        """Documents whose procedures have verdicts, by path."""
        with self._session.reading("listing documents") as connection:
            return standing.documents(connection, paging, console)

    def coverage(self, console: str, *, now: datetime, stale_after: timedelta) -> Coverage:
        """Counts over the last verdicts."""
        with self._session.reading("counting verdicts") as connection:
            return standing.coverage(connection, console, now, stale_after)

    def trend(self, console: str, *, days: int, now: datetime) -> tuple[TrendDay, ...]:
        """The last days, oldest first, today included; a day without verdicts is there too."""
        with self._session.reading("counting the verdicts of days") as connection:
            return standing.trend(connection, console, days, now)

    def progress(self, sweep_id: str) -> Progress:
        """How far a sweep is, counted; nothing of an unknown one."""
        with self._session.reading("counting how far a sweep is") as connection:
            states = connection.execute(
                "SELECT state, count(*) FROM sweep_items WHERE sweep_id = ? GROUP BY state",
                [sweep_id],
            ).fetchall()
            verdicts = connection.execute(
                "SELECT verdict, count(*) FROM procedures WHERE run_id = ? GROUP BY verdict"
                " ORDER BY verdict",
                [sweep_id],
            ).fetchall()
        items = {ItemState(state): count for state, count in states}
        return Progress(items=items, verdicts=dict(verdicts))

    def items(
        self, sweep_id: str, paging: Paging, *, state: ItemState | None = None
    ) -> Paged[ItemRow]:
        """A sweep's procedures, in the order in which they are begun."""
        where = Where().equal(sweep_id=sweep_id, state=state)
        return self._page(ITEMS, where, "position", paging)
