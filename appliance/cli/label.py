"""`appliance label`: what a console calls things, as attempts saw it."""

import click

from appliance.cli._app import Invocation, Noun, pass_invocation
from appliance.cli._history import labels_of
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.cli._summary import counted
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
        write_json(labels)
        return
    listed = [label for label in labels if label.role != PLACE]
    print_table(
        ("release", "page", "dialog", "in", "role", "name", "seen"),
        [(x.release, x.page, x.dialog, x.parent, x.role, x.name, x.seen) for x in listed],
    )
    pages = {(label.release, label.locale, label.page) for label in listed}
    talk(f"{counted(len(listed), 'label')} on {counted(len(pages), 'page')}.")
