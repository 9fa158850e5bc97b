"""`appliance label`: what a console calls things, as attempts saw it."""

import click
from rich.table import Table

from appliance.cli._app import Invocation, Noun, pass_invocation
from appliance.cli._labels import labels_of
from appliance.cli._output import data_console, json_option, talk, write_json
from appliance.cli._summary import counted
from appliance.core.jsonable import to_jsonable
from appliance.store.labels import PLACE


@click.group("label", cls=Noun)
def command() -> None:
    """List what a console calls things, as attempts saw it."""


@command.command("list")
@click.option("--console", metavar="NAME", help="Console of the settings.")
@click.option("--release", metavar="R", help="Only of that release.")
@json_option
@pass_invocation
def list_command(
    invocation: Invocation, console: str | None, release: str | None, as_json: bool
) -> None:
    """List labels by page. With --json: a file for `appliance lint --labels`."""
    settings = invocation.settings()
    labels = labels_of(settings, settings.console_name(console), release)
    if as_json:
        write_json([to_jsonable(label) for label in labels])
        return
    table = Table("release", "page", "dialog", "in", "role", "name", "seen", box=None)
    table.pad_edge = False
    shown = [label for label in labels if label.role != PLACE]
    for one in shown:
        cells = (one.release, one.page, one.dialog, one.parent, one.role, one.name)
        table.add_row(*cells, str(one.seen))
    if shown:
        data_console().print(table)
    pages = {(one.release, one.locale, one.page) for one in shown}
    talk(f"{counted(len(shown), 'label')} on {counted(len(pages), 'page')}.")
