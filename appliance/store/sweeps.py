"""Sweeps: what is to be verified, and how far it is. Every transition is one transaction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from appliance.core.causes import Cause, CauseKind
from appliance.core.jsonable import Json
from appliance.core.secrets import without_secrets
from appliance.store.mapping import RowMap
from appliance.store.rows import Rows, as_row, row_types, utc_text
from appliance.store.tables import Tables
from appliance.store.times import as_known, as_stored


class SweepState(StrEnum):
    """How it stands with a sweep."""

    WAITING = "waiting"  # planned, or stopped: goes on at the next start
    RUNNING = "running"  # or its process died
    PAUSED = "paused"  # by hand: until it is resumed; for a full disk or an outage: by itself
    DONE = "done"
    CANCELLED = "cancelled"


class ItemState(StrEnum):
    """How it stands with one procedure of a sweep."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"
    NOT_REACHED = "not_reached"  # the sweep's deadline came first: there is no verdict
    CANCELLED = "cancelled"


OVER = (SweepState.DONE, SweepState.CANCELLED)
"""States in which a sweep stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRow:
    """A sweep."""

    id: str
    """Of its run, too."""
    console: str
    state: SweepState
    why: str
    """What brought it there."""
    request: Mapping[str, Json]
    """As asked for."""
    planned_at: datetime
    ended_at: datetime | None = None
    kind: str = "sweep"
    """`sweep`, or `verification` for what somebody asked for there and then."""
    requested_by: str = ""
    """A person's key, a schedule; empty: the command line."""
    paused_for: CauseKind | None = None
    """None: it is not paused, or was by hand before such causes were kept."""
    paused_at: datetime | None = None
    """Since when it is paused."""

    @property
    def is_held(self) -> bool:
        """Whether a person has paused it: then nobody else lets it go on."""
        return self.state is SweepState.PAUSED and self.paused_for in (None, CauseKind.BY_HAND)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRow:
    """One procedure of a sweep, in one language and role."""

    id: str
    """Of its result: with language, role and region where there are several."""
    procedure_id: str
    title: str
    document: str
    line: int
    """Its first line."""
    reason: str
    why: str
    """The same in a sentence."""
    estimate_s: float
    """Seconds that it will take, as earlier runs tell."""
    text_hash: str
    """Of the text that was carried out, or is to be."""
    locale: str = ""
    """Language of the console; empty: its default."""
    role: str = ""
    """Account or role; empty: the default."""
    region: str = ""
    """Region; empty: the account's."""
    state: ItemState = ItemState.WAITING
    """How it stands with it."""
    attempts: int = 0
    """How often it was begun."""
    deaths: int = 0
    """How often the process died meanwhile."""
    note: str = ""
    """Why it was skipped, not reached or given up."""
    run_id: str | None = None
    """Where its verdict is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastResult:
    """The last verdict on a procedure."""

    verdict: str
    saved_at: datetime
    revision: str
    """Of its document; empty: not known."""
    text_hash: str
    """Empty: not known, it was not verified in a sweep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a verdict on a procedure took, as a median of earlier ones."""

    seconds: float
    tokens: float = 0.0
    """Of models."""
    resource_cost: float = 0.0
    """See `core.result.Cost`."""
    model_s: float = 0.0
    """Of the seconds, waiting for models."""


_FIGURES = ("wall_s", "tokens", "resource_cost", "model_s")
"""Of `Cost`."""
_SINCE = """
    (SELECT max(verdict_at) - INTERVAL 14 DAY FROM procedure_states WHERE console = $console)
"""
_LATELY = f"""
    SELECT p.id, p.cost, p.attempts, p.decided_by, p.saved_at
    FROM procedures p JOIN runs r ON r.id = p.run_id
    WHERE r.console = $console AND p.saved_at >= {_SINCE}
    UNION ALL
    SELECT p.id, p.cost, p.attempts, p.decided_by, p.saved_at FROM procedure_states s
    JOIN procedures p ON p.run_id = s.run_id AND p.id = s.id
    WHERE s.console = $console AND s.verdict_at < {_SINCE}
