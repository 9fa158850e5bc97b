"""The figures of invented untruths, to be read."""

from collections.abc import Iterator, Sequence

from appliance.benchmark.invented.assess import Showing
from appliance.benchmark.invented.run import EditionResult
from appliance.benchmark.invented.score import (
    InventedRow,
    InventedScore,
    confirmed_lies,
    invented_score,
    wrong_findings,
)
from appliance.benchmark.report import table

COLUMNS = ("Untrue", "Confirmed", "Contradicted", "Not checked", "No claim")


def cells(row: InventedRow) -> tuple[str, ...]:
    """A row of the table, without its name."""
    return (str(row.untruths), *(str(row.shown[one]) for one in Showing))


def summed_up(found: InventedScore) -> str:
    """One or two lines."""
    shown = found.total.shown
    precision = "–" if found.precision is None else f"{found.precision:.1%}"
    said = [
        f"{found.total.untruths} untrue sentences: {shown[Showing.CONFIRMED]} shown as confirmed,"
        f" {shown[Showing.CONTRADICTED]} contradicted, {shown[Showing.NOT_CHECKED]} not checked,"
        f" {shown[Showing.NO_CLAIM]} no claim; {found.false_findings} findings about true sentences"
        f" (precision {precision});"
        f" {found.verified_with} of {found.holding} procedures verified,"
        f" {found.verified_although} of them although contradicted"
    ]
    if found.true_procedures:
        verdicts = ", ".join(f"{n} {verdict}" for verdict, n in found.true_verdicts.most_common())
        said.append(
            f"{found.true_procedures} procedures of true documentation: {found.true_findings}"
            f" findings ({verdicts})"
        )
    return "\n".join(said)


def report(results: Sequence[EditionResult], true_ones: Sequence[EditionResult]) -> str:
    """The whole report."""
    return "\n".join(_lines(results, true_ones)) + "\n"


def _lines(results: Sequence[EditionResult], true_ones: Sequence[EditionResult]) -> Iterator[str]:
    found = invented_score(results, true_ones)
    yield from ("# Invented untruths", "", summed_up(found) + ".", "")
    yield from ("## By kind of claim", "", *_table("Kind", [*found.by_kind, found.total]))
    yield from ("", "## By language, format and origin", "", *_table("", found.by_other))
    yield from ("", "## Untrue sentences shown as confirmed", "")
    for one in confirmed_lies(results):
        kinds = ", ".join(one.confirmed) or "–"
        yield f"- `{one.document}:{one.line}` ({one.id}, {one.kind}; confirmed claims: {kinds}):"
        yield f"  “{one.text}” Untrue: “{one.words}”. {one.why}. Verdict: {one.verdict}."
    yield from ("", "## Findings about true sentences", "")
    for wrong in wrong_findings([*results, *true_ones]):
        cause = f"; untrue elsewhere: {', '.join(wrong.untruths)}" if wrong.untruths else ""
        place = f"`{wrong.document}:{wrong.line}`"
        yield f"- {place} {wrong.kind} “{wrong.quote}” — {wrong.shown}{cause}"


def _table(name: str, rows: Sequence[InventedRow]) -> Iterator[str]:
    return table((name, *COLUMNS), ((row.name, *cells(row)) for row in rows))
