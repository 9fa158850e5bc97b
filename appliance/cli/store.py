"""`appliance store`: the file of results, its backups, what is past its time, and an export."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from appliance.cli._activity_log import EXPORT_STORE, RESTORE_STORE, record_activity
from appliance.cli._app import CLEAN, FINDINGS, Invocation, Noun, pass_invocation
from appliance.cli._history import history
from appliance.cli._output import (
    as_the_user_wants,
    json_option,
    print_table,
    talk,
    write_json,
)
from appliance.cli._remote import RemoteServer, read_as, server_of
from appliance.cli._summary import counted
from appliance.cli._times import local_time
from appliance.config import Settings
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json, json_object
from appliance.engine.schedules.retention import Retained, retain
from appliance.server.permissions import Permission
from appliance.store.backup import Backups, checkpoint
from appliance.store.export import export, export_backup
from appliance.store.info import StoreInfo, info
from appliance.store.integrity import read_all
from appliance.store.manifests import FOLDER, Backup, look_into
from appliance.store.restore import find_backup, restore
from appliance.store.store import Store

_MIB = 1 << 20


@click.group("store", cls=Noun)
def command() -> None:
    """Look after the stored results: check, back up, restore, export, prune."""


@command.command("info")
@json_option
@pass_invocation
def info_command(invocation: Invocation, as_json: bool) -> None:
    """Show how large the store is, and what is in it."""
    with _owner(invocation.settings()) as owner:
        if isinstance(owner, RemoteServer):
            store_info = read_as(StoreInfo, owner.get("/store"))
        else:
            store_info = info(owner.session)
    if as_json:
        write_json(store_info)
        return
    for line in _info_lines(store_info):
        click.echo(line)


@command.command("checkpoint")
@json_option
@pass_invocation
def checkpoint_command(invocation: Invocation, as_json: bool) -> None:
    """Bring what was written last from the log into the file."""
    with _owner(invocation.settings()) as owner:
        if isinstance(owner, RemoteServer):
            owner.post("/store/checkpoint")
        else:
            checkpoint(owner.session)
            record_activity(owner, Permission.CHECKPOINT_STORE, "store")
    if as_json:
        write_json({"written": True})
    else:
        talk("Written.")


@command.command("backup")
@json_option
@pass_invocation
def backup_command(invocation: Invocation, as_json: bool) -> None:
    """Copy the store, while others go on working, and keep the newest copies."""
    settings = invocation.settings()
    with _owner(settings) as owner:
        if isinstance(owner, RemoteServer):
            backup = _have_server_back_up(owner, settings)
        else:
            backups = Backups(owner.session, settings.storage.backup_recipients)
            backup = backups.make(SystemClock().now())
            backups.prune(settings.retention.backups)
            record_activity(owner, Permission.BACK_UP_STORE, backup.id)
    if as_json:
        write_json(_backup_json(backup))
        return
    click.echo(backup.folder)
    sealed = ", encrypted" if backup.is_encrypted else ""
    size = f"{backup.size / _MIB:.1f} MiB"
    talk(f"{counted(backup.runs, 'run')}, {size}{sealed}. Pictures are not in it.")


@command.command("check")
@json_option
@pass_invocation
def check_command(invocation: Invocation, as_json: bool) -> int:
    """Read the whole store and all its backups, and say what is damaged.

    Exit code 1 where something is. No server may be at work: its nightly backup reads everything.
    """
    settings = invocation.settings()
    if server := server_of(settings):
        raise SetupError(
            f"the server at {server.url} works with the store: `appliance store backup` reads all"
            " of it there, and so does the backup of every night."
        )
    with history(settings) as store, store.session.reading("reading all of it") as connection:
        read_all(connection, store.path)
    backups, unreadable = look_into(settings.data_dir / FOLDER)
    bad = [backup.id for backup in backups if not backup.is_sound]
    ids = [*(backup.id for backup in backups), *unreadable]
    if as_json:
        write_json({"backups": [*ids], "damaged": [*bad, *unreadable]})
    else:
        talk(f"The store can be read to its end. {counted(len(ids), 'backup')} looked at.")
        for id in bad:
            talk(f"The backup {id} is damaged: its checksum is not that of its manifest.")
        for why in unreadable.values():
            talk(why)
    bad += unreadable
    return FINDINGS if bad else CLEAN


@command.command("backups")
@json_option
@pass_invocation
def backups_command(invocation: Invocation, as_json: bool) -> None:
    """List the backups, newest first, and say which cannot be read."""
    backups, unreadable = look_into(invocation.settings().data_dir / FOLDER)
    if as_json:
        good = [{**_backup_json(backup), "problem": ""} for backup in backups]
        write_json([*good, *({"id": id, "problem": why} for id, why in unreadable.items())])
        return
    cells = []
    for one in backups:
        made_at, size = local_time(one.made_at), f"{one.size / _MIB:.1f}"
        cells.append((one.id, made_at, one.runs, size, one.schema, one.appliance_version))
    print_table(("Backup", "Made", "Runs", "MiB", "Schema", "Appliance"), cells)
    for why in unreadable.values():
        talk(why)
    if not backups and not unreadable:
        talk("There is no backup. `appliance store backup` makes one.")


@command.command("restore")
@click.argument("backup", metavar="BACKUP")
@click.option(
    "--identity",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="File of the private key, for a backup that is encrypted.",
)
@json_option
@pass_invocation
def restore_command(
    invocation: Invocation, backup: str, identity: Path | None, as_json: bool
) -> None:
    """Put BACKUP in the place of the store; what was there is kept beside it.

    BACKUP is an id that `store backups` shows, or a folder or file elsewhere. No server and no run
    may be at work.
    """
    settings = invocation.settings()
    if server := server_of(settings):
        raise SetupError(
            f"the server at {server.url} works with the store: stop it, restore, and start it."
        )
    source = find_backup(settings.data_dir, backup)
    restored = restore(settings.data_dir, source, SystemClock().now(), identity)
    with Store.open(settings.data_dir) as store:  # which knows nothing of it
        record_activity(store, RESTORE_STORE, restored.backup.id)
    if as_json:
        write_json(restored)
        return
    made_at = local_time(restored.backup.made_at)
    talk(
        f"{restored.store} is as it was on {made_at}, with {counted(restored.backup.runs, 'run')}."
    )
    if restored.kept:
        talk(f"What was there is kept as {restored.kept}; remove it when you miss nothing.")


@command.command("export")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@json_option
@pass_invocation
def export_command(invocation: Invocation, folder: Path, as_json: bool) -> None:
    """Write runs, procedures, steps, findings and incidents to DIR as Parquet files."""
    settings = invocation.settings()
    with _owner(settings) as owner, as_the_user_wants():
        if isinstance(owner, RemoteServer):
            backup = _have_server_back_up(owner, settings)
            talk(f"Exporting from the backup {backup.id}, which the server has made now.")
            tables = export_backup(backup, folder)
        else:
            tables = export(owner.session, folder)
            record_activity(owner, EXPORT_STORE, str(folder))
    if as_json:
        write_json(tables)
        return
    for table in tables:
        click.echo(table.file)
    talk(f"{counted(sum(table.rows for table in tables), 'row')}.")


@command.command("prune")
@click.option("--dry-run", is_flag=True, help="Only say what would be removed.")
@json_option
@pass_invocation
def prune_command(invocation: Invocation, dry_run: bool, as_json: bool) -> None:
    """Remove what is past its time, as `retention` in the settings says."""
    settings = invocation.settings()
    with _owner(settings) as owner:
        if isinstance(owner, RemoteServer):
            dry_run_text = str(dry_run).lower()
            retained = read_as(Retained, owner.post("/store/prune", dry_run=dry_run_text))
        else:
            now = SystemClock().now()
            retained = retain(owner, settings.retention, now, dry_run=dry_run)
            record_activity(owner, Permission.PRUNE_STORE, "store", str(retained))
    if as_json:
        write_json(retained)
        return
    text = str(retained)
    talk(f"{text[0].upper()}{text[1:]}.")


@contextmanager
def _owner(settings: Settings) -> Iterator[Store | RemoteServer]:
    """Open the store in this process, or reach the server that owns it."""
    if server := server_of(settings):
        yield server
        return
    with history(settings) as store:
        yield store


def _have_server_back_up(server: RemoteServer, settings: Settings) -> Backup:
    """A backup that the server makes; its folder as it is called from here."""
    backup = read_as(Backup, server.post("/store/backups"))
    return replace(backup, folder=settings.data_dir / FOLDER / backup.id)


def _backup_json(backup: Backup) -> dict[str, Json]:
    return {"id": backup.id, **json_object(backup)}


def _info_lines(info: StoreInfo) -> Iterator[str]:
    yield f"{info.path}: {info.bytes / _MIB:.1f} MiB, schema {info.schema}"
    names = ("run", "procedure", "step", "finding", "incident")
    yield "  " + ", ".join(counted(info.rows.get(f"{name}s", 0), name) for name in names)
    if info.oldest_run_at:
        yield f"  oldest run of {local_time(info.oldest_run_at)}"
    yield f"  {counted(info.artifacts, 'artifact')}, {info.artifacts_bytes / _MIB:.1f} MiB"
    last_backup_at = info.last_backup_at
    last_backup = f", the last of {local_time(last_backup_at)}" if last_backup_at else ""
    yield f"  {counted(info.backups, 'backup')}{last_backup}"
