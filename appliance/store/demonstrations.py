"""Attempts with all that they saw, kept for training, and what became of their verdicts."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from appliance.core.result import ArtifactRef
from appliance.core.verdict import GoalChannel, PolicyName, Verdict
from appliance.store.mapping import RowMap
from appliance.store.tables import Tables


@dataclass(frozen=True, slots=True, kw_only=True)
class DemonstrationRow:
    """One attempt; see `0020_demonstrations.sql`."""

    run_id: str
    procedure_id: str
    attempt: int
    console: str
    release: str
    document: str
    policy: PolicyName
    stop: str
    reached: bool | None
    witnesses: tuple[str, ...]
    artifact: ArtifactRef
    kept_at: datetime
    audited: bool | None = None
    """What the audit log alone said of the goal; None: nothing."""

    @property
    def has_witness(self) -> bool:
        """Whether somebody says so who is no part of the page: it may only look like a success."""
        return bool({GoalChannel.AUDIT, GoalChannel.JUDGES} & set(self.witnesses))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedDemonstration:
    """The same, with what was said of the procedure in that run."""

    row: DemonstrationRow
    verdict: Verdict
    findings: int
    """Of the procedure that count."""
    confirmed: int
    """Of these, what people confirmed since."""
    rejected: int
    """Of these, what people rejected since."""


_ROWS = RowMap(DemonstrationRow, "demonstrations")
_COLUMNS = ", ".join(f'd."{name}"' for name in _ROWS.names)
_JUDGED = f"""
    SELECT p.verdict, count(f.fingerprint), count(*) FILTER (i.state = 'confirmed'),
        count(*) FILTER (i.state = 'rejected'), {_COLUMNS}
    FROM demonstrations d
    JOIN procedures p ON p.run_id = d.run_id AND p.id = d.procedure_id
    LEFT JOIN findings f ON f.run_id = p.run_id AND f.procedure_id = p.id AND f.is_sure
    LEFT JOIN incidents i ON i.console = d.console AND i.fingerprint = f.fingerprint
    WHERE d.console = ? AND (len(?::VARCHAR[]) = 0 OR list_contains(?::VARCHAR[], d.run_id))
    GROUP BY ALL ORDER BY d.kept_at, d.run_id, d.procedure_id, d.attempt
"""  # noqa: S608 - our names


class DemonstrationTable(Tables):
    """The table `demonstrations`."""

    about = "attempts that are kept for training"

    def put(self, row: DemonstrationRow) -> None:
        """Keep one; a run that goes on after a crash may do the same attempt again."""
        with self._session.transaction("keeping an attempt for training") as connection:
            connection.execute(
                "DELETE FROM demonstrations WHERE run_id = ? AND procedure_id = ? AND attempt = ?",
                [row.run_id, row.procedure_id, row.attempt],
            )
            _ROWS.insert(connection, row)

    def judged(self, console: str, runs: Collection[str] = ()) -> tuple[JudgedDemonstration, ...]:
        """Those of a console whose procedure has a verdict, oldest first.

        Args:
            console: Its name.
            runs: Only of these; none: of all.
        """
        wanted = sorted(runs)
        return tuple(
            JudgedDemonstration(
                row=_ROWS.read(columns),
                verdict=Verdict(verdict),
                findings=findings,
                confirmed=confirmed,
                rejected=rejected,
            )
            for verdict, findings, confirmed, rejected, *columns in self._read(
                _JUDGED, [console, wanted, wanted]
            )
        )
