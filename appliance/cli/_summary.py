"""The result of a run as people read it in a terminal."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from appliance.cli._words import COLOURS, place, replay_command
from appliance.core.result import Finding, ProcedureResult, RunResult
from appliance.core.verdict import Verdict

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
    return line.append(f"  {finding.shown}", style="dim") if finding.shown else line


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
    said = [
        Text(f"{count} {verdict}", style=COLOURS[verdict]) for verdict, count in counts if count
    ]
    text.append(Text(", ").join(said))
    took = (run.ended_at - run.started_at).total_seconds()
    return text.append(f" · {counted(summary.findings, 'finding')} · {took:.0f} s")


def counted(number: int, noun: str) -> str:
    """`1 finding`, `2 findings`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
