"""Adds up how much of a known drift was found."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from appliance.benchmark.drift.run import FileResult, MatchRecord
from appliance.benchmark.truth import Assessment
from appliance.core.verdict import AfterChange
from appliance.language.names import plain


@dataclass(slots=True)
class ScoreRow:
    """The figures of one kind of change, or of one language."""

    name: str
    drawn: int = 0
    untrue: int = 0
    found: int = 0
    missed: int = 0
    wrong: int = 0
    """Reported at the right line as something else, or twice."""
    alarms: int = 0

    @property
    def recall(self) -> float | None:
        """Share of the untrue sentences that were found."""
        return self.found / self.untrue if self.untrue else None


@dataclass(slots=True)
class Suggestions:
    """How good the suggested texts are."""

    renamed: int = 0
    """Things that have only got another name, and were found."""
    named: int = 0
    """Of them those whose new name was suggested, to the letter but for case and spaces."""
    tried: int = 0
    """Suggestions with which the procedure was carried out once more."""
    verified: int = 0

    def count(self, note: MatchRecord) -> None:
        """Add what was suggested for one sentence."""
        if note.becomes and note.said is Assessment.FOUND:
            self.renamed += 1
            self.named += plain(note.suggestion or "") == plain(note.becomes)
        self.tried += note.after_change is not AfterChange.UNTRIED
        self.verified += note.after_change is AfterChange.VERIFIED


@dataclass(frozen=True, slots=True)
class Score:
    """All figures."""

    by_change: list[ScoreRow]
    by_language: list[ScoreRow]
    total: ScoreRow
    right: int
    """Findings that are right, those of optional untruths included."""
    confused: list[tuple[str, str, int]]
    """What it should be called, what it was called, how often."""
    open: int
    suggestions: Suggestions

    @property
    def precision(self) -> float | None:
        """Share of the findings that are right."""
        reported = self.right + self.total.wrong + self.total.alarms
        return self.right / reported if reported else None


def score(results: Sequence[FileResult]) -> Score:
    """Add up."""
    by_change: dict[str, ScoreRow] = defaultdict(lambda: ScoreRow(""))
    by_language: dict[str, ScoreRow] = defaultdict(lambda: ScoreRow(""))
    total, right, confused = ScoreRow("all"), 0, Counter[tuple[str, str]]()
    suggestions = Suggestions()
    for result in results:
        for change in result.changes:
            by_change[change].drawn += 1
            total.drawn += 1
        for note in result.notes:
            rows = [total, by_language[note.language]]
            rows += [by_change[note.change]] if note.change else []
            right += note.said is Assessment.FOUND
            suggestions.count(note)
            for row in rows:
                _count(row, note)
            if note.kind and note.reported and note.kind is not note.reported:
                confused[note.kind, note.reported] += 1
    return Score(
        by_change=_named(by_change),
        by_language=_named(by_language),
        total=total,
        right=right,
        confused=[(*pair, count) for pair, count in confused.most_common()],
        open=sum(len(result.open) for result in results),
        suggestions=suggestions,
    )


def _count(row: ScoreRow, note: MatchRecord) -> None:
    match note.said:
        case Assessment.FOUND:
            row.found += not note.is_optional
            row.untrue += not note.is_optional
        case Assessment.MISSED:
            row.missed += 1
            row.untrue += 1
        case Assessment.WRONG_KIND | Assessment.TWICE:
            row.wrong += 1
        case Assessment.FALSE_ALARM:
            row.alarms += 1


def _named(rows: dict[str, ScoreRow]) -> list[ScoreRow]:
    for name, row in rows.items():
        row.name = name
    return [rows[name] for name in sorted(rows)]


def score_document(results: Sequence[FileResult]) -> dict[str, Any]:  # Any: JSON
    """Figures and files."""
    summary = score(results)
    rows = [*summary.by_change, *summary.by_language, summary.total]
    figures = {
        row.name: {
            "drawn": row.drawn, "untrue": row.untrue, "found": row.found, "missed": row.missed,
            "wrong": row.wrong, "alarms": row.alarms, "recall": row.recall,
        }
        for row in rows
    }  # fmt: skip
    return {
        "schema_version": 1,
        "figures": figures,
        "precision": summary.precision,
        "open": summary.open,
        "suggestions": asdict(summary.suggestions),
        "confused": [{"is": a, "called": b, "count": n} for a, b, n in summary.confused],
        "files": [result.model_dump(mode="json") for result in results],
    }


def wrong_notes(results: Sequence[FileResult]) -> Iterator[tuple[FileResult, MatchRecord]]:
    """Every miss, false alarm and wrong kind."""
    for result in results:
        for note in result.notes:
            if note.said is not Assessment.FOUND:
                yield result, note
