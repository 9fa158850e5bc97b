"""Adds up what was shown of invented untruths, and writes it down."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from appliance.benchmark.invented.assess import FalseFinding, Showing, ShownUntruth
from appliance.benchmark.invented.run import EditionResult
from appliance.benchmark.report import table
from appliance.core.verdict import Verdict


@dataclass(frozen=True, slots=True)
class InventedRow:
    """The figures of one kind, language, format or part."""

    name: str
    shown: Counter[Showing] = field(default_factory=Counter)

    @property
    def untruths(self) -> int:
        """How many."""
        return self.shown.total()


@dataclass(frozen=True, slots=True)
class InventedScore:
    """All figures."""

    by_kind: list[InventedRow]
    by_other: list[InventedRow]
    """By language, format, part and origin."""
    total: InventedRow
    verified_with: int
    """Procedures that are `verified` with an untruth in them, found or not."""
    holding: int
    """Procedures that hold an untruth."""
    verified_although: int
    """Procedures that are `verified` with an untruth that a finding is about: a bug."""
    false_findings: int
    true_procedures: int
    """How often a procedure of the untouched documentation was verified."""
    true_findings: int
    """What was found in it: all of it false."""
    true_verdicts: Counter[Verdict]

    @property
    def precision(self) -> float | None:
        """Share of the findings in copies that are about an untruth."""
        right = self.total.shown[Showing.CONTRADICTED]
        reported = right + self.false_findings
        return right / reported if reported else None


def invented_score(
    results: Sequence[EditionResult], true_ones: Sequence[EditionResult] = ()
) -> InventedScore:
    """Add up."""
    all_shown = [shown_untruth for result in results for shown_untruth in result.untruths]
    others = [
        row
        for by in (lambda o: o.language, lambda o: o.format, lambda o: f"{o.part}, {o.origin}")
        for row in _rows(all_shown, by)
    ]
    in_copies = [
        (result.name, shown_untruth) for result in results for shown_untruth in result.untruths
    ]
    verified = [
        (name, untruth) for name, untruth in in_copies if untruth.verdict is Verdict.VERIFIED
    ]
    contradicted = [
        (name, untruth) for name, untruth in verified if untruth.shown is Showing.CONTRADICTED
    ]
    return InventedScore(
        by_kind=_rows(all_shown, lambda untruth: untruth.kind),
        by_other=others,
        total=InventedRow("all", Counter(untruth.shown for untruth in all_shown)),
        verified_with=_procedures(verified),
        holding=_procedures(in_copies),
        verified_although=_procedures(contradicted),
        false_findings=sum(len(result.false_findings) for result in results),
        true_procedures=sum(len(true_copy.verdicts) for true_copy in true_ones),
        true_findings=sum(len(true_copy.false_findings) for true_copy in true_ones),
        true_verdicts=Counter(v for true_copy in true_ones for v in true_copy.verdicts.values()),
    )


def _rows(shown: Iterable[ShownUntruth], by: Callable[[ShownUntruth], str]) -> list[InventedRow]:
    rows: dict[str, InventedRow] = {}
    for untruth in shown:
        rows.setdefault(by(untruth), InventedRow(by(untruth))).shown[untruth.shown] += 1
    return [rows[name] for name in sorted(rows)]


def _procedures(untruths: Iterable[tuple[str, ShownUntruth]]) -> int:
    """How many there are; the same one in two copies counts twice."""
    return len({(name, untruth.procedure) for name, untruth in untruths})


def confirmed_lies(results: Sequence[EditionResult]) -> list[ShownUntruth]:
    """Every untruth that is marked as verified."""
    return [o for result in results for o in result.untruths if o.shown is Showing.CONFIRMED]


def wrong_findings(results: Sequence[EditionResult]) -> list[FalseFinding]:
    """Every finding about a true sentence."""
    return [finding for result in results for finding in result.false_findings]


def invented_document(
    results: Sequence[EditionResult], true_ones: Sequence[EditionResult] = ()
) -> dict[str, Any]:  # Any: JSON
    """Figures, and what they were added up from."""
    summary = invented_score(results, true_ones)
    rows = [*summary.by_kind, *summary.by_other, summary.total]
    return {
        "schema_version": 1,
        "figures": {
            row.name: {
                "untruths": row.untruths,
                **{showing: row.shown[showing] for showing in Showing},
            }
            for row in rows
        },
        "precision": summary.precision,
        "false_findings": summary.false_findings,
        "procedures": summary.holding,
        "verified": summary.verified_with,
        "verified_although_contradicted": summary.verified_although,
        "true": {
            "procedures": summary.true_procedures,
            "findings": summary.true_findings,
            "verdicts": dict(summary.true_verdicts),
        },
        "editions": [result.model_dump(mode="json") for result in (*results, *true_ones)],
    }


COLUMNS = ("Untrue", "Confirmed", "Contradicted", "Not checked", "No claim")


def cells(row: InventedRow) -> tuple[str, ...]:
    """A row of the table, without its name."""
    return (str(row.untruths), *(str(row.shown[showing]) for showing in Showing))


def summed_up(score: InventedScore) -> str:
    """One or two lines."""
    shown = score.total.shown
    precision = "–" if score.precision is None else f"{score.precision:.1%}"
    lines = [
        f"{score.total.untruths} untrue sentences: {shown[Showing.CONFIRMED]} shown as confirmed,"
        f" {shown[Showing.CONTRADICTED]} contradicted, {shown[Showing.NOT_CHECKED]} not checked,"
        f" {shown[Showing.NO_CLAIM]} no claim; {score.false_findings} findings about true sentences"
        f" (precision {precision});"
        f" {score.verified_with} of {score.holding} procedures verified,"
        f" {score.verified_although} of them although contradicted"
    ]
    if score.true_procedures:
        verdicts = ", ".join(f"{n} {verdict}" for verdict, n in score.true_verdicts.most_common())
        lines.append(
            f"{score.true_procedures} procedures of true documentation: {score.true_findings}"
            f" findings ({verdicts})"
        )
    return "\n".join(lines)


def report(results: Sequence[EditionResult], true_ones: Sequence[EditionResult]) -> str:
    """The whole report."""
    return "\n".join(_lines(results, true_ones)) + "\n"


def _lines(results: Sequence[EditionResult], true_ones: Sequence[EditionResult]) -> Iterator[str]:
    summary = invented_score(results, true_ones)
    yield from ("# Invented untruths", "", summed_up(summary) + ".", "")
    yield from ("## By kind of claim", "", *_table("Kind", [*summary.by_kind, summary.total]))
    yield from ("", "## By language, format and origin", "", *_table("", summary.by_other))
    yield from ("", "## Untrue sentences shown as confirmed", "")
    for untruth in confirmed_lies(results):
        kinds = ", ".join(untruth.confirmed) or "–"
        yield (
            f"- `{untruth.document}:{untruth.line}` ({untruth.id}, {untruth.kind};"
            f" confirmed claims: {kinds}):"
        )
        yield (
            f"  “{untruth.text}” Untrue: “{untruth.words}”. {untruth.why}."
            f" Verdict: {untruth.verdict}."
        )
    yield from ("", "## Findings about true sentences", "")
    for wrong in wrong_findings([*results, *true_ones]):
        cause = f"; untrue elsewhere: {', '.join(wrong.untruths)}" if wrong.untruths else ""
        place = f"`{wrong.document}:{wrong.line}`"
        yield f"- {place} {wrong.kind} “{wrong.quote}” — {wrong.shown}{cause}"


def _table(name: str, rows: Sequence[InventedRow]) -> Iterator[str]:
    return table((name, *COLUMNS), ((row.name, *cells(row)) for row in rows))
