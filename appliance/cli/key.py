"""`appliance key`: who may ask the server, besides people at this machine."""

import getpass
from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.table import Table

from appliance.cli._app import Invocation, pass_invocation
from appliance.cli._output import data_console, json_option, talk, write_json
from appliance.config import Settings
from appliance.core.jsonable import Json, json_object
from appliance.server.keys import Keys
from appliance.store import Store
from appliance.store.keys import KeyRow, Role


@click.group("key")
def command() -> None:
    """Make, list and revoke the keys of the server.

    A viewer looks, an operator starts, stops and triages, an admin also has keys and schedules.
    """


@command.command("create")
@click.argument("name", metavar="NAME")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=Role.VIEWER.value,
    show_default=True,
    help="What it may do.",
)
@json_option
@pass_invocation
def create(invocation: Invocation, name: str, role: str, as_json: bool) -> None:
    """Make a key, and print it: nobody can read it again."""
    with _keys(invocation.settings()) as keys:
        made = keys.create(name, Role(role), getpass.getuser())
    if as_json:
        write_json(_told(made.row) | {"key": made.text})
        return
    click.echo(made.text)
    talk(f"This is the key of {made.row.name!r} ({made.row.role}). It cannot be shown again.")
    talk("Send it as `Authorization: Bearer KEY`, or log in to the dashboard with it.")


@command.command("list")
@json_option
@pass_invocation
def list_command(invocation: Invocation, as_json: bool) -> None:
    """List all keys there ever were, oldest first."""
    with _keys(invocation.settings()) as keys:
        rows = keys.all()
    if as_json:
        write_json([_told(row) for row in rows])
    elif rows:
        data_console().print(_table(rows))
    else:
        talk("There is no key. `appliance key create NAME` makes one.")


@command.command("revoke")
@click.argument("key", metavar="KEY")
@json_option
@pass_invocation
def revoke(invocation: Invocation, key: str, as_json: bool) -> None:
    """Make a key useless, for ever. KEY is its id or its name."""
    with _keys(invocation.settings()) as keys:
        row = keys.revoke(key, getpass.getuser())
    if as_json:
        write_json(_told(row))
    else:
        talk(f"The key {row.name!r} ({row.id}) is good no more.")


@contextmanager
def _keys(settings: Settings) -> Iterator[Keys]:
    with Store.open(settings.data_dir) as store:
        yield Keys(store.keys)


def _told(row: KeyRow) -> dict[str, Json]:
    return {name: value for name, value in json_object(row).items() if name != "hash"}


def _table(rows: tuple[KeyRow, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("Key", "Name", "Role", "Created", "By", "Last used", "Revoked"):
        table.add_column(heading, no_wrap=True)
    for row in rows:
        moments = (row.created_at, row.last_used_at, row.revoked_at)
        created, used, revoked = (
            f"{moment.astimezone():%Y-%m-%d %H:%M}" if moment else "" for moment in moments
        )
        table.add_row(row.id, row.name, row.role, created, row.created_by, used, revoked)
    return table
