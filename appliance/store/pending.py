"""Verdicts that a late audit log may still change, and what was said before it did."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from pydantic import TypeAdapter

from appliance.core.checks import Checks
from appliance.core.result import ProcedureResult
from appliance.core.result_json import load_procedure
from appliance.core.secrets import without_secrets
from appliance.core.verdict import Verdict
from appliance.store.mapping import RowMap
from appliance.store.rows import clean
from appliance.store.tables import Tables


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRow:
    """A verdict that waits, with both that it may become."""

    run_id: str
    procedure_id: str
    console: str
    account: str
    """Whose events they are."""
    began_at: datetime
    """Nothing of the attempt is older."""
    ended_at: datetime
    """Nothing of the attempt is newer."""
    deadline: datetime
    """From then on what is not there will not come."""
    checks: Checks
    bindings: Mapping[str, str]
    if_reached: ProcedureResult
    if_not: ProcedureResult


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierVerdict:
    """What was said of a procedure in a run before something changed it."""

    verdict: Verdict
    because: str | None
    said_at: datetime
    changed_at: datetime
    why: str
    """What changed it."""


@cache
def _checks() -> TypeAdapter[Checks]:
    return TypeAdapter(Checks)


_PENDING = RowMap(
    PendingRow,
    "pending",
    json={
        "checks": lambda kept: _checks().validate_python(kept),
        "bindings": dict,
        "if_reached": load_procedure,
        "if_not": load_procedure,
    },
)
_HISTORY = RowMap(EarlierVerdict, "verdict_history")


class PendingTable(Tables):
    """The tables `pending` and `verdict_history`."""

    about = "verdicts that wait"

    def put(self, row: PendingRow) -> None:
        """Let a verdict wait; in place of an earlier one on the procedure in that run."""
        with self._session.transaction("keeping a verdict that waits") as connection:
            connection.execute(_FORGET, [row.run_id, clean(row.procedure_id)])
            _PENDING.insert(connection, row)

    def all(self, run_id: str | None = None) -> tuple[PendingRow, ...]:
        """Those that wait, the first to be over first; of one run where it is named."""
        return self._select(
            _PENDING, "WHERE ?::VARCHAR IS NULL OR run_id = ? ORDER BY deadline", [run_id, run_id]
        )

    def note(self, row: PendingRow, at: datetime, why: str) -> None:
        """Remember what is said now, before it is changed."""
        self._write(
            "INSERT INTO verdict_history SELECT run_id, id, verdict, blocked_by, saved_at, ?, ?"
            " FROM procedures p WHERE run_id = ? AND id = ? AND NOT EXISTS (SELECT 1 FROM"
            " verdict_history h WHERE h.run_id = p.run_id AND h.procedure_id = p.id"
            " AND h.said_at = p.saved_at)",
            [at, without_secrets(why), row.run_id, row.procedure_id],
        )

    def forget(self, row: PendingRow) -> None:
        """Remove a verdict that no longer waits."""
        self._write(_FORGET, [row.run_id, row.procedure_id])

    def history(self, run_id: str, procedure_id: str) -> tuple[EarlierVerdict, ...]:
        """What was said before, the oldest first."""
        return self._select(
            _HISTORY,
            "WHERE run_id = ? AND procedure_id = ? ORDER BY changed_at",
            [run_id, procedure_id],
        )


_FORGET = "DELETE FROM pending WHERE run_id = ? AND procedure_id = ?"
