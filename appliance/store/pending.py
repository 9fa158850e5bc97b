"""Verdicts that a late audit log may still change, and what was said before it did."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from pydantic import TypeAdapter

from appliance.core.checks import Checks
from appliance.core.jsonable import to_jsonable
from appliance.core.result import ProcedureResult
from appliance.core.result_json import load_procedure
from appliance.core.secrets import without_secrets
from appliance.core.verdict import Verdict
from appliance.store.queries import records
from appliance.store.rows import clean
from appliance.store.session import Session
from appliance.store.times import as_known, as_stored


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
class Said:
    """What was said of a procedure in a run before something changed it."""

    verdict: Verdict
    because: str | None
    said_at: datetime
    changed_at: datetime
    why: str
    """What changed it."""


class PendingTable:
    """The tables `pending` and `verdict_history`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def put(self, row: PendingRow) -> None:
        """Let a verdict wait; in place of an earlier one on the procedure in that run."""
        values = [
            row.run_id,
            clean(row.procedure_id),
            row.console,
            row.account,
            as_stored(row.began_at),
            as_stored(row.ended_at),
            as_stored(row.deadline),
            *(
                clean(json.dumps(to_jsonable(part), ensure_ascii=False))
                for part in (row.checks, row.bindings, row.if_reached, row.if_not)
            ),
        ]
        with self._session.transaction("keeping a verdict that waits") as connection:
            connection.execute(_FORGET, values[:2])
            connection.execute(f"INSERT INTO pending VALUES ({', '.join('?' * 11)})", values)  # noqa: S608 - no values in it

    def all(self, run_id: str | None = None) -> tuple[PendingRow, ...]:
        """Those that wait, the first to be over first; of one run where it is named."""
        with self._session.reading("reading verdicts that wait") as connection:
            found = records(
                connection,
                "SELECT * FROM pending WHERE ?::VARCHAR IS NULL OR run_id = ? ORDER BY deadline",
                [run_id, run_id],
            )
        return tuple(
            PendingRow(
                run_id=row["run_id"],
                procedure_id=row["procedure_id"],
                console=row["console"],
                account=row["account"],
                began_at=as_known(row["began_at"]),
                ended_at=as_known(row["ended_at"]),
                deadline=as_known(row["deadline"]),
                checks=_checks().validate_json(row["checks"]),
                bindings=json.loads(row["bindings"]),
                if_reached=load_procedure(json.loads(row["if_reached"])),
                if_not=load_procedure(json.loads(row["if_not"])),
            )
            for row in found
        )

    def note(self, row: PendingRow, at: datetime, why: str) -> None:
        """Remember what is said now, before it is changed."""
        with self._session.transaction("keeping an earlier verdict") as connection:
            connection.execute(
                "INSERT INTO verdict_history SELECT run_id, id, verdict, blocked_by, saved_at, ?, ?"
                " FROM procedures p WHERE run_id = ? AND id = ? AND NOT EXISTS (SELECT 1 FROM"
                " verdict_history h WHERE h.run_id = p.run_id AND h.procedure_id = p.id"
                " AND h.said_at = p.saved_at)",
                [as_stored(at), without_secrets(why), row.run_id, row.procedure_id],
            )

    def forget(self, row: PendingRow) -> None:
        """It waits no longer."""
        with self._session.transaction("settling a verdict") as connection:
            connection.execute(_FORGET, [row.run_id, row.procedure_id])

    def history(self, run_id: str, procedure_id: str) -> tuple[Said, ...]:
        """What was said before, the oldest first."""
        with self._session.reading("reading earlier verdicts") as connection:
            found = records(
                connection,
                "SELECT * FROM verdict_history WHERE run_id = ? AND procedure_id = ?"
                " ORDER BY changed_at",
                [run_id, procedure_id],
            )
        return tuple(
            Said(
                verdict=Verdict(row["verdict"]),
                because=row["because"],
                said_at=as_known(row["said_at"]),
                changed_at=as_known(row["changed_at"]),
                why=row["why"],
            )
            for row in found
        )


_FORGET = "DELETE FROM pending WHERE run_id = ? AND procedure_id = ?"


@cache
def _checks() -> TypeAdapter[Checks]:
    return TypeAdapter(Checks)
