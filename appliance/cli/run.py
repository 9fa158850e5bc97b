"""`appliance run`: earlier runs."""

import click
from rich.table import Table

from appliance.cli._app import Invocation, pass_invocation
from appliance.cli._history import records, run_id_of
from appliance.cli._output import data_console, json_option, write_json
from appliance.cli._summary import print_run
from appliance.core.jsonable import to_jsonable
from appliance.core.result_json import result_document
from appliance.store import RunRow


@click.group("run")
def command() -> None:
    """Look at earlier runs."""


@command.command("list")
@click.option("--limit", default=20, show_default=True, help="At most so many, newest first.")
@json_option
@pass_invocation
def list_command(invocation: Invocation, limit: int, as_json: bool) -> None:
    """List runs, newest first."""
    with records(invocation.settings()) as kept:
        rows = kept.runs(limit)
    if as_json:
        write_json(to_jsonable(rows))
        return
    data_console().print(_table(rows))


@command.command("show")
@click.argument("run_id", metavar="[RUN]", required=False)
@json_option
@pass_invocation
def show(invocation: Invocation, run_id: str | None, as_json: bool) -> None:
    """Show a run: the latest, or the one whose id begins with RUN."""
    with records(invocation.settings()) as kept:
        run = kept.load_run(run_id_of(kept, run_id))
    if as_json:
        write_json(result_document(run))
    else:
        print_run(run, data_console())


def _table(rows: tuple[RunRow, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    names = ("verified", "drifted", "broken", "blocked", "undecided", "findings")
    for heading in ("Run", "Started", "Console", "Procedures"):
        table.add_column(heading, no_wrap=True)
    for name in names:
        table.add_column(name.capitalize(), justify="right")
    for row in rows:
        counts = [str(getattr(row.summary, name) or "") for name in names]
        done = f"{row.summary.procedures}{'' if row.is_finished else f' of {row.planned}'}"
        started = f"{row.started_at.astimezone():%Y-%m-%d %H:%M}"
        table.add_row(row.id, started, row.console, done, *counts)
    return table
