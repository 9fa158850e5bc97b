"""One run held against another: what became of each procedure, and of each finding."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from appliance.core.verdict import DivergenceKind, Verdict
from appliance.store.mapping import RowMap
from appliance.store.tables import Tables

_ORDER = (Verdict.VERIFIED, Verdict.DRIFTED, Verdict.BROKEN)
"""From good to bad; the others say nothing of the text."""
_CHANGED = """
    WITH a AS (SELECT * FROM procedures WHERE run_id = $first),
    b AS (SELECT * FROM procedures WHERE run_id = $second),
    seen AS (SELECT run_id, procedure_id, list_sort(list(DISTINCT fingerprint)) AS findings
        FROM findings WHERE run_id IN ($first, $second) GROUP BY ALL)
    SELECT coalesce(b.id, a.id) AS id, coalesce(b.title, a.title) AS title,
        coalesce(b.document, a.document) AS document, coalesce(b.line, a.line) AS line,
        a.verdict AS before, b.verdict AS after
    FROM a FULL JOIN b ON a.id = b.id
    LEFT JOIN seen s ON s.run_id = $first AND s.procedure_id = a.id
    LEFT JOIN seen t ON t.run_id = $second AND t.procedure_id = b.id
    WHERE a.verdict IS DISTINCT FROM b.verdict OR s.findings IS DISTINCT FROM t.findings
    ORDER BY document, line, id
"""
_ONLY_IN = """
    SELECT procedure_id, id AS finding_id, fingerprint, kind, quote, shown, suggestion
    FROM findings b WHERE run_id = $here AND procedure_id IN (SELECT unnest($ids::VARCHAR[]))
        AND NOT EXISTS (
        SELECT 1 FROM findings a WHERE a.run_id = $there AND a.procedure_id = b.procedure_id
            AND a.fingerprint = b.fingerprint)
    ORDER BY document, line, "column", id LIMIT $limit
"""


class Change(StrEnum):
    """What became of a procedure between two runs."""

    BROKE = "broke"  # the text is untrue now, or more so
    MENDED = "mended"  # the text is true again, or more so
    NEW = "new"  # only the second run has it
    OTHER = "other"  # other findings, or one of the runs learnt nothing
    GONE = "gone"  # only the first run has it


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedProcedure:
    """A procedure of which two runs say different things."""

    id: str
    title: str
    document: str
    line: int
    before: Verdict | None
    """What the first run says; None: it did not verify it."""
    after: Verdict | None
    """What the second run says."""

    @property
    def change(self) -> Change:
        """What became of it."""
        if self.before is None:
            return Change.NEW
        if self.after is None:
            return Change.GONE
        if self.before in _ORDER and self.after in _ORDER and self.before is not self.after:
            is_worse = _ORDER.index(self.after) > _ORDER.index(self.before)
            return Change.BROKE if is_worse else Change.MENDED
        return Change.OTHER


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedFinding:
    """A finding that only one of two runs has."""

    procedure_id: str
    finding_id: str
    fingerprint: str
    kind: DivergenceKind
    quote: str
    shown: str
    suggestion: str | None


_PROCEDURES = RowMap(ComparedProcedure, "procedures")
_FINDINGS = RowMap(ComparedFinding, "findings")


class RunComparison(Tables):
    """Holds runs against each other. Nothing here writes."""

    about = "two runs"

    def procedures(self, first: str, second: str) -> tuple[ComparedProcedure, ...]:
        """Those of which the runs say different things, in the order of the documentation."""
        with self._session.reading("comparing two runs") as connection:
            rows = connection.execute(_CHANGED, {"first": first, "second": second}).fetchall()
        return tuple(map(_PROCEDURES.read, rows))

    def only_in(
        self, here: str, there: str, procedure_ids: Collection[str], limit: int
    ) -> tuple[ComparedFinding, ...]:
        """Findings on these procedures that one run has and the other has not."""
        wanted = {"here": here, "there": there, "ids": list(procedure_ids), "limit": limit}
        with self._session.reading("comparing the findings of two runs") as connection:
            rows = connection.execute(_ONLY_IN, wanted).fetchall()
        return tuple(map(_FINDINGS.read, rows))