"""  # noqa: S608 - constants
ITEMS = RowMap(ItemRow, "sweep_items")
_SWEEPS = RowMap(SweepRow, "sweeps", json={"request": dict})


class SweepTables(Tables):
    """The tables `sweeps` and `sweep_items`, and what earlier runs tell a planner."""

    about = "sweeps"

    def add(self, sweep: SweepRow, items: Sequence[ItemRow]) -> None:
        """Keep a new one, all or nothing."""
        with self._session.transaction("keeping a sweep") as connection:
            rows = Rows(row_types(connection))
            rows.add("sweeps", as_row(sweep))
            at = utc_text(sweep.planned_at)
            for position, item in enumerate(items):
                place: dict[str, Json] = {
                    "sweep_id": sweep.id,
                    "position": position,
                    "changed_at": at,
                }
                rows.add("sweep_items", as_row(item) | place)
            rows.write(connection)

    def get(self, sweep_id: str) -> SweepRow | None:
        """The sweep of that id."""
        return self._find(_SWEEPS, "WHERE id = ?", [sweep_id])

    def latest(self, limit: int = 50) -> tuple[SweepRow, ...]:
        """The latest, newest first."""
        return self._select(_SWEEPS, "ORDER BY planned_at DESC, id DESC LIMIT ?", [limit])

    def unfinished(self) -> tuple[SweepRow, ...]:
        """Those that are to go on, newest first."""
        over = ", ".join(f"'{state}'" for state in OVER)
        return self._select(
            _SWEEPS, f"WHERE state NOT IN ({over}) ORDER BY planned_at DESC, id DESC", []
        )

    def items(self, sweep_id: str) -> tuple[ItemRow, ...]:
        """Its procedures, in the order in which they are begun."""
        return self._select(ITEMS, "WHERE sweep_id = ? ORDER BY position", [sweep_id])

    def enter(self, sweep_id: str, state: SweepState, why: str, at: datetime) -> None:
        """The sweep comes to this state; for `paused` see `pause`."""
        ended_at = as_stored(at) if state in OVER else None
        self._write(
            "UPDATE sweeps SET state = ?, why = ?, ended_at = ?, paused_for = NULL,"
            " paused_at = NULL WHERE id = ?",
            [state, without_secrets(why), ended_at, sweep_id],
        )

    def pause(self, sweep_id: str, cause: Cause, since: datetime) -> None:
        """The sweep stands still for that cause."""
        self._write(
            "UPDATE sweeps SET state = 'paused', why = ?, ended_at = NULL, paused_for = ?,"
            " paused_at = ? WHERE id = ?",
            [without_secrets(cause.text), cause.kind, since, sweep_id],
        )

    def cancel(self, sweep_id: str, why: str, at: datetime) -> None:
        """Neither the sweep nor anything of it goes on."""
        with self._session.transaction("cancelling a sweep") as connection:
            connection.execute(
                "UPDATE sweep_items SET state = 'cancelled', changed_at = ? WHERE sweep_id = ?"
                " AND state IN ('waiting', 'running')",
                [as_stored(at), sweep_id],
            )
            connection.execute(
                "UPDATE sweeps SET state = 'cancelled', why = ?, ended_at = ?, paused_for = NULL,"
                " paused_at = NULL WHERE id = ?",
                [why, as_stored(at), sweep_id],
            )

    def settle(self, sweep_id: str, at: datetime) -> None:
        """After a crash: what has a verdict is done; what was under way waits again.

        It is a death of what had an attempt: what waited for an account did no harm. For the
        process that is about to go on with the sweep, before it begins anything.
        """
        with self._session.transaction("settling a sweep") as connection:
            connection.execute(
                "UPDATE sweep_items SET state = 'done', run_id = sweep_id, changed_at = ?"
                " WHERE sweep_id = ? AND state IN ('waiting', 'running')"
                " AND id IN (SELECT id FROM procedures WHERE run_id = ?)",
                [as_stored(at), sweep_id, sweep_id],
            )
            connection.execute(
                "UPDATE sweep_items SET deaths = deaths + 1"
                " WHERE sweep_id = ? AND state = 'running' AND id IN ("
                "SELECT i.id FROM sweep_items i JOIN attempts a ON a.run_id = i.sweep_id"
                " AND a.procedure_id = i.id AND a.started_at >= i.changed_at"
                " WHERE i.sweep_id = ?)",
                [sweep_id, sweep_id],
            )
            connection.execute(
                "UPDATE sweep_items SET state = 'waiting', changed_at = ?"
                " WHERE sweep_id = ? AND state = 'running'",
                [as_stored(at), sweep_id],
            )

    def begin(self, sweep_id: str, item_id: str, text_hash: str, at: datetime) -> bool:
        """It is under way from now on; False where it does not wait any more."""
        changes = "state = 'running', attempts = attempts + 1, text_hash = ?"
        return self._turn(sweep_id, item_id, ItemState.WAITING, changes, [text_hash], at)

    def end(self, sweep_id: str, item_id: str, at: datetime, note: str = "") -> bool:
        """Mark an item as done: its verdict is in the run."""
        changes = "state = 'done', run_id = sweep_id, note = ?"
        return self._turn(
            sweep_id, item_id, ItemState.RUNNING, changes, [without_secrets(note)], at
        )

    def release(self, sweep_id: str, item_id: str, at: datetime) -> bool:
        """It was stopped in order, and waits again."""
        changes = "state = 'waiting'"
        return self._turn(sweep_id, item_id, ItemState.RUNNING, changes, [], at)

    def die(self, sweep_id: str, item_id: str, at: datetime) -> bool:
        """Its work failed in a way that is no verdict; it waits again."""
        changes = "state = 'waiting', deaths = deaths + 1"
        return self._turn(sweep_id, item_id, ItemState.RUNNING, changes, [], at)

    def skip(self, sweep_id: str, item_id: str, note: str, at: datetime) -> bool:
        """Mark an item as one that can no longer be carried out."""
        changes = "state = 'skipped', note = ?"
        return self._turn(
            sweep_id, item_id, ItemState.WAITING, changes, [without_secrets(note)], at
        )

    def leave(self, sweep_id: str, note: str, at: datetime) -> int:
        """What still waits is not reached any more; how many there are."""
        left = self._write(
            "UPDATE sweep_items SET state = 'not_reached', note = ?, changed_at = ?"
            " WHERE sweep_id = ? AND state = 'waiting' RETURNING id",
            [note, at, sweep_id],
        )
        return len(left)

    def past(self, console: str) -> Mapping[str, PastResult]:
        """The last verdict on each procedure of a console."""
        rows = self._read(
            """
                SELECT n.id, n.verdict, n.verdict_at, coalesce(d.revision, ''),
                    coalesce(i.text_hash, '')
                FROM procedure_states n
                LEFT JOIN documents d ON d.run_id = n.run_id AND d.path = n.document
                LEFT JOIN sweep_items i
                    ON i.sweep_id = n.run_id AND i.id = n.id AND i.state = 'done'
                WHERE n.console = ?
                """,
            [console],
        )
        return {
            id: PastResult(
                verdict=verdict, saved_at=as_known(at), revision=revision, text_hash=text_hash
            )
            for id, verdict, at, revision, text_hash in rows
        }

    def spent(self, console: str) -> tuple[Mapping[str, Spent], Spent | None]:
        """What each procedure took, and a typical one; what was never attempted does not count.

        Medians over the nights since a fortnight before the last verdict, and for what was not
        attempted in them its last verdict: a year of nights is not read for a plan. Only verdicts
        count that were come to as the procedure's last one was: what is replayed now was read for
        longer once.
        """
        figures = ", ".join(f"median(cost.{name})" for name in _FIGURES)
        last = "arg_max(decided_by, saved_at) OVER (PARTITION BY id)"
        lately = f"SELECT * FROM ({_LATELY}) WHERE attempts > 0"  # noqa: S608 - constants
        where = f"FROM ({lately} QUALIFY decided_by = {last})"
        with self._session.reading("reading what procedures took") as connection:
            rows = connection.execute(
                f"SELECT id, {figures} {where} GROUP BY id",
                {"console": console},
            ).fetchall()
            whole = connection.execute(
                f"SELECT {figures} {where}",
                {"console": console},
            ).fetchone()
        typical = _spent(whole) if whole and whole[0] is not None else None
        return {id: _spent(figures) for id, *figures in rows}, typical

    def _turn(
        self,
        sweep_id: str,
        item_id: str,
        held: ItemState,
        changes: str,
        values: Iterable[object],
        at: datetime,
    ) -> bool:
        turned = self._write(
            f"UPDATE sweep_items SET {changes}, changed_at = ?"  # noqa: S608 - constants
            " WHERE sweep_id = ? AND id = ? AND state = ? RETURNING id",
            [*values, at, sweep_id, item_id, held],
        )
        return bool(turned)


def _spent(figures: Sequence[float | None]) -> Spent:
    seconds, tokens, resource_cost, model_s = (figure or 0.0 for figure in figures)
    return Spent(seconds=seconds, tokens=tokens, resource_cost=resource_cost, model_s=model_s)
