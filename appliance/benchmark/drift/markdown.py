"""The figures of a drift benchmark, to be read."""

from collections.abc import Iterator, Sequence

from appliance.benchmark.drift.run import FileResult
from appliance.benchmark.drift.score import (
    Score,
    ScoreRow,
    Suggestions,
    score,
    wrong_notes,
)

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
    tried = f"{suggestions.verified} of {suggestions.tried} suggestions that were tried verify"
    return f"{names}; {tried}"


def report(results: Sequence[FileResult]) -> str:
    """The whole report."""
    return "\n".join(_lines(results)) + "\n"


def _lines(results: Sequence[FileResult]) -> Iterator[str]:
    total = score(results)
    yield from ("# Drift benchmark", "", summed_up(total, len(results)) + ".", "")
    yield from ("## By kind of change", "", *_table("Change", [*total.by_change, total.total]))
    yield from ("", "## By language", "", *_table("Language", total.by_language))
    if total.confused:
        yield from ("", "## What was called otherwise", "")
        yield from ("| Is | Called | Times |", "| --- | --- | ---: |")
        yield from (f"| {kind} | {called} | {count} |" for kind, called, count in total.confused)
    yield from ("", "## Misses and false alarms", "")
    for result, note in wrong_notes(results):
        about = f"{note.change}: {note.kind}" if note.kind else f"{note.reported}"
        shown = f" — {note.shown}" if note.shown else ""
        yield f"- seed {result.seed}, {note.place}: **{note.said}** ({about}) “{note.quote}”{shown}"
    yield from ("", "## Procedures without a verdict", "")
    yield from (f"- seed {result.seed}: {one}" for result in results for one in result.open)


def _table(name: str, rows: Sequence[ScoreRow]) -> Iterator[str]:
    yield f"| {name} | " + " | ".join(COLUMNS) + " |"
    yield "| --- |" + " ---: |" * len(COLUMNS)
    yield from (f"| {row.name} | " + " | ".join(cells(row)) + " |" for row in rows)
