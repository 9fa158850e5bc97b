"""What came of runs and of clean-up, as people read it in a terminal."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from appliance.cli._output import talk
from appliance.core.procedure import LeftOutReason
from appliance.core.resources import Lifetime, ReceiptKind
from appliance.core.result import Finding, ProcedureResult, RunResult, procedure_of
from appliance.core.verdict import Verdict

if TYPE_CHECKING:  # it brings a browser along
    from appliance.environment.janitor import Reaped

COLOURS = {
    Verdict.VERIFIED: "green",
    Verdict.DRIFTED: "yellow",
    Verdict.BROKEN: "red",
    Verdict.BLOCKED: "magenta",
    Verdict.UNDECIDED: "cyan",
}


def place(result: ProcedureResult) -> str:
    """Where a procedure stands, as a terminal can open it."""
    return f"{result.document}:{result.line}"


def replay_command(document: str, procedure_id: str, console: str) -> str:
    """The command that carries a procedure out again."""
    plain = procedure_of(procedure_id)
    job = ["verify"] if plain == procedure_id else ["sweep", "start"]
    words = ["appliance", *job, document, "--procedure", plain]
    if console != "practice":
        words += ["--console", console]
    return shlex.join(words)


_SILENT = (Verdict.VERIFIED,)
"""Verdicts of which the table says enough."""


def print_run(run: RunResult, console: Console) -> None:
    """Table of verdicts, then what was found, then one line that sums up."""
    console.print(_table(run))
    for result in run.procedures:
        if result.findings or result.verdict not in _SILENT:
            console.print()
            for line in _details(result, run.console):
                console.print(line, soft_wrap=True)
    console.print()
    console.print(_sum(run), soft_wrap=True)


def _table(run: RunResult) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Verdict", no_wrap=True)
    table.add_column("Procedure")
    table.add_column("Where", overflow="fold")
    table.add_column("Findings", justify="right")
    table.add_column("Time", justify="right", no_wrap=True)
    for result in run.procedures:
        table.add_row(
            Text(result.verdict, style=COLOURS[result.verdict]),
            result.title,
            place(result),
            str(len(result.findings) or ""),
            f"{result.cost.wall_s:.0f} s",
        )
    return table


def _details(result: ProcedureResult, console: str) -> Iterator[Text]:
    head = Text(result.verdict, style=f"bold {COLOURS[result.verdict]}")
    yield head.append(f"  {result.title}", style="bold").append(f"  {place(result)}", style="dim")
    if reason := result.blocked_by or _doubt(result):
        yield Text(f"  {reason}")
    for finding in result.findings:
        yield finding_line(finding)
    yield Text(f"  again: {replay_command(result.document, result.id, console)}", style="dim")


def finding_line(finding: Finding) -> Text:
    """`file:line:column kind: quote → suggestion`, or what the console shows."""
    line = Text(f"  {finding.document}:{finding.line}:{finding.column}", style="bold")
    line.append(f" {finding.kind.value.replace('_', ' ')}", style="yellow")
    line.append(": ", style="").append(f"“{finding.quote}”", style="red")
    if finding.suggestion is not None:
        replacement = f"“{finding.suggestion}”" if finding.suggestion else "(leave out)"
        line.append(" → ", style="").append(replacement, style="green")
    if finding.shown:
        line.append(f"  {finding.shown}", style="dim")
    return line if finding.is_sure else line.append("  (not sure enough to count)", style="dim")


def _doubt(result: ProcedureResult) -> str:
    """Why a person has to look, where no environment is to blame."""
    if result.verdict is not Verdict.UNDECIDED:
        return ""
    reasons = [f"{c.channel}: {c.reason}" for c in result.goal.channels if c.reason]
    return "; ".join(reasons)


def _sum(run: RunResult) -> Text:
    summary = run.summary
    text = Text(f"{counted(summary.procedures, 'procedure')}: ", style="bold")
    counts = [(v, sum(p.verdict is v for p in run.procedures)) for v in Verdict]
    parts = [
        Text(f"{count} {verdict}", style=COLOURS[verdict]) for verdict, count in counts if count
    ]
    text.append(Text(", ").join(parts))
    took = (run.ended_at - run.started_at).total_seconds()
    if run.not_reached:
        text.append(f" · {run.not_reached} not reached")
    text.append(f" · {counted(summary.findings, 'finding')}")
    if summary.cosmetic:
        text.append(f" · {summary.cosmetic} cosmetic")
    if summary.unsure:
        text.append(f" · {summary.unsure} unsure")
    if (covered := run.coverage).total:
        text.append(f" · {covered.checked} of {counted(covered.total, 'statement')} checked")
    return text.append(f" · {took:.0f} s")


_ELSEWHERE = {
    LeftOutReason.COMMAND_LINE: "on the command line",
    LeftOutReason.CODE: "in code or files",
    LeftOutReason.NO_CONTROL: "without a control",
    LeftOutReason.EXPLAINS: "that explain",
}


def sections_left_out(reasons: Iterable[LeftOutReason]) -> str:
    """The sections with instructions that are none for a console, counted; empty without any."""
    counts = Counter(reasons)
    parts = ", ".join(
        f"{counts[reason]} {_ELSEWHERE[reason]}" for reason in LeftOutReason if counts[reason]
    )
    total = counted(counts.total(), "section")
    return f"Left out, since nothing is done in a console: {total} ({parts})." if parts else ""


def counted(number: int, noun: str) -> str:
    """`1 finding`, `2 findings`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def tell_reaped(reaped: "Iterable[Reaped]") -> None:
    """What the janitor did, in lines for a person."""
    for result in reaped:
        cause = f"{result.attempt.id} ({what_for(result.attempt)})" if result.attempt else "strays"
        removed = [
            r for r in result.receipts if r.deed in (ReceiptKind.DELETED, ReceiptKind.DESTROYED)
        ]
        count = counted(len(removed), "thing")
        talk(f"Cleaned up in account {result.account} after {cause}: {count}.")
        for receipt in removed:
            talk(f"  {receipt.deed.value} {receipt}")
        if result.problem:
            talk(f"  still there: {result.problem}")


def what_for(lifetime: Lifetime) -> str:
    """The procedure it was made for."""
    return lifetime.procedure_id or "made by hand"
