"""Adds up how much of a known drift was found, and writes it down."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from appliance.benchmark.drift.run import FileResult, MatchRecord
from appliance.benchmark.report import table
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
        by_change=_sorted_rows(by_change),
        by_language=_sorted_rows(by_language),
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


def _sorted_rows(rows: dict[str, ScoreRow]) -> list[ScoreRow]:
    for name, row in rows.items():
        row.name = name
    return [rows[name] for name in sorted(rows)]


def score_document(results: Sequence[FileResult]) -> dict[str, Any]:  # Any: JSON
    """Figures and files."""
    summary = score(results)
    rows = [*summary.by_change, *summary.by_language, summary.total]
    figures = {
        row.name: {k: v for k, v in asdict(row).items() if k != "name"} | {"recall": row.recall}
        for row in rows
    }
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


COLUMNS = ("Drawn", "Untrue", "Found", "Missed", "Recall", "Wrong kind", "False alarms")


def cells(row: ScoreRow) -> tuple[str, ...]:
    """A row of the table, without its name."""
    recall = "–" if row.recall is None else f"{row.recall:.0%}"
    numbers = (row.drawn, row.untrue, row.found, row.missed)
    return (*map(str, numbers), recall, str(row.wrong), str(row.alarms))


def summed_up(score: Score, files: int) -> str:
    """One line."""
    recall = "–" if score.total.recall is None else f"{score.total.recall:.1%}"
    precision = "–" if score.precision is None else f"{score.precision:.1%}"
    head = f"{files} files, {score.total.untrue} untrue sentences: recall {recall}"
    return (
        f"{head}, precision {precision}; {score.open} procedures without a verdict\n"
        + suggested(score.suggestions)
    )


def suggested(suggestions: Suggestions) -> str:
    """One line about the suggested texts."""
    names = f"of {suggestions.renamed} found renames {suggestions.named} with the new name"
    if suggestions.tried == 0:
        return f"{names}; none was tried (`verification: {{try_patches: always}}` tries them)"
    tried = f"{suggestions.verified} of {suggestions.tried} suggestions that were tried verify"
    return f"{names}; {tried}"


def report(results: Sequence[FileResult]) -> str:
    """The whole report."""
    return "\n".join(_lines(results)) + "\n"


def _lines(results: Sequence[FileResult]) -> Iterator[str]:
    summary = score(results)
    yield from ("# Drift benchmark", "", summed_up(summary, len(results)) + ".", "")
    yield from ("## By kind of change", "", *_table("Change", [*summary.by_change, summary.total]))
    yield from ("", "## By language", "", *_table("Language", summary.by_language))
    if summary.confused:
        yield from ("", "## What was called otherwise", "")
        yield from ("| Is | Called | Times |", "| --- | --- | ---: |")
        yield from (f"| {kind} | {called} | {count} |" for kind, called, count in summary.confused)
    yield from ("", "## Misses and false alarms", "")
    for result, note in wrong_notes(results):
        about = f"{note.change}: {note.kind}" if note.kind else f"{note.reported}"
        shown = f" — {note.shown}" if note.shown else ""
        yield f"- seed {result.seed}, {note.place}: **{note.said}** ({about}) “{note.quote}”{shown}"
    yield from ("", "## Procedures without a verdict", "")
    yield from (
        f"- seed {result.seed}: {procedure}" for result in results for procedure in result.open
    )


def _table(name: str, rows: Sequence[ScoreRow]) -> Iterator[str]:
    return table((name, *COLUMNS), ((row.name, *cells(row)) for row in rows))
