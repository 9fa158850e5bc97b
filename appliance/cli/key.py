"""`appliance key`: who may ask the server, besides people at this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeAlias
from urllib.parse import quote

import click

from appliance.cli._activity_log import record_activity, user_name
from appliance.cli._app import Invocation, Noun, pass_invocation
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.cli._remote import RemoteServer, server_of
from appliance.cli._times import Duration, local_time
from appliance.config import ServerSettings, Settings
from appliance.core.clock import SystemClock
from appliance.core.jsonable import Json, json_object
from appliance.server.permissions import Permission, permissions
from appliance.store.keys import KeyRow, Role
from appliance.store.store import Store

_Row: TypeAlias = "dict[str, Json]"


@click.group("key", cls=Noun)
def command() -> None:
    """Make, list, rotate and revoke the keys of the server.

    A viewer looks, an operator runs and triages, an admin does the rest: see `key roles`.
    """


_EXPIRES = click.option(
    "--expires",
    type=Duration(zero="never"),
    metavar="90d|never",
    help="How long it is good [default: server.key_days].",
)


@command.command("create")
@click.argument("name", metavar="NAME")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=Role.VIEWER.value,
    show_default=True,
    help="What it may do.",
)
@_EXPIRES
@json_option
@pass_invocation
def create(
    invocation: Invocation, name: str, role: str, expires: timedelta | None, as_json: bool
) -> None:
    """Make a key, and print it: nobody can read it again."""
    with _keys(invocation.settings()) as keys:
        key_row = keys.create(name, Role(role), expires)
    _tell(key_row, as_json)


@command.command("rotate")
@click.argument("key", metavar="KEY")
@click.option(
    "--grace",
    type=Duration(),
    default="24h",
    show_default=True,
    metavar="24h|0",
    help="How long the old one goes on.",
)
@_EXPIRES
@json_option
@pass_invocation
def rotate(
    invocation: Invocation,
    key: str,
    grace: timedelta,
    expires: timedelta | None,
    as_json: bool,
) -> None:
    """Make the next key of the same name and role. KEY is the old one's id or name.

    It expires after as long a time as the old one, where --expires says nothing else.
    """
    with _keys(invocation.settings()) as keys:
        key_row = keys.rotate(key, grace, expires)
    _tell(key_row, as_json)
    if not as_json:
        until = local_time(SystemClock().now() + grace)
        talk(f"The old one goes on until {until} at most." if grace else "The old one is over.")


def _tell(key_row: _Row, as_json: bool) -> None:
    if as_json:
        write_json(key_row)
        return
    click.echo(key_row["key"])
    until = f", good until {_moment(key_row['expires_at'])}" if key_row["expires_at"] else ""
    talk(
        f"This is the key of {key_row['name']!r} ({key_row['role']}{until}). It cannot be shown"
        " again."
    )
    talk("Send it as `Authorization: Bearer KEY`, or log in to the dashboard with it.")


@command.command("list")
@json_option
@pass_invocation
def list_command(invocation: Invocation, as_json: bool) -> None:
    """List all keys there ever were, oldest first."""
    with _keys(invocation.settings()) as keys:
        rows = keys.all()
    if as_json:
        write_json(rows)
        return
    cells = []
    for row in rows:
        used, revoked = _moment(row["last_used_at"]), _moment(row["revoked_at"])
        texts = (row[name] for name in ("id", "name", "role"))
        created, expires = _moment(row["created_at"]), _moment(row["expires_at"])
        cells.append((*texts, created, row["created_by"], used, expires, revoked))
    headings = ("Key", "Name", "Role", "Created", "By", "Last used", "Expires", "Revoked")
    print_table(headings, cells, whole=headings)
    if not rows:
        talk("There is no key. `appliance key create NAME` makes one.")


@command.command("revoke")
@click.argument("key", metavar="KEY")
@json_option
@pass_invocation
def revoke(invocation: Invocation, key: str, as_json: bool) -> None:
    """Make a key useless, for ever. KEY is its id or its name."""
    with _keys(invocation.settings()) as keys:
        row = keys.revoke(key)
    if as_json:
        write_json(row)
    else:
        talk(f"The key {row['name']!r} ({row['id']}) is good no more.")


@command.command("roles")
@json_option
def roles(as_json: bool) -> None:
    """List what each role may do, over REST and in the dashboard alike."""
    rows = permissions()
    if as_json:
        write_json(rows)
        return
    print_table(
        ("Permission", "", *Role),
        [
            (
                row.permission,
                row.about,
                *("yes" if role.includes(row.role) else "" for role in Role),
            )
            for row in rows
        ],
    )


class _LocalKeys:
    """Keys in a store that this process has open; rows are plain JSON."""

    def __init__(self, store: Store, settings: ServerSettings) -> None:
        from appliance.server.keys import KeyStore, key_lifetime

        self._store = store
        self._keys = KeyStore(store.keys, lasts=key_lifetime(settings))

    def create(self, name: str, role: Role, expires: timedelta | None) -> _Row:
        key_row = self._keys.create(name, role, user_name(), expires)
        record_activity(
            self._store, Permission.CREATE_KEY, f"{key_row.row.id} {key_row.row.name}", role.value
        )
        return _public_row(key_row.row) | {"key": key_row.text}

    def rotate(self, key: str, grace: timedelta, expires: timedelta | None) -> _Row:
        key_row = self._keys.rotate(key, user_name(), grace, expires)
        object = f"{key_row.row.id} {key_row.row.name}"
        record_activity(self._store, Permission.ROTATE_KEY, object, f"in place of {key}")
        return _public_row(key_row.row) | {"key": key_row.text}

    def all(self) -> list[_Row]:
        return [_public_row(row) for row in self._keys.all()]

    def revoke(self, key: str) -> _Row:
        row = self._keys.revoke(key, user_name())
        record_activity(self._store, Permission.REVOKE_KEY, f"{row.id} {row.name}")
        return _public_row(row)


class _RemoteKeys:
    """Keys of a running server."""

    def __init__(self, server: RemoteServer) -> None:
        self._server = server

    def create(self, name: str, role: Role, expires: timedelta | None) -> _Row:
        body = {"name": name, "role": role.value, "expires_days": _days(expires)}
        key_row: _Row = self._server.post("/keys", body)
        return key_row

    def rotate(self, key: str, grace: timedelta, expires: timedelta | None) -> _Row:
        body = {"grace_hours": grace / timedelta(hours=1), "expires_days": _days(expires)}
        key_row: _Row = self._server.post(f"/keys/{quote(key, safe='')}/rotate", body)
        return key_row

    def all(self) -> list[_Row]:
        rows: list[_Row] = self._server.get("/keys")["items"]
        return rows

    def revoke(self, key: str) -> _Row:
        row: _Row = self._server.post(f"/keys/{quote(key, safe='')}/revoke")
        return row


@contextmanager
def _keys(settings: Settings) -> Iterator[_LocalKeys | _RemoteKeys]:
    if server := server_of(settings):
        yield _RemoteKeys(server)
        return
    with Store.open(settings.data_dir) as store:
        yield _LocalKeys(store, settings.server)


def _public_row(row: KeyRow) -> _Row:
    return {name: value for name, value in json_object(row).items() if name != "hash"}


def _days(expires: timedelta | None) -> float | None:
    return None if expires is None else expires / timedelta(days=1)


def _moment(value: Json) -> str:
    return local_time(str(value)) if value else ""
