"""`appliance finding`: findings of earlier runs."""

from collections.abc import Iterator

import click
from rich.text import Text

from appliance.cli._app import Invocation, pass_invocation
from appliance.cli._history import finding_of, history, run_id_of
from appliance.cli._output import data_console, json_option, talk, write_json
from appliance.cli._summary import counted, finding_line
from appliance.cli._words import replay_command
from appliance.core.jsonable import to_jsonable
from appliance.store import Store, StoredFinding


@click.group("finding")
def command() -> None:
    """Look at findings of earlier runs."""


@command.command("list")
@click.option("--run", "run_id", metavar="RUN", help="Of that run [default: the latest]")
@click.option("--all", "of_all", is_flag=True, help="Of all runs.")
@click.option("--document", metavar="PATH", help="Only in that document.")
@json_option
@pass_invocation
def list_command(
    invocation: Invocation, run_id: str | None, of_all: bool, document: str | None, as_json: bool
) -> None:
    """List the findings of the latest run, of one run or of all."""
    with history(invocation.settings()) as store:
        run = None if of_all else run_id_of(store, run_id)
        findings = store.findings(run_id=run, document=document)
    if as_json:
        write_json([to_jsonable(found) for found in findings])
        return
    console = data_console()
    for found in findings:
        line = Text(found.finding.id, style="cyan").append(finding_line(found.finding))
        console.print(line, soft_wrap=True)
    talk(f"{counted(len(findings), 'finding')} in {f'run {run}' if run else 'all runs'}.")


@command.command("show")
@click.argument("finding_id", metavar="FINDING")
@json_option
@pass_invocation
def show(invocation: Invocation, finding_id: str, as_json: bool) -> None:
    """Show the finding whose id begins with FINDING, with its evidence."""
    with history(invocation.settings()) as store:
        found = finding_of(store, finding_id)
        lines = list(_lines(found, store))
    if as_json:
        write_json(to_jsonable(found))
        return
    for line in lines:
        click.echo(line)


def _lines(found: StoredFinding, store: Store) -> Iterator[str]:
    finding = found.finding
    yield f"{finding.document}:{finding.line}:{finding.column}"
    yield f"kind         {finding.kind}, {finding.severity}, confidence {finding.confidence:.2f}"
    yield f"text         {finding.quote}"
    yield f"console      {finding.shown}"
    if finding.suggestion is not None:
        yield f"suggestion   {finding.suggestion or '(leave it out)'}"
    yield f"step         {finding.step} of {found.procedure_id}"
    yield f"run          {found.run_id} against {found.console}"
    yield f"fingerprint  {finding.fingerprint}"
    for piece in finding.evidence:
        where = str(store.artifacts.path(piece.artifact)) if piece.artifact else ""
        yield f"{piece.kind:<12} {' '.join(filter(None, (piece.caption, piece.text, where)))}"
    yield f"again        {replay_command(finding.document, found.procedure_id, found.console)}"
