"""Attempts with what was made for them: enough to clean up after a crash."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from appliance.core.harm import Harm, HarmfulAction
from appliance.core.resources import Inventory, Lifetime, Phase, Receipt, ReceiptKind, Thing
from appliance.core.secrets import without_secrets
from appliance.store.mapping import RowMap, json_text
from appliance.store.rows import clean
from appliance.store.tables import Tables
from appliance.store.times import as_stored

_OVER = (Phase.DONE, Phase.LOST)

LEFT_SHOWN = timedelta(days=7)
"""How long one is reminded of what only a person can remove."""


def _inventory(things: list[dict[str, Any]]) -> Inventory:  # Any: JSON of our own making
    return Inventory.of(
        Thing(**item | {"created": made and datetime.fromisoformat(made)})
        for item in things
        for made in [item["created"]]
    )


_ATTEMPTS = RowMap(Lifetime, "attempts", json={"baseline": _inventory})
_RECEIPTS = RowMap(Receipt, "receipts")


class AttemptTables(Tables):
    """The tables `attempts` and `receipts`."""

    about = "attempts"

    def start(self, lifetime: Lifetime) -> None:
        """Keep an attempt before anything is made for it."""
        with self._session.transaction("starting an attempt") as connection:
            before = lifetime.baseline
            things = None if before is None else json_text(before.things)
            _ATTEMPTS.insert(connection, lifetime, baseline=things)

    def enter(
        self, attempt_id: str, phase: Phase, *, problem: str = "", at: datetime | None = None
    ) -> None:
        """It has come to this phase; `at` says that it ended."""
        self._write(
            "UPDATE attempts SET phase = ?, problem = ?, ended_at = ? WHERE id = ?",
            [phase, without_secrets(problem), at, attempt_id],
        )

    def add_receipts(self, attempt_id: str, receipts: Iterable[Receipt]) -> None:
        """What was made or removed."""
        when = as_stored(datetime.now(UTC))
        new = tuple(receipts)
        if not new:
            return
        with self._session.transaction("saving receipts") as connection:
            for receipt in new:
                safe = replace(receipt, why=without_secrets(receipt.why))
                _RECEIPTS.insert(connection, safe, attempt_id=attempt_id, at=when)

    def receipts(self, attempt_id: str) -> tuple[Receipt, ...]:
        """All of an attempt, oldest first."""
        return self._select(_RECEIPTS, 'WHERE attempt_id = ? ORDER BY "at"', [attempt_id])

    def get(self, attempt_id: str) -> Lifetime | None:
        """The attempt of that id."""
        return self._find(_ATTEMPTS, "WHERE id = ?", [attempt_id])

    def unfinished(self) -> tuple[Lifetime, ...]:
        """Those that left something, or may have: oldest first."""
        over = ", ".join(f"'{phase.value}'" for phase in _OVER)
        return self._select(_ATTEMPTS, f"WHERE phase NOT IN ({over}) ORDER BY started_at")

    def standing(self, since: datetime) -> tuple[Lifetime, ...]:
        """The unfinished, and those that began since then and left what a person has to remove."""
        over = ", ".join(f"'{phase.value}'" for phase in _OVER)
        return self._select(
            _ATTEMPTS,
            f"WHERE phase NOT IN ({over}) OR (started_at >= ? AND id IN"  # noqa: S608 - constants
            " (SELECT attempt_id FROM receipts WHERE deed = ?)) ORDER BY started_at",
            [since, ReceiptKind.LEFT],
        )

    def latest(self, limit: int = 50) -> tuple[Lifetime, ...]:
        """The latest, newest first."""
        return self._select(_ATTEMPTS, "ORDER BY started_at DESC LIMIT ?", [limit])


class HarmfulActionTable(Tables):
    """The table `deeds`."""

    about = "what may have been done"

    def keep(self, run_id: str, procedure_id: str, actions: Collection[HarmfulAction]) -> None:
        """These are all that a procedure's attempts may have done in a run."""
        key = [run_id, clean(procedure_id)]
        rows = [
            [*key, d.harm.value, clean(d.control), sorted(map(clean, d.things))] for d in actions
        ]
        with self._session.transaction("keeping what may have been done") as connection:
            connection.execute("DELETE FROM deeds WHERE run_id = ? AND procedure_id = ?", key)
            if rows:
                connection.executemany("INSERT INTO deeds VALUES (?, ?, ?, ?, ?)", rows)

    def of(self, run_id: str, procedure_id: str) -> frozenset[HarmfulAction]:
        """What a procedure's attempts may have done in a run."""
        rows = self._read(
            "SELECT harm, control, things FROM deeds WHERE run_id = ? AND procedure_id = ?",
            [run_id, procedure_id],
        )
        return frozenset(
            HarmfulAction(harm=Harm(harm), control=control, things=frozenset(things))
            for harm, control, things in rows
        )
