"""What came of a check, for people."""

from collections.abc import Sequence

from tests.zoo.checking import Checked
from tests.zoo.scoring import Row, Totals, sum_of

HEAD = (
    f"{'':<22}{'right':>9}{'steps done':>12}{'untrue found':>14}{'false/findings':>16}"
    f"{'on true':>9}{'left':>6}{'wrong object':>14}{'cannot':>8}"
)


def table(checked: Sequence[Checked]) -> str:
    """A line a console, all together, and each wrong verdict with its cause."""
    lines = [HEAD, *(_line(each.console, each.totals) for each in checked)]
    for half in sorted({each.half for each in checked}):
        lines.append(_line(f"all {half}", sum_of(c.totals for c in checked if c.half == half)))
    for each in checked:
        lines += [_cause(each.console, row) for row in each.rows if not row.is_right]
    return "\n".join(lines)


def _line(name: str, totals: Totals) -> str:
    return (
        f"{name:<22}{_of(totals.right, totals.procedures):>9}"
        f"{_of(totals.steps_done, totals.steps):>12}{_of(totals.untrue_found, totals.untrue):>14}"
        f"{_of(totals.findings_false, totals.findings):>16}{totals.false_on_true:>9}"
        f"{totals.left:>6}{totals.wrongly_touched:>14}{totals.cannot:>8}"
    )


def _of(part: int, whole: int) -> str:
    return f"{part}/{whole}"


def _cause(console: str, row: Row) -> str:
    said = f"  {console} {row.document}:{row.line} {row.title}: {row.verdict or 'not found'},"
    parts = [
        f"{said} not {' or '.join(row.acceptable)}" if row.verdict not in row.acceptable else said
    ]
    parts += [f"false: {each}" for each in row.false]
    parts += [f"missed: {each}" for each in row.missed]
    if row.verdict and row.witness is False:
        parts.append("the witness saw nothing of it")
    parts += [f"wrong object: {each}" for each in row.wrongly_touched]
    return "; ".join([*parts, row.why] if row.why else parts)
